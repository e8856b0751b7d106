"""The service's clock tells the database's time and runs on by the monotonic clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from app.clock import Clock
from app.database import Database

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Hand:
    """A monotonic clock that a test turns."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_a_clock_that_was_never_set_tells_no_time():
    with pytest.raises(RuntimeError):
        Clock().now()


def test_it_runs_on_from_the_database_s_time():
    hand = Hand()
    clock = Clock(hand)
    clock.set(NOON, hand.seconds)
    hand.seconds += 2.5
    assert clock.now() == NOON + timedelta(seconds=2.5)
    assert clock.seconds_until(NOON + timedelta(seconds=4)) == 1.5


def test_half_of_the_round_trip_has_passed_when_the_answer_is_there():
    hand = Hand()
    clock = Clock(hand)
    asked_at = hand.seconds
    hand.seconds += 0.2
    clock.set(NOON, asked_at)
    assert clock.now() == NOON + timedelta(seconds=0.1)


def test_it_tells_utc_whatever_zone_the_database_answers_in():
    hand = Hand()
    clock = Clock(hand)
    clock.set(NOON.astimezone(timezone(timedelta(hours=8))), hand.seconds)
    assert clock.now().tzinfo is UTC
    assert clock.now() == NOON


async def test_it_is_set_from_the_database(db: Database):
    clock = Clock()
    before = await db.session.fetchval("SELECT clock_timestamp()")
    await db.set_clock(clock)
    now = clock.now()
    after = await db.session.fetchval("SELECT clock_timestamp()")
    assert before - timedelta(seconds=5) < now < after + timedelta(seconds=5)
