"""Reading the log back: what a cache missed, what follows a cursor, what is due, and what an ended game leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from app.clock import Clock
from app.database import Database
from app.log_writer import Committed, LogWriter
from app.store import games, log, snapshots
from app.store.log import Due, NewRow, Uneven
from app.store.snapshots import Snapshot
from tests.app.games import new_game, row

SOON = timedelta(hours=1)


@pytest.fixture
async def writer(url: str) -> AsyncIterator[LogWriter]:
    started = LogWriter(url, Clock(), "w1")
    await started.start()
    yield started
    await started.stop()


async def write(writer: LogWriter, *rows: NewRow) -> None:
    for new in rows:
        assert isinstance(await writer.append(new, lambda committed: None), Committed)


async def test_a_cache_reads_what_it_missed_in_order(db: Database, writer: LogWriter):
    game, other = await new_game(db), await new_game(db)
    await write(writer, row(game, 2), row(other, 2), row(game, 3), row(game, 4))
    assert [found.version for found in await log.rows_after(db.session, game, 2)] == [3, 4]
    assert [found.version for found in await log.rows_after(db.session, game, 1, limit=2)] == [2, 3]
    assert await log.rows_after(db.session, game, 4) == []


async def test_a_row_is_read_as_it_was_written(db: Database, writer: LogWriter):
    game = await new_game(db)
    await write(writer, row(game, clock=b'{"bank":60}', seat=3, format=2))
    [found] = await log.rows_after(db.session, game, 1)
    assert (found.first_seq, found.last_seq, found.seat, found.action_id) == (4, 5, 3, "a2")
    assert (found.commands, found.events, found.clock) == (b'[{"type":"draw"}]', b'[{"type":"x"}]', b'{"bank":60}')
    assert (found.format, found.writer) == (2, "w1:1")


async def test_a_first_row_is_read_as_it_was_written(db: Database):
    await new_game(db, "g", format=2)
    [found] = await log.rows_after(db.session, "g", 0)
    assert (found.first_seq, found.last_seq, found.seat, found.action_id) == (1, 3, 0, "a1")
    assert (found.format, found.writer) == (2, "test")


async def test_a_row_whose_writer_knows_of_no_formats_is_of_the_first(db: Database):
    await new_game(db, "g", format=2)
    await db.session.execute(
        "INSERT INTO game_log (game_id, version, first_seq, last_seq, commands, events, writer)"
        " VALUES ('g', 2, 4, 5, '[]', '[]', 'older')"
    )
    await db.session.execute("UPDATE game_heads SET version = 2, last_seq = 5")
    assert [found.format for found in await log.rows_after(db.session, "g", 0)] == [2, 1]


async def test_a_cursor_is_answered_with_the_rows_that_hold_later_events(db: Database, writer: LogWriter):
    game = await new_game(db)  # seq 1-3
    notes = row(game, 3, first_seq=6, last_seq=5)
    await write(writer, row(game, 2), notes, row(game, 4, first_seq=6, last_seq=9))
    assert [found.version for found in await log.rows_of_events(db.session, game, 0)] == [1, 2, 4]
    assert [found.version for found in await log.rows_of_events(db.session, game, 3)] == [2, 4]
    assert [found.version for found in await log.rows_of_events(db.session, game, 8)] == [4]
    assert await log.rows_of_events(db.session, game, 9) == []
    assert [found.version for found in await log.rows_of_events(db.session, game, 0, limit=1)] == [1]


async def test_a_cursor_past_a_later_deal_loses_no_event(db: Database, writer: LogWriter):
    game = await new_game(db)
    await write(writer, *(row(game, version) for version in range(2, 6)))
    await snapshots.put(db.session, Snapshot(game, 2, 3, 7, 1, b"{}"))
    found = {after: await log.rows_of_events(db.session, game, after) for after in range(12)}
    assert [[written.version for written in found[after]] for after in (2, 3, 5, 6, 7, 8, 9, 11)] == [
        [1, 2, 3, 4, 5],
        [2, 3, 4, 5],
        [3, 4, 5],
        [3, 4, 5],
        [4, 5],
        [4, 5],
        [5],
        [],
    ]


async def test_an_action_is_found_by_its_seat_and_id(db: Database, writer: LogWriter):
    game = await new_game(db)
    await write(writer, row(game))
    found = await log.row_of_action(db.session, game, 0, "a2")
    assert found is not None
    assert found.version == 2
    assert await log.row_of_action(db.session, game, 1, "a2") is None


async def test_a_game_is_due_once_its_deadline_has_passed_by_more_than_the_margin(db: Database, writer: LogWriter):
    now: datetime = await db.session.fetchval("SELECT now()")
    late, later, never = [await new_game(db) for _ in range(3)]
    await write(
        writer,
        row(late, next_wake_at=now - timedelta(minutes=1)),
        row(later, next_wake_at=now + SOON),
        row(never),
    )
    assert await log.overdue(db.session) == [Due(late, 2)]
    assert await log.overdue(db.session, timedelta(minutes=2)) == []
    assert await log.deadlines(db.session, 2 * SOON) == [
        (late, 2, now - timedelta(minutes=1)),
        (later, 2, now + SOON),
    ]
    assert await log.deadlines(db.session, SOON / 2) == [(late, 2, now - timedelta(minutes=1))]


async def test_a_deadline_is_put_off_only_where_the_game_has_not_moved(db: Database, writer: LogWriter):
    now = await db.session.fetchval("SELECT now()")
    still, moved = await new_game(db), await new_game(db)
    await write(writer, row(still, next_wake_at=now), row(moved, next_wake_at=now))
    await log.put_off(db.session, still, 2, now + SOON)
    await log.put_off(db.session, moved, 1, now + SOON)
    assert await log.overdue(db.session) == [Due(moved, 2)]


async def test_an_ended_game_leaves_its_head_for_its_own_row(db: Database, writer: LogWriter):
    ended, live = await new_game(db), await new_game(db)
    await write(writer, row(ended, ended=True), row(live))
    assert await log.uneven(db.session) == []
    assert await log.archive(db.session) == [ended]
    game = await games.find(db.session, ended)
    [_, last] = await log.rows_after(db.session, ended, 0)
    assert game is not None
    assert (game.status, game.last_version, game.ended_at) == ("ended", 2, last.at)
    assert await db.session.fetchval("SELECT array_agg(id) FROM game_heads") == [live]
    assert await log.uneven(db.session) == []


async def test_putting_away_is_done_once_and_for_the_games_named(db: Database, writer: LogWriter):
    ids = [await new_game(db) for _ in range(3)]
    await write(writer, *(row(game, ended=True) for game in ids))
    assert await log.archive(db.session, ids[:1]) == ids[:1]
    assert await log.archive(db.session, ids[:1]) == []
    assert sorted(await log.archive(db.session)) == sorted(ids[1:])


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("DELETE FROM game_log WHERE version = 2", Uneven("g", 3, 3, 2)),
        ("DELETE FROM game_log WHERE version = 3", Uneven("g", 3, 2, 2)),
        ("UPDATE game_heads SET version = 2", Uneven("g", 2, 3, 3)),
        ("DELETE FROM game_heads", Uneven("g", None, 3, 3)),
        ("UPDATE games SET status = 'ended', last_version = 3", Uneven("g", 3, 3, 3)),
        ("DELETE FROM game_seats; DELETE FROM games", Uneven("g", 3, 3, 3)),
    ],
    ids=["gap", "short", "head behind", "no head", "ended with a head", "no game"],
)
async def test_a_game_that_does_not_stand_where_its_log_ends_is_found(
    db: Database, writer: LogWriter, damage: str, found: Uneven
):
    await write(writer, row(await new_game(db, "g"), 2), row("g", 3))
    await db.session.execute(damage)
    assert await log.uneven(db.session) == [found]
    await db.session.execute("TRUNCATE game_log, game_heads, game_seats, games CASCADE")


async def test_a_log_or_a_head_without_a_game_is_found(db: Database, writer: LogWriter):
    ids = [await new_game(db, name) for name in ("headless", "whole", "without")]
    await write(writer, *(row(game, 2) for game in ids))
    await db.session.execute("DELETE FROM game_heads WHERE id = 'headless'")
    await db.session.execute("DELETE FROM game_seats; DELETE FROM games WHERE id <> 'whole'")
    assert await log.strays(db.session) == [("headless", 2), ("without", 2)]
    await db.session.execute("TRUNCATE game_log, game_heads, game_seats, games CASCADE")
