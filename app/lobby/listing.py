"""Games as they stand in lists: what a reader needs to choose one, and nothing of how it is played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.lobby import sitting
from app.store.games import Game, Place, Status
from app.store.lobby import OpenTable, Watchable
from app.tables.sparse import sparse


@sparse
@dataclass(frozen=True, slots=True)
class GameListed:
    """A game in a list. `seat` is the caller's own; `names` are the persons there, in seat order; `free` the seats that
    are open."""

    id: str
    ruleset: str
    status: Status
    visibility: Literal["private", "public"]
    seeded: bool
    seat: int | None
    names: tuple[str, ...] | None
    free: tuple[int, ...] | None
    created_at: datetime
    ended_at: datetime | None


def listed_own(place: Place) -> GameListed:
    """A game in which the reader has a seat."""
    return _listed(place.game, seat=place.seat)


def listed_open(table: OpenTable, reader: str | None = None) -> GameListed:
    """A table that waits, perhaps with that reader at it."""
    return _listed(
        table.game,
        seat=None if reader is None else sitting.seat_at(table, reader),
        names=tuple(each.name for each in table.sitting),
        free=tuple(sitting.free_seats(table)),
    )


def sees(table: OpenTable, player_id: str) -> bool:
    """Whether a player is shown a table that waits."""
    return table.game.visibility == "public" or sitting.seat_at(table, player_id) is not None


def listed_watchable(found: Watchable) -> GameListed:
    """A public game in progress."""
    return _listed(found.game, names=found.names)


def _listed(
    game: Game,
    *,
    seat: int | None = None,
    names: tuple[str, ...] | None = None,
    free: tuple[int, ...] | None = None,
) -> GameListed:
    return GameListed(
        game.id,
        game.ruleset,
        game.status,
        game.visibility,
        game.seeded,
        seat,
        names,
        free,
        game.created_at,
        game.ended_at,
    )
