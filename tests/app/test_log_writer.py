"""The writer on a real Postgres: a row can only fail alone, an unknown outcome is never called a "no", and what is
committed reaches the cache before its waiter, or without one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import pytest

from app.clock import Clock
from app.database import Database
from app.log_writer import ActionKnown, Busy, Committed, LogWriter, OutcomeUnknown, RowFailed, VersionTaken
from app.store import append, log
from app.store.log import NewRow
from tests.app.games import new_game, row
from tests.app.waiting import PATIENCE, until


def forget(committed: Committed) -> None:
    """For a row whose arrival in the cache is not what the test is about."""


async def outcome(writer: LogWriter, new: NewRow) -> Any:
    """What becomes of a row, an exception too."""
    try:
        return await writer.append(new, forget)
    except (Busy, OutcomeUnknown, RowFailed) as error:
        return type(error)


@pytest.fixture
async def suspects() -> list[str]:
    return []


@pytest.fixture
async def writer(url: str, suspects: list[str]) -> AsyncIterator[LogWriter]:
    started = LogWriter(url, Clock(), "w1", patience=PATIENCE, on_suspect=suspects.append)
    await started.start()
    yield started
    await started.stop()


async def versions(db: Database, game_id: str) -> list[int]:
    return [written.version for written in await log.rows_after(db.session, game_id, 0)]


async def head(db: Database, game_id: str) -> tuple[int, int]:
    found = await db.session.fetchrow("SELECT version, last_seq FROM game_heads WHERE id = $1", game_id)
    return found[0], found[1]


async def test_a_row_moves_the_head_and_is_in_the_log(db: Database, writer: LogWriter):
    game = await new_game(db)
    committed = await writer.append(row(game), forget)
    assert isinstance(committed, Committed)
    assert await head(db, game) == (2, 5)
    [written] = await log.rows_after(db.session, game, 1)
    assert (written.version, written.action_id, written.events, written.at) == (
        2,
        "a2",
        b'[{"type":"x"}]',
        committed.at,
    )


async def test_rows_that_wait_together_are_committed_in_one_transaction(db: Database, writer: LogWriter):
    ids = [await new_game(db) for _ in range(20)]
    await asyncio.gather(*(writer.append(row(game), forget) for game in ids))
    transactions = await db.session.fetchval("SELECT count(DISTINCT xmin::text) FROM game_log WHERE version = 2")
    assert transactions == 1


async def test_rows_of_one_game_are_written_one_after_another(db: Database, writer: LogWriter):
    game = await new_game(db)
    made = await asyncio.gather(*(writer.append(row(game, version), forget) for version in range(2, 12)))
    assert all(isinstance(outcome, Committed) for outcome in made)
    assert await versions(db, game) == list(range(1, 12))


async def test_the_state_is_in_the_cache_before_the_waiter_wakes(db: Database, writer: LogWriter):
    game = await new_game(db)
    cache: list[int] = []
    await writer.append(row(game), lambda committed: cache.append(committed.version))
    assert cache == [2]


async def test_a_stale_version_is_left_out(db: Database, writer: LogWriter):
    game = await new_game(db)
    await writer.append(row(game), forget)
    assert await writer.append(row(game, action_id="other"), forget) == VersionTaken()


async def test_an_action_id_used_before_is_left_out(db: Database, writer: LogWriter):
    game = await new_game(db)
    await writer.append(row(game), forget)
    assert await writer.append(row(game, 3, action_id="a2"), forget) == ActionKnown()


async def test_an_action_id_belongs_to_one_seat(db: Database, writer: LogWriter):
    game = await new_game(db)
    await writer.append(row(game, action_id="mine"), forget)
    assert isinstance(await writer.append(row(game, 3, action_id="mine", seat=1), forget), Committed)


async def test_rows_without_an_action_id_do_not_meet(db: Database, writer: LogWriter):
    game = await new_game(db)
    await writer.append(row(game, seat=None, action_id=None), forget)
    assert isinstance(await writer.append(row(game, 3, seat=None, action_id=None), forget), Committed)


async def test_bad_rows_of_a_batch_fail_alone(db: Database, writer: LogWriter, suspects: list[str]):
    good = [await new_game(db) for _ in range(3)]
    stale, reused, ahead, odd = [await new_game(db) for _ in range(4)]
    for game in (stale, reused):
        await writer.append(row(game), forget)
    found = await asyncio.gather(
        outcome(writer, row(good[0])),
        outcome(writer, row(stale, action_id="late")),
        outcome(writer, row(good[1])),
        outcome(writer, row(reused, 3, action_id="a2")),
        outcome(writer, row(odd, action_id="\x00")),  # no checked text is like this: Postgres raises for the batch
        outcome(writer, row(ahead, 7)),
        outcome(writer, row("nowhere")),
        outcome(writer, row(good[2])),
    )
    assert [type(each) for each in (found[0], found[2], found[7])] == [Committed] * 3
    assert found[1] == VersionTaken()
    assert found[3] == ActionKnown()
    assert found[4:7] == [RowFailed] * 3
    assert sorted(suspects) == sorted([odd, ahead, "nowhere"])
    assert writer.counts.suspect == writer.counts.failed == 3
    assert [await versions(db, game) for game in (*good, stale, reused, odd, ahead)] == [[1, 2]] * 5 + [[1]] * 2


@pytest.mark.parametrize(
    "wrong",
    [{"action_id": "\ud800"}, {"version": 2**40}, {"last_seq": 2**63}, {"seat": 70_000}, {"events": "text"}],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_a_row_that_cannot_be_sent_at_all_fails_alone(db: Database, writer: LogWriter, wrong: dict[str, Any]):
    good, bad = await new_game(db), await new_game(db)
    found = await asyncio.gather(outcome(writer, row(bad, **wrong)), outcome(writer, row(good)))
    assert found[0] is RowFailed
    assert isinstance(found[1], Committed)


@pytest.mark.parametrize("content", [b"\x00\xff\xfe", b'"\\u0000\\ud800"', b"", bytes(range(256)) * 400])
async def test_any_bytes_are_kept_as_they_are(db: Database, writer: LogWriter, content: bytes):
    game = await new_game(db)
    await writer.append(row(game, events=content, commands=content, clock=content), forget)
    [written] = await log.rows_after(db.session, game, 1)
    assert (written.events, written.commands, written.clock) == (content, content, content)


async def test_a_game_that_another_session_holds_does_not_hold_up_the_others(db: Database, writer: LogWriter):
    held, free = await new_game(db), await new_game(db)
    async with db.transaction() as other:
        await other.execute("SELECT 1 FROM game_heads WHERE id = $1 FOR UPDATE", held)
        waiting = asyncio.create_task(writer.append(row(held), forget))
        assert isinstance(await writer.append(row(free), forget), Committed)
        assert not waiting.done()
    assert isinstance(await waiting, Committed)


async def test_a_game_that_stays_held_is_busy_and_nothing_is_applied(db: Database, url: str):
    game = await new_game(db)
    writer = LogWriter(url, Clock(), "w1", patience=0.05)
    await writer.start()
    async with db.transaction() as other:
        await other.execute("SELECT 1 FROM game_heads WHERE id = $1 FOR UPDATE", game)
        assert await outcome(writer, row(game)) is Busy
    await writer.stop()
    assert await versions(db, game) == [1]
    assert writer.counts.busy == 1


async def test_a_table_that_is_locked_for_a_moment_only_delays(db: Database, writer: LogWriter):
    game = await new_game(db)
    async with db.transaction() as other:
        await other.execute("LOCK TABLE game_heads IN ACCESS EXCLUSIVE MODE")
        waiting = asyncio.create_task(writer.append(row(game), forget))
        await until(lambda: writer.counts.put_off > 0)  # its connection waits for a table only so long
        assert not waiting.done()
    assert isinstance(await waiting, Committed)


async def test_a_row_outlives_the_request_that_brought_it(db: Database, writer: LogWriter):
    game = await new_game(db)
    cache: list[int] = []
    request = asyncio.create_task(writer.append(row(game), lambda committed: cache.append(committed.version)))
    await asyncio.sleep(0)
    request.cancel()
    await asyncio.wait({request})
    await writer.settled(game)
    assert request.cancelled()
    assert cache == [2]
    assert await versions(db, game) == [1, 2]


async def test_two_writers_of_one_game_never_make_the_same_version(db: Database, url: str, writer: LogWriter):
    game = await new_game(db)
    second = LogWriter(url, Clock(), "w2")
    await second.start()

    async def play(one: LogWriter, seat: int) -> int:
        """Makes twenty moves, each from what the log then holds."""
        made = 0
        while made < 20:
            version = (await versions(db, game))[-1] + 1
            made += isinstance(await outcome(one, row(game, version, seat=seat, action_id=f"{version}")), Committed)
        return made

    made = await asyncio.gather(play(writer, 0), play(second, 1))
    assert list(made) == [20, 20]
    await second.stop()
    assert await versions(db, game) == list(range(1, 42))


async def test_a_full_queue_says_busy_at_once(db: Database, url: str):
    ids = [await new_game(db) for _ in range(3)]
    writer = LogWriter(url, Clock(), "w1", capacity=2)
    await writer.start()
    found = await asyncio.gather(*(outcome(writer, row(game)) for game in ids))
    await writer.stop()
    assert [isinstance(each, Committed) for each in found] == [True, True, False]
    assert found[2] is Busy
    assert writer.counts.busy == 1


async def test_a_writer_that_stops_carries_its_rows_to_their_end(db: Database, url: str):
    game = await new_game(db)
    writer = LogWriter(url, Clock(), "w1")
    await writer.start()
    waiting = asyncio.create_task(writer.append(row(game), forget))
    await asyncio.sleep(0)
    await writer.stop()
    assert isinstance(await waiting, Committed)
    with pytest.raises(Busy):
        await writer.append(row(game, 3), forget)


async def test_an_ended_game_takes_no_more_rows(db: Database, writer: LogWriter):
    game = await new_game(db)
    await writer.append(row(game, ended=True), forget)
    with pytest.raises(RowFailed):
        await writer.append(row(game, 3), forget)
    assert await log.archive(db.session) == [game]
    with pytest.raises(RowFailed):
        await writer.append(row(game, 3), forget)
    assert await writer.append(row(game, 2, action_id="late"), forget) == VersionTaken()


async def test_a_cache_that_fails_to_take_a_state_is_suspect_and_the_row_stands(
    db: Database, writer: LogWriter, suspects: list[str]
):
    game = await new_game(db)

    def broken(committed: Committed) -> None:
        raise KeyError(committed.game_id)

    assert isinstance(await writer.append(row(game), broken), Committed)
    assert (suspects, writer.counts.suspect) == ([game], 1)
    assert isinstance(await writer.append(row(game, 3), forget), Committed)


async def updates_of_heads(db: Database) -> tuple[int, int]:
    """All updates of heads so far, and those of them that stayed on their page and in no index (HOT)."""
    found = await db.session.fetchrow(
        "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'game_heads'"
    )
    return found[0], found[1]


async def test_updates_of_heads_stay_on_their_page(db: Database, url: str):
    ids = [await new_game(db) for _ in range(50)]
    now: datetime = await db.session.fetchval("SELECT now()")
    before, hot_before = await updates_of_heads(db)
    writer = LogWriter(url, Clock(), "w1")
    await writer.start()
    for version in range(2, 62):
        wake_at = now + timedelta(seconds=version)  # what most moves change, and nothing may be indexed by
        rows = [row(game, version, next_wake_at=wake_at) for game in ids]
        await asyncio.gather(*(writer.append(each, forget) for each in rows))
    await writer.stop()
    async with asyncio.timeout(PATIENCE):  # a session counts what it did as it ends, and it ends by itself
        while True:
            after, hot_after = await updates_of_heads(db)
            if after - before >= 3000:
                break
            await asyncio.sleep(0.01)
    assert (hot_after - hot_before) / (after - before) > 0.95


async def test_the_statement_reads_by_keys_alone(db: Database, url: str):
    connection = await asyncpg.connect(url, server_settings=append.SESSION)
    await connection.execute(f"PREPARE w AS {append.WRITE}")
    nothing = ", ".join(["NULL"] * 13)
    plan = await connection.fetch(f"EXPLAIN EXECUTE w({nothing})")
    await connection.close()
    assert "Seq Scan" not in "\n".join(line[0] for line in plan)


async def test_an_idle_writer_holds_no_lock_and_no_transaction(db: Database, writer: LogWriter):
    held = await db.session.fetch(
        "SELECT state FROM pg_stat_activity WHERE application_name = 'todas writer' AND datname = current_database()"
    )
    assert [session["state"] for session in held] == ["idle"]


async def test_two_writers_of_many_games_never_wait_for_each_other_in_a_circle(
    db: Database, url: str, writer: LogWriter
):
    ids = [await new_game(db) for _ in range(20)]
    second = LogWriter(url, Clock(), "w2")
    await second.start()

    async def play(one: LogWriter, game: str, seat: int) -> None:
        """Tries thirty moves, each at the version that follows if nobody else moves."""
        for version in range(2, 32):
            await one.append(row(game, version, seat=seat, action_id=f"{version}"), forget)

    games = [(one, game, seat) for one, seat in ((writer, 0), (second, 1)) for game in ids]
    await asyncio.gather(*(play(*each) for each in games))
    await second.stop()
    assert [await versions(db, game) for game in ids] == [list(range(1, 32))] * 20
    assert writer.counts.failed + second.counts.failed == 0
