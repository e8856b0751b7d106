"""Whether this worker is about to stop: told once, by SIGTERM, and heard by everything that has to end early."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from app.errors import Problem, unavailable

COME_BACK_SECONDS = 2
"""How long a client should wait for the next server."""


class Draining:
    """False until `begin`, then true for the rest of the process."""

    def __init__(self) -> None:
        self._begun = asyncio.Event()
        self._calls: list[Callable[[], None]] = []

    def __bool__(self) -> bool:
        return self._begun.is_set()

    def begin(self) -> None:
        """Tells everybody, once; further calls change nothing."""
        if not self._begun.is_set():
            self._begun.set()
            for call in self._calls:
                call()

    def on_begin(self, call: Callable[[], None]) -> None:
        """Calls it when draining begins. It must not block or raise."""
        self._calls.append(call)

    async def wait(self) -> None:
        """Returns when draining has begun; what waits long (a poll, a stream) waits for this as well."""
        await self._begun.wait()

    def refuse(self) -> None:
        """Raises Problem `draining` once draining has begun; what starts something new asks first."""
        if self:
            raise self.problem()

    def problem(self) -> Problem:
        """The answer to what is not started any more."""
        return unavailable("draining", COME_BACK_SECONDS)
