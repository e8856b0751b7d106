"""The statement that writes moves: it moves the heads of many games and adds their rows in one round trip and one
commit, waits for no lock, and leaves out every row that does not fit. Used by app/log_writer.py alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from app.clock import Clock
from app.database import away
from app.store.log import NewRow

_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 10.0  # longer than the server's own limit, so it ends only what hangs on the way
SESSION = {
    "application_name": "todas writer",
    "lock_timeout": "500ms",
    "statement_timeout": "5s",
    "timezone": "UTC",
    "jit": "off",
    # One plan for every batch: down the keys, whatever the statistics say of tables that were empty a moment ago.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}
# The games are locked first, in the order of their ids, and those that another session has locked are left out: the
# statement waits for nothing, so it cannot deadlock, and one game cannot hold up the others. What it sees of a head
# is its newest version, since the lock is its own by then. Each step carries whole rows on to the next, so that no
# step has to look one up in another's result, which has no index.
WRITE = """
    WITH locked AS MATERIALIZED (
        SELECT row.* FROM unnest(
            $1::text[], $2::int[], $3::int[], $4::int[], $5::smallint[], $6::text[], $7::smallint[],
            $8::bytea[], $9::bytea[], $10::bytea[], $11::text[], $12::timestamptz[], $13::bool[]
        ) AS row (
            game_id, version, first_seq, last_seq, seat, action_id, format,
            commands, events, clock, writer, next_wake_at, ended
        ) JOIN game_heads AS head ON head.id = row.game_id
        ORDER BY head.id FOR NO KEY UPDATE OF head SKIP LOCKED
    ), moved AS (
        UPDATE game_heads AS head
        SET version = row.version, last_seq = row.last_seq, next_wake_at = row.next_wake_at, ended = row.ended
        FROM locked AS row
        WHERE head.id = row.game_id AND head.version = row.version - 1 AND NOT head.ended AND NOT EXISTS (
            SELECT FROM game_log AS known
            WHERE known.game_id = row.game_id AND known.seat = row.seat AND known.action_id = row.action_id
        )
        RETURNING row.*
    )
    INSERT INTO game_log
        (game_id, version, first_seq, last_seq, seat, action_id, format, commands, events, clock, writer)
    SELECT game_id, version, first_seq, last_seq, seat, action_id, format, commands, events, clock, writer FROM moved
    RETURNING game_id, at
"""
STANDING = """
    SELECT row.game_id, head.version, head.ended, taken.writer, taken.at, EXISTS (
        SELECT FROM game_log AS known
        WHERE known.game_id = row.game_id AND known.seat = row.seat AND known.action_id = row.action_id
    )
    FROM unnest($1::text[], $2::int[], $3::smallint[], $4::text[]) AS row (game_id, version, seat, action_id)
    LEFT JOIN game_heads AS head ON head.id = row.game_id
    LEFT JOIN game_log AS taken ON taken.game_id = row.game_id AND taken.version = row.version
"""


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A row with the mark that only it bears: what tells whose row it is that holds a version."""

    row: NewRow
    mark: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Why a row may have been left out: where its game's head stands (None: it has none), who wrote the row of its
    version, if there is one, and whether the log knows its action id."""

    head: int | None
    ended: bool
    taken_by: str | None
    taken_at: datetime | None
    action_known: bool


class Appender:
    """A connection that does nothing else. When it is lost, a new one is made."""

    def __init__(self, connection: asyncpg.Connection[Any], write: Any, standing: Any) -> None:
        self._connection = connection
        self._write = write
        self._standing = standing

    @classmethod
    async def connect(cls, url: str, clock: Clock) -> Appender:
        """Connects and sets the clock. Raises what `database.away` recognises when there is no server."""
        connection = await asyncpg.connect(
            url, timeout=_CONNECT_SECONDS, command_timeout=_ANSWER_SECONDS, server_settings=SESSION
        )
        try:
            appender = cls(connection, await connection.prepare(WRITE), await connection.prepare(STANDING))
            # Preparing leaves a transaction open, with its locks and its now(), until the next statement ends.
            asked_at = clock.monotonic()
            clock.set(await connection.fetchval("SELECT clock_timestamp()"), asked_at)
            return appender
        except BaseException:
            connection.terminate()
            raise

    @property
    def closed(self) -> bool:
        """Whether the connection is gone, by our doing or not."""
        return self._connection.is_closed()

    def terminate(self) -> None:
        """Drops the connection without a word; a statement under way may still be carried out."""
        self._connection.terminate()

    async def write(self, batch: Sequence[MarkedRow]) -> dict[str, datetime]:
        """Writes rows of different games and returns the game ids of those that went in, with their time. When it
        raises something that is not `lost`, nothing went in."""
        columns = zip(*(_values(marked) for marked in batch), strict=True)
        return dict(await self._write.fetch(*columns))

    async def standing(self, batch: Sequence[MarkedRow]) -> dict[str, Standing]:
        """How the game of each row stands now."""
        rows = [marked.row for marked in batch]
        found = await self._standing.fetch(
            [row.game_id for row in rows],
            [row.version for row in rows],
            [row.seat for row in rows],
            [row.action_id for row in rows],
        )
        return {row[0]: Standing(row[1], bool(row[2]), row[3], row[4], row[5]) for row in found}

    def lost(self, error: Exception) -> bool:
        """Whether an error leaves open what became of the statement, since its answer did not arrive."""
        return self._connection.is_closed() or away(error)


def _values(marked: MarkedRow) -> tuple[Any, ...]:
    row = marked.row
    return (
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
        marked.mark,
        row.next_wake_at,
        row.ended,
    )
