"""The log of games: reading rows and heads, finding what is due, and putting an ended game's head away. The rows of
moves are written by app/log_writer.py alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Session

_ROWS = """
    SELECT game_id, version, first_seq, last_seq, seat, action_id, format, commands, events, clock, writer, at
    FROM game_log """


@dataclass(frozen=True, slots=True)
class NewRow:
    """One commit of a game, to be written: it takes the game from `version` - 1 to `version`.

    `first_seq` to `last_seq` are the numbered events in it; a row of notes alone has `last_seq` as before and
    `first_seq` one more. `commands`, `events` and `clock` are UTF-8 JSON of that `format`. `next_wake_at` is the
    earliest deadline that now stands, `ended` whether the game is over.
    """

    game_id: str
    version: int
    first_seq: int
    last_seq: int
    seat: int | None
    action_id: str | None
    format: int
    commands: bytes
    events: bytes
    clock: bytes | None = None
    next_wake_at: datetime | None = None
    ended: bool = False


@dataclass(frozen=True, slots=True)
class LogRow:
    """One commit of a game as it was written, with the mark of its writer and the database's time."""

    game_id: str
    version: int
    first_seq: int
    last_seq: int
    seat: int | None
    action_id: str | None
    format: int
    commands: bytes
    events: bytes
    clock: bytes | None
    writer: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Head:
    """Where a live game stands: its last version and numbered event, its earliest deadline, and whether it is over and
    only not put away yet."""

    game_id: str
    version: int
    last_seq: int
    next_wake_at: datetime | None
    ended: bool


@dataclass(frozen=True, slots=True)
class Due:
    """A live game whose earliest deadline has passed at that version."""

    game_id: str
    version: int


@dataclass(frozen=True, slots=True)
class Uneven:
    """A game that does not stand where its log ends. `stands_at` is None when nothing says where it stands."""

    game_id: str
    stands_at: int | None
    highest: int
    rows: int


async def begin(session: Session, row: NewRow, writer: str) -> None:
    """Writes the head and first row of a game that is dealt as it is created, in the transaction that creates it."""
    await session.execute(
        """
        WITH head AS (INSERT INTO game_heads (id, version, last_seq, next_wake_at, ended) VALUES ($1, $2, $4, $12, $13))
        INSERT INTO game_log
            (game_id, version, first_seq, last_seq, seat, action_id, format, commands, events, clock, writer)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        """,
        row.game_id,
        row.version,
        row.first_seq,
        row.last_seq,
        row.seat,
        row.action_id,
        row.format,
        row.commands,
        row.events,
        row.clock,
        writer,
        row.next_wake_at,
        row.ended,
    )


async def head(session: Session, game_id: str) -> Head | None:
    """The head of a game; None for one that is put away."""
    row = await session.fetchrow(
        "SELECT id, version, last_seq, next_wake_at, ended FROM game_heads WHERE id = $1", game_id
    )
    return None if row is None else Head(*row)


async def rows_after(session: Session, game_id: str, version: int, limit: int = 1000) -> list[LogRow]:
    """The rows past a version, in order: what a cached game has missed. One range of the key."""
    found = await session.fetch(
        _ROWS + "WHERE game_id = $1 AND version > $2 ORDER BY version LIMIT $3",
        game_id,
        version,
        limit,
    )
    return [LogRow(*row) for row in found]


async def rows_of_events(session: Session, game_id: str, after: int, limit: int = 500) -> list[LogRow]:
    """The rows that hold the numbered events after `after`, in order. They are looked for from the last deal at or
    before it, so a cursor of any depth costs at most one round more than what is returned."""
    found = await session.fetch(
        """
        SELECT game_id, version, first_seq, last_seq, seat, action_id, format, commands, events, clock, writer, at
        FROM game_log
        WHERE game_id = $1 AND last_seq > $2 AND first_seq <= last_seq AND version >= coalesce(
            (SELECT max(version) FROM game_snapshots WHERE game_id = $1 AND seq <= $2), 0)
        ORDER BY version LIMIT $3
        """,
        game_id,
        after,
        limit,
    )
    return [LogRow(*row) for row in found]


async def row_of_action(session: Session, game_id: str, seat: int, action_id: str) -> LogRow | None:
    """The row that a seat's action id belongs to, for the life of the game."""
    row = await session.fetchrow(
        _ROWS + "WHERE game_id = $1 AND seat = $2 AND action_id = $3",
        game_id,
        seat,
        action_id,
    )
    return None if row is None else LogRow(*row)


async def overdue(session: Session, margin: timedelta = timedelta(0)) -> list[Due]:
    """The live games whose earliest deadline lies more than `margin` in the past. Locks nothing; a plain scan, since
    an index on the deadline would make every move of every game dearer."""
    found = await session.fetch("SELECT id, version FROM game_heads WHERE next_wake_at <= now() - $1::interval", margin)
    return [Due(*row) for row in found]


async def deadlines(session: Session, within: timedelta) -> list[tuple[str, int, datetime]]:
    """Every live game whose earliest deadline is so near, or has passed: id, version, and when it is. What a worker
    arms its timers from at start."""
    found = await session.fetch(
        "SELECT id, version, next_wake_at FROM game_heads WHERE next_wake_at <= now() + $1::interval", within
    )
    return [(row[0], row[1], row[2]) for row in found]


async def put_off(session: Session, game_id: str, version: int, wake_at: datetime) -> None:
    """Sets the earliest deadline of a live game that still stands at that version."""
    await session.execute(
        "UPDATE game_heads SET next_wake_at = $3 WHERE id = $1 AND version = $2", game_id, version, wake_at
    )


async def archive(session: Session, game_ids: Sequence[str] | None = None) -> list[str]:
    """Puts the heads of ended games away: the game keeps its last version, and when it ended, in its own row. For the
    games named, or for all; doing it again does nothing. Returns the ids of those put away now."""
    found = await session.fetch(
        """
        WITH gone AS (
            DELETE FROM game_heads WHERE ended AND ($1::text[] IS NULL OR id = ANY($1)) RETURNING id, version
        )
        UPDATE games SET status = 'ended', last_version = gone.version, ended_at = game_log.at
        FROM gone JOIN game_log ON game_log.game_id = gone.id AND game_log.version = gone.version
        WHERE games.id = gone.id
        RETURNING games.id
        """,
        game_ids,
    )
    return [row[0] for row in found]


async def uneven(session: Session) -> list[Uneven]:
    """The games for which it does not hold that where the game stands (its head, or its last version once it has
    ended) = the highest version of its log = the number of its rows. Empty when the stores are sound."""
    found = await session.fetch(
        """
        WITH logged AS (SELECT game_id AS id, max(version) AS highest, count(*) AS rows FROM game_log GROUP BY game_id),
        ids AS (SELECT id FROM games UNION SELECT id FROM game_heads UNION SELECT id FROM logged)
        SELECT id, coalesce(game_heads.version, games.last_version),
               coalesce(logged.highest, 0), coalesce(logged.rows, 0)
        FROM ids LEFT JOIN games USING (id) LEFT JOIN game_heads USING (id) LEFT JOIN logged USING (id)
        WHERE games.id IS NULL
           OR num_nonnulls(game_heads.version, games.last_version) <> 1
           OR coalesce(game_heads.version, games.last_version) <> coalesce(logged.highest, 0)
           OR coalesce(logged.highest, 0) <> coalesce(logged.rows, 0)
        ORDER BY id
        """
    )
    return [Uneven(*row) for row in found]


async def strays(session: Session) -> list[tuple[str, int]]:
    """The games that have a log or a head and no row of their own: their ids, and how many rows the log holds."""
    found = await session.fetch(
        """
        SELECT id, sum(rows)::integer FROM (
            SELECT game_id AS id, count(*) AS rows FROM game_log
            WHERE NOT EXISTS (SELECT FROM games WHERE id = game_id) GROUP BY game_id
            UNION ALL
            SELECT id, 0 FROM game_heads WHERE NOT EXISTS (SELECT FROM games WHERE games.id = game_heads.id)
        ) AS stray GROUP BY id ORDER BY id
        """
    )
    return [(row[0], row[1]) for row in found]
