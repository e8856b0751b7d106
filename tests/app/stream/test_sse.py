"""A stream as server-sent events: how it ends, and that whoever does not read is let go (api, The stream)."""

from __future__ import annotations

import asyncio
import json
import logging
import socket as sockets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from app.stream.protocol import AnswerProtocol
from tests.app.stream.streaming import PATIENCE, Person, Site, check, serving
from tests.app.stream.test_ending import long_game, seated, take_little

SSE = {"Accept": "text/event-stream"}


async def test_a_revoked_token_ends_it_with_the_problem(site: Site):
    person, game_id = await seated(site)
    async with listening(site, game_id, person) as frames:
        assert (await anext(frames))["type"] == "hello"
        await site.http.delete(f"/v1/players/me/tokens/{person.token_id}", headers=person.headers)
        last = [frame async for frame in frames][-1]

    assert (last["type"], last["problem"]["code"]) == ("problem", "unauthenticated")
    assert await closed_with(site, 1008) == 1


async def test_draining_ends_it_with_when_to_come_back(site: Site):
    person, game_id = await seated(site)
    async with listening(site, game_id, person) as frames:
        assert (await anext(frames))["type"] == "hello"
        site.app.service.draining.begin()
        last = [frame async for frame in frames][-1]

    assert (last["type"], last["retry_after_ms"] >= 2000) == ("draining", True)
    assert await closed_with(site, 1012) == 1


async def test_who_takes_no_more_of_a_long_history_is_let_go(url: str, caplog: pytest.LogCaptureFixture):
    async with serving(url, stream_stall_seconds=0.2) as site:
        take_little(site)
        person, game_id = await long_game(site, rounds=16)
        async with unread(site, game_id, person, after=0):
            await let_go(site)
        count = await closed_with(site, 1013)

    assert count == 1
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_who_does_not_take_a_ping_is_let_go_though_little_waits(url: str):
    async with serving(url, stream_stall_seconds=0.2, stream_heartbeat_seconds=1) as site:
        take_little(site)
        person, game_id = await long_game(site, rounds=16)
        last = (await site.view(game_id, person))["game"]["seq"]
        async with unread(site, game_id, person, after=last - A_LITTLE_TOO_MANY):
            await let_go(site)
        count = await closed_with(site, 1013)

    assert count == 1


async def test_a_connection_that_takes_nothing_for_two_heartbeats_is_let_go_whatever_the_patience(url: str):
    async with serving(url, stream_stall_seconds=300, stream_heartbeat_seconds=0.3) as site:
        take_little(site)
        person, game_id = await long_game(site, rounds=16)
        async with unread(site, game_id, person, after=0):
            await let_go(site)


async def test_a_server_that_stops_does_not_wait_for_who_never_reads(url: str):
    async with serving(url, stream_stall_seconds=300) as site:
        take_little(site)
        person, game_id = await long_game(site, rounds=16)
        async with unread(site, game_id, person, after=0):
            await asyncio.sleep(0.3)
            await site.app.streams.emptied(0.1)
            await let_go(site)


A_LITTLE_TOO_MANY = 250
"""Events that are more than fits between the ends of a connection, and less than the server would keep besides."""


@asynccontextmanager
async def listening(site: Site, game_id: str, person: Person) -> AsyncIterator[AsyncIterator[dict[str, Any]]]:
    """The frames of a stream."""
    address, headers = f"/v1/games/{game_id}/events", {**person.headers, **SSE}
    async with site.http.stream("GET", address, headers=headers) as answer:
        yield frames_of(answer.aiter_lines())


async def frames_of(lines: AsyncIterator[str]) -> AsyncIterator[dict[str, Any]]:
    async for line in lines:
        if line.startswith("data: "):
            frame = json.loads(line.removeprefix("data: "))
            check(frame)
            yield frame


@asynccontextmanager
async def unread(site: Site, game_id: str, person: Person, after: int) -> AsyncIterator[None]:
    """A stream that is open, and nothing of it taken."""
    made = sockets.socket()
    made.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    made.connect(("127.0.0.1", site.port))
    head = (
        f"GET /v1/games/{game_id}/events?after={after} HTTP/1.1",
        "Host: todas",
        "Accept: text/event-stream",
        f"Authorization: Bearer {person.token}",
    )
    made.sendall("\r\n".join((*head, "", "")).encode())
    with made:
        while not site.app.streams.count:
            await site.http.get("/livez")
        yield


async def let_go(site: Site) -> None:
    """Waits until there is no stream, and no connection but those of its own client."""
    async with asyncio.timeout(PATIENCE):
        while site.app.streams.count or len(answers_of(site)) > 1:
            await site.http.get("/livez")


def answers_of(site: Site) -> list[object]:
    """The service's ends of connections for requests."""
    return [each for each in site.server.server_state.connections if isinstance(each, AnswerProtocol)]


async def closed_with(site: Site, code: int) -> float:
    """How many streams the service says it has ended so."""
    name = f'todas_streams_closed_total{{code="{code}"}} '
    lines = (await site.http.get("/metrics")).text.splitlines()
    return next((float(line.removeprefix(name)) for line in lines if line.startswith(name)), 0)
