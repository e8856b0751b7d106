"""The rows on their way to the log, one lane a game, and the ways in which a row and its waiter part. Only the first
row of a lane is ever out, so a batch never holds two rows of one game.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from app.store.append import MarkedRow


@dataclass(frozen=True, slots=True)
class Committed:
    """The row is in the log; `at` is its time there."""

    game_id: str
    version: int
    at: datetime


@dataclass(frozen=True, slots=True)
class VersionTaken:
    """Not applied: another row made that version. Fold what was missed and decide again."""


@dataclass(frozen=True, slots=True)
class ActionKnown:
    """Not applied: the log holds this seat's action id already. Replay its row, or refuse the id."""


Outcome = Committed | VersionTaken | ActionKnown


class Busy(Exception):
    """Not applied: the queue is full, the writer is stopping, or the game stayed locked. Try again after a while."""


class OutcomeUnknown(Exception):
    """The row may have been applied, or still will be: the same action id gives the true answer later."""


class RowFailed(Exception):
    """Not applied: Postgres refuses this row by itself. A fault of ours; its game is suspect and loaded anew."""


def _count(what: str) -> Any:
    return field(default=0, metadata={"what": what})


@dataclass(slots=True)
class Counts:
    """What a writer has done since it started; `what` each of them counts is said in its field's metadata."""

    batches: int = _count("Statements sent that write rows of the log.")
    committed: int = _count("Rows committed.")
    version_taken: int = _count("Rows left out because another one had made their version.")
    action_known: int = _count("Rows left out because the log held their action already.")
    put_off: int = _count("Times a row was put off since its game was locked.")
    resent: int = _count("Times a row was sent again since the answer to it was lost.")
    busy: int = _count("Rows refused: too many waited, or their game stayed locked.")
    failed: int = _count("Rows that could not be written.")
    unknown: int = _count("Waiters told that nobody knew yet what became of their row.")
    suspect: int = _count("Times a game's state in memory was dropped as not to be trusted.")


@dataclass(eq=False, slots=True)
class Entry:
    """A row under way since a moment of the clock. `uncertain` once an answer to it was lost."""

    marked: MarkedRow
    since: float
    waiter: asyncio.Future[Outcome]
    on_committed: Callable[[Committed], None]
    uncertain: bool = False

    @property
    def game_id(self) -> str:
        """The game whose row it is."""
        return self.marked.row.game_id

    def tell(self, outcome: Outcome | Exception) -> bool:
        """Wakes the waiter, unless it was told something before or has gone; whether it did."""
        if self.waiter.done():
            return False
        if isinstance(outcome, Exception):
            self.waiter.set_exception(outcome)
        else:
            self.waiter.set_result(outcome)
        return True


class Queue:
    """All rows under way. An entry stays in its lane, sent or not, until it is removed."""

    def __init__(self) -> None:
        self._lanes: dict[str, deque[Entry]] = {}
        self._ready: dict[str, None] = {}  # the games whose first row waits to be sent, each once, in order
        self._settled: dict[str, asyncio.Future[None]] = {}
        self._wake = asyncio.Event()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Entry]:
        return (entry for lane in self._lanes.values() for entry in lane)

    def put(self, entry: Entry) -> None:
        """Adds a row behind those of its game."""
        lane = self._lanes.setdefault(entry.game_id, deque())
        lane.append(entry)
        self._size += 1
        if len(lane) == 1:
            self.send(entry.game_id)

    def send(self, game_id: str) -> None:
        """Lets the first row of a game be taken, for the first time or again."""
        if game_id in self._lanes:
            self._ready[game_id] = None
            self._wake.set()

    async def take(self, limit: int) -> list[Entry]:
        """The first rows of up to `limit` games, as soon as there is one; they are out until `send` or `remove`."""
        while not self._ready:
            self._wake.clear()
            await self._wake.wait()
        games = list(islice(self._ready, limit))
        for game_id in games:
            del self._ready[game_id]
        return [self._lanes[game_id][0] for game_id in games]

    def lane(self, game_id: str) -> list[Entry]:
        """The rows of a game, in order."""
        return list(self._lanes.get(game_id, ()))

    def remove(self, entry: Entry) -> None:
        """Ends the way of the first row of a game; the next one may be sent."""
        lane = self._lanes[entry.game_id]
        lane.popleft()
        self._size -= 1
        if lane:
            self.send(entry.game_id)
            return
        del self._lanes[entry.game_id]
        self._ready.pop(entry.game_id, None)
        settled = self._settled.pop(entry.game_id, None)
        if settled is not None:
            settled.set_result(None)

    async def settled(self, game_id: str, seconds: float) -> bool:
        """Whether the game has no row under way, now or within so many seconds."""
        if game_id not in self._lanes:
            return True
        settled = self._settled.setdefault(game_id, asyncio.get_running_loop().create_future())
        done, _ = await asyncio.wait({settled}, timeout=seconds)
        return bool(done)
