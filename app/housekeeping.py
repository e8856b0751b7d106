"""What is kept for a time only, and goes when that is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.database import Database, away
from app.store import idempotency, presence, tickets
from app.telemetry import log

_EVERY_SECONDS: Final = 600.0


class Housekeeping:
    """One task that looks now and then. Several workers may do so at once; what is gone is gone."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._calls: list[Callable[[], Awaitable[None]]] = []
        self._task: asyncio.Task[None] | None = None

    def also(self, call: Callable[[], Awaitable[None]]) -> None:
        """Calls it at each look from now on."""
        self._calls.append(call)

    async def start(self) -> None:
        """Begins, with the first look at once."""
        self._task = asyncio.create_task(self._run(), name="housekeeping")

    async def stop(self) -> None:
        """Ends; what it was doing is done next time."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def tidy(self) -> None:
        """Looks once: Idempotency-Keys are kept for 24 hours, and tickets as long as the request that made them."""
        await idempotency.sweep(self._database.session)
        await tickets.sweep(self._database.session)
        for call in self._calls:
            await call()
        await presence.sweep(self._database.session)

    async def _run(self) -> None:
        while True:
            try:
                await self.tidy()
            except Exception as error:
                if not away(error):
                    log.exception("housekeeping failed")
            await asyncio.sleep(_EVERY_SECONDS)
