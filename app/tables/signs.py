"""What this worker has seen of people: their streams and polls that are open, and their last requests. In memory alone:
a request costs no write.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.clock import Clock

_KEPT: Final = timedelta(hours=2)
"""Longer than any table counts a request as being there."""


@dataclass(slots=True)
class Sign:
    """What was seen of one player at one game."""

    open: int = 0
    asked_at: datetime | None = None
    moved_at: datetime | None = None
    moved_before: datetime | None = None
    """The last move but that one, and but all others in the same window."""

    def last(self, before: datetime | None) -> datetime | None:
        """The last request; of moves only those before a moment, where one is given: until a window closes, an answer
        to it is a sign of nothing, and takes none away."""
        moved_at = self.moved_at
        if before is not None and moved_at is not None and moved_at >= before:
            moved_at = self.moved_before
        if self.asked_at is None or moved_at is None:
            return self.asked_at or moved_at
        return max(self.asked_at, moved_at)


NOTHING: Final = Sign()


class Signs:
    """Signs by game and player."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[tuple[str, str], Sign] = {}

    def of(self, game_id: str, player_id: str) -> Sign:
        """What was seen of a player at a game."""
        return self._seen.get((game_id, player_id), NOTHING)

    def asked(self, game_id: str, player_id: str) -> None:
        """A player has asked for something that is no move."""
        self._sign(game_id, player_id).asked_at = self._clock.now()

    def moved(self, game_id: str, player_id: str, window_since: datetime | None) -> None:
        """A player has sent a move, while a window was open since then, if one was."""
        sign = self._sign(game_id, player_id)
        if sign.moved_at is None or window_since is None or sign.moved_at < window_since:
            sign.moved_before = sign.moved_at
        sign.moved_at = self._clock.now()

    def streams(self, game_id: str, player_id: str, is_open: bool) -> None:
        """A player's stream has been opened or closed."""
        self._sign(game_id, player_id).open += 1 if is_open else -1

    @contextmanager
    def waiting(self, game_id: str, player_id: str) -> Iterator[None]:
        """A player waits for news, until the end of the block."""
        self.streams(game_id, player_id, True)
        try:
            yield
        finally:
            self.streams(game_id, player_id, False)
            self.asked(game_id, player_id)

    def forget(self, now: datetime) -> None:
        """Forgets what counts for nothing any more."""
        for key, sign in list(self._seen.items()):
            last = sign.last(None)
            if not sign.open and (last is None or now - last > _KEPT):
                del self._seen[key]

    def _sign(self, game_id: str, player_id: str) -> Sign:
        return self._seen.setdefault((game_id, player_id), Sign())
