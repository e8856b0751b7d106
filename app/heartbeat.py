"""Whether this worker is alone, as a lease: another one that starts, or that was not heard of for a lease, moves no
game before this one has noticed or its own lease has run out, so what is trusted while alone is true.
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
    """One worker's beat. `alone` is true only while that is certain."""

    def __init__(self, database: Database, clock: Clock, worker: str, lease: timedelta = LEASE) -> None:
        self._database = database
        self._clock = clock
        self._worker = worker
        self.lease = lease
        self._believed_until = 0.0
        self._company: workers.Company | None = None
        self._joining = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.epoch = 0
        """Counts the times this worker became alone: what it had cached before may be behind the log."""

    @property
    def alone(self) -> bool:
        """Whether no other worker can have answered anybody since the last beat."""
        company = self._company
        return company is not None and not company.others and self._clock.monotonic() < self._believed_until

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
        may believe that it is alone. Raises TimeoutError where the database is too slow for a lease to be kept."""
        if self._clock.monotonic() < self._believed_until:
            return
        async with asyncio.timeout(JOIN_SECONDS), self._joining:
            while self._clock.monotonic() >= self._believed_until:
                await self._join()

    async def stop(self) -> None:
        """Says goodbye, where the database still listens."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._company = None
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
        await self._beat(joined=False)
        # After the first was committed: whoever beats from here on sees it.
        registered = (await self._beat(joined=False)).at
        for _ in range(ceil(self.lease.total_seconds() / _LOOK_AGAIN)):
            if not await workers.unaware(self._database.session, self._worker, registered, self.lease):
                break
            await asyncio.sleep(_LOOK_AGAIN)
            await self._beat(joined=False)
        await self._beat()

    async def _beat(self, *, joined: bool = True) -> workers.Company:
        """Believed for a lease, unless it comes more than a lease after the one before it: others may have missed it
        meanwhile."""
        sent, was_alone, before = self._clock.monotonic(), self.alone, self._company
        company = await workers.beat(
            self._database.session, self._worker, socket.gethostname(), os.getpid(), self.lease
        )
        self._company = company
        if joined and before is not None and company.at - before.at < self.lease:
            self._believed_until = sent + self.lease.total_seconds()
        if self.alone and not was_alone:
            self.epoch += 1
        return company
