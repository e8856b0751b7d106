"""What becomes of a row when the connection is lost with its statement in flight: the same row is sent again, and
nobody hears that it was not applied unless that is so (design 3, Unknown outcome).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.clock import Clock
from app.database import Database
from app.log_writer import ActionKnown, Committed, LogWriter, OutcomeUnknown, VersionTaken
from app.store import log
from tests.app.faulty_wire import FaultyWire, faulty_wire
from tests.app.games import new_game, row


def forget(committed: Committed) -> None:
    """For a row whose arrival in the cache is not what the test is about."""


@pytest.fixture
async def wire(url: str) -> AsyncIterator[FaultyWire]:
    async with faulty_wire(url) as opened:
        yield opened


@pytest.fixture
async def writer(wire: FaultyWire) -> AsyncIterator[LogWriter]:
    """A writer whose connections go over the faulty wire."""
    started = LogWriter(wire.url, Clock(), "w1", patience=0.3)
    await started.start()
    yield started
    await started.stop()


async def versions(db: Database, game_id: str) -> list[int]:
    return [written.version for written in await log.rows_after(db.session, game_id, 0)]


async def test_a_row_whose_answer_was_lost_is_found_by_its_mark(db: Database, wire: FaultyWire, writer: LogWriter):
    game = await new_game(db)
    cache: list[int] = []
    wire.lose_answer()
    made = await writer.append(row(game), lambda committed: cache.append(committed.version))
    [written] = await log.rows_after(db.session, game, 1)
    assert isinstance(made, Committed)
    assert (made.at, written.writer) == (written.at, "w1:1")
    assert cache == [2]


async def test_a_row_that_never_arrived_is_written_by_the_second_try(db: Database, wire: FaultyWire, writer: LogWriter):
    game = await new_game(db)
    wire.lose_statement()
    assert isinstance(await writer.append(row(game), forget), Committed)
    assert await versions(db, game) == [1, 2]


async def test_a_statement_that_arrives_late_changes_nothing(db: Database, wire: FaultyWire, writer: LogWriter):
    game = await new_game(db)
    wire.delay_statement()
    assert isinstance(await writer.append(row(game), forget), Committed)
    await wire.deliver()
    assert await versions(db, game) == [1, 2]


async def test_all_rows_of_a_lost_batch_are_settled(db: Database, wire: FaultyWire, writer: LogWriter):
    ids = [await new_game(db) for _ in range(10)]
    wire.lose_answer()
    made = await asyncio.gather(*(writer.append(row(game), forget) for game in ids))
    assert all(isinstance(outcome, Committed) for outcome in made)
    assert [await versions(db, game) for game in ids] == [[1, 2]] * 10


async def test_a_version_that_somebody_else_took_meanwhile_is_a_true_no(db: Database, url: str, wire: FaultyWire):
    game = await new_game(db)
    patient, other = LogWriter(wire.url, Clock(), "w1", patience=60), LogWriter(url, Clock(), "w2")
    for started in (patient, other):
        await started.start()
    wire.refusing = True
    wire.lose_statement()
    waiting = asyncio.create_task(patient.append(row(game), forget))
    await wire.met()
    await other.append(row(game, seat=1, action_id="theirs"), forget)
    wire.refusing = False
    assert await waiting == VersionTaken()
    for started in (patient, other):
        await started.stop()


async def test_while_there_is_no_server_the_outcome_is_unknown_and_the_row_goes_on(
    db: Database, wire: FaultyWire, writer: LogWriter
):
    game = await new_game(db)
    cache: list[int] = []
    wire.refusing = True
    wire.lose_answer()
    with pytest.raises(OutcomeUnknown):
        await writer.append(row(game), lambda committed: cache.append(committed.version))
    with pytest.raises(OutcomeUnknown):
        await writer.settled(game)  # and the game takes no other command
    assert (cache, writer.counts.unknown) == ([], 1)
    wire.refusing = False
    await _until_settled(writer, game)
    assert cache == [2]
    assert await writer.append(row(game, 3, action_id="a2"), forget) == ActionKnown()


async def test_of_a_game_that_others_hold_too_long_the_outcome_stays_unknown_while_the_row_may_still_arrive(
    db: Database, wire: FaultyWire, writer: LogWriter
):
    game = await new_game(db)
    cache: list[Committed] = []
    wire.delay_statement()
    async with db.transaction() as other:
        await other.execute("SELECT FROM game_heads WHERE id = $1 FOR UPDATE", game)
        with pytest.raises(OutcomeUnknown):
            await writer.append(row(game), cache.append)
    await wire.deliver()  # "not applied" would have become a lie now
    await _until_settled(writer, game)
    [written] = await log.rows_after(db.session, game, 1)
    assert cache == [Committed(game, 2, written.at)]


async def test_a_row_whose_answer_was_lost_and_that_then_cannot_be_written_is_never_called_not_applied(
    db: Database, wire: FaultyWire, writer: LogWriter
):
    game = await new_game(db)
    wire.lose_statement()
    with pytest.raises(OutcomeUnknown):
        await writer.append(row(game, version=9), forget)
    assert (writer.counts.failed, writer.counts.unknown) == (1, 1)


async def test_a_row_behind_an_unknown_one_is_judged_after_it(db: Database, wire: FaultyWire, writer: LogWriter):
    game = await new_game(db)
    wire.delay_statement()
    first = asyncio.create_task(writer.append(row(game), forget))
    second = asyncio.create_task(writer.append(row(game, action_id="other"), forget))
    assert isinstance(await first, Committed)
    assert await second == VersionTaken()


async def test_a_backend_ended_by_the_operator_loses_no_row(db: Database, url: str):
    game = await new_game(db)
    writer = LogWriter(url, Clock(), "w1", patience=60)
    await writer.start()
    async with asyncio.timeout(60), db.transaction() as other:
        await other.execute("LOCK TABLE game_log IN ACCESS EXCLUSIVE MODE")  # keeps the statement in flight
        waiting = asyncio.create_task(writer.append(row(game), forget))
        while not await db.session.fetchval(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE application_name = 'todas writer' AND datname = current_database() AND wait_event_type = 'Lock'"
        ):
            continue
    assert isinstance(await waiting, Committed)
    assert writer.counts.resent == 1
    await writer.stop()


async def test_the_clock_is_set_anew_by_each_connection(db: Database, wire: FaultyWire):
    game = await new_game(db)
    readings: list[int] = []

    class Watched(Clock):
        def set(self, *args: object) -> None:
            readings.append(len(args))
            super().set(*args)  # type: ignore[arg-type]

    writer = LogWriter(wire.url, Watched(), "w1")
    await writer.start()
    wire.lose_statement()
    await writer.append(row(game), forget)
    await writer.stop()
    assert len(readings) == 2


async def _until_settled(writer: LogWriter, game_id: str) -> None:
    for _ in range(200):
        try:
            return await writer.settled(game_id)
        except OutcomeUnknown:
            continue
    raise AssertionError("the row was never settled")
