"""Reading games from the log: whole, from the last deal on, and what they have missed since."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from pydantic_core import to_json

from app.database import Session
from app.errors import unavailable
from app.store import games, log, snapshots
from app.store.snapshots import Snapshot
from app.tables.live_game import LiveGame
from app.tables.stored import state_of
from engine.codec import FORMAT, dump_state
from engine.state import GameState

_PAGE: Final = 1000


async def load(session: Session, game_id: str) -> LiveGame | None:
    """The game as the log has it now; None when there is none. Raises Problem `unsupported_format` for a game that a
    newer version of the service has written to: it is left alone."""
    game = await games.find(session, game_id)
    if game is None:
        return None
    live = LiveGame(game, await games.seats(session, game_id))
    snapshot = await snapshots.latest(session, game_id)
    if game.format > FORMAT:
        raise unavailable("unsupported_format", 30)
    if snapshot is not None:
        live.begin(state_of(snapshot), snapshot.version)
        for row in await log.rows_after(session, game_id, snapshot.version - 1, limit=1):
            live.recall(row)
    for version, state in await catch_up(session, live):
        # The worker that dealt died before it could keep this.
        await snapshots.put(session, snapshot_of(game_id, version, state))
    return live


async def catch_up(
    session: Session, live: LiveGame, may_tell: Callable[[], Awaitable[None]] | None = None
) -> list[tuple[int, GameState]]:
    """Folds what the log holds past a game, each page once `may_tell` returns: what is folded is told to whoever asks.
    Returns the deals among it: the version and state after each."""
    deals = []
    while True:
        rows = await log.rows_after(session, live.id, live.version, _PAGE)
        if rows and may_tell is not None:
            await may_tell()
        for row in rows:
            dealt = live.state.round.number if live.is_dealt else 0
            live.fold(row)
            if live.state.round.number != dealt:
                deals.append((live.version, live.state))
        if len(rows) < _PAGE:
            return deals


def snapshot_of(game_id: str, version: int, state: GameState) -> Snapshot:
    """A committed state as it is kept after a deal."""
    return Snapshot(game_id, state.round.number, version, state.seq, FORMAT, to_json(dump_state(state)))
