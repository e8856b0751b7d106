"""Tables: made, seen, ended, made again."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict
from starlette.responses import Response

from app.api.access import Player, Reader, ServiceOf, Starter
from app.api.idempotency import IdempotentRoute, effect_of
from app.api.new_game import NewGameBody, asked_of
from app.api.shown import LOCATED, SHOWN, AnyTable, located, shown, shown_game, shown_waiting
from app.api.table import ETAG, GameId, MoveAnswer, answered, person_of, seat_to_move
from app.body import MAX_INTEGER
from app.errors import Problem, documented
from app.lobby import NotWaiting
from app.tables import End
from engine.wall import SEED_BYTES

router = APIRouter(tags=["games"], route_class=IdempotentRoute)


class EndBody(BaseModel):
    """When to end."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"when": "after_round"}]})

    when: Literal["after_round", "now"]


@router.post(
    "/v1/games",
    operation_id="create_game",
    summary="Make a game",
    status_code=201,
    response_model=AnyTable,
    responses={
        201: LOCATED,
        **documented(
            "invalid_option", "invalid_rules", "seeds_not_allowed", "draining", "unknown_player", "too_many_tables"
        ),
    },
)
async def create_game(
    caller: Starter, service: ServiceOf, request: Request, body: NewGameBody | None = None
) -> Response:
    """Without a body: `emay`, the caller in seat 0 against Jhat, Angie and Kling, private, without hurry. A table whose
    seats are all filled deals at once; one with an open seat waits for players."""
    service.draining.refuse()
    body = body or NewGameBody()
    if body.seed is not None and not service.settings.allow_seeds:
        raise Problem("seeds_not_allowed")
    (asked, seat), game_id, seed = asked_of(body), effect_of(request), body.seed or secrets.token_hex(SEED_BYTES)
    person = await person_of(service, caller)
    if asked.persons > 1:
        with suppress(NotWaiting):  # a repeat may find it dealt
            table = await service.lobby.open(asked, game_id, seat, person, seed)
            return located(await shown_waiting(service, caller, table, status=201), game_id)
        game = await service.tables.known(game_id)
    else:
        game = await service.tables.create(asked.opening(game_id, {seat: person}, seat, seed))
    return located(await shown_game(service, caller, game, status=201), game_id)


@router.get(
    "/v1/games/{game_id}",
    operation_id="get_game",
    summary="The table as you see it",
    response_model=AnyTable,
    responses={
        200: SHOWN,
        304: {"description": "Nothing you may see has changed since `If-None-Match`.", "headers": ETAG},
        **documented("unknown_game", "scope_missing", "unsupported_format", "behind"),
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
    min_seq: Annotated[
        int, Query(ge=0, le=MAX_INTEGER, description="Insist on a view that knows this event, or `behind`.")
    ] = 0,
) -> Response:
    """The view of the caller's seat; of a public table without a seat, what every spectator sees. A table that waits
    for players shows who is there; the same address shows the game once it is dealt."""
    return await shown(service, caller, game_id, min_seq=min_seq, known_etag=request.headers.get("if-none-match"))


@router.post(
    "/v1/games/{game_id}/end",
    operation_id="end_game",
    summary="End the game",
    response_model=MoveAnswer,
    responses={
        200: {"description": "What it led to.", "headers": ETAG},
        **documented(
            "unknown_game",
            "not_started",
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
    return answered(service, await service.tables.submit(game_id, End(seat, body.when)), seat)


@router.post(
    "/v1/games/{game_id}/rematch",
    operation_id="ask_rematch",
    summary="Play again",
    status_code=201,
    response_model=AnyTable,
    responses={
        201: LOCATED,
        **documented(
            "unknown_game", "not_started", "not_seated", "not_over", "table_full", "unknown_player", "draining"
        ),
    },
)
async def ask_rematch(game_id: GameId, caller: Starter, service: ServiceOf, request: Request) -> Response:
    """A new game on the same terms, with the same persons in their seats, dealt as soon as each of them has asked; the
    seats of those who left are open. Whoever asks later comes to the same table."""
    service.draining.refuse()
    await seat_to_move(service, caller, game_id)
    game = await service.tables.current(game_id)
    person = await person_of(service, caller)
    follower = await service.lobby.rematch(game, person, effect_of(request), secrets.token_hex(SEED_BYTES))
    answer = located(await shown(service, caller, follower), follower)
    answer.status_code = 201
    return answer
