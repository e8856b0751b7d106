"""Tables: made, listed, seen, ended."""

from __future__ import annotations

import base64
import binascii
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.api.access import Player, Reader, ServiceOf, Starter
from app.api.idempotency import IdempotentRoute, effect_of
from app.api.new_game import NewGameBody, opening_of
from app.api.table import ETAG, GameId, MoveAnswer, answered, seat_in, seat_to_move, viewed
from app.body import MAX_INTEGER
from app.errors import Fault, Problem, documented
from app.store import games, players
from app.store.games import Status
from app.tables import End
from app.tables.sparse import sparse
from app.tables.view import GameView

router = APIRouter(tags=["games"], route_class=IdempotentRoute)


@sparse
@dataclass(frozen=True, slots=True)
class GameListed:
    """A game in a list of the caller's own."""

    id: str
    ruleset: str
    status: Status
    visibility: Literal["private", "public"]
    seeded: bool
    seat: int
    created_at: datetime
    ended_at: datetime | None


@sparse
@dataclass(frozen=True, slots=True)
class GameList:
    """The caller's games, the last joined first; `next` is the cursor of the page that follows, where there is one."""

    items: tuple[GameListed, ...]
    next: str | None


class EndBody(BaseModel):
    """When to end."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"when": "after_round"}]})

    when: Literal["after_round", "now"]


@router.post(
    "/v1/games",
    operation_id="create_game",
    summary="Make a game",
    status_code=201,
    response_model=GameView,
    responses={
        201: {
            "description": "The table, dealt, as the caller sees it.",
            "headers": ETAG | {"Location": {"description": "The game's address.", "schema": {"type": "string"}}},
        },
        **documented("invalid_rules", "seeds_not_allowed", "draining", "unknown_player"),
    },
)
async def create_game(
    caller: Starter, service: ServiceOf, request: Request, body: NewGameBody | None = None
) -> Response:
    """Without a body: `emay`, the caller in seat 0 against Jhat, Angie and Kling, private, without hurry. A table whose
    seats are all filled deals at once."""
    service.draining.refuse()
    body = body or NewGameBody()
    if body.seed is not None and not service.settings.allow_seeds:
        raise Problem("seeds_not_allowed")
    player = await players.find(service.database.session, caller.player_id)
    if player is None:
        raise Problem("unknown_player")
    seed = body.seed or secrets.token_hex(32)
    game = await service.tables.create(opening_of(body, effect_of(request), player, seed))
    response = viewed(service, game, game.seat_of[caller.player_id], 201)
    response.headers["Location"] = f"/v1/games/{game.id}"
    return response


@router.get("/v1/games", operation_id="list_games", summary="Your games", response_model_exclude_none=True)
@router.get(
    "/v1/players/me/games",
    operation_id="list_own_games",
    summary="Your games",
    tags=["players"],
    response_model_exclude_none=True,
)
async def list_games(
    caller: Reader,
    service: ServiceOf,
    status: Annotated[Status | None, Query(description="Only those.")] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Annotated[str | None, Query(max_length=200, description="`next` of the page before.")] = None,
) -> GameList:
    """The games in which the caller has a seat."""
    wanted: tuple[Status, ...] = ("open", "playing", "ended") if status is None else (status,)
    before = None if cursor is None else _read_cursor(cursor)
    found = await games.of_player(
        service.database.session, caller.player_id, status=wanted, before=before, limit=limit + 1
    )
    shown = found[:limit]
    items = tuple(
        GameListed(
            place.game.id,
            place.game.ruleset,
            place.game.status,
            place.game.visibility,
            place.game.seeded,
            place.seat,
            place.game.created_at,
            place.game.ended_at,
        )
        for place in shown
    )
    more = len(found) > limit
    return GameList(items, _cursor(shown[-1].joined_at, shown[-1].game.id) if more else None)


@router.get(
    "/v1/games/{game_id}",
    operation_id="get_game",
    summary="The table as you see it",
    response_model=GameView,
    responses={
        200: {"description": "The view.", "headers": ETAG},
        304: {"description": "Nothing you may see has changed since `If-None-Match`.", "headers": ETAG},
        **documented("unknown_game", "unsupported_format"),
    },
    openapi_extra={
        "parameters": [
            {
                "name": "If-None-Match",
                "in": "header",
                "required": False,
                "description": "The ETag of the view you have.",
                "schema": {"type": "string"},
            }
        ]
    },
)
async def get_game(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    request: Request,
    min_seq: Annotated[int, Query(ge=0, le=MAX_INTEGER, description="Insist on a view that knows this event.")] = 0,
) -> Response:
    """The view of the caller's seat; of a public table without a seat, what every spectator sees."""
    seat = seat_in(await service.tables.known(game_id), caller)
    game = await service.tables.current(game_id, min_seq)
    etag = game.etag(seat)
    if _matches(request.headers.get("if-none-match"), etag):
        return Response(status_code=304, headers={"ETag": etag})
    return viewed(service, game, seat)


@router.post(
    "/v1/games/{game_id}/end",
    operation_id="end_game",
    summary="End the game",
    response_model=MoveAnswer,
    responses={
        200: {"description": "What it led to.", "headers": ETAG},
        **documented(
            "unknown_game",
            "not_seated",
            "not_the_owner",
            "game_over",
            "busy",
            "overloaded",
            "outcome_unknown",
            "unsupported_format",
        ),
    },
)
async def end_game(game_id: GameId, body: EndBody, caller: Player, service: ServiceOf) -> Response:
    """For the owner of the table: after the running round is settled, or at once with the round in progress void, its
    payments and antes given back."""
    seat = await seat_to_move(service, caller, game_id)
    game = await service.tables.known(game_id)
    if seat != game.state.owner:
        raise Problem("not_the_owner")
    return answered(service, await service.tables.submit(game_id, End(body.when)), seat)


def _matches(header: str | None, etag: str) -> bool:
    """Weak comparison, as `If-None-Match` asks for (RFC 9110, 13.1.2)."""
    if header is None:
        return False
    marks = {mark.strip().removeprefix("W/") for mark in header.split(",")}
    return "*" in marks or etag.removeprefix("W/") in marks


def _cursor(joined_at: datetime, game_id: str) -> str:
    return base64.urlsafe_b64encode(f"{joined_at.isoformat()} {game_id}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        moment, _, game_id = base64.b64decode(cursor, b"-_", validate=True).decode().partition(" ")
        joined_at = datetime.fromisoformat(moment)
        if joined_at.tzinfo is None or not game_id.isalnum():
            raise ValueError(cursor)
    except (ValueError, binascii.Error, UnicodeDecodeError):
        raise Problem("invalid_request", errors=[Fault("query", "/cursor", "is none of this list")]) from None
    return joined_at, game_id
