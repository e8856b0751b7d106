"""Snapshots: a game's whole state after each deal, kept for good, so that any past view folds at most one round."""

from __future__ import annotations

from dataclasses import dataclass

from app.database import Session

_SNAPSHOTS = "SELECT game_id, round, version, seq, format, state FROM game_snapshots "


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a game at a version and at the last numbered event in it; `state` is UTF-8 JSON of that format."""

    game_id: str
    round: int
    version: int
    seq: int
    format: int
    state: bytes


async def put(session: Session, snapshot: Snapshot) -> None:
    """Keeps a snapshot of a committed state. The first one of a round stays: all of them would say the same."""
    await session.execute(
        """
        INSERT INTO game_snapshots (game_id, round, version, seq, format, state) VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT DO NOTHING
        """,
        snapshot.game_id,
        snapshot.round,
        snapshot.version,
        snapshot.seq,
        snapshot.format,
        snapshot.state,
    )


async def latest(session: Session, game_id: str) -> Snapshot | None:
    """The snapshot of the last deal: where loading a game starts from."""
    row = await session.fetchrow(_SNAPSHOTS + "WHERE game_id = $1 ORDER BY round DESC LIMIT 1", game_id)
    return None if row is None else Snapshot(*row)


async def of_game(session: Session, game_id: str) -> list[Snapshot]:
    """All snapshots of a game, in order."""
    found = await session.fetch(_SNAPSHOTS + "WHERE game_id = $1 ORDER BY round", game_id)
    return [Snapshot(*row) for row in found]


async def before(session: Session, game_id: str, seq: int) -> Snapshot | None:
    """The last snapshot at or before a numbered event: where any past view starts from."""
    row = await session.fetchrow(
        _SNAPSHOTS + "WHERE game_id = $1 AND seq <= $2 ORDER BY round DESC LIMIT 1", game_id, seq
    )
    return None if row is None else Snapshot(*row)


async def version_of(session: Session, game_id: str, number: int) -> int:
    """The version of the last snapshot that was made in a round or before it; 0 where there is none. The row of that
    version holds the deal."""
    version = await session.fetchval(
        "SELECT version FROM game_snapshots WHERE game_id = $1 AND round <= $2 ORDER BY round DESC LIMIT 1",
        game_id,
        number,
    )
    return version or 0
