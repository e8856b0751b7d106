"""What happens though nobody asked; the test turns the clock of the worker that serves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from pydantic_core import from_json

from app.database import Database
from app.store import log
from app.store.log import LogRow
from app.tables import Terms
from app.tables.deadlines import load_clock
from engine.state import Settlement
from tests.app.tables.workers import PATIENCE, Hand, Worker, come_due, forget, pass_unserved, play, wait, working

HASTE = Terms(turn_seconds=0.15, claim_seconds=0.15, settlement_seconds=0.15)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
async def worker(url: str, hand: Hand) -> AsyncIterator[Worker]:
    """A worker whose clock the test turns."""
    async with working(url, hand.clock()) as made:
        yield made


def commands(row: LogRow) -> list[tuple[int | None, str]]:
    return [(entry["seat"], entry["command"]["type"]) for entry in from_json(row.commands)]


def events(row: LogRow) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = from_json(row.events)
    return found


async def test_an_overdue_turn_draws_and_then_discards_under_the_new_number(worker: Worker, hand: Hand):
    game_id = await worker.new_game("tsumo", persons=4, terms=HASTE)
    while (await come_due(worker, hand, game_id)).version < 5:
        pass
    rows = await worker.rows(game_id)
    assert [commands(row) for row in rows[1:5]] == [
        [(0, "discard")],
        [(1, "pass"), (2, "pass"), (3, "pass")],
        [(1, "draw")],
        [(1, "discard")],
    ]


async def test_at_the_end_of_a_window_everybody_who_has_not_answered_passes_in_one_row(worker: Worker, hand: Hand):
    game_id = await worker.new_game("emay", persons=4, terms=HASTE)
    await worker.tables.submit(game_id, await worker.next_move(game_id, seat=2))
    await come_due(worker, hand, game_id)
    rows = await worker.rows(game_id)
    assert commands(rows[2]) == [(0, "pass"), (1, "pass"), (3, "pass")]


async def test_a_settlement_closes_by_itself(worker: Worker, hand: Hand):
    game_id = await worker.new_game("emay", terms=Terms(settlement_seconds=0.15))
    game = await play(worker, game_id, lambda game: isinstance(game.state.decision, Settlement))
    settling = game.version
    await come_due(worker, hand, game_id)
    rows = await worker.rows(game_id)
    assert commands(rows[settling])[0] == (None, "close_settlement")


async def test_a_bot_acts_after_its_delay_in_a_row_of_its_own(worker: Worker, hand: Hand):
    game_id = await worker.new_game("tsumo", terms=Terms(settlement_seconds=None, bot_delay_ms=20))
    before = (await play(worker, game_id, lambda game: game.wake_at is not None)).version
    await come_due(worker, hand, game_id)
    row = (await worker.rows(game_id))[before]
    assert row.seat is None
    assert commands(row)[0][0] in (1, 2, 3)


async def test_a_person_who_moves_in_time_is_not_moved_again(worker: Worker, hand: Hand):
    game_id = await worker.new_game("tsumo", persons=4, terms=Terms(turn_seconds=0.15))
    await worker.tables.submit(game_id, await worker.next_move(game_id))
    hand.seconds += 1
    await asyncio.sleep(0.3)
    assert [commands(row) for row in (await worker.rows(game_id))[1:]] == [[(0, "discard")]]


async def test_a_deadline_that_passed_while_nobody_served_is_moved_once(url: str, db: Database):
    async with working(url) as first:
        game_id = await first.new_game("tsumo", persons=4, terms=Terms(turn_seconds=60))
    for version in (2, 3):
        await pass_unserved(db, game_id)
        async with working(url) as later:
            await wait(later, game_id, lambda game, reached=version: game.version >= reached)  # type: ignore[misc]
    rows = await log.rows_after(db.session, game_id, 1)
    assert [events(row)[0]["type"] for row in rows] == ["deadline_moved", "tile_discarded"]


async def test_a_deadline_that_passed_while_its_worker_stood_still_is_moved(url: str, hand: Hand):
    async with working(url, hand.clock(), beats=False) as still:
        game_id = await still.new_game("tsumo", persons=4, terms=HASTE)
        due = (await still.tables.current(game_id)).wake_at
        assert due is not None
        await asyncio.sleep(still.clock.seconds_until(due) + 0.1)  # the database's time passes, the worker's does not
        await forget(still)
        hand.seconds += 3600
        await wait(still, game_id, lambda game: game.version > 1)
        row = (await still.rows(game_id))[1]
    assert events(row)[0]["type"] == "deadline_moved"


async def test_a_deadline_of_a_worker_that_died_is_served_by_the_others_as_it_was_a_second_later(
    worker: Worker, url: str
):
    async with working(url) as other:
        game_id = await worker.new_game("tsumo", persons=4, terms=HASTE)
        await worker.tables.stop()
        await wait_for_rows(other, game_id, 2)
        first, second = (await other.rows(game_id))[:2]
    assert first.clock is not None
    due = load_clock(first.clock).deadline_at
    assert due is not None
    assert (commands(second), second.at - due >= timedelta(seconds=1)) == ([(0, "discard")], True)


async def test_bots_whose_worker_died_before_their_move_make_it_at_the_next(worker: Worker, url: str):
    game_id = await worker.new_game("tsumo", terms=Terms(settlement_seconds=None, bot_delay_ms=300))
    before = (await play(worker, game_id, lambda game: game.wake_at is not None)).version
    await worker.tables.stop()
    async with working(url) as second:
        await wait(second, game_id, lambda game: game.version > before)
        row = (await second.rows(game_id))[before]
    assert commands(row)[0][0] in (1, 2, 3)


async def wait_for_rows(worker: Worker, game_id: str, number: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while True:
            await asyncio.sleep(0.05)
            if len(await worker.rows(game_id)) >= number:
                return
