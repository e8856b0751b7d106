"""When games have to be looked at though nobody asked: one timer a game, armed for the version it was set at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from app.clock import Clock


class Timers:
    """The event loop's own heap of timers, by game."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._armed: dict[str, asyncio.TimerHandle] = {}
        self._on_due: Callable[[str, int], None] = lambda game_id, version: None

    def on_due(self, call: Callable[[str, int], None]) -> None:
        """From now on this is told a game's id, and the version its timer was armed at, when it is due."""
        self._on_due = call

    def arm(self, game_id: str, version: int, at: datetime | None) -> None:
        """Sets the game's timer, in place of the one it had; None leaves it without one."""
        before = self._armed.pop(game_id, None)
        if before is not None:
            before.cancel()
        if at is not None:
            seconds = max(0.0, self._clock.seconds_until(at))
            self._armed[game_id] = asyncio.get_running_loop().call_later(seconds, self._fire, game_id, version)

    def clear(self) -> None:
        """Takes every timer back."""
        for handle in self._armed.values():
            handle.cancel()
        self._armed.clear()

    def _fire(self, game_id: str, version: int) -> None:
        self._armed.pop(game_id, None)
        self._on_due(game_id, version)
