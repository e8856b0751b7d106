"""Advice for the own seat, where the table allows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from app.api.access import Player, ServiceOf
from app.api.table import GameId, seat_to_move
from app.errors import Problem, documented
from app.tables.sparse import sparse
from app.wire import WireRoute
from engine.actions import Action
from engine.bots.hints import ClaimHint, DiscardHint, hint
from engine.events import Tiles

router = APIRouter(tags=["moves"], route_class=WireRoute)


@sparse
@dataclass(frozen=True, slots=True)
class Advice:
    """What the own hand could become. `shanten` are the tiles to exchange before it waits, -1 when it is complete;
    between turns `accepted` are the kinds that bring it nearer, and `acceptance` how many of them are unseen. Of what
    is open to the seat, `discards` and `claims` are sorted, the best first. `suggestion` is what a `greedy` bot would
    do. After the round there is only `decision_no`. Jokers bring every hand nearer and are not counted."""

    decision_no: int
    shanten: int | None
    acceptance: int | None
    accepted: Tiles | None
    discards: tuple[DiscardHint, ...] | None
    claims: tuple[ClaimHint, ...] | None
    suggestion: Annotated[Action, Field(discriminator="type")] | None


@router.get(
    "/v1/games/{game_id}/hint",
    operation_id="get_hint",
    summary="Advice for your hand",
    responses=documented("unknown_game", "not_started", "not_seated", "hints_off", "unsupported_format"),
    response_model_exclude_none=True,
)
async def get_hint(game_id: GameId, caller: Player, service: ServiceOf) -> Advice:
    """From what your seat may see and nothing else. Usual where one person plays, off with more."""
    seat = await seat_to_move(service, caller, game_id)
    game = await service.tables.current(game_id)
    if not game.customs.hints_for(len(game.persons)):
        raise Problem("hints_off")
    found, no = hint(game.state, seat), game.state.decision.no
    if found is None:
        return Advice(no, None, None, None, None, None, None)
    return Advice(no, found.shanten, found.acceptance, found.accepted, found.discards, found.claims, found.suggestion)
