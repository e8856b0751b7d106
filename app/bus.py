"""What workers tell each other about games: "game g is at version v". A lost word costs time, never truth: whoever
must know reads the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Moved = Callable[[str, int], None]
"""Is told a game's id and the version it has reached. Must not block or raise."""


class Bus(Protocol):
    """How news of committed moves goes round, this worker's own included."""

    reaches_others: bool
    """Whether other workers hear what is published; where they do not, who waits has to look for itself."""

    def publish(self, game_id: str, version: int) -> None:
        """Tells everybody that a game has reached a version; called after its commit."""

    def on_moved(self, call: Moved) -> None:
        """Calls it with all news from now on."""

    async def start(self) -> None:
        """Begins to listen."""

    async def stop(self) -> None:
        """Ends."""


class LocalBus:
    """News within one worker."""

    reaches_others = False

    def __init__(self) -> None:
        self._calls: list[Moved] = []

    def publish(self, game_id: str, version: int) -> None:
        for call in self._calls:
            call(game_id, version)

    def on_moved(self, call: Moved) -> None:
        self._calls.append(call)

    async def start(self) -> None:
        """There is nobody to listen to."""

    async def stop(self) -> None:
        """There is nobody to leave."""
