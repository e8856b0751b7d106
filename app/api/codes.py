"""The spoken code of a table that waits, for its owner."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.api.access import Player, ServiceOf
from app.api.idempotency import IdempotentRoute
from app.api.shown import SHOWN, shown_waiting
from app.api.table import GameId, place_in
from app.errors import Problem, documented
from app.lobby import NotWaiting
from app.lobby.waiting import WaitingTable

router = APIRouter(tags=["lobby"], route_class=IdempotentRoute)


@router.post(
    "/v1/games/{game_id}/code",
    operation_id="renew_code",
    summary="Make a new code",
    response_model=WaitingTable,
    responses={200: SHOWN, **documented("unknown_game", "not_seated", "not_the_owner", "already_started")},
)
async def renew_code(game_id: GameId, caller: Player, service: ServiceOf) -> Response:
    """For the owner of a table that waits: another code, with which friends join. The one before opens nothing."""
    place_in(await service.tables.known(game_id), caller)
    try:
        return await shown_waiting(service, caller, await service.lobby.renew_code(game_id, caller.player_id))
    except NotWaiting:
        raise Problem("already_started") from None


@router.delete(
    "/v1/games/{game_id}/code",
    operation_id="revoke_code",
    summary="Take the code back",
    status_code=204,
    responses=documented("unknown_game", "not_seated", "not_the_owner", "already_started"),
)
async def revoke_code(game_id: GameId, caller: Player, service: ServiceOf) -> None:
    """For the owner of a table that waits: nobody can join by a code until there is a new one."""
    place_in(await service.tables.known(game_id), caller)
    try:
        await service.lobby.revoke_code(game_id, caller.player_id)
    except NotWaiting:
        raise Problem("already_started") from None
