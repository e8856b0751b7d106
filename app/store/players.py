"""Players: guests with a name. One that is deleted keeps its row, without name or code, for the games it sat in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.database import Session

_PLAYERS = "SELECT id, display_name, created_at FROM players WHERE deleted_at IS NULL AND "


@dataclass(frozen=True, slots=True)
class Profile:
    """A player as everybody sees it."""

    id: str
    display_name: str
    created_at: datetime


async def create(session: Session, player_id: str, display_name: str, recovery_hash: bytes) -> Profile:
    """Makes a player."""
    row = await session.fetchrow(
        """
        INSERT INTO players (id, display_name, recovery_hash) VALUES ($1, $2, $3)
        RETURNING id, display_name, created_at
        """,
        player_id,
        display_name,
        recovery_hash,
    )
    return Profile(*row)


async def find(session: Session, player_id: str) -> Profile | None:
    """The player with that id, unless deleted."""
    row = await session.fetchrow(_PLAYERS + "id = $1", player_id)
    return None if row is None else Profile(*row)


async def find_by_recovery(session: Session, recovery_hash: bytes) -> Profile | None:
    """The player whose recovery code has that hash."""
    row = await session.fetchrow(_PLAYERS + "recovery_hash = $1", recovery_hash)
    return None if row is None else Profile(*row)


async def hold(session: Session, player_id: str) -> None:
    """Lets nobody else hold the player until the transaction ends: what is counted of it stays so."""
    await session.execute("SELECT FROM players WHERE id = $1 FOR NO KEY UPDATE", player_id)


async def rename(session: Session, player_id: str, display_name: str) -> Profile | None:
    """Gives a player another name; None when there is no such player any more."""
    row = await session.fetchrow(
        """
        UPDATE players SET display_name = $2 WHERE id = $1 AND deleted_at IS NULL
        RETURNING id, display_name, created_at
        """,
        player_id,
        display_name,
    )
    return None if row is None else Profile(*row)


async def set_recovery(session: Session, player_id: str, recovery_hash: bytes) -> None:
    """Replaces a player's recovery code; the one before is worth nothing from then on."""
    await session.execute(
        "UPDATE players SET recovery_hash = $2 WHERE id = $1 AND deleted_at IS NULL", player_id, recovery_hash
    )


async def delete(session: Session, player_id: str) -> None:
    """Takes a player's name, code and tokens away for good. To be called in a transaction."""
    await session.execute(
        """
        UPDATE players SET display_name = '', recovery_hash = NULL, deleted_at = now()
        WHERE id = $1 AND deleted_at IS NULL
        """,
        player_id,
    )
    await session.execute("DELETE FROM tokens WHERE player_id = $1", player_id)
    await session.execute("DELETE FROM idempotency_keys WHERE caller = $1", player_id)
