"""The games this worker has in memory, the least used forgotten first, and whether they are as new as the log."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

from app.database import Database
from app.errors import Problem
from app.heartbeat import Heartbeat
from app.tables.live_game import LiveGame
from app.tables.loading import catch_up, load
from app.telemetry import log

CAPACITY: Final = 4096


class Waiting(Problem):
    """The game has not been dealt: `unknown_game`, but to whoever asks who sits there."""

    def __init__(self, game: LiveGame) -> None:
        super().__init__("unknown_game")
        self.game = game


class Cache:
    """Games by id. What is taken from here is committed, and no other worker tells anything older any more; `current`
    is also at least as new as any answer given."""

    def __init__(self, database: Database, heartbeat: Heartbeat, capacity: int = CAPACITY) -> None:
        self._database = database
        self._heartbeat = heartbeat
        self._capacity = capacity
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}

    async def get(self, game_id: str) -> LiveGame:
        """The game as it was last seen here, loaded where it was not. Raises Problem `unknown_game`."""
        game = self._games.get(game_id)
        if game is not None:
            self._games.move_to_end(game_id)
            return game
        loading = self._loading.get(game_id)
        if loading is None:
            loading = asyncio.create_task(self._load(game_id))
            self._loading[game_id] = loading
            loading.add_done_callback(_hear)  # also where nobody waits for it any more
        return await asyncio.shield(loading)

    async def current(self, game_id: str, min_seq: int = 0) -> LiveGame:
        """The game as the log has it. Raises Problem `unknown_game`."""
        game = await self.get(game_id)
        if not self.is_current(game) or game.seq < min_seq:
            await self.refresh(game)
        return game

    def is_current(self, game: LiveGame) -> bool:
        """Whether nothing can have happened that this game does not know."""
        return self._heartbeat.alone and game.epoch == self._heartbeat.epoch and not game.behind

    async def refresh(self, game: LiveGame) -> bool:
        """Folds what the log holds past the game, once every other worker reads it there too; whether that was
        anything. Raises what `Heartbeat.known` does."""
        version, epoch, alone = game.version, self._heartbeat.epoch, self._heartbeat.alone
        game.behind = False
        try:
            await catch_up(self._database.session, game, self._heartbeat.known)
        except BaseException:
            game.behind = True
            raise
        if alone:
            game.epoch = epoch
        return game.version != version

    def holds(self, game: LiveGame) -> bool:
        """Whether this very object is the one that is served."""
        return self._games.get(game.id) is game

    def games(self) -> list[LiveGame]:
        """All games in memory."""
        return list(self._games.values())

    def find(self, game_id: str) -> LiveGame | None:
        """The game, where it is in memory."""
        return self._games.get(game_id)

    def drop(self, game_id: str) -> None:
        """Forgets a game: what is in memory may be wrong, and is read anew when it is asked for."""
        if self._games.pop(game_id, None) is not None:
            log.warning("a game is dropped from memory", game_id=game_id)

    async def _load(self, game_id: str) -> LiveGame:
        """Into memory in the step in which it is loaded: whoever got it before would ask again without end."""
        try:
            game = self._games[game_id] = await self._read(game_id)
        finally:
            del self._loading[game_id]
        self._make_room()
        return game

    async def _read(self, game_id: str) -> LiveGame:
        epoch, alone = self._heartbeat.epoch, self._heartbeat.alone
        game = await load(self._database.session, game_id)
        if game is not None and game.is_dealt and game.game.status == "open":
            game = await load(self._database.session, game_id)  # dealt in between: who sits there may be old
        await self._heartbeat.known()
        if game is None:
            raise Problem("unknown_game")
        if not game.is_dealt:
            raise Waiting(game)
        if alone:
            game.epoch = epoch
        return game

    def _make_room(self) -> None:
        """A game that is being moved stays."""
        for game_id in list(self._games):
            if len(self._games) <= self._capacity:
                return
            game = self._games[game_id]
            if not game.lock.locked() and not game.in_doubt:
                del self._games[game_id]


def _hear(loading: asyncio.Task[LiveGame]) -> None:
    if not loading.cancelled():
        loading.exception()
