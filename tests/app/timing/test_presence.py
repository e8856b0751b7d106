"""Who is connected is told once it has lasted, and not too often (api, The stream). The test moves the clock, by so
much that the time it takes itself does not matter.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import pytest

from app.clock import Clock
from app.tables import Absence, Terms
from app.tables.seating import Leave, Vanish
from engine.actions import Pass
from tests.app.tables.workers import Worker, working
from tests.app.timing.people import GoAway, told

TERMS = Terms("uniform", settlement_seconds=None, away_seconds=600, bot_delay_ms=3_600_000)
ABSENCE = Absence(pause_seconds=600, settle_seconds=30, apart_seconds=100)
"""Ten times what is usual, like `away_seconds`."""


@dataclass(slots=True)
class Ahead:
    """How far the clocks of all workers are ahead."""

    seconds: float = 0

    def clock(self) -> Clock:
        return Clock(lambda: time.monotonic() + self.seconds)


@dataclass(slots=True)
class House:
    """A game of people, as one worker sees them."""

    worker: Worker
    ahead: Ahead
    game_id: str
    player: Mapping[int, str]

    @classmethod
    async def of(cls, worker: Worker, ahead: Ahead, game_id: str) -> House:
        return cls(worker, ahead, game_id, (await worker.tables.current(game_id)).persons)

    def asked(self, seat: int, *, moved: bool = False) -> None:
        """The seat's person sends a request."""
        self.worker.tables.presence.asked(self.game_id, self.player[seat], moved=moved)

    def streams(self, *seats: int, is_open: bool = True) -> None:
        """These seats' streams open, or close."""
        for seat in seats:
            self.worker.tables.presence.signs.streams(self.game_id, self.player[seat], is_open)

    async def after(self, *seconds: float) -> list[tuple[int, bool]]:
        """The worker looks after each of these times; what has been told then of who is connected."""
        for more in seconds:
            self.ahead.seconds += more
            await self.worker.tables.presence.look()
        return [(each.seat, each.connected) for each in await told(self.worker, self.game_id)]


@pytest.fixture
def ahead() -> Ahead:
    return Ahead()


@pytest.fixture
async def house(url: str, ahead: Ahead) -> AsyncIterator[House]:
    """A game of four people, all of whom have a stream."""
    async with working(url, ahead.clock(), absence=ABSENCE) as worker:
        made = await House.of(worker, ahead, await worker.new_game("tsumo", persons=4, terms=TERMS))
        made.streams(0, 1, 2, 3)
        await made.after(0)
        yield made


async def test_a_connection_that_stays_lost_is_told_once(house: House):
    house.streams(2, is_open=False)
    assert await house.after(0, 20) == []
    assert await house.after(15) == [(2, False)]
    assert await house.after(200, 200) == [(2, False)]


async def test_a_connection_that_is_found_again_at_once_is_not_told(house: House):
    house.streams(2, is_open=False)
    await house.after(0, 20)
    house.streams(2)
    assert await house.after(0, 30, 200) == []


async def test_of_one_seat_no_two_are_told_shortly_after_each_other(house: House):
    house.streams(2, is_open=False)
    await house.after(0, 31)
    house.streams(2)
    assert await house.after(0, 31) == [(2, False)]
    assert await house.after(100) == [(2, False), (2, True)]


async def test_two_seats_do_not_wait_for_each_other(house: House):
    house.streams(1, 2, is_open=False)
    assert sorted(await house.after(0, 31)) == [(1, False), (2, False)]


async def test_one_stream_of_two_is_enough(house: House):
    house.streams(2)
    house.streams(2, is_open=False)
    assert await house.after(0, 200) == []


async def test_a_request_counts_as_being_there_for_the_time_of_the_table(house: House):
    house.asked(2)
    house.streams(2, is_open=False)
    assert await house.after(0, 300, 290) == []
    assert await house.after(20, 31) == [(2, False)]


async def test_a_move_counts_like_any_request(house: House):
    house.asked(0, moved=True)
    house.streams(0, is_open=False)
    assert await house.after(0, 590) == []


async def test_a_poll_counts_for_as_long_as_it_runs(house: House):
    with house.worker.tables.presence.signs.waiting(house.game_id, house.player[2]):
        house.streams(2, is_open=False)
        assert await house.after(0, 590, 590) == []
    assert await house.after(590) == []


async def test_whoever_was_seen_by_a_service_that_is_gone_has_a_while_to_come_back(house: House, url: str):
    async with working(url, house.ahead.clock(), absence=ABSENCE) as other:
        there = await House.of(other, house.ahead, house.game_id)
        house.streams(0, 1, 2, 3, is_open=False)
        await house.worker.tables.presence.stop()
        there.streams(0, 1, 2)
        assert await there.after(0, 300, 290) == []
        assert await there.after(20, 31) == [(3, False)]


async def test_at_a_table_of_one_person_nothing_is_told(url: str, ahead: Ahead):
    async with working(url, ahead.clock(), absence=ABSENCE) as worker:
        alone = await House.of(worker, ahead, await worker.new_game("tsumo", terms=TERMS))
        alone.streams(0)
        await alone.after(0)
        alone.streams(0, is_open=False)
        assert await alone.after(0, 31, 1000, 1000) == []


async def test_whoever_has_left_is_neither_missed_nor_greeted(house: House):
    await house.worker.tables.submit(house.game_id, Leave(2))
    before = await house.after(0)
    house.streams(2, is_open=False)
    await house.after(0, 200)
    house.streams(2)
    assert await house.after(0, 200) == before


async def test_whoever_is_away_and_connects_is_back_at_once(house: House):
    house.streams(2, is_open=False)
    await house.worker.tables.submit(house.game_id, GoAway(2))
    house.streams(2)
    await house.after(0)
    assert not (await told(house.worker, house.game_id))[-1].bot


async def test_whoever_let_its_turns_run_out_is_back_once_it_does_something(house: House):
    await house.worker.tables.submit(house.game_id, GoAway(2, connected=True))
    await house.after(10, 100)
    house.asked(2)
    await house.after(10)
    assert (await told(house.worker, house.game_id))[-1].bot
    house.asked(2, moved=True)
    await house.after(0)
    assert not (await told(house.worker, house.game_id))[-1].bot


async def test_whoever_let_its_turns_run_out_is_back_when_it_connects_again(house: House):
    await house.worker.tables.submit(house.game_id, GoAway(2, connected=True))
    house.streams(2, is_open=False)
    await house.after(100, 100)
    house.streams(2)
    await house.after(0)
    assert [(each.connected, each.bot) for each in await told(house.worker, house.game_id)] == [
        (True, True),
        (False, True),
        (True, False),
    ]


async def test_an_answer_to_an_open_window_is_no_sign_until_it_closes(url: str, ahead: Ahead):
    async with working(url, ahead.clock(), absence=ABSENCE) as worker:
        house = await House.of(worker, ahead, await worker.new_game("emay", persons=4, terms=TERMS))
        house.streams(0, 2, 3)
        await worker.tables.submit(house.game_id, Vanish(1))
        await house.after(110)
        house.asked(1, moved=True)
        await worker.act(house.game_id, 1, Pass())
        assert await house.after(0, 31, 31) == [(1, False)]
        for seat in (0, 2, 3):
            await worker.act(house.game_id, seat, Pass())
        assert await house.after(0, 31) == [(1, False), (1, True)]


async def test_what_another_worker_sees_is_not_told_as_lost(house: House, url: str):
    house.asked(2)
    house.streams(2, is_open=False)
    async with working(url, house.ahead.clock(), absence=ABSENCE) as other:
        there = await House.of(other, house.ahead, house.game_id)
        there.streams(2)
        await there.after(0)
        assert await house.after(0, 610, 31) == []
        there.streams(2, is_open=False)
        await there.after(0)
        assert await house.after(0, 31) == [(2, False)]


async def test_what_a_worker_saw_that_stopped_is_told_by_another(house: House, url: str):
    house.asked(2)
    house.streams(2, is_open=False)
    async with working(url, house.ahead.clock(), absence=ABSENCE) as other:
        there = await House.of(other, house.ahead, house.game_id)
        there.streams(2)
        await there.after(0)
        assert await house.after(0, 610, 31) == []
    assert await house.after(0, 31) == [(2, False)]


async def test_a_worker_that_is_about_to_stop_tells_nothing(house: House):
    house.worker.tables.presence.fall_silent()
    house.streams(0, 1, 2, 3, is_open=False)
    assert await house.after(0, 200) == []
