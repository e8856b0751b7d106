"""How a stream ends, and how one can tell that it has not (api, The stream: close codes, ping, draining)."""

from __future__ import annotations

import asyncio
import base64
import os
import socket as tcp
from contextlib import AsyncExitStack
from typing import Any

import httpx

from app.store import tokens
from app.stream.protocol import StreamProtocol
from app.tables import Terms
from tests.app.api.served import Served, serve
from tests.app.stream.streaming import PATIENCE, Person, Site, Socket, serving

PASS = {"type": "pass"}


async def test_it_is_pinged_every_heartbeat_with_the_last_event(url: str):
    async with serving(url, keepalive=False, stream_heartbeat_seconds=0.1) as site:
        person, game_id = await seated(site)
        async with site.follow(game_id, person) as socket:
            hello = await socket.next("hello")
            pings = [await socket.next("ping") for _ in range(3)]

    assert hello["heartbeat_s"] == 0.1
    assert [ping["seq"] for ping in pings] == [hello["seq"]] * 3


async def test_a_peer_that_does_not_answer_the_pings_of_the_transport_is_closed_with_1013(url: str):
    async with serving(url, stream_heartbeat_seconds=0.2) as site:
        person, game_id = await seated(site)
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        writer.write(upgrade(game_id, person))
        received = await asyncio.wait_for(reader.read(), PATIENCE)  # to the end, which no frame of ours brings about
        writer.close()

    assert received.endswith(b"\x88\x18" + (1013).to_bytes(2, "big") + b"keepalive ping timeout")


async def test_a_revoked_token_ends_its_streams_at_once_and_no_other(site: Site):
    person, game_id = await seated(site)
    added = (await site.http.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=person.headers)).json()
    tablet = {"Authorization": f"Bearer {added['token']}"}
    async with site.follow(game_id, person) as kept, site.socket(game_id, headers=tablet) as lost:
        await kept.next("hello")
        await site.http.delete(f"/v1/players/me/tokens/{added['id']}", headers=person.headers)
        closed = await lost.closed()
        await kept.send({"type": "ping"})
        await kept.next("ping")

    assert closed == (1008, "unauthenticated")


async def test_a_player_who_goes_for_good_has_no_stream_left(site: Site):
    person, game_id = await seated(site)
    async with site.follow(game_id, person) as socket:
        await socket.next("hello")
        await site.http.delete("/v1/players/me", headers=person.headers)
        assert await socket.closed() == (1008, "unauthenticated")


async def test_a_token_that_was_revoked_elsewhere_and_not_told_ends_its_streams_within_a_heartbeat(url: str):
    async with serving(url, keepalive=False, stream_heartbeat_seconds=0.5) as site:
        person, game_id = await seated(site)
        async with site.follow(game_id, person) as socket:
            await socket.next("hello")
            await tokens.revoke(site.app.service.database.session, person.id, person.token_id)
            assert await socket.closed() == (1008, "unauthenticated")


async def test_who_reads_too_slowly_is_closed_with_1013_and_comes_back_to_where_it_was(url: str):
    async with serving(url, stream_stall_seconds=0.3) as site:
        take_little(site)
        person, game_id = await long_game(site)
        async with site.follow(game_id, person, after=0, sock=narrow(site), max_queue=1) as slow:
            await let_go(site, slow)
            closed = await slow.closed()
    seen = slow.events[-1]["seq"] if slow.events else 0
    async with serving(url) as site, site.follow(game_id, person, after=seen) as socket:
        hello = await socket.next("hello")
        await socket.send({"type": "ping"})
        await socket.next("ping")

    assert closed[0] == 1013
    assert [event["seq"] for event in socket.events] == list(range(seen + 1, hello["seq"] + 1))


async def test_who_never_reads_is_let_go(url: str):
    async with serving(url, stream_stall_seconds=0.2, stream_heartbeat_seconds=1) as site:
        take_little(site)
        person, game_id = await long_game(site)
        async with site.follow(game_id, person, after=0, sock=narrow(site), max_queue=1, close_timeout=1) as socket:
            await let_go(site, socket)
            async with asyncio.timeout(PATIENCE):
                while sockets_of(site):
                    await site.http.get("/livez")


async def test_draining_tells_every_stream_when_to_come_back_and_closes_it_with_1012(site: Site):
    person, game_id = await seated(site)
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(site.follow(game_id, person)) for _ in range(5)]
        for socket in sockets:
            await socket.next("hello")
        site.app.service.draining.begin()
        closed = [await socket.closed() for socket in sockets]

    assert closed == [(1012, "")] * 5
    waits = [socket.frames[-1]["retry_after_ms"] for socket in sockets]
    assert min(waits) >= 2000
    assert len(set(waits)) > 1


async def test_whoever_comes_while_it_drains_is_sent_on(site: Site):
    person, game_id = await seated(site)
    site.app.service.draining.begin()
    async with site.follow(game_id, person) as socket:
        closed = await socket.closed()

    assert (closed, [frame["type"] for frame in socket.frames]) == ((1012, ""), ["draining"])


async def test_what_was_sent_before_it_drains_is_answered(site: Site):
    person, game_id = await seated(site)
    game = await site.app.service.tables.current(game_id)
    async with site.follow(game_id, person) as socket:
        await socket.next("hello")
        async with game.lock:  # as if another move were being written
            await socket.act(PASS, 1)
            while "waiters" not in repr(game.lock):
                await site.http.get("/livez")
            site.app.service.draining.begin()
            await asyncio.sleep(0.2)
        closed = await socket.closed()

    assert closed == (1012, "")
    answers = [frame["type"] for frame in socket.frames if frame["type"] in ("ack", "problem", "draining")]
    assert answers == ["ack", "draining"]


def test_sigterm_ends_the_process_with_0_though_streams_are_open(url: str):
    with serve(url) as served:
        closed, code, kinds = asyncio.run(follow_to_the_end(served))

    assert (closed, code, kinds[-1]) == ((1012, ""), 0, "draining")


async def follow_to_the_end(served: Served) -> tuple[tuple[int, str], int, list[str]]:
    """A stream of a service that is asked to stop: how it ends, the exit code, the frames."""
    async with httpx.AsyncClient(base_url=served.address, timeout=PATIENCE) as http:
        site = Site(Any, http, int(served.address.rpartition(":")[2]), Any)  # type: ignore[arg-type]
        person = await site.sign_up()
        made = (await http.post("/v1/games", headers=person.headers)).json()
        async with site.follow(made["game"]["id"], person) as socket:
            await socket.next("hello")
            stopped = asyncio.create_task(asyncio.to_thread(served.stop))
            closed = await socket.closed()
    return closed, await stopped, [frame["type"] for frame in socket.frames]


def upgrade(game_id: str, person: Person) -> bytes:
    """A request for a socket, to be followed by nothing."""
    head = (
        f"GET /v1/games/{game_id}/stream HTTP/1.1",
        "Host: todas",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
        f"Authorization: Bearer {person.token}",
    )
    return "\r\n".join((*head, "", "")).encode()


def sockets_of(site: Site) -> list[object]:
    """The service's ends of sockets, closed ones too until they have gone."""
    return [each for each in site.server.server_state.connections if isinstance(each, StreamProtocol)]


def narrow(site: Site) -> tcp.socket:
    """A connection that takes in little of what it does not read."""
    made = tcp.socket()
    made.setsockopt(tcp.SOL_SOCKET, tcp.SO_RCVBUF, 64 * 1024)
    made.connect(("127.0.0.1", site.port))
    made.setblocking(False)
    return made


def take_little(site: Site) -> None:
    """From now on the system keeps little of what this server sends and nobody takes."""
    site.server.servers[0].sockets[0].setsockopt(tcp.SOL_SOCKET, tcp.SO_SNDBUF, 4096)


async def let_go(site: Site, socket: Socket) -> None:
    """Reads the first frame, and nothing more until the service has ended the stream."""
    await socket.next("hello")
    async with asyncio.timeout(PATIENCE):
        while site.app.streams.count:
            await site.http.get("/livez")


async def long_game(site: Site, rounds: int = 40) -> tuple[Person, str]:
    """Somebody, and a game of theirs that is over, of some ten kilobytes of events a round."""
    person = await site.sign_up()
    game_id = await site.game([person], terms=Terms("fast"), rounds=rounds)
    await site.play_to_the_end(game_id, [person])
    return person, game_id


async def seated(site: Site) -> tuple[Person, str]:
    """Somebody, and a game of theirs in its opening window."""
    person = await site.sign_up()
    return person, await site.game([person])
