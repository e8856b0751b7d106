"""Pausing a game and going on, by agreement of all its people (api, `/pause`)."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.api.access import Player, ServiceOf
from app.api.idempotency import IdempotentRoute
from app.api.table import ETAG, GameId, MoveAnswer, answered, seat_to_move
from app.errors import documented
from app.service import Service
from app.tables import Wish
from engine.actions import AskPause, AskResume, SeatWish

router = APIRouter(tags=["games"], route_class=IdempotentRoute)

_ANSWERS = {
    200: {"description": "What it led to.", "headers": ETAG},
    **documented(
        "unknown_game",
        "not_started",
        "not_seated",
        "seat_left",
        "game_over",
        "busy",
        "overloaded",
        "outcome_unknown",
        "unsupported_format",
    ),
}


@router.post(
    "/v1/games/{game_id}/pause",
    operation_id="pause_game",
    summary="Ask for a pause",
    response_model=MoveAnswer,
    responses=_ANSWERS,
)
async def pause_game(game_id: GameId, caller: Player, service: ServiceOf) -> Response:
    """Once every person who plays has asked, the game pauses at the next turn: no time runs, and moves are refused as
    `paused`. Asking again changes nothing."""
    return await _wished(service, game_id, await seat_to_move(service, caller, game_id), AskPause())


@router.post(
    "/v1/games/{game_id}/resume",
    operation_id="resume_game",
    summary="Ask to go on",
    response_model=MoveAnswer,
    responses=_ANSWERS,
)
async def resume_game(game_id: GameId, caller: Player, service: ServiceOf) -> Response:
    """Once every person who plays has asked, a paused game goes on with the time that was left. A game that was paused
    because nobody was there goes on as soon as anybody is."""
    return await _wished(service, game_id, await seat_to_move(service, caller, game_id), AskResume())


async def _wished(service: Service, game_id: str, seat: int, wish: SeatWish) -> Response:
    return answered(service, await service.tables.submit(game_id, Wish(seat, wish)), seat)
