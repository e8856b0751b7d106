"""How a stream begins: who is let in, with what, and from which event on (api, The stream)."""

from __future__ import annotations

import asyncio
import json

import pytest
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from app.store import tokens
from tests.app.api.conftest import problem
from tests.app.stream.streaming import Site, serving


async def test_it_greets_with_the_table_then_brings_every_event_after_the_cursor(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[2], after=1) as socket:
        hello = await socket.next()
        events = [await socket.next() for _ in range(hello["seq"] - 1)]

    view = (await site.http.get(f"/v1/games/{game_id}", headers=people[2].headers)).json()
    del hello["view"]["game"]["server_time"], view["game"]["server_time"]
    assert (hello["type"], hello["game_id"], hello["seat"], hello["view"]) == ("hello", game_id, 2, view)
    assert [event["seq"] for event in events] == [2, 3]


async def test_without_a_cursor_it_brings_what_follows(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0]) as socket:
        hello = await socket.next()
        await site.close_opening(game_id, people)
        event = await socket.next("event")

    assert event["seq"] == hello["seq"] + 1


async def test_a_cursor_past_the_last_event_is_the_last_event(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0], after=1000) as socket:
        hello = await socket.next()
        await site.close_opening(game_id, people)
        event = await socket.next("event")

    assert event["seq"] == hello["seq"] + 1


async def test_a_spectator_of_a_public_table_sees_what_everybody_may(site: Site):
    people = await site.people()
    game_id = await site.game(people, visibility="public")
    async with site.follow(game_id, await site.sign_up(), after=0) as socket:
        hello = await socket.next()
        dealt = await socket.next()

    assert ("seat" in hello, hello["view"]["hand"], hello["view"]["legal_actions"]) == (False, [], [])
    assert {tile for hand in dealt["event"]["hands"] for tile in hand} == {"back"}


@pytest.mark.parametrize("game_id", ["none", None])
async def test_a_game_that_one_may_not_know_of_is_closed_with_4404(site: Site, game_id: str | None):
    game_id = game_id or await site.game(await site.people())
    async with site.follow(game_id, await site.sign_up()) as socket:
        code, reason = await socket.closed()

    assert (code, reason) == (4404, "unknown_game")
    assert [frame["problem"]["code"] for frame in socket.frames] == ["unknown_game"]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer todas_none"}, {"Authorization": "Basic x"}])
async def test_without_a_valid_token_it_is_closed_with_1008(site: Site, headers: dict[str, str]):
    game_id = await site.game(await site.people())
    async with site.socket(game_id, headers=headers) as socket:
        closed = await socket.closed()

    assert (closed, socket.frames[0]["problem"]["code"]) == ((1008, "unauthenticated"), "unauthenticated")


@pytest.mark.parametrize("query", ["?after=x", "?after=-1", "?after=1.5", "?after=99999999999999999999"])
async def test_what_is_no_cursor_is_closed_with_1008(site: Site, query: str):
    people = await site.people()
    game_id = await site.game(people)
    async with site.socket(game_id, query, people[0].headers) as socket:
        assert await socket.closed() == (1008, "invalid_request")
    assert socket.frames[0]["problem"]["detail"] == "query/after: must be the number of an event"


async def test_it_speaks_the_subprotocol_that_is_offered_or_none(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    spoken = []
    for offered in ([Subprotocol("x"), Subprotocol("todas.v1")], None):
        async with site.follow(game_id, people[0], subprotocols=offered) as socket:
            await socket.next("hello")
            spoken.append(socket.connection.subprotocol)

    assert spoken == ["todas.v1", None]


async def test_another_subprotocol_is_closed_with_1008(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0], subprotocols=[Subprotocol("todas.v0")]) as socket:
        assert await socket.closed() == (1008, "invalid_request")


async def test_a_ticket_opens_one_stream_in_place_of_a_token(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    ticket = await site.ticket(game_id, people[3])
    async with site.socket(game_id, f"?ticket={ticket}") as socket:
        hello = await socket.next()
    async with site.socket(game_id, f"?ticket={ticket}") as again:
        closed = await again.closed()

    assert (hello["seat"], closed) == (3, (1008, "unauthenticated"))


async def test_of_many_at_once_with_one_ticket_one_comes_in(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    ticket = await site.ticket(game_id, people[0])

    async def first() -> str:
        async with site.socket(game_id, f"?ticket={ticket}") as socket:
            return str((await socket.next())["type"])

    assert sorted(await asyncio.gather(*[first() for _ in range(8)])) == ["hello", *["problem"] * 7]


async def test_a_ticket_is_for_its_game_alone(site: Site):
    people = await site.people()
    one, other = await site.game(people), await site.game(people)
    async with site.socket(other, f"?ticket={await site.ticket(one, people[0])}") as socket:
        assert await socket.closed() == (1008, "unauthenticated")


async def test_a_ticket_expires(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    ticket = await site.ticket(game_id, people[0])
    await site.app.service.database.session.execute("UPDATE tickets SET expires_at = now()")
    async with site.socket(game_id, f"?ticket={ticket}") as socket:
        assert await socket.closed() == (1008, "unauthenticated")


async def test_a_ticket_is_worth_no_more_than_its_token(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    ticket = await site.ticket(game_id, people[0])
    await tokens.revoke(site.app.service.database.session, people[0].id, people[0].token_id)
    async with site.socket(game_id, f"?ticket={ticket}") as socket:
        assert await socket.closed() == (1008, "unauthenticated")


async def test_a_repeated_key_gives_the_same_ticket(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    headers = {**people[0].headers, "Idempotency-Key": "once"}
    answers = [await site.http.post(f"/v1/games/{game_id}/ticket", headers=headers) for _ in range(2)]

    assert answers[0].json() == answers[1].json()
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [None, "true"]


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1"])
async def test_a_page_of_another_origin_is_refused_before_it_is_open(site: Site, origin: str):
    people = await site.people()
    game_id = await site.game(people)
    with pytest.raises(InvalidStatus) as refused:
        async with site.follow(game_id, people[0], origin=origin):
            pass

    assert refused.value.response.status_code == 403
    refusal = json.loads(refused.value.response.body or b"")
    assert (refusal["code"], "TODAS_CORS_ORIGINS" in refusal["detail"]) == ("origin_not_allowed", True)


@pytest.mark.parametrize("who", ["the player", "a stranger", "nobody"])
async def test_a_request_without_an_upgrade_is_told_of_the_ways_there_are(site: Site, who: str):
    people = await site.people()
    headers = {"the player": people[0].headers, "a stranger": (await site.sign_up()).headers, "nobody": {}}[who]
    details = set()
    for game_id in (await site.game(people), "none"):
        answer = await site.http.get(f"/v1/games/{game_id}/stream?after=0", headers=headers)
        refused = problem(answer)
        assert (refused["status"], refused["code"], answer.headers["upgrade"]) == (426, "upgrade_required", "websocket")
        assert f"GET /v1/games/{game_id}/events" in refused["detail"]
        details.add(refused["detail"].replace(game_id, ""))

    assert len(details) == 1


async def test_the_lobby_s_stream_without_an_upgrade_is_told_of_the_ways_there_are(site: Site):
    answer = await site.http.get("/v1/lobby/stream")

    assert (problem(answer)["code"], answer.headers["upgrade"]) == ("upgrade_required", "websocket")
    assert "GET /v1/lobby shows" in problem(answer)["detail"]


async def test_another_method_at_a_stream_s_address_is_told_the_right_one(site: Site):
    answer = await site.http.post("/v1/games/none/stream")

    assert (problem(answer)["code"], answer.headers["allow"]) == ("method_not_allowed", "GET, HEAD, OPTIONS")


async def test_a_page_of_the_own_host_comes_in(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0], origin=f"http://127.0.0.1:{site.port}") as socket:
        assert (await socket.next())["type"] == "hello"


async def test_a_page_of_an_origin_that_the_operator_named_comes_in(url: str):
    async with serving(url, cors_origins=["https://play.example"]) as site:
        people = await site.people()
        game_id = await site.game(people)
        async with site.follow(game_id, people[0], origin="https://play.example") as socket:
            assert (await socket.next())["type"] == "hello"


async def test_who_opens_too_many_is_told_when_to_come_back(url: str):
    async with serving(url, rate_reconnects="1/hour") as site:
        people = await site.people()
        game_id = await site.game(people)
        async with site.follow(game_id, people[0]) as socket:
            await socket.next("hello")
        async with site.follow(game_id, people[0]) as again:
            closed = await again.closed()

    assert closed == (1013, "rate_limited")
    assert 0 < again.frames[0]["retry_after_s"] <= 3600
