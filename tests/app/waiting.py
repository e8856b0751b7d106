"""Waiting for something to hold, however slow the machine is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 60.0


async def until(holds: Callable[[], bool]) -> None:
    """Returns once it holds."""
    async with asyncio.timeout(PATIENCE):
        while True:
            if holds():
                return
            await asyncio.sleep(0.01)
