"""Whether a worker is alone, as a lease on the database's time (decision 0501)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from app.clock import Clock
from app.database import Database
from app.heartbeat import Heartbeat
from app.store import workers

LEASE = timedelta(seconds=30)
"""Longer than a busy machine stands still."""

SHORT = timedelta(seconds=1)


@asynccontextmanager
async def beating(
    db: Database, worker: str, clock: Clock | None = None, lease: timedelta = LEASE
) -> AsyncIterator[Heartbeat]:
    clock = clock or Clock()
    await db.set_clock(clock)
    heartbeat = Heartbeat(db, clock, worker, lease)
    await heartbeat.start()
    yield heartbeat
    await heartbeat.stop()


async def until_alone(heartbeat: Heartbeat) -> None:
    async with asyncio.timeout(60):
        while True:
            if heartbeat.alone:
                return
            await asyncio.sleep(0.02)


async def until_epoch(heartbeat: Heartbeat, epoch: int) -> None:
    async with asyncio.timeout(60):
        while True:
            if heartbeat.epoch >= epoch:
                return
            await asyncio.sleep(0.02)


@asynccontextmanager
async def unanswered(db: Database) -> AsyncIterator[asyncio.Event]:
    """No beat is answered in the block, nor sent before it is entered; the event is set once one was sent."""
    sent = asyncio.Event()
    async with db.transaction() as session:
        await session.execute("SELECT FROM workers FOR UPDATE")

        async def look() -> None:
            while not await session.fetchval("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"):
                pass
            sent.set()

        looking = asyncio.create_task(look())
        yield sent
        await looking


async def test_the_only_worker_is_alone(db: Database):
    async with beating(db, "one") as one:
        assert one.alone


@pytest.mark.parametrize(("late", "believed"), [(-0.5, True), (0.01, False)])
async def test_a_beat_is_believed_for_a_lease_and_no_longer(db: Database, late: float, believed: bool):
    ahead = [0.0]
    async with beating(db, "one", Clock(lambda: ahead[0])) as one:
        ahead[0] = LEASE.total_seconds() + late
        assert one.alone == believed


async def test_while_a_beat_is_not_answered_nobody_is_alone(db: Database):
    """Whoever joins takes a worker for told whose beat the database has, though its answer may be on its way."""
    async with beating(db, "one") as one:
        async with asyncio.timeout(60), unanswered(db) as sent:
            await sent.wait()
            assert not one.alone
        await until_alone(one)


async def test_whoever_is_answered_when_the_lease_before_was_over_has_to_be_known_again(db: Database):
    ahead = [0.0]
    async with beating(db, "one", Clock(lambda: ahead[0])) as one:
        epoch = one.epoch
        async with asyncio.timeout(60), unanswered(db) as sent:
            ahead[0] += 0.6 * LEASE.total_seconds()
            await sent.wait()
            ahead[0] += 0.6 * LEASE.total_seconds()
        await until_epoch(one, epoch + 1)


async def test_whoever_did_not_notice_that_a_lease_went_by_is_told_by_the_database(db: Database):
    a_clock_that_stands_still = Clock(lambda: 0.0)
    less_than_between_two_beats = timedelta(seconds=0.3)
    async with beating(db, "one", a_clock_that_stands_still, less_than_between_two_beats) as one:
        await until_epoch(one, one.epoch + 1)


async def test_whoever_stood_still_is_known_again_though_nobody_asks(db: Database):
    ahead = [0.0]
    async with beating(db, "one", Clock(lambda: ahead[0])) as one:
        ahead[0] += 3600
        assert not one.is_known
        await until_alone(one)


async def test_a_beat_that_arrives_behind_a_later_one_takes_nothing_back(db: Database):
    await workers.beat(db.session, "one", "host", 1, LEASE)
    later = await db.session.fetchval("UPDATE workers SET seen_at = seen_at + interval '1 hour' RETURNING seen_at")
    await workers.beat(db.session, "one", "host", 1, LEASE)
    assert await db.session.fetchval("SELECT seen_at FROM workers") == later


async def test_before_a_second_worker_has_started_the_first_knows_that_it_is_not_alone(db: Database):
    async with beating(db, "one") as one, beating(db, "two") as two:
        assert (one.alone, two.alone) == (False, False)


async def test_a_worker_is_alone_again_once_the_other_has_left(db: Database):
    async with beating(db, "one") as one:
        before = one.epoch
        async with beating(db, "two"):
            pass
        await until_alone(one)
        assert one.epoch == before + 1


async def test_whoever_was_not_heard_of_for_a_lease_goes_on_once_the_others_know_of_it_again(db: Database):
    ahead = [0.0]
    async with beating(db, "one") as one, beating(db, "two", Clock(lambda: ahead[0])) as two:
        while not one.alone:
            await db.session.execute("UPDATE workers SET seen_at = seen_at - interval '1 hour' WHERE id = 'two'")
        ahead[0] += 3600
        await two.known()
        assert not one.alone


async def test_a_database_too_slow_for_a_lease_is_not_waited_for_without_end(
    db: Database, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.heartbeat.JOIN_SECONDS", 0.1)
    over_before_a_beat_is_answered = timedelta(0)
    async with asyncio.timeout(60):
        with pytest.raises(TimeoutError):
            async with beating(db, "one", lease=over_before_a_beat_is_answered):
                pass


async def test_a_worker_that_died_is_not_waited_for_longer_than_its_lease(db: Database):
    await workers.beat(db.session, "dead", "host", 1, SHORT)
    async with beating(db, "one", lease=SHORT) as one:
        await until_alone(one)


async def test_whoever_serves_longest_says_since_when_deadlines_were_served(db: Database):
    async with beating(db, "one") as one, beating(db, "two") as two:
        assert one.serving_since == two.serving_since


async def test_a_worker_that_was_not_heard_of_for_a_lease_begins_anew(db: Database):
    first = await workers.beat(db.session, "one", "host", 1, LEASE)
    await db.session.execute("UPDATE workers SET seen_at = seen_at - interval '1 hour'")
    again = await workers.beat(db.session, "one", "host", 1, LEASE)
    assert again.serving_since == again.at > first.at


async def test_a_worker_that_beats_in_time_goes_on_serving(db: Database):
    first = await workers.beat(db.session, "one", "host", 1, LEASE)
    again = await workers.beat(db.session, "one", "host", 1, LEASE)
    assert again.serving_since == first.serving_since
