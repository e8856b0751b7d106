"""The spoken codes of tables that wait: one a table, in the form in which it is looked up, gone with the waiting."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.database import Session


@dataclass(frozen=True, slots=True)
class Code:
    """The spoken code of a table, in the form in which it is looked up."""

    code: str
    expires_at: datetime
    uses_left: int


async def of_table(session: Session, game_id: str) -> Code | None:
    """The code with which the table may be joined now."""
    row = await session.fetchrow(
        """
        SELECT code, expires_at, uses_left FROM game_codes
        WHERE game_id = $1 AND uses_left > 0 AND expires_at > now()
        """,
        game_id,
    )
    return None if row is None else Code(*row)


async def table_of(session: Session, code: str, player_id: str) -> str | None:
    """The id of the table that a player may join with a code now, or sits at already."""
    game_id: str | None = await session.fetchval(
        """
        SELECT game_id FROM game_codes WHERE code = $1 AND (
            (uses_left > 0 AND expires_at > now())
            OR EXISTS (SELECT FROM game_seats WHERE game_seats.game_id = game_codes.game_id AND player_id = $2)
        )
        """,
        code,
        player_id,
    )
    return game_id


async def put(session: Session, game_id: str, code: str, hours: float, uses: int) -> bool:
    """Gives a table a code in place of the one it had; False where another table has it."""
    await take_away(session, game_id)
    made = await session.fetchval(
        """
        INSERT INTO game_codes (game_id, code, expires_at, uses_left)
        VALUES ($1, $2, now() + $3 * interval '1 hour', $4) ON CONFLICT (code) DO NOTHING RETURNING true
        """,
        game_id,
        code,
        hours,
        uses,
    )
    return bool(made)


async def use(session: Session, game_id: str, code: str) -> bool:
    """Takes one use of a table's code; False where it has none, or another."""
    used = await session.fetchval(
        """
        UPDATE game_codes SET uses_left = uses_left - 1
        WHERE game_id = $1 AND code = $2 AND uses_left > 0 AND expires_at > now() RETURNING true
        """,
        game_id,
        code,
    )
    return bool(used)


async def take_away(session: Session, game_id: str) -> None:
    """Takes a table's code away."""
    await session.execute("DELETE FROM game_codes WHERE game_id = $1", game_id)
