"""Agreeing on a round's points (rules 8)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import AfterValidator, ConfigDict, Field, Strict
from starlette.responses import Response

from app.api.access import Mover
from app.api.moving import MoveRoute
from app.api.table import MOVE_HEADERS, ROUNDS_AT_MOST, GameId, MoveAnswer, MoveBody, answers_move, checked_reason, move
from app.wire import Integer
from engine.actions import Amend, Confirm

router = APIRouter(tags=["moves"], route_class=MoveRoute)

Round = Annotated[int, Strict(), Field(ge=1, le=ROUNDS_AT_MOST, description="The round that is settled, from 1.")]


class ConfirmBody(MoveBody):
    """The round whose figures are agreed to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"round": 1}]})

    round: Round


class AmendBody(ConfirmBody):
    """Other figures for the four seats, which sum to what the computed ones sum to."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"round": 1, "changes": [-10, 40, -5, -5], "reason": "We agreed on a tip."}]}
    )

    changes: Annotated[tuple[Integer, Integer, Integer, Integer], Field(description="By seat.")]
    reason: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(checked_reason)]


@router.post(
    "/v1/games/{game_id}/settlement/confirm",
    operation_id="confirm_settlement",
    summary="Confirm the round's points",
    response_model=MoveAnswer,
    responses=answers_move(),
    openapi_extra=MOVE_HEADERS,
)
async def confirm(game_id: GameId, body: ConfirmBody, caller: Mover, request: Request) -> Response:
    """Agrees to the pending changes. Confirming again, or after they were applied, changes nothing."""
    return await move(request, caller, game_id, Confirm(body.round), body)


@router.post(
    "/v1/games/{game_id}/settlement/amend",
    operation_id="amend_settlement",
    summary="Amend the round's points",
    response_model=MoveAnswer,
    responses=answers_move("amend_not_allowed", "amend_not_balanced"),
    openapi_extra=MOVE_HEADERS,
)
async def amend(game_id: GameId, body: AmendBody, caller: Mover, request: Request) -> Response:
    """The owner proposes other figures; they hold once every other person has confirmed them."""
    return await move(request, caller, game_id, Amend(body.round, body.changes, body.reason), body)
