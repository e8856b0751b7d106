"""Lists of games: those to join, those to watch, one's own."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query

from app.api.access import Reader, ServiceOf
from app.api.new_game import RulesetId
from app.errors import Fault, Problem
from app.lobby.listing import GameListed, listed_open, listed_own, listed_watchable
from app.service import Service
from app.store import games, lobby
from app.store.games import Status
from app.tables.sparse import sparse
from app.wire import WireRoute

router = APIRouter(tags=["games"], route_class=WireRoute)

Show = Literal["own", "open", "watchable"]
Limit = Annotated[int, Query(ge=1, le=100)]
Cursor = Annotated[str | None, Query(max_length=200, description="`next` of the page before.")]


@sparse
@dataclass(frozen=True, slots=True)
class GameList:
    """Games, the newest first; `next` is the cursor of the page that follows, where there is one."""

    items: tuple[GameListed, ...]
    next: str | None


@router.get("/v1/games", operation_id="list_games", summary="Games", response_model_exclude_none=True)
async def list_games(
    caller: Reader,
    service: ServiceOf,
    show: Annotated[
        Show, Query(description="Where you have a seat; public tables that wait; public games in progress.")
    ] = "own",
    ruleset: Annotated[RulesetId | None, Query(description="Only those.")] = None,
    status: Annotated[Status | None, Query(description="Of your own, only those.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> GameList:
    """The games in which the caller has a seat, the last joined first; or public ones, the newest first."""
    before = None if cursor is None else _read_cursor(cursor)
    session = service.database.session
    if show == "own":
        return await _own(service, caller.player_id, status, before, limit, ruleset)
    if show == "open":
        tables = await lobby.waiting_page(session, ruleset, before, limit + 1)
        return _page([(table.game.created_at, listed_open(table)) for table in tables], limit)
    found = await lobby.watchable_page(session, ruleset, before, limit + 1)
    return _page([(each.game.created_at, listed_watchable(each)) for each in found], limit)


@router.get(
    "/v1/players/me/games",
    operation_id="list_own_games",
    summary="Your games",
    tags=["players"],
    response_model_exclude_none=True,
)
async def list_own_games(
    caller: Reader,
    service: ServiceOf,
    status: Annotated[Status | None, Query(description="Only those.")] = None,
    limit: Limit = 20,
    cursor: Cursor = None,
) -> GameList:
    """The games in which the caller has a seat, the last joined first."""
    before = None if cursor is None else _read_cursor(cursor)
    return await _own(service, caller.player_id, status, before, limit)


async def _own(
    service: Service,
    player_id: str,
    status: Status | None,
    before: tuple[datetime, str] | None,
    limit: int,
    ruleset: str | None = None,
) -> GameList:
    wanted: tuple[Status, ...] = ("open", "playing", "ended") if status is None else (status,)
    found = await games.of_player(
        service.database.session, player_id, status=wanted, ruleset=ruleset, before=before, limit=limit + 1
    )
    return _page([(place.joined_at, listed_own(place)) for place in found], limit)


def _page(found: list[tuple[datetime, GameListed]], limit: int) -> GameList:
    """The first `limit`, with a cursor where there are more."""
    shown = found[:limit]
    last = shown[-1] if len(found) > limit else None
    return GameList(tuple(entry for _, entry in shown), None if last is None else _cursor(last[0], last[1].id))


def _cursor(joined_at: datetime, game_id: str) -> str:
    return base64.urlsafe_b64encode(f"{joined_at.isoformat()} {game_id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, game_id = base64.b64decode(cursor, b"-_", validate=True).decode().partition(" ")
        if not (game_id.isascii() and game_id.isalnum()):
            raise ValueError(cursor)
        joined_at = datetime.fromisoformat(moment)
        if joined_at.tzinfo is None:
            raise ValueError(cursor)
        joined_at = joined_at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Problem("invalid_request", errors=[Fault("query", "/cursor", "is none of this list")]) from None
    return joined_at, game_id
