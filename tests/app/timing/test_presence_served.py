"""What the running service takes for being there: streams, polls, requests and moves (api, The stream); the test moves
the clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.tables import Terms
from engine.events import SeatChanged
from tests.app.stream.streaming import PATIENCE, Person, Site, serving
from tests.app.timing.people import GoAway
from tests.app.timing.test_presence import Ahead
from tests.app.waiting import until

TERMS = Terms("uniform", settlement_seconds=None, away_seconds=60, bot_delay_ms=3_600_000)


@dataclass(slots=True)
class Pair:
    """A game of two people, of whom Ligaya has a stream all the time."""

    site: Site
    ahead: Ahead
    ligaya: Person
    ben: Person
    game_id: str

    async def after(self, *seconds: float) -> list[tuple[int, bool]]:
        """The service looks after each of these times; what has been told then of who is connected."""
        for more in seconds:
            self.ahead.seconds += more
            await self.site.app.service.tables.presence.look()
        return [(event.seat, event.player.connected) for event in await self.told()]

    async def told(self) -> list[SeatChanged]:
        """All that was told of people."""
        tables = self.site.app.service.tables
        facts = await tables.events_after(await tables.current(self.game_id), 0)
        return [fact.event for fact in facts if isinstance(fact.event, SeatChanged)]

    async def gone(self) -> None:
        """Until the service has noticed that Ben has no stream any more."""
        await until(lambda: self.site.app.streams.count == 1)


@pytest.fixture
async def pair(url: str) -> AsyncIterator[Pair]:
    ahead = Ahead()
    async with serving(url, ahead.clock()) as site:
        ligaya, ben = await site.sign_up(), await site.sign_up()
        game_id = await site.game([ligaya, ben], terms=TERMS)
        async with site.follow(game_id, ligaya) as socket:
            await socket.next("hello")
            yield Pair(site, ahead, ligaya, ben, game_id)


async def test_a_stream_counts_while_it_is_open_and_a_gap_in_it_only_once_it_has_lasted(pair: Pair):
    async with pair.site.follow(pair.game_id, pair.ben) as socket:
        await socket.next("hello")
        assert await pair.after(0, 61, 61, 3.1) == []
    await pair.gone()
    assert await pair.after(0, 0) == []
    async with pair.site.follow(pair.game_id, pair.ben) as socket:
        await socket.next("hello")
        assert await pair.after(0, 3.1, 20) == []
    await pair.gone()
    assert await pair.after(0, 3.1) == [(1, False)]
    async with pair.site.follow(pair.game_id, pair.ben) as socket:
        await socket.next("hello")
        assert await pair.after(7, 3.1) == [(1, False), (1, True)]


async def test_a_request_counts_for_the_time_of_the_table(pair: Pair):
    for _ in range(3):
        await pair.site.view(pair.game_id, pair.ben)
        assert await pair.after(0, 40) == []
    assert await pair.after(21, 3.1) == [(1, False)]


async def test_a_poll_counts_for_as_long_as_it_runs(pair: Pair):
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        after = (await pair.site.view(pair.game_id, pair.ben))["game"]["seq"]
        query = {"after": after, "wait": 30}
        poll = pair.site.http.get(f"/v1/games/{pair.game_id}/events", params=query, headers=pair.ben.headers)
        group.create_task(poll)
        sign = pair.site.app.service.tables.presence.signs.of(pair.game_id, pair.ben.id)
        await until(lambda: sign.open == 1)
        assert await pair.after(0, 59, 59, 3.1) == []
        pair.site.app.service.hub.wake_all()  # by the clock of the service its time is over
    assert await pair.after(40) == []
    assert await pair.after(21, 3.1) == [(1, False)]


async def test_an_answer_to_a_window_by_http_gives_the_seat_back_once_it_has_closed(pair: Pair):
    await pair.site.app.service.tables.submit(pair.game_id, GoAway(1, connected=True))
    await pair.site.post(pair.game_id, "pass", pair.ben, decision_no=1)
    await pair.after(0)
    assert [event.player.away for event in await pair.told()] == [True]
    await pair.site.post(pair.game_id, "pass", pair.ligaya, decision_no=1)
    await pair.after(0)
    assert [event.player.away for event in await pair.told()] == [True, False]


async def test_a_seat_that_was_left_and_taken_back_may_be_left_again_ten_seconds_later(pair: Pair):
    path = f"/v1/games/{pair.game_id}"
    statuses = [
        (await pair.site.http.post(f"{path}/{route}", headers=pair.ben.headers)).status_code
        for route in ("leave", "join", "leave")
    ]
    pair.ahead.seconds += 10
    statuses.append((await pair.site.http.post(f"{path}/leave", headers=pair.ben.headers)).status_code)
    assert statuses == [204, 200, 429, 204]


async def test_a_service_that_is_about_to_stop_tells_nobody_away(pair: Pair):
    async with pair.site.follow(pair.game_id, pair.ben) as socket:
        await socket.next("hello")
        pair.site.app.service.draining.begin()
        assert await socket.closed() == (1012, "")
    await until(lambda: pair.site.app.streams.count == 0)
    assert await pair.after(0, 61, 3.1, 20) == []
