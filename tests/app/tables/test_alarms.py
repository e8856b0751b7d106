"""What happens though nobody asked, in real time with short seconds; no test says how long anything took."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pydantic_core import from_json

from app.database import Database
from app.store import log
from app.store.log import LogRow
from app.tables import LiveGame, Terms
from app.tables.deadlines import dump_clock, load_clock
from tests.app.tables.workers import Worker, play, working

HASTE = Terms(turn_seconds=0.15, claim_seconds=0.15, settlement_seconds=0.15)


async def wait_for(worker: Worker, game_id: str, version: int) -> LiveGame:
    """The game once it has come to a version by itself."""
    with worker.hub.watching(game_id) as news:
        async with asyncio.timeout(10):
            while (game := await worker.tables.current(game_id)).version < version:
                await news.wait()
                news.clear()
            return game


def commands(row: LogRow) -> list[tuple[int | None, str]]:
    return [(entry["seat"], entry["command"]["type"]) for entry in from_json(row.commands)]


def events(row: LogRow) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = from_json(row.events)
    return found


async def test_an_overdue_turn_draws_and_then_discards_under_the_new_number(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=HASTE)
    await wait_for(worker, game_id, 5)
    rows = await worker.rows(game_id)
    assert [commands(row) for row in rows[1:5]] == [
        [(0, "discard")],
        [(1, "pass"), (2, "pass"), (3, "pass")],
        [(1, "draw")],
        [(1, "discard")],
    ]


async def test_at_the_end_of_a_window_everybody_who_has_not_answered_passes_in_one_row(worker: Worker):
    game_id = await worker.new_game("emay", persons=4, terms=HASTE)
    await worker.tables.submit(game_id, await worker.next_move(game_id, seat=2))
    await wait_for(worker, game_id, 3)
    rows = await worker.rows(game_id)
    assert commands(rows[2]) == [(0, "pass"), (1, "pass"), (3, "pass")]


async def test_a_settlement_closes_by_itself(worker: Worker):
    game_id = await worker.new_game("emay", terms=Terms(settlement_seconds=0.15))
    game = await play(worker, game_id, lambda game: game.clock is not None and game.clock.deadline_at is not None)
    settling = game.version
    await wait_for(worker, game_id, settling + 1)
    rows = await worker.rows(game_id)
    assert commands(rows[settling])[0] == (None, "close_settlement")


async def test_a_bot_acts_after_its_delay_in_a_row_of_its_own(worker: Worker):
    game_id = await worker.new_game("tsumo", terms=Terms(settlement_seconds=None, bot_delay_ms=20))
    await worker.tables.submit(game_id, await worker.next_move(game_id))
    while (await worker.tables.current(game_id)).wake_at is None:
        await worker.tables.submit(game_id, await worker.next_move(game_id))
    before = (await worker.tables.current(game_id)).version
    await wait_for(worker, game_id, before + 1)
    row = (await worker.rows(game_id))[before]
    assert row.seat is None
    assert commands(row)[0][0] in (1, 2, 3)


async def test_a_person_who_moves_in_time_is_not_moved_again(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=Terms(turn_seconds=0.15))
    await worker.tables.submit(game_id, await worker.next_move(game_id))
    await asyncio.sleep(0.3)
    assert [commands(row) for row in (await worker.rows(game_id))[1:]] == [[(0, "discard")]]


async def test_a_deadline_that_passed_while_nobody_served_is_moved_once(url: str, db: Database):
    async with working(url) as first:
        game_id = await first.new_game("tsumo", persons=4, terms=Terms(turn_seconds=60))
    for version in (2, 3):
        await pass_unserved(db, game_id)
        async with working(url) as later:
            await wait_for(later, game_id, version)
    rows = await log.rows_after(db.session, game_id, 1)
    assert [events(row)[0]["type"] for row in rows] == ["deadline_moved", "tile_discarded"]


async def test_a_deadline_of_a_worker_that_died_is_served_by_the_others_as_it_was_a_second_later(
    worker: Worker, url: str
):
    async with working(url) as dying:
        game_id = await dying.new_game("tsumo", persons=4, terms=HASTE)
        await dying.tables.stop()
    await wait_for_rows(worker, game_id, 2)
    first, second = await worker.rows(game_id)
    assert first.clock is not None
    due = load_clock(first.clock).deadline_at
    assert due is not None
    assert (commands(second), second.at - due >= timedelta(seconds=1)) == ([(0, "discard")], True)


async def test_bots_whose_worker_died_before_their_move_make_it_at_the_next(url: str):
    terms = Terms(settlement_seconds=None, bot_delay_ms=300)
    async with working(url) as first:
        game_id = await first.new_game("tsumo", terms=terms)
        while (await first.tables.current(game_id)).wake_at is None:
            await first.tables.submit(game_id, await first.next_move(game_id))
        before = (await first.tables.current(game_id)).version
    async with working(url) as second:
        await wait_for(second, game_id, before + 1)
        row = (await second.rows(game_id))[before]
    assert commands(row)[0][0] in (1, 2, 3)


async def wait_for_rows(worker: Worker, game_id: str, number: int) -> None:
    async with asyncio.timeout(10):
        while True:
            await asyncio.sleep(0.05)
            if len(await worker.rows(game_id)) >= number:
                return


async def pass_unserved(db: Database, game_id: str) -> None:
    """Sets a game's deadline an hour back: as if it had stood there while nobody served."""
    last = (await log.rows_after(db.session, game_id, 0))[-1]
    assert last.clock is not None
    clock = load_clock(last.clock)
    assert clock.deadline_at is not None
    passed = clock.deadline_at - timedelta(hours=1)
    content = dump_clock(replace(clock, deadline_at=passed, bank_from=None))
    await db.session.execute(
        "UPDATE game_log SET clock = $3 WHERE game_id = $1 AND version = $2", game_id, last.version, content
    )
    await log.put_off(db.session, game_id, last.version, passed)
