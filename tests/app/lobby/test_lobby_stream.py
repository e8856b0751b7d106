"""The lobby as it happens, over a real server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from tests.app.lobby.conftest import OPEN
from tests.app.stream.streaming import PATIENCE, Person, Site, Socket, serving


@pytest.fixture
async def site(url: str) -> AsyncIterator[Site]:
    async with serving(url) as made:
        yield made


@asynccontextmanager
async def lobby(
    site: Site, headers: dict[str, str] | None = None, query: str = "", **more: Any
) -> AsyncIterator[Socket]:
    """A socket of the lobby, until the end of the block."""
    options = {"subprotocols": [Subprotocol("todas.v1")], "compression": None, "open_timeout": PATIENCE, **more}
    address = f"ws://127.0.0.1:{site.port}/v1/lobby/stream{query}"
    async with connect(address, additional_headers=headers or {}, **options) as connection:
        yield Socket(connection, room="lobby_")


async def post(site: Site, who: Person, path: str, body: Any = None) -> Any:
    answer = await site.http.post(path, json=body, headers=who.headers)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def open_table(site: Site, who: Person, visibility: str = "public") -> Any:
    return await post(site, who, "/v1/games", {"seats": OPEN, "visibility": visibility})


async def test_it_begins_with_the_tables_that_wait_and_tells_of_each_change(site: Site):
    nena, ben = await site.sign_up(), await site.sign_up()
    first = (await open_table(site, nena))["game"]["id"]
    async with lobby(site, ben.headers) as socket:
        hello = await socket.next()
        assert (hello["type"], [table["id"] for table in hello["tables"]]) == ("hello", [first])
        second = (await open_table(site, nena))["game"]["id"]
        frame = await socket.next("table")
        assert (frame["table"]["id"], frame["table"]["free"], frame["table"]["names"]) == (second, [1, 2, 3], ["Nena"])
        await post(site, ben, f"/v1/games/{first}/join")
        frame = await socket.next("table")
        assert (frame["table"]["id"], frame["table"]["free"], frame["table"]["seat"]) == (first, [2, 3], 1)


async def test_it_tells_of_another_name(site: Site):
    nena, ben = await site.sign_up(), await site.sign_up()
    await open_table(site, nena)
    async with lobby(site, ben.headers) as socket:
        await socket.next()
        await site.http.patch("/v1/players/me", json={"display_name": "Nena II"}, headers=nena.headers)
        assert (await socket.next("table"))["table"]["names"] == ["Nena II"]


async def test_a_table_that_is_dealt_is_gone_as_started_and_one_that_is_left_as_closed(site: Site):
    nena, ben = await site.sign_up(), await site.sign_up()
    dealt, left = [(await open_table(site, nena))["game"]["id"] for _ in range(2)]
    async with lobby(site, ben.headers) as socket:
        await socket.next("hello")
        await post(site, nena, f"/v1/games/{dealt}/start", {"fill_with_bots": True})
        assert await socket.next("gone") == {"type": "gone", "id": dealt, "why": "started"}
        await post(site, nena, f"/v1/games/{left}/leave")
        assert await socket.next("gone") == {"type": "gone", "id": left, "why": "closed"}


async def test_a_private_table_is_shown_to_those_who_sit_there(site: Site):
    nena, ben = await site.sign_up(), await site.sign_up()
    async with lobby(site, ben.headers) as socket:
        assert (await socket.next("hello"))["tables"] == []
        table = await open_table(site, nena, "private")
        await post(site, ben, "/v1/games/join", {"code": table["code"]["code"]})
        frame = await socket.next("table", "gone")
        assert (frame["table"]["id"], frame["table"]["seat"]) == (table["game"]["id"], 1)
        await post(site, nena, f"/v1/games/{table['game']['id']}/kick", {"player_id": ben.id})
        assert await socket.next("table", "gone") == {"type": "gone", "id": table["game"]["id"], "why": "hidden"}


async def test_what_happens_at_another_worker_is_told_too(site: Site, url: str):
    nena, ben = await site.sign_up(), await site.sign_up()
    async with serving(url) as other, lobby(site, ben.headers) as socket:
        await socket.next("hello")
        game_id = (await open_table(other, nena))["game"]["id"]
        assert (await socket.next("table"))["table"]["id"] == game_id


async def test_it_answers_pings_and_takes_nothing_else(site: Site):
    ben = await site.sign_up()
    async with lobby(site, ben.headers) as socket:
        await socket.next("hello")
        await socket.send({"type": "ping"})
        assert (await socket.next("ping"))["type"] == "ping"
        await socket.send({"type": "resume", "after": 0})
        assert await socket.closed() == (1008, "invalid_request")


async def test_a_browser_opens_it_with_a_ticket_once(site: Site):
    ben = await site.sign_up()
    ticket = (await post(site, ben, "/v1/lobby/ticket"))["ticket"]
    async with lobby(site, query=f"?ticket={ticket}") as socket:
        await socket.next("hello")
    async with lobby(site, query=f"?ticket={ticket}") as socket:
        assert await socket.closed() == (1008, "unauthenticated")


async def test_pages_of_other_hosts_and_whoever_has_no_token_are_refused(site: Site):
    ben = await site.sign_up()
    with pytest.raises(InvalidStatus):
        async with lobby(site, ben.headers, origin="https://evil.example"):
            pass
    async with lobby(site) as socket:
        assert await socket.closed() == (1008, "unauthenticated")


async def test_a_revoked_token_closes_it(site: Site):
    ben = await site.sign_up()
    async with lobby(site, ben.headers) as socket:
        await socket.next("hello")
        await site.http.delete(f"/v1/players/me/tokens/{ben.token_id}", headers=ben.headers)
        assert await socket.closed() == (1008, "unauthenticated")


async def test_it_is_told_as_server_sent_events_and_at_one_look_too(site: Site):
    nena, ben = await site.sign_up(), await site.sign_up()
    game_id = (await open_table(site, nena))["game"]["id"]
    looked = (await site.http.get("/v1/lobby", headers=ben.headers)).json()
    headers = {**ben.headers, "Accept": "text/event-stream"}
    async with site.http.stream("GET", "/v1/lobby", headers=headers) as answer:
        lines = answer.aiter_lines()
        hello = json.loads((await anext(lines)).removeprefix("data: "))
        assert hello["tables"] == looked["tables"]
        await post(site, nena, f"/v1/games/{game_id}/leave")
        assert await anext(lines) == ""
        gone = json.loads((await anext(lines)).removeprefix("data: "))
    assert gone == {"type": "gone", "id": game_id, "why": "closed"}
