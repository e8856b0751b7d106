"""Who waits for which game. It says only that something may be new; what is new is read from the game's log."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Hub:
    """The polls and streams of this worker, by game."""

    def __init__(self) -> None:
        self._waiting: dict[str, set[asyncio.Event]] = {}

    @contextmanager
    def watching(self, game_id: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever the game may have moved; the waiter clears it before it looks."""
        news = asyncio.Event()
        self._waiting.setdefault(game_id, set()).add(news)
        try:
            yield news
        finally:
            waiting = self._waiting[game_id]
            waiting.discard(news)
            if not waiting:
                del self._waiting[game_id]

    def wake(self, game_id: str) -> None:
        """Lets everybody who waits for the game look again."""
        for news in self._waiting.get(game_id, ()):
            news.set()

    def wake_all(self) -> None:
        """Lets everybody look again, as when this worker is about to stop."""
        for waiting in self._waiting.values():
            for news in waiting:
                news.set()
