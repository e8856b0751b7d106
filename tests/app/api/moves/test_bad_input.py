"""Bad input gets a problem with a stable code; the game is as it was, and other games go on."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from tests.app.api.conftest import problem
from tests.app.api.moves.seated import Seated, sit_down

DISCARD: dict[str, Any] = {"type": "discard", "tile": "5c"}
ENTRIES: list[tuple[str, str, Any, int, str]] = [
    ("an unknown tile", "discard", {"tile": "0b"}, 422, "unknown_tile"),
    (
        "an unknown tile in an action",
        "actions",
        {"decision_no": 2, "action": {**DISCARD, "tile": "10d"}},
        422,
        "unknown_tile",
    ),
    ("an unknown tile in a claim", "claim", {"kind": "chow", "tiles": ["4c", "99"]}, 422, "unknown_tile"),
    ("the back of a tile", "discard", {"tile": "back"}, 422, "unknown_tile"),
    ("a joker by the name it has in tests", "discard", {"tile": "J"}, 422, "unknown_tile"),
    ("a flower", "discard", {"tile": "1f"}, 409, "tile_not_held"),
    ("a tile as a number", "discard", {"tile": 5}, 422, "invalid_request"),
    ("a tile as a list", "discard", {"tile": ["5c"]}, 422, "invalid_request"),
    ("no tile", "discard", {}, 422, "invalid_request"),
    ("no body where one is needed", "discard", None, 422, "invalid_request"),
    ("a claim of one tile", "claim", {"kind": "pung", "tiles": ["5c"]}, 422, "invalid_request"),
    ("a claim of no kind", "claim", {"tiles": ["5c", "5c"]}, 422, "invalid_request"),
    ("a claim without a window", "claim", {"kind": "pung", "tiles": ["5c", "5c"]}, 409, "claim_not_offered"),
    ("an old decision", "actions", {"decision_no": 1, "action": DISCARD}, 409, "stale_decision"),
    ("a decision that is not open yet", "actions", {"decision_no": 3, "action": DISCARD}, 409, "stale_decision"),
    ("a decision beyond 63 bits", "actions", {"decision_no": 2**63 - 1, "action": DISCARD}, 409, "stale_decision"),
    ("a decision beyond 64 bits", "actions", {"decision_no": 2**64, "action": DISCARD}, 422, "integer_out_of_range"),
    ("a negative decision", "actions", {"decision_no": -1, "action": DISCARD}, 422, "invalid_request"),
    ("a decision as a text", "actions", {"decision_no": "2", "action": DISCARD}, 422, "invalid_request"),
    ("a decision as a bool", "actions", {"decision_no": True, "action": DISCARD}, 422, "invalid_request"),
    ("a decision as a fraction", "actions", {"decision_no": 2.5, "action": DISCARD}, 422, "invalid_request"),
    ("no decision", "actions", {"action": DISCARD}, 422, "invalid_request"),
    ("an action of no type", "actions", {"decision_no": 2, "action": {"tile": "5c"}}, 422, "invalid_request"),
    ("an action of another type", "actions", {"decision_no": 2, "action": {"type": "steal"}}, 422, "invalid_request"),
    (
        "an action with more in it",
        "actions",
        {"decision_no": 2, "action": {**DISCARD, "seat": 1}},
        422,
        "invalid_request",
    ),
    (
        "what only the table asks",
        "actions",
        {"decision_no": 2, "action": {"type": "close_settlement"}},
        422,
        "invalid_request",
    ),
    ("a field that is not known", "discard", {"tile": "5c", "seat": 1}, 422, "invalid_request"),
    ("an id of other signs", "pass", {"action_id": "a b"}, 422, "invalid_request"),
    ("an id that is too long", "pass", {"action_id": "a" * 65}, 422, "invalid_request"),
    ("an empty id", "pass", {"action_id": ""}, 422, "invalid_request"),
    ("a list", "discard", ["5c"], 422, "invalid_request"),
    ("a text", "discard", "5c", 422, "invalid_request"),
    (
        "a round as a text",
        "actions",
        {"decision_no": 2, "action": {"type": "confirm", "round": "1"}},
        422,
        "invalid_request",
    ),
    (
        "a round as a bool",
        "actions",
        {"decision_no": 2, "action": {"type": "confirm", "round": True}},
        422,
        "invalid_request",
    ),
    ("a round that is not settled", "settlement/confirm", {"round": 1}, 409, "wrong_round"),
    ("a round that cannot be", "settlement/confirm", {"round": 0}, 422, "invalid_request"),
    ("an end that cannot be", "end", {"when": "yesterday"}, 422, "invalid_request"),
]
RAW: list[tuple[str, bytes, int, str]] = [
    ("half a body", b'{"tile": "5c"', 422, "malformed_json"),
    ("no JSON", b"tile=5c", 422, "malformed_json"),
    ("a NUL in a text", b'{"tile": "5c\\u0000"}', 422, "invalid_text"),
    ("a NUL in a name", b'{"ti\\u0000le": "5c"}', 422, "invalid_text"),
    ("a lone surrogate", b'{"tile": "\\ud800"}', 422, "invalid_text"),
    ("a surrogate as bytes", b'{"tile": "\xed\xa0\x80"}', 422, "invalid_text"),
    ("bytes that are not UTF-8", b'{"tile": "\xff"}', 422, "invalid_text"),
    ("a raw NUL", b'{"tile": "5c"}\x00', 422, "malformed_json"),
    ("a member twice", b'{"tile": "5c", "tile": "6c"}', 422, "duplicate_member"),
    ("a number without end", b'{"tile": ' + b"9" * 5000 + b"}", 422, "integer_out_of_range"),
    ("an infinity", b'{"tile": 1e999}', 422, "malformed_json"),
    ("not a number", b'{"tile": NaN}', 422, "malformed_json"),
    ("depth", b'{"tile": ' + b"[" * 5000 + b"]" * 5000 + b"}", 422, "nested_too_deep"),
    ("size", b'{"tile": "' + b"5" * 70_000 + b'"}', 413, "body_too_large"),
]


async def unchanged(seated: Seated, before: httpx.Response) -> bool:
    after = await seated.get()
    seen, was = after.json(), before.json()
    seen["game"].pop("server_time")
    was["game"].pop("server_time")
    return seen == was and after.headers["etag"] == before.headers["etag"]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"), [entry[1:] for entry in ENTRIES], ids=[entry[0] for entry in ENTRIES]
)
async def test_what_cannot_be_done_is_refused_and_the_game_is_as_it_was(
    emay: Seated, path: str, body: Any, status: int, code: str
):
    before = await emay.get()
    refused = problem(await emay.post(path, body))
    assert (refused["status"], refused["code"]) == (status, code)
    assert await unchanged(emay, before)


@pytest.mark.parametrize(("content", "status", "code"), [entry[1:] for entry in RAW], ids=[entry[0] for entry in RAW])
async def test_a_body_that_cannot_be_read_is_refused_and_the_game_is_as_it_was(
    emay: Seated, content: bytes, status: int, code: str
):
    before = await emay.get()
    headers = {**emay.guest.headers, "Content-Type": "application/json"}
    refused = problem(await emay.client.post(f"{emay.path}/discard", content=content, headers=headers))
    assert (refused["status"], refused["code"]) == (status, code)
    assert await unchanged(emay, before)


@pytest.mark.parametrize("game_id", ["none", "0" * 32, "%F0%9F%80%84", "a" * 3000])
async def test_an_unknown_game_is_not_there(emay: Seated, game_id: str):
    lost = Seated(emay.client, emay.guest, game_id)
    for answer in [await lost.get(), await lost.post("pass"), await lost.get("/events"), await lost.get("/rounds/1")]:
        assert problem(answer)["code"] == "unknown_game"


@pytest.mark.parametrize("key", ["a b", "a" * 65, ""])
async def test_a_key_that_cannot_be_is_refused(emay: Seated, key: str):
    assert problem(await emay.post("pass", **{"Idempotency-Key": key}))["code"] == "invalid_idempotency_key"


async def test_a_move_out_of_turn_is_refused(emay: Seated):
    view = await emay.play(lambda view: view["decision"]["kind"] == "claim_window")
    refused = problem(await emay.act(DISCARD, view["decision"]["no"]))
    assert refused["code"] == "not_your_turn"


async def test_other_games_go_on_between_bad_requests(emay: Seated):
    others = [await sit_down(emay.client, emay.guest, seed=f"{number:x}") for number in range(4)]
    bad = [emay.post(path, body) for _, path, body, _, _ in ENTRIES]
    good = [seated.play(lambda view: view["game"]["seq"] > 40) for seated in others]
    answers, _ = await asyncio.gather(asyncio.gather(*bad), asyncio.gather(*good))
    assert {answer.status_code // 100 for answer in answers} == {4}


def test_the_catalogue_names_no_entry_twice():
    names = [entry[0] for entry in (*ENTRIES, *RAW)]
    assert len(set(names)) == len(names)
