"""Whether this worker is alone, and whether all others know of it, as a lease: one that starts, or that was not heard
of for a lease, tells of no game before the others have noticed or their own leases have run out (decision 0501).
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from app.clock import Clock
from app.database import Database, away
from app.store import workers
from app.telemetry import log

LEASE: Final = timedelta(seconds=2)
"""How long a beat is believed."""

JOIN_SECONDS: Final = 10.0
"""How long a worker tries to be known."""

_EVERY: Final = 0.5
_LOOK_AGAIN: Final = 0.1


class Heartbeat:
    """One worker's beat. `alone` and `is_known` are true only while that is certain."""

    def __init__(self, database: Database, clock: Clock, worker: str, lease: timedelta = LEASE) -> None:
        self._database = database
        self._clock = clock
        self._worker = worker
        self.lease = lease
        self._heard_until = 0.0
        self._life = 0  # begins anew with a beat that comes late
        self._known_life = 0
        self._alone = False
        self._company: workers.Company | None = None
        self._joining = asyncio.Lock()
        self._beating = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.epoch = 0
        """Counts the times this worker became alone: what it had cached before may be behind the log."""

    @property
    def alone(self) -> bool:
        """Whether no other worker can have answered anybody since the last beat."""
        return self._alone and self.is_known

    @property
    def is_known(self) -> bool:
        """Whether no other worker can believe now that it is alone."""
        return self._clock.monotonic() < self._heard_until and self._life == self._known_life

    @property
    def serving_since(self) -> datetime:
        """Since when some worker has been there to serve a deadline."""
        if self._company is None:
            raise RuntimeError("the heartbeat has not begun yet")
        return self._company.serving_since

    async def start(self) -> None:
        """Registers, waits until every other worker knows it, and goes on beating."""
        await self.known()
        self._task = asyncio.create_task(self._run(), name="heartbeat")

    async def known(self) -> None:
        """Returns once every other worker knows of this one: at once, unless it was not heard of for a lease, when one
        may believe that it is alone. Raises TimeoutError where the database is too slow for a lease to be kept, and
        what `database.away` or `database.given_up` recognises."""
        if self.is_known:
            return
        async with asyncio.timeout(JOIN_SECONDS), self._joining:
            while not self.is_known:
                await self._join()

    async def stop(self) -> None:
        """Says goodbye, where the database still listens."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._company, self._alone = None, False
        with suppress(Exception):
            await workers.leave(self._database.session, self._worker)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY)
            try:
                await self.known()
                await self._beat()
            except Exception as error:
                if not away(error):
                    log.exception("a heartbeat failed")

    async def _join(self) -> None:
        await self._beat()
        # After the first was committed: whoever beats from here on sees it.
        registered, life = (await self._beat()).at, self._life
        for _ in range(ceil(self.lease.total_seconds() / _LOOK_AGAIN)):
            if not await workers.unaware(self._database.session, self._worker, registered, self.lease):
                break
            await asyncio.sleep(_LOOK_AGAIN)
            await self._beat()
        self._known_life = life
        await self._beat()

    async def _beat(self) -> workers.Company:
        """Heard for a lease, counted from before it was sent. Where it is answered after the lease of the one before it
        is over, by either clock, others may have taken this worker for dead meanwhile: it is not known any more."""
        async with self._beating:
            sent, was_alone, before = self._clock.monotonic(), self.alone, self._company
            self._alone = False  # whoever joins takes this worker for told once the database has the beat
            company = await workers.beat(
                self._database.session, self._worker, socket.gethostname(), os.getpid(), self.lease
            )
            late = before is None or company.at - before.at >= self.lease
            if late or self._clock.monotonic() >= self._heard_until:
                self._life += 1
            self._company, self._heard_until = company, sent + self.lease.total_seconds()
            self._alone = self.is_known and not company.others
            if self._alone and not was_alone:
                self.epoch += 1
            return company
