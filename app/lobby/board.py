"""The tables that wait, as one worker shows them to all who look: read once for everybody whenever one may have
changed, with the order in which they did.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final, Literal

from app.database import Database, away
from app.heartbeat import Heartbeat
from app.hub import Hub
from app.lobby.lobby import LOBBY
from app.store import games, lobby
from app.store.lobby import OpenTable
from app.telemetry import log

Fate = Literal["started", "closed", "hidden"]
"""What a table comes to that is not shown any more: a game, nothing, or a table that this reader does not see."""

SHOWN: Final = 500
"""How many tables are shown, the newest."""

_KEPT: Final = 1000
_APART_SECONDS: Final = 0.1
_LOOK_SECONDS: Final = 1.0


class Board:
    """`tables` by id, the newest first, as they were last read. `changes` grows with each one that came, changed or
    went."""

    def __init__(self, database: Database, heartbeat: Heartbeat, hub: Hub) -> None:
        self._database = database
        self._heartbeat = heartbeat
        self._hub = hub
        self._log: deque[str] = deque(maxlen=_KEPT)
        self._fates: OrderedDict[str, Fate] = OrderedDict()
        self._callers: set[Callable[[], None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._looking = asyncio.Lock()
        self.tables: dict[str, OpenTable] = {}
        self.changes = 0

    def join(self, call: Callable[[], None]) -> None:
        """Calls it from now on whenever something has changed."""
        self._callers.add(call)
        if self._task is None:
            self._task = asyncio.create_task(self._follow(), name="lobby")

    def leave(self, call: Callable[[], None]) -> None:
        """Calls it no more."""
        self._callers.discard(call)
        if not self._callers and self._task is not None:
            self._task.cancel()
            self._task = None

    def changed_since(self, changes: int) -> set[str] | None:
        """The ids of the tables that changed after so many changes; None where that is too long ago to say."""
        count = self.changes - changes
        if count > len(self._log):
            return None
        return {self._log[-place] for place in range(1, count + 1)}

    def fate(self, game_id: str) -> Fate:
        """What became of a table that is not shown any more."""
        return self._fates.get(game_id, "hidden")

    async def look(self) -> None:
        """Reads the tables anew; callers are told of what has changed."""
        async with self._looking:
            found = {table.game.id: table for table in await lobby.waiting(self._database.session, SHOWN)}
            gone = [game_id for game_id in self.tables if game_id not in found]
            if gone:
                await self._note_fates(gone)
            changed = [
                game_id
                for game_id, table in found.items()
                if game_id not in self.tables or self.tables[game_id].revision != table.revision
            ]
            self.tables = found
            self._log.extend((*gone, *changed))
            self.changes += len(gone) + len(changed)
        if gone or changed:
            for call in tuple(self._callers):
                call()

    async def _note_fates(self, game_ids: list[str]) -> None:
        statuses = await games.statuses(self._database.session, game_ids)
        for game_id in game_ids:
            status = statuses.get(game_id)
            if status != "open":
                self._fates[game_id] = "started" if status == "playing" else "closed"
        while len(self._fates) > _KEPT:
            self._fates.popitem(last=False)

    async def _follow(self) -> None:
        with self._hub.watching(LOBBY) as news:
            while True:
                news.clear()
                try:
                    await self.look()
                except Exception as error:
                    if not away(error):
                        log.exception("the tables that wait could not be read")
                await asyncio.sleep(_APART_SECONDS)
                await self._wait(news)

    async def _wait(self, news: asyncio.Event) -> None:
        """Until something may have changed; other workers are not heard, so beside them it may have at any time."""
        while not news.is_set():
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    await news.wait()
            except TimeoutError:
                if not self._heartbeat.alone:
                    return
