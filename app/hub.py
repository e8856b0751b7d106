"""Who waits for which game. It says only that something may be new; what is new is read from the game's log.
Whoever waits in a player's name may wait for news of that player's tokens too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Hub:
    """The polls and streams of this worker, by game."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def watching(self, *names: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever a game of these ids may have moved; the waiter clears it before it looks."""
        news = asyncio.Event()
        for name in names:
            self._waiting.setdefault(name, set()).add(news)
        try:
            yield news
        finally:
            for name in names:
                waiting = self._waiting[name]
                waiting.discard(news)
                if not waiting:
                    del self._waiting[name]

    def wake(self, name: str) -> None:
        """Lets everybody who waits for the game look again."""
        for news in self._waiting.get(name, ()):
            news.set()

    def wake_player(self, player_id: str) -> None:
        """Lets whoever waits in a player's name see whether its token still opens anything."""
        self.wake(tokens_of(player_id))

    def wake_all(self) -> None:
        """Lets everybody look again, as when this worker is about to stop."""
        for waiting in self._waiting.values():
            for news in waiting:
                news.set()


def tokens_of(player_id: str) -> str:
    """What to watch for news of a player's tokens."""
    return f"tokens/{player_id}"
