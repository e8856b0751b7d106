"""Bearer tokens, by the hash of their text. A revoked one stays listed nowhere and opens nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.database import Session

_COLUMNS = "id, player_id, scopes, label, created_at"
_VALID = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"


@dataclass(frozen=True, slots=True)
class Token:
    """A token that is valid now."""

    id: str
    player_id: str
    scopes: tuple[str, ...]
    label: str | None
    created_at: datetime


async def add(
    session: Session, token_id: str, player_id: str, token_hash: bytes, scopes: Sequence[str], label: str | None
) -> Token:
    """Gives a player a token. With an id that is there already, nothing is added and that one is returned."""
    await session.execute(
        """
        INSERT INTO tokens (id, player_id, hash, scopes, label) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING
        """,
        token_id,
        player_id,
        token_hash,
        list(scopes),
        label,
    )
    return _token(await session.fetchrow(f"SELECT {_COLUMNS} FROM tokens WHERE id = $1", token_id))  # noqa: S608


async def find(session: Session, token_hash: bytes) -> Token | None:
    """The valid token with that hash."""
    row = await session.fetchrow(f"SELECT {_COLUMNS} FROM tokens WHERE hash = $1 AND {_VALID}", token_hash)  # noqa: S608
    return None if row is None else _token(row)


async def valid_among(session: Session, token_ids: Sequence[str]) -> set[str]:
    """Which of these tokens are valid now."""
    rows = await session.fetch(f"SELECT id FROM tokens WHERE id = ANY($1::text[]) AND {_VALID}", token_ids)  # noqa: S608
    return {row[0] for row in rows}


async def of_player(session: Session, player_id: str) -> list[Token]:
    """A player's valid tokens, the oldest first."""
    rows = await session.fetch(
        f"SELECT {_COLUMNS} FROM tokens WHERE player_id = $1 AND {_VALID} ORDER BY created_at, id",  # noqa: S608
        player_id,
    )
    return [_token(row) for row in rows]


async def revoke(session: Session, player_id: str, token_id: str) -> bool:
    """Revokes a token of a player; whether it was valid until now."""
    done = await session.fetchval(
        f"UPDATE tokens SET revoked_at = now() WHERE id = $1 AND player_id = $2 AND {_VALID} RETURNING true",  # noqa: S608
        token_id,
        player_id,
    )
    return bool(done)


def _token(row: tuple[str, str, list[str], str | None, datetime]) -> Token:
    token_id, player_id, scopes, label, created_at = row
    return Token(token_id, player_id, tuple(scopes), label, created_at)
