"""Tables that wait for their players: who sits there, and how one is dealt or closed. Whoever changes a table locks it
first, so that two who want one seat come one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.database import Session
from app.store import games, log, snapshots
from app.store.games import Game, NewGame
from app.store.log import NewRow
from app.store.snapshots import Snapshot

_TABLES = """
    SELECT games.id, ruleset, creator, status, visibility, seeded, format, config, created_at, ended_at, last_version,
           rematch_of, owner, seed, barred, revision, changed_at, (
               SELECT jsonb_agg(jsonb_build_array(seat, player_id, display_name, ready) ORDER BY seat)
               FROM game_seats JOIN players ON players.id = player_id WHERE game_seats.game_id = games.id
           )
    FROM open_tables JOIN games ON games.id = open_tables.game_id """


@dataclass(frozen=True, slots=True)
class Sitting:
    """A person at a table that waits, and whether it is ready to start."""

    seat: int
    player_id: str
    name: str
    ready: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that waits. `owner` is a player's id; `barred` are players who were sent away; `revision` grows with
    every change that those at the table can see."""

    game: Game
    owner: str
    seed: str
    barred: tuple[str, ...]
    revision: int
    changed_at: datetime
    sitting: tuple[Sitting, ...]


@dataclass(frozen=True, slots=True)
class Watchable:
    """A public game in progress, with the names of the persons in it, by seat."""

    game: Game
    names: tuple[str, ...]


async def create(session: Session, game: NewGame, owner: str, seed: str) -> bool:
    """Sets up a table that waits; False where there is a game with this id. To be called in a transaction."""
    if not await games.create(session, game, None, None, ""):
        return False
    await session.execute("INSERT INTO open_tables (game_id, owner, seed) VALUES ($1, $2, $3)", game.id, owner, seed)
    return True


async def find(session: Session, game_id: str) -> OpenTable | None:
    """The table, where it waits."""
    row = await session.fetchrow(_TABLES + "WHERE games.id = $1", game_id)
    return None if row is None else _table(row)


async def lock(session: Session, game_id: str) -> OpenTable | None:
    """The table, where it waits, with nobody else changing it until the transaction ends."""
    held = await session.fetchval("SELECT true FROM open_tables WHERE game_id = $1 FOR UPDATE", game_id)
    return await find(session, game_id) if held else None


async def waiting(session: Session, limit: int) -> list[OpenTable]:
    """The tables that wait, the newest first."""
    found = await session.fetch(_TABLES + "ORDER BY created_at DESC, games.id DESC LIMIT $1", limit)
    return [_table(row) for row in found]


async def waiting_page(
    session: Session, ruleset: str | None, before: tuple[datetime, str] | None, limit: int
) -> list[OpenTable]:
    """The public tables that wait, the newest first; `before` is when the last of the page before was made, and its
    id."""
    found = await session.fetch(
        _TABLES
        + """
        WHERE visibility = 'public' AND ($1::text IS NULL OR ruleset = $1)
            AND ($2::timestamptz IS NULL OR (created_at, games.id) < ($2, $3))
        ORDER BY created_at DESC, games.id DESC LIMIT $4
        """,
        ruleset,
        *(before or (None, None)),
        limit,
    )
    return [_table(row) for row in found]


async def watchable_page(
    session: Session, ruleset: str | None, before: tuple[datetime, str] | None, limit: int
) -> list[Watchable]:
    """The public games in progress, the newest first; paged as `waiting_page`."""
    found = await session.fetch(
        """
        SELECT id, ruleset, creator, status, visibility, seeded, format, config, created_at, ended_at, last_version,
               rematch_of, ARRAY(
                   SELECT display_name FROM game_seats JOIN players ON players.id = player_id
                   WHERE game_id = games.id ORDER BY seat
               )
        FROM games WHERE visibility = 'public' AND status = 'playing' AND ($1::text IS NULL OR ruleset = $1)
            AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3))
        ORDER BY created_at DESC, id DESC LIMIT $4
        """,
        ruleset,
        *(before or (None, None)),
        limit,
    )
    return [Watchable(Game(*row[:12]), tuple(row[12])) for row in found]


async def waiting_with(session: Session, player_id: str) -> list[str]:
    """The ids of the waiting tables that a player sits at."""
    found = await session.fetch(
        "SELECT game_id FROM game_seats JOIN open_tables USING (game_id) WHERE player_id = $1", player_id
    )
    return [row[0] for row in found]


async def stale(session: Session, hours: float, limit: int = 100) -> list[str]:
    """The ids of tables at which nothing has changed for so long."""
    found = await session.fetch(
        "SELECT game_id FROM open_tables WHERE changed_at < now() - $1 * interval '1 hour' LIMIT $2", hours, limit
    )
    return [row[0] for row in found]


async def sit(session: Session, game_id: str, seat: int, player_id: str, *, ready: bool = False) -> None:
    """Gives a person a seat, in place of the one it had at this table."""
    await stand_up(session, game_id, player_id)
    await session.execute(
        "INSERT INTO game_seats (game_id, seat, player_id, ready) VALUES ($1, $2, $3, $4)",
        game_id,
        seat,
        player_id,
        ready,
    )


async def stand_up(session: Session, game_id: str, player_id: str) -> None:
    """Frees a person's seat."""
    await session.execute("DELETE FROM game_seats WHERE game_id = $1 AND player_id = $2", game_id, player_id)


async def set_ready(session: Session, game_id: str, player_id: str, *, ready: bool) -> None:
    """Notes whether a person is ready to start."""
    await session.execute(
        "UPDATE game_seats SET ready = $3 WHERE game_id = $1 AND player_id = $2", game_id, player_id, ready
    )


async def bar(session: Session, game_id: str, player_id: str) -> None:
    """Keeps a person from coming back to a table."""
    await session.execute(
        "UPDATE open_tables SET barred = array_append(barred, $2) WHERE game_id = $1", game_id, player_id
    )


async def changed(session: Session, game_id: str, owner: str) -> None:
    """Notes that a table has changed, and whose it is."""
    await session.execute(
        "UPDATE open_tables SET owner = $2, revision = revision + 1, changed_at = now() WHERE game_id = $1",
        game_id,
        owner,
    )


async def renamed(session: Session, player_id: str) -> list[str]:
    """Notes that the tables at which a player waits show another name: their ids."""
    found = await session.fetch(
        """
        UPDATE open_tables SET revision = revision + 1
        WHERE game_id IN (SELECT game_id FROM game_seats WHERE player_id = $1) RETURNING game_id
        """,
        player_id,
    )
    return [row[0] for row in found]


async def begin(session: Session, game: NewGame, first: NewRow, dealt: Snapshot, writer: str) -> None:
    """Deals a table that waited: it is a game from now on. To be called in the transaction that has locked it."""
    await _take_down(session, game.id)
    await log.begin(session, first, writer)
    await snapshots.put(session, dealt)
    await session.execute(
        "UPDATE games SET status = 'playing', format = $2, config = $3 WHERE id = $1",
        game.id,
        game.format,
        dict(game.config),
    )


async def close(session: Session, game_id: str) -> None:
    """Ends a table that was never dealt; as a rematch it may be made again. To be called in the transaction that has
    locked it."""
    await _take_down(session, game_id)
    await session.execute("DELETE FROM game_seats WHERE game_id = $1", game_id)
    await session.execute(
        "UPDATE games SET status = 'ended', last_version = 0, ended_at = now(), rematch_of = NULL WHERE id = $1",
        game_id,
    )


async def rematch(session: Session, game_id: str) -> str | None:
    """The id of the game that is the rematch of another."""
    found: str | None = await session.fetchval("SELECT id FROM games WHERE rematch_of = $1", game_id)
    return found


async def _take_down(session: Session, game_id: str) -> None:
    await session.execute("DELETE FROM open_tables WHERE game_id = $1", game_id)
    await session.execute("DELETE FROM game_heads WHERE id = $1", game_id)


def _table(row: Any) -> OpenTable:
    sitting = tuple(Sitting(*entry) for entry in row[17] or ())
    return OpenTable(Game(*row[:12]), row[12], row[13], tuple(row[14]), row[15], row[16], sitting)
