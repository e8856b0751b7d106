"""Who is there, as frames of its own: right behind the event that says so, to everybody alike (api, The stream)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any

from app.tables.seating import Appear, Leave, Vanish
from tests.app.stream.streaming import Site, Socket
from tests.app.stream.test_sse import listening
from tests.app.timing.people import GoAway

GONE = {"type": "presence", "seat": 3, "connected": False, "away": False}
PLAYED_FOR = {"type": "presence", "seat": 3, "connected": False, "away": True, "stand_in": "greedy"}
BACK = {"type": "presence", "seat": 3, "connected": True, "away": False}
LEFT = {"type": "presence", "seat": 3, "connected": False, "away": False, "stand_in": "greedy"}


async def test_it_comes_behind_its_event_to_every_seat_and_spectator(site: Site):
    people, watcher = await site.people(), await site.sign_up()
    game_id = await site.game(people, visibility="public")
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(site.follow(game_id, each)) for each in (*people, watcher)]
        for socket in sockets:
            await socket.next("hello")
        for order in (GoAway(3), Appear(3), Leave(3)):
            await site.app.service.tables.submit(game_id, order)
        told = [[frame async for frame in behind(socket, 4)] for socket in sockets]

    assert told == [[GONE, PLAYED_FOR, BACK, LEFT]] * 5


async def test_it_says_what_the_view_says_of_the_seat(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0]) as socket:
        await socket.next("hello")
        for order in (GoAway(3), Appear(3)):
            await site.app.service.tables.submit(game_id, order)
            told = [frame async for frame in behind(socket, 2 if order == GoAway(3) else 1)][-1]
            seat = (await site.view(game_id, people[0]))["seats"][3]
            assert {name: seat.get(name) for name in FACTS} == {name: told.get(name) for name in FACTS}


async def test_a_spectator_who_is_kept_behind_gets_it_as_late_as_its_event(site: Site):
    people, watcher = await site.people(), await site.sign_up()
    game_id = await site.game(people, visibility="public", spectator_delay=2)
    async with site.follow(game_id, watcher) as socket:
        await socket.next("hello")
        await site.app.service.tables.submit(game_id, Vanish(3))
        await socket.send({"type": "ping"})
        await socket.next("ping")
        early = [frame["type"] for frame in socket.frames]
        await site.close_opening(game_id, people)
        late = [frame async for frame in behind(socket, 1)]

    assert ("presence" in early, late) == (False, [GONE])


async def test_history_is_told_by_its_events_alone(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    for order in (Vanish(3), Appear(3)):
        await site.app.service.tables.submit(game_id, order)
    async with site.follow(game_id, people[0], after=0) as socket:
        hello = await socket.next("hello")
        await socket.event(hello["seq"])
        await site.app.service.tables.submit(game_id, Vanish(3))
        told = [frame async for frame in behind(socket, 1)]

    assert told == [GONE] == [frame for frame in socket.frames if frame["type"] == "presence"]


async def test_whoever_leaves_and_comes_back_is_told_what_it_may_do_now(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    actions = []
    async with site.follow(game_id, people[1]) as socket:
        await socket.next("hello")
        for route in ("leave", "join"):
            await site.http.post(f"/v1/games/{game_id}/{route}", headers=people[1].headers)
            actions.append((await socket.next("decision"))["legal_actions"])
    assert actions == [[], [{"type": "pass"}]]


async def test_server_sent_events_bring_the_event_alone(site: Site):
    person, other = await site.sign_up(), await site.sign_up()
    game_id = await site.game([person, other])
    async with listening(site, game_id, person) as frames:
        assert (await anext(frames))["type"] == "hello"
        await site.app.service.tables.submit(game_id, Vanish(1))
        while (await anext(frames)).get("event", {}).get("type") != "seat_changed":
            pass
        site.app.service.draining.begin()
        rest = [frame["type"] async for frame in frames]

    assert rest == ["draining"]


FACTS = ("connected", "away", "stand_in")


async def behind(socket: Socket, count: int) -> AsyncIterator[dict[str, Any]]:
    """The frames that come right behind the next `seat_changed` events."""
    for _ in range(count):
        await socket.until(lambda frame: frame["type"] == "event" and frame["event"]["type"] == "seat_changed")
        yield await socket.next()
