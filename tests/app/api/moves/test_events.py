from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from app.main import Todas
from app.store import tokens
from tests.app.api.conftest import Guest, problem
from tests.app.api.moves.seated import Seated, sit_down

PATIENCE = 60.0


def numbers(answer: httpx.Response) -> list[int]:
    return [fact["seq"] for fact in answer.json()["events"]]


def begins(poll: httpx.Response, moved: httpx.Response) -> bool:
    """Whether a poll brought what a move was answered; bots may have gone on meanwhile."""
    events: list[Any] = moved.json()["events"]
    return bool(events) and poll.json()["events"][: len(events)] == events


async def test_events_are_numbered_from_1_without_gaps(emay: Seated):
    await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    answer = await emay.get("/events")
    assert numbers(answer) == list(range(1, answer.json()["seq"] + 1))
    assert [fact["event"]["type"] for fact in answer.json()["events"][:5]] == [
        "round_dealt",
        "joker_named",
        "window_opened",
        "window_closed",
        "tile_drawn",
    ]


async def test_a_page_goes_on_where_the_one_before_ended(emay: Seated):
    await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    first = await emay.get("/events", limit=3)
    second = await emay.get("/events", after=first.json()["next"], limit=2)
    assert (numbers(first), numbers(second), second.json()["next"]) == ([1, 2, 3], [4, 5], 5)
    assert first.json()["seq"] > 5


async def test_a_cursor_past_the_end_is_led_back_to_it(emay: Seated):
    page = (await emay.get("/events", after=99999)).json()
    assert (page["events"], page["next"]) == ([], page["seq"])


async def test_what_others_draw_and_are_dealt_is_not_shown(tsumo: Seated):
    await tsumo.post("discard", {"tile": (await tsumo.view())["hand"][0]})
    events: list[dict[str, Any]] = [fact["event"] for fact in (await tsumo.get("/events")).json()["events"]]
    hands = events[0]["hands"]
    drawn = {event["tile"] for event in events if event["type"] == "tile_drawn" and event["seat"] != 0}
    assert (len(set(hands[0])) > 1, set(hands[1]), drawn) == (True, {"back"}, {"back"})


async def test_without_waiting_nothing_new_is_answered_at_once(emay: Seated):
    assert numbers(await emay.get("/events", after=5)) == []


async def test_a_poll_wakes_at_the_next_move(emay: Seated):
    seq = (await emay.view())["game"]["seq"]
    poll = asyncio.create_task(emay.get("/events", after=seq, wait=30))
    await asyncio.sleep(0.05)
    moved = await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    assert begins(await asyncio.wait_for(poll, PATIENCE), moved)


async def test_a_poll_that_waited_in_vain_is_answered_with_nothing(emay: Seated):
    answer = await emay.get("/events", after=5, wait=0.05)
    assert answer.json() == {"seq": 5, "next": 5, "events": []}


async def test_a_poll_ends_when_the_server_is_about_to_stop(app: Todas, emay: Seated):
    poll = asyncio.create_task(emay.get("/events", after=5, wait=30))
    await asyncio.sleep(0.05)
    app.service.draining.begin()
    assert (await asyncio.wait_for(poll, PATIENCE)).status_code == 200


@pytest.mark.parametrize("path", ["/events", "/talk"])
async def test_a_poll_ends_when_its_token_is_revoked(emay: Seated, path: str):
    after = (await emay.view())["game"]["seq"]
    poll = asyncio.create_task(emay.get(path, after=after, wait=30))
    await asyncio.sleep(0.05)
    await emay.client.delete(f"/v1/players/me/tokens/{emay.guest.token_id}", headers=emay.guest.headers)
    assert problem(await asyncio.wait_for(poll, PATIENCE))["code"] == "unauthenticated"


async def test_a_poll_outlives_another_token_of_its_player(emay: Seated):
    after = (await emay.view())["game"]["seq"]
    added = await emay.client.post("/v1/players/me/tokens", json={}, headers=emay.guest.headers)
    poll = asyncio.create_task(emay.get("/events", after=after, wait=30))
    await asyncio.sleep(0.05)
    await emay.client.delete(f"/v1/players/me/tokens/{added.json()['id']}", headers=emay.guest.headers)
    moved = await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    assert begins(await asyncio.wait_for(poll, PATIENCE), moved)


async def test_a_token_that_was_revoked_and_not_told_brings_nothing_of_what_follows(app: Todas, emay: Seated):
    after = (await emay.view())["game"]["seq"]
    added = await emay.client.post("/v1/players/me/tokens", json={}, headers=emay.guest.headers)
    headers = {"Authorization": f"Bearer {added.json()['token']}"}
    poll = asyncio.create_task(emay.client.get(f"{emay.path}/events?after={after}&wait=30", headers=headers))
    await asyncio.sleep(0.05)
    await tokens.revoke(app.service.database.session, emay.guest.id, added.json()["id"])
    app.service.authenticator.forget(emay.guest.id)  # as once it trusts no more what it has read
    await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    assert problem(await asyncio.wait_for(poll, PATIENCE))["code"] == "unauthenticated"


async def test_two_polls_are_answered_alike(emay: Seated):
    polls = [asyncio.create_task(emay.get("/events", after=5, wait=30)) for _ in range(2)]
    await asyncio.sleep(0.05)
    await emay.post("discard", {"tile": (await emay.view())["hand"][0]})
    one, two = [answer.json()["events"] for answer in await asyncio.gather(*polls)]
    length = min(len(one), len(two))  # bots may go on between the two
    assert length > 0
    assert one[:length] == two[:length]


async def test_a_cursor_deeper_than_memory_is_read_from_the_log(client: httpx.AsyncClient, guest: Guest):
    seated = await sit_down(client, guest, ruleset="tsumo", seed="5eed", length={"rounds": 3})
    view = await seated.play(lambda view: view["game"]["status"] == "ended")
    found: list[int] = []
    while page := numbers(await seated.get("/events", after=len(found))):
        found += page
    assert found == list(range(1, view["game"]["seq"] + 1))
    assert len(found) > 256


@pytest.mark.parametrize(
    "params",
    [{"after": -1}, {"after": "x"}, {"wait": 31}, {"wait": "nan"}, {"limit": 0}, {"limit": 501}, {"after": 2**63}],
)
async def test_a_cursor_that_cannot_be_is_refused(emay: Seated, params: dict[str, Any]):
    assert problem(await emay.get("/events", **params))["code"] == "invalid_request"
