"""The only reader of time. Now is the database's time, taken at start and at each reconnect, carried on by the
monotonic clock of this process, so that every worker tells the same time and no step of a host's clock is seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def monotonic() -> float:
    """Seconds from an arbitrary start, never going back: for measuring and for waiting, never for what is stored."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Waits in a process that has no event loop yet; everywhere else asyncio.sleep does."""
    time.sleep(seconds)


class Clock:
    """The time of the service. `read` is the monotonic clock in seconds; tests pass their own."""

    def __init__(self, read: Callable[[], float] = time.monotonic) -> None:
        self._read = read
        self._origin: datetime | None = None

    def monotonic(self) -> float:
        """Seconds on the clock this one is carried on by."""
        return self._read()

    def set(self, database_now: datetime, asked_at: float) -> None:
        """Takes the database's time, which was read between `asked_at` (monotonic seconds) and this moment.

        Half of the round trip is counted as gone by since the database looked at its clock.
        """
        middle = (asked_at + self._read()) / 2
        self._origin = database_now.astimezone(UTC) - timedelta(seconds=middle)

    def now(self) -> datetime:
        """The database's time, UTC. Raises RuntimeError before the first `set`: a guess would become a deadline."""
        if self._origin is None:
            raise RuntimeError("the clock has not been set from the database yet")
        return self._origin + timedelta(seconds=self._read())

    def seconds_until(self, moment: datetime) -> float:
        """Seconds from now to `moment`; negative when it has passed."""
        return (moment - self.now()).total_seconds()
