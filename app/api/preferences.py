"""What a seat lets the service do for it (api, `/preferences`); known to that seat alone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, Strict
from starlette.responses import Response

from app.api.access import Mover, Player, ServiceOf
from app.api.table import ETAG, GameId, seat_to_move
from app.errors import documented
from app.service import Service
from app.tables import Wish
from app.tables.view import encode_preferences
from app.wire import WireRoute
from engine.actions import SetPreferences
from engine.terms import AutoPass, Preferences

router = APIRouter(tags=["moves"], route_class=WireRoute)

_READ = ("unknown_game", "not_started", "not_seated", "unsupported_format")


class PreferencesBody(BaseModel):
    """All of them: what is left out is off."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{}, {"auto_pass": ["chow", "pung"], "auto_win": True}, {"auto_pass": ["all"]}],
        },
    )

    auto_pass: Annotated[list[AutoPass], Field(max_length=4)] = Field(
        [], description="Claims you are not asked about; `all` passes on wins too. A hidden claim stays legal."
    )
    auto_win: Annotated[bool, Strict()] = Field(False, description="Takes a win when there is one.")
    auto_draw: Annotated[bool, Strict()] = Field(False, description="Draws when your turn begins.")


@router.get(
    "/v1/games/{game_id}/preferences",
    operation_id="get_preferences",
    summary="What the service does for you",
    response_model=Preferences,
    responses={200: {"description": "Your preferences.", "headers": ETAG}, **documented(*_READ)},
)
async def get_preferences(game_id: GameId, caller: Player, service: ServiceOf) -> Response:
    """Those of your seat in this game; nobody else learns of them. The ETag is that of your view."""
    seat = await seat_to_move(service, caller, game_id)
    return await _shown(service, game_id, seat)


@router.put(
    "/v1/games/{game_id}/preferences",
    operation_id="set_preferences",
    summary="Let the service do something for you",
    response_model=Preferences,
    responses={
        200: {"description": "As they are now.", "headers": ETAG},
        **documented(*_READ, "game_over", "busy", "overloaded", "outcome_unknown"),
    },
)
async def set_preferences(game_id: GameId, body: PreferencesBody, caller: Mover, service: ServiceOf) -> Response:
    """From now on, what is open included. At a `uniform` table passing on single kinds hides them only and is your
    answer when the time is over, and so is a win that is to be taken of a discard; only `all` answers at once."""
    seat = await seat_to_move(service, caller, game_id)
    wanted = Preferences(tuple(sorted(set(body.auto_pass))), body.auto_win, body.auto_draw)
    await service.tables.submit(game_id, Wish(seat, SetPreferences(wanted)))
    return await _shown(service, game_id, seat)


async def _shown(service: Service, game_id: str, seat: int) -> Response:
    game = await service.tables.current(game_id)
    return Response(encode_preferences(game, seat), headers={"ETag": game.etag(seat)}, media_type="application/json")
