"""What one reader of the lobby is sent: the tables that it sees, then each one that comes, changes or goes. There is no
cursor: whoever comes back begins with a hello.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from pydantic import TypeAdapter
from pydantic_core import to_json

from app.auth import Caller
from app.clock import Clock
from app.lobby.board import Board, Fate
from app.lobby.listing import GameListed, listed_open, sees
from app.stream import frames
from app.stream.feed import Feed, Send


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyHello:
    """The first frame: the public tables that wait, and those at which you sit, the newest first. `heartbeat_s` is how
    often a `ping` comes."""

    type: Literal["hello"] = "hello"
    tables: tuple[GameListed, ...]
    server_time: datetime
    heartbeat_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFrame:
    """A table that is new or has changed; your own ones too."""

    type: Literal["table"] = "table"
    table: GameListed


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGone:
    """A table that does not wait any more, or not for you: `started` is a game now, at the same address."""

    type: Literal["gone"] = "gone"
    id: str
    why: Fate


LobbyFrame = LobbyHello | TableFrame | TableGone | frames.Ping | frames.Draining | frames.Refused

_HELLO: Final = TypeAdapter(LobbyHello)
_TABLE: Final = TypeAdapter(TableFrame)


class LobbyFeed(Feed):
    """One reader of the tables that wait."""

    __slots__ = ("_board", "_changes", "_shown")

    def __init__(self, caller: Caller, board: Board, clock: Clock, heartbeat: float) -> None:
        super().__init__(caller, None, None, clock, heartbeat)
        self._board = board
        self._changes = 0
        self._shown: set[str] = set()

    async def _greet(self, send: Send) -> None:
        await self._board.look()
        self._greets, self._changes = False, self._board.changes
        tables = [table for table in self._board.tables.values() if sees(table, self.caller.player_id)]
        self._shown = {table.game.id for table in tables}
        hello = LobbyHello(
            tables=tuple(listed_open(table, self.caller.player_id) for table in tables),
            server_time=self.clock.now(),
            heartbeat_s=self.heartbeat,
        )
        await self._hand_over(send, _HELLO.dump_json(hello, exclude_none=True))

    async def _send_events(self, send: Send) -> None:
        """What has changed since it looked last; of a table that changed twice meanwhile, what it is now."""
        changed = self._board.changed_since(self._changes)
        self._changes = self._board.changes
        for frame in list(self._news_of(self._shown | set(self._board.tables) if changed is None else changed)):
            if self._is_over():
                return
            await self._hand_over(send, frame)

    async def _send_decision(self, send: Send) -> None:
        """There is nothing to decide."""

    def _news_of(self, game_ids: Iterable[str]) -> Iterable[bytes]:
        for game_id in game_ids:
            table = self._board.tables.get(game_id)
            if table is not None and sees(table, self.caller.player_id):
                self._shown.add(game_id)
                listed = TableFrame(table=listed_open(table, self.caller.player_id))
                yield _TABLE.dump_json(listed, exclude_none=True)
            elif game_id in self._shown:
                self._shown.discard(game_id)
                yield to_json(TableGone(id=game_id, why=self._board.fate(game_id) if table is None else "hidden"))
