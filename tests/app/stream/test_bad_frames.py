"""What a client must not send: a bad frame ends its stream with 1008, a bad action alone is answered, and nothing is a
mistake of the service.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from app.stream.ending import problem_of
from app.stream.reading import parsed, read_frame
from tests.app.stream.streaming import PATIENCE, Person, Site, serving

PASS = {"type": "pass"}
BAD_FRAMES: dict[str, str | bytes] = {
    "bytes": b"{}",
    "nothing": "",
    "no JSON": "{",
    "no object": "[]",
    "no type": "{}",
    "an unknown type": '{"type":"hello"}',
    "a type that is no text": '{"type":["ping"]}',
    "an unknown member": '{"type":"ping","x":1}',
    "a member twice": '{"type":"ping","type":"ping"}',
    "a NUL": '{"type":"ping\\u0000"}',
    "a lone surrogate": '{"type":"ping\\ud800"}',
    "nested too deep": '{"type":' + "[" * 40 + "]" * 40 + "}",
    "a number without end": '{"type":"resume","after":' + "9" * 400 + "}",
    "NaN": '{"type":"resume","after":NaN}',
    "no cursor": '{"type":"resume"}',
    "a cursor before the first": '{"type":"resume","after":-1}',
    "a cursor that is no number": '{"type":"resume","after":true}',
    "an action without an id": '{"type":"action","decision_no":1,"action":{"type":"pass"}}',
    "an action with a NUL": '{"type":"action","action_id":"mine","action":{"type":"pass\\u0000"}}',
    "an action with a bad id": '{"type":"action","action_id":"a b","decision_no":1,"action":{"type":"pass"}}',
}
BAD_ACTIONS: dict[str, dict[str, Any]] = {
    "no action": {"decision_no": 1},
    "no decision": {"action": PASS},
    "a decision that is no number": {"decision_no": "1", "action": PASS},
    "an unknown action": {"decision_no": 1, "action": {"type": "fly"}},
    "an unknown member": {"decision_no": 1, "action": PASS, "seat": 0},
    "an unknown member of the action": {"decision_no": 1, "action": {"type": "pass", "why": "so"}},
    "an unknown tile": {"decision_no": 1, "action": {"type": "discard", "tile": "1x1"}},
}


@pytest.mark.parametrize("name", BAD_FRAMES)
async def test_a_bad_frame_is_told_and_ends_the_stream_with_1008(site: Site, name: str):
    person, game_id = await seated(site)
    async with site.follow(game_id, person) as socket:
        await socket.next("hello")
        await socket.connection.send(BAD_FRAMES[name])
        code, reason = await socket.closed()

    assert (code, reason) == (1008, socket.frames[-1]["problem"]["code"])
    assert "action_id" not in socket.frames[-1]


@pytest.mark.parametrize("name", BAD_ACTIONS)
async def test_a_bad_action_is_answered_under_its_id_and_the_stream_goes_on(site: Site, name: str):
    person, game_id = await seated(site)
    async with site.follow(game_id, person) as socket:
        await socket.send({"type": "action", "action_id": "mine", **BAD_ACTIONS[name]})
        answer = await socket.next("problem")
        await socket.send({"type": "ping"})
        await socket.next("ping")

    assert (answer["action_id"], answer["problem"]["status"]) == ("mine", 422)


async def test_the_field_at_fault_is_named(site: Site):
    person, game_id = await seated(site)
    async with site.follow(game_id, person) as socket:
        await socket.send({"type": "action", "action_id": "mine", "decision_no": -1, "action": PASS})
        answer = await socket.next("problem")

    assert [(fault["part"], fault["pointer"]) for fault in answer["problem"]["errors"]] == [("body", "/decision_no")]


async def test_the_largest_frame_is_read(site: Site):
    person, game_id = await seated(site)
    async with site.follow(game_id, person) as socket:
        await socket.connection.send('{"type":"ping"}'.ljust(16 * 1024))
        assert (await socket.next("ping"))["type"] == "ping"


@pytest.mark.parametrize("parts", [1, 2, 200])
async def test_a_frame_that_is_too_large_ends_the_stream_with_1008(site: Site, parts: int):
    person, game_id = await seated(site)
    text = '{"type":"ping"}'.ljust(16 * 1024 + 1)
    size = -(-len(text) // parts)
    async with site.follow(game_id, person) as socket:
        await socket.next("hello")
        await socket.connection.send([text[at : at + size] for at in range(0, len(text), size)])
        code, _ = await socket.closed()

    assert code == 1008


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("text that is not UTF-8", b"\x81\x81\0\0\0\0\xff"),
        ("a reserved bit", b"\xc1\x80\0\0\0\0"),
        ("no mask", b"\x81\x00"),
        ("an unknown opcode", b"\x83\x80\0\0\0\0"),
        ("a continuation of nothing", b"\x80\x80\0\0\0\0"),
    ],
)
async def test_what_is_no_websocket_frame_ends_the_stream_with_1008(site: Site, name: str, sent: bytes):
    person, game_id = await seated(site)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = (
        f"GET /v1/games/{game_id}/stream HTTP/1.1",
        "Host: todas",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Authorization: Bearer {person.token}",
    )
    writer.write("\r\n".join((*head, "", "")).encode())
    await asyncio.wait_for(reader.readuntil(b'"heartbeat_s":300.0}'), PATIENCE)
    writer.write(sent)
    rest = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()

    assert rest[:1] + rest[2:4] == b"\x88" + (1008).to_bytes(2, "big"), name


async def test_actions_past_the_budget_are_refused_and_may_come_again(url: str):
    async with serving(url, rate_moves="2/hour") as site:
        person, game_id = await seated(site)
        async with site.follow(game_id, person) as socket:
            for _ in range(3):
                await socket.act(PASS, 1)
            answers = [await socket.next("ack", "problem") for _ in range(3)]

    assert [answer["type"] for answer in answers] == ["ack", "ack", "problem"]
    assert (answers[2]["problem"]["code"], answers[2]["problem"]["retry"]) == ("rate_limited", "after")
    assert answers[2]["retry_after_s"] > 0


async def test_pings_past_the_budget_end_the_stream_with_1013(url: str):
    async with serving(url, rate_reads="20/hour") as site:
        person, game_id = await seated(site)
        async with site.follow(game_id, person) as socket:
            for _ in range(21):
                await socket.send({"type": "ping"})
            assert await socket.closed() == (1013, "rate_limited")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["action", "ping", "resume"]) | JSON,
        "action_id": st.just("a1") | JSON,
        "decision_no": st.integers(-2, 9) | JSON,
        "action": st.fixed_dictionaries(
            {"type": st.sampled_from(["pass", "discard", "claim", "kong", "win", "confirm", "amend"])},
            optional={"tile": JSON, "tiles": JSON, "kind": JSON, "round": JSON, "changes": JSON, "reason": JSON},
        )
        | JSON,
        "after": st.integers(-2, 9) | JSON,
    },
)


@given(st.one_of(MEMBERS, JSON).map(json.dumps) | st.text())
@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_whatever_is_sent_is_a_frame_or_a_problem(text: str):
    assert status_of(text) in (200, 422)


def status_of(text: str) -> int:
    """What a frame would be answered if it were a request."""
    try:
        read_frame(parsed({"type": "websocket.receive", "text": text}))
    except Exception as error:
        return problem_of(error).kind.status
    return 200


async def seated(site: Site) -> tuple[Person, str]:
    """Somebody, and a game of theirs in its opening window."""
    people = await site.people()
    return people[0], await site.game(people)
