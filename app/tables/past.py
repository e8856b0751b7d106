"""A game as it stood at an event long past: for replays, and for spectators who are kept behind."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator
from typing import Final

from app.database import Session
from app.store import log, snapshots
from app.tables.live_game import LiveGame
from app.tables.stored import events_of, state_of
from engine import events as ev
from engine.evolve import apply, evolve
from engine.state import GameState

_PAGE: Final = 200
_KEPT: Final = 128


class Past:
    """Past states, the last ones asked for in memory: whoever watches one game behind sees the same one."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, int], LiveGame] = OrderedDict()

    async def at(self, session: Session, game: LiveGame, seq: int) -> LiveGame:
        """The game after event `seq`, one of its own, and the notes that belong to it; without its clock."""
        key = game.id, seq
        known = self._games.get(key)
        if known is None:
            known = LiveGame(game.game, game.persons)
            known.begin(await _state_at(session, game.id, seq), 0)
            self._games[key] = known
            if len(self._games) > _KEPT:
                self._games.popitem(last=False)
        return known


async def _state_at(session: Session, game_id: str, seq: int) -> GameState:
    snapshot = await snapshots.before(session, game_id, seq)
    state = None if snapshot is None else state_of(snapshot)
    async for event in _events(session, game_id, 0 if snapshot is None else snapshot.version):
        if state is None:
            state = evolve(None, event)
        elif state.seq == seq and (not isinstance(event, ev.NOTES) or isinstance(event, ev.WallBuilt)):
            break
        else:
            apply(state, event)
    if state is None or state.seq != seq:
        raise ValueError(f"game {game_id} has no event {seq}")
    return state


async def _events(session: Session, game_id: str, version: int) -> AsyncIterator[ev.Event]:
    """All events after a version, notes among them."""
    while True:
        rows = await log.rows_after(session, game_id, version, _PAGE)
        for row in rows:
            for event in events_of(row):
                yield event
        if len(rows) < _PAGE:
            return
        version = rows[-1].version
