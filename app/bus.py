"""What workers tell each other: "game g is at version v", "this player's token is revoked". A lost word costs time,
never truth: whoever must know reads the log, or the token, again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Moved = Callable[[str, int], None]
"""Is told a game's id and the version it has reached. Must not block or raise."""

Revoked = Callable[[str, str | None], None]
"""Is told a player's id and the id of its token that is revoked; without one, all are. Must not block or raise."""


class Bus(Protocol):
    """How news of committed moves goes round, this worker's own included."""

    reaches_others: bool
    """Whether other workers hear what is published; where they do not, who waits has to look for itself."""

    def publish(self, game_id: str, version: int) -> None:
        """Tells everybody that a game has reached a version; called after its commit."""

    def on_moved(self, call: Moved) -> None:
        """Calls it with all news from now on."""

    def revoke(self, player_id: str, token_id: str | None = None) -> None:
        """Tells everybody that a token, or all of a player's, opens nothing any more; called after its commit."""

    def on_revoked(self, call: Revoked) -> None:
        """Calls it with every revocation from now on."""

    async def start(self) -> None:
        """Begins to listen."""

    async def stop(self) -> None:
        """Ends."""


class LocalBus:
    """News within one worker."""

    reaches_others = False

    def __init__(self) -> None:
        self._moved: list[Moved] = []
        self._revoked: list[Revoked] = []

    def publish(self, game_id: str, version: int) -> None:
        """Tells all who asked, one after the other, before it returns."""
        for call in self._moved:
            call(game_id, version)

    def on_moved(self, call: Moved) -> None:
        """Calls it with the moves that this worker commits from now on."""
        self._moved.append(call)

    def revoke(self, player_id: str, token_id: str | None = None) -> None:
        """Tells all who asked, one after the other, before it returns."""
        for call in self._revoked:
            call(player_id, token_id)

    def on_revoked(self, call: Revoked) -> None:
        """Calls it with what this worker revokes from now on."""
        self._revoked.append(call)

    async def start(self) -> None:
        """There is nobody to listen to."""

    async def stop(self) -> None:
        """There is nobody to leave."""
