"""What a game that is over shows: all of it, any moment of it, and that its walls were fixed before the deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from starlette.responses import Response, StreamingResponse

from app.api.access import Reader, ServiceOf
from app.api.ops import VERSION
from app.api.table import GameId, place_in, seat_in
from app.auth import Caller
from app.body import MAX_INTEGER
from app.errors import Problem, documented
from app.lobby import NotWaiting
from app.service import Service
from app.tables import LiveGame
from app.tables.replay import MEDIA_TYPE, replay
from app.tables.sparse import sparse
from app.tables.view import GameView, encode_view
from app.wire import WireRoute
from engine import wall

router = APIRouter(tags=["games"], route_class=WireRoute)

_HOW: Final = (
    "commitment = SHA-256, in hexadecimal, of the text todas/{version}/commitment/{seed}. Every wall follows from the "
    "seed; docs/fairness.md says how, with a program that makes them anew."
)


@sparse
@dataclass(frozen=True, slots=True)
class Fairness:
    """What fixes every wall of a game. The `seed` is told once the game is over; the `commitment` from the start,
    unless the game was made without one. A `seeded` game has a seed that somebody named: it proves nothing."""

    game_id: str
    version: int
    seeded: bool
    commitment: str | None
    seed: str | None
    how: str


@router.get(
    "/v1/games/{game_id}/fairness",
    operation_id="get_fairness",
    summary="What fixes the walls",
    responses=documented("unknown_game", "scope_missing", "unsupported_format"),
    response_model_exclude_none=True,
)
async def get_fairness(game_id: GameId, caller: Reader, service: ServiceOf) -> Fairness:
    """Keep the commitment that you see at the start; at the end check that the seed gives it, and the walls."""
    known = await service.tables.known(game_id)
    if not known.is_dealt:
        place_in(known, caller)
        try:
            return _fairness(known, (await service.lobby.find(game_id)).seed, over=False)
        except NotWaiting:
            known = await service.tables.known(game_id)
    seat_in(known, caller)
    game = await service.tables.current(game_id)
    return _fairness(game, game.state.seed, over=game.is_over)


@router.get(
    "/v1/games/{game_id}/replay",
    operation_id="get_replay",
    summary="The whole game, once it is over",
    response_class=Response,
    responses={
        200: {
            "description": "Newline-delimited JSON: first an object of the type `header` with ruleset, rules, seed and "
            "versions, then one event a line as `{seq, at, event}`; notes, which nobody saw while it was played, have "
            "no `seq`.",
            "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
        },
        **documented("unknown_game", "not_started", "not_over", "unsupported_format"),
    },
)
async def get_replay(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    seat: Annotated[int | None, Query(ge=0, le=3, description="As that seat saw it; without one, everything.")] = None,
) -> Response:
    """Every event, with nothing hidden; or what one seat saw of them."""
    game = await _over(service, caller, game_id)
    return StreamingResponse(replay(service.database.session, game, seat, f"todas {VERSION}"), media_type=MEDIA_TYPE)


@router.get(
    "/v1/games/{game_id}/at/{seq}",
    operation_id="get_past_view",
    summary="Any past view, once the game is over",
    response_model=GameView,
    responses=documented("unknown_game", "not_started", "not_over", "unknown_event", "unsupported_format"),
)
async def get_past_view(
    game_id: GameId,
    seq: Annotated[int, Path(ge=1, le=MAX_INTEGER, description="The last event in it.", examples=[1])],
    caller: Reader,
    service: ServiceOf,
    seat: Annotated[int | None, Query(ge=0, le=3, description="Of that seat; without one, your own.")] = None,
) -> Response:
    """The table as a seat saw it after an event; without a seat of your own, as spectators saw it."""
    game = await _over(service, caller, game_id)
    if seq > game.seq:
        raise Problem("unknown_event")
    reader = seat_in(game, caller) if seat is None else seat
    past = await service.tables.past(game, seq)
    return Response(encode_view(past, reader, service.clock.now()), media_type="application/json")


async def _over(service: Service, caller: Caller, game_id: str) -> LiveGame:
    seat_in(await service.tables.known(game_id), caller)
    game = await service.tables.current(game_id)
    if not game.is_over:
        raise Problem("not_over", "The game goes on: this is told once it has ended.")
    return game


def _fairness(game: LiveGame, seed: str, *, over: bool) -> Fairness:
    return Fairness(
        game_id=game.id,
        version=wall.VERSION,
        seeded=game.game.seeded,
        commitment=wall.commitment(seed) if over or game.customs.commitment else None,
        seed=seed if over else None,
        how=_HOW.replace("{version}", str(wall.VERSION)),
    )
