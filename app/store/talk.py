"""What is said at tables, numbered from 1 without gaps, and what players report to the operator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.database import Session

Kind = Literal["phrase", "reaction", "text"]

_SAID = "SELECT no, player_id, seat, kind, content, at FROM game_talk "


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said: by whom, from which seat. `content` is an id, or a text, which is empty once its author
    is gone."""

    no: int
    player_id: str
    seat: int
    kind: Kind
    content: str
    at: datetime


async def say(
    session: Session, game_id: str, message_id: str, player_id: str, seat: int, kind: Kind, content: str
) -> Said:
    """Keeps it under the next number of the table; what was kept under that id already is found. Of two at once one
    comes second: numbers are taken in the order in which they are seen, so nobody who has read one misses a smaller
    one."""
    while True:
        row = await session.fetchrow(
            """
            INSERT INTO game_talk (game_id, no, player_id, seat, kind, content, id)
            SELECT $1, coalesce(max(no), 0) + 1, $2, $3, $4, $5, $6 FROM game_talk WHERE game_id = $1
            ON CONFLICT DO NOTHING RETURNING no, player_id, seat, kind, content, at
            """,
            game_id,
            player_id,
            seat,
            kind,
            content,
            message_id,
        )
        if row is None:
            row = await session.fetchrow(_SAID + "WHERE game_id = $1 AND id = $2", game_id, message_id)
        if row is not None:
            return Said(*row)


async def after(session: Session, game_id: str, no: int, limit: int) -> list[Said]:
    """What was said at a table after a number, in order."""
    found = await session.fetch(_SAID + "WHERE game_id = $1 AND no > $2 ORDER BY no LIMIT $3", game_id, no, limit)
    return [Said(*row) for row in found]


async def find(session: Session, game_id: str, no: int) -> Said | None:
    """What was said under a number."""
    row = await session.fetchrow(_SAID + "WHERE game_id = $1 AND no = $2", game_id, no)
    return None if row is None else Said(*row)


async def last(session: Session, game_id: str) -> int:
    """The number of what was said last; 0 where nothing was."""
    return int(await session.fetchval("SELECT coalesce(max(no), 0) FROM game_talk WHERE game_id = $1", game_id))


async def has_spoken(session: Session, game_id: str, player_id: str) -> bool:
    """Whether a player has said something at a table."""
    return bool(
        await session.fetchval(
            "SELECT EXISTS (SELECT FROM game_talk WHERE player_id = $2 AND game_id = $1)", game_id, player_id
        )
    )


async def forget(session: Session, player_id: str) -> None:
    """Takes away the texts that a player wrote."""
    await session.execute("UPDATE game_talk SET content = '' WHERE player_id = $1 AND kind = 'text'", player_id)


async def report(
    session: Session,
    game_id: str,
    report_id: str,
    reporter: str,
    player_id: str,
    reason: str,
    message_no: int | None,
    message: str | None,
) -> None:
    """Keeps a report for the operator, with a copy of the message it is about; once under that id."""
    await session.execute(
        """
        INSERT INTO reports (game_id, id, reporter, player_id, reason, message_no, message)
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (game_id, id) DO NOTHING
        """,
        game_id,
        report_id,
        reporter,
        player_id,
        reason,
        message_no,
        message,
    )
