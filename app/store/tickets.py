"""Tickets with which a browser opens one stream: short-lived, used once, kept by the hash of their text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Session


@dataclass(frozen=True, slots=True)
class Holder:
    """The token a ticket stands for, valid as the ticket is redeemed."""

    player_id: str
    token_id: str
    scopes: tuple[str, ...]


async def add(session: Session, ticket_hash: bytes, game_id: str, token_id: str, lifetime: timedelta) -> datetime:
    """Issues a ticket: when it expires. One with that hash that is there already, used or not, stays as it is."""
    await session.execute(
        """
        INSERT INTO tickets (hash, game_id, token_id, expires_at) VALUES ($1, $2, $3, now() + $4)
        ON CONFLICT (hash) DO NOTHING
        """,
        ticket_hash,
        game_id,
        token_id,
        lifetime,
    )
    expires_at: datetime = await session.fetchval("SELECT expires_at FROM tickets WHERE hash = $1", ticket_hash)
    return expires_at


async def redeem(session: Session, ticket_hash: bytes, game_id: str) -> Holder | None:
    """Uses a ticket up, for that game alone. None where there is none that is fresh, or its token is not valid."""
    row = await session.fetchrow(
        """
        UPDATE tickets SET used = true FROM tokens
        WHERE tickets.hash = $1 AND game_id = $2 AND NOT used AND tickets.expires_at > now() AND tokens.id = token_id
          AND tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
        RETURNING tokens.player_id, tokens.id, tokens.scopes
        """,
        ticket_hash,
        game_id,
    )
    return None if row is None else Holder(row[0], row[1], tuple(row[2]))


async def sweep(session: Session) -> None:
    """Forgets tickets whose request nobody can repeat any more (api, Conventions: 24 hours)."""
    await session.execute("DELETE FROM tickets WHERE expires_at < now() - interval '24 hours'")
