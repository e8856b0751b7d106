"""Games as they are listed and entered: what a move does not change, and who sits where. A game is created whole,
with its head and, when it is dealt at once, its first row and snapshot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from app.database import Session
from app.store import log, snapshots
from app.store.log import NewRow
from app.store.snapshots import Snapshot

Status = Literal["open", "playing", "ended"]
Visibility = Literal["private", "public"]

_GAMES = """
    SELECT id, ruleset, creator, status, visibility, seeded, format, config, created_at, ended_at, last_version,
           rematch_of
    FROM games """


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be created. `seats` are the persons in it, by seat; `config` is the request as it was understood;
    `rematch_of` the game that it follows, which no other may follow."""

    id: str
    ruleset: str
    creator: str
    visibility: Visibility
    seeded: bool
    format: int
    config: Mapping[str, Any]
    seats: Mapping[int, str]
    rematch_of: str | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game's own row. `last_version` is set once it has ended and its head is put away."""

    id: str
    ruleset: str
    creator: str
    status: Status
    visibility: Visibility
    seeded: bool
    format: int
    config: dict[str, Any]
    created_at: datetime
    ended_at: datetime | None
    last_version: int | None
    rematch_of: str | None


@dataclass(frozen=True, slots=True)
class Place:
    """A game in the list of a player's games: `before` of the next page is the `joined_at` and id of the last one."""

    game: Game
    seat: int
    joined_at: datetime


async def create(session: Session, game: NewGame, first: NewRow | None, dealt: Snapshot | None, writer: str) -> bool:
    """Creates a game; False where there is one with this id, which is left as it is. With `first` (its version 1) and
    the snapshot of its deal it is `playing`, without it is `open`. To be called in a transaction, with whatever else
    must hold together with it."""
    created = await session.fetchval(
        """
        INSERT INTO games (id, ruleset, creator, status, visibility, seeded, format, config, rematch_of)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING true
        """,
        game.id,
        game.ruleset,
        game.creator,
        "open" if first is None else "playing",
        game.visibility,
        game.seeded,
        game.format,
        game.config,
        game.rematch_of,
    )
    if not created:
        return False
    await session.execute(
        "INSERT INTO game_seats (game_id, seat, player_id) SELECT $1, * FROM unnest($2::smallint[], $3::text[])",
        game.id,
        list(game.seats),
        list(game.seats.values()),
    )
    if first is None:
        await session.execute("INSERT INTO game_heads (id, version, last_seq) VALUES ($1, 0, 0)", game.id)
    else:
        await log.begin(session, first, writer)
    if dealt is not None:
        await snapshots.put(session, dealt)
    return True


async def find(session: Session, game_id: str) -> Game | None:
    """The game with that id."""
    row = await session.fetchrow(_GAMES + "WHERE id = $1", game_id)
    return None if row is None else Game(*row)


async def statuses(session: Session, game_ids: Sequence[str]) -> dict[str, Status]:
    """The status of each of these games."""
    found = await session.fetch("SELECT id, status FROM games WHERE id = ANY($1)", list(game_ids))
    return {row[0]: row[1] for row in found}


async def lock(session: Session, game_id: str) -> None:
    """Keeps everybody else from locking the game's own row until the transaction ends."""
    await session.execute("SELECT FROM games WHERE id = $1 FOR NO KEY UPDATE", game_id)


async def seats(session: Session, game_id: str) -> dict[int, str]:
    """Which person sits in which seat of a game; bots are not among them."""
    found = await session.fetch("SELECT seat, player_id FROM game_seats WHERE game_id = $1 ORDER BY seat", game_id)
    return {row[0]: row[1] for row in found}


async def playing_with(session: Session, player_id: str) -> list[tuple[str, int]]:
    """The games in progress in which a player has a seat, and which."""
    found = await session.fetch(
        "SELECT id, seat FROM games JOIN game_seats ON game_id = id WHERE player_id = $1 AND status = 'playing'",
        player_id,
    )
    return [(row[0], row[1]) for row in found]


async def of_player(
    session: Session,
    player_id: str,
    *,
    status: Sequence[Status] = ("open", "playing", "ended"),
    ruleset: str | None = None,
    before: tuple[datetime, str] | None = None,
    limit: int = 50,
) -> list[Place]:
    """A player's games, the last joined first. `before` is the `joined_at` and game id that the page follows."""
    joined_at, game_id = before or (None, None)
    found = await session.fetch(
        """
        SELECT games.id, ruleset, creator, status, visibility, seeded, format, config, created_at, ended_at,
               last_version, rematch_of, seat, joined_at
        FROM game_seats JOIN games ON games.id = game_id
        WHERE player_id = $1 AND status = ANY($2) AND ($3::timestamptz IS NULL OR (joined_at, game_id) < ($3, $4))
            AND ($5::text IS NULL OR ruleset = $5)
        ORDER BY joined_at DESC, game_id DESC LIMIT $6
        """,
        player_id,
        list(status),
        joined_at,
        game_id,
        ruleset,
        limit,
    )
    return [Place(Game(*row[:12]), row[12], row[13]) for row in found]


async def set_format(session: Session, game_id: str, number: int) -> None:
    """Notes that a game now holds events of a newer format, before the first of them is written."""
    await session.execute("UPDATE games SET format = greatest(format, $2) WHERE id = $1", game_id, number)


async def ids_after(session: Session, game_id: str, limit: int) -> list[str]:
    """The ids of all games that follow on one, in order."""
    found = await session.fetch("SELECT id FROM games WHERE id > $1 ORDER BY id LIMIT $2", game_id, limit)
    return [row[0] for row in found]
