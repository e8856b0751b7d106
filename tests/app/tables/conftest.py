"""Workers on one database, in this process: what they share is only what the database holds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import pytest

from tests.app.tables.workers import Worker, working

Starter = Callable[[], Awaitable[Worker]]


@pytest.fixture
async def start_worker(url: str) -> AsyncIterator[Starter]:
    """Starts one more worker."""
    async with AsyncExitStack() as stack:

        async def start() -> Worker:
            return await stack.enter_async_context(working(url))

        yield start


@pytest.fixture
async def worker(start_worker: Starter) -> Worker:
    """A worker."""
    return await start_worker()
