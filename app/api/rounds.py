"""The rounds of a game that have been played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query

from app.api.access import Reader, ServiceOf
from app.api.table import GameId, seat_in
from app.errors import Problem, documented
from app.service import Service
from app.tables.rounds import RoundSummary, summaries
from app.tables.sparse import sparse
from app.wire import WireRoute

router = APIRouter(tags=["games"], route_class=WireRoute)

_ROUNDS_AT_MOST = 2**31 - 1


@sparse
@dataclass(frozen=True, slots=True)
class RoundList:
    """Rounds that have been played, in order; `next` is the cursor of the page that follows, where there is one."""

    items: tuple[RoundSummary, ...]
    next: str | None


@router.get(
    "/v1/games/{game_id}/rounds",
    operation_id="list_rounds",
    summary="The rounds played so far",
    responses=documented("unknown_game", "unsupported_format"),
    response_model_exclude_none=True,
)
async def list_rounds(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    cursor: Annotated[str | None, Query(pattern=r"^[1-9][0-9]{0,8}$", description="`next` of the page before.")] = None,
) -> RoundList:
    """Figures and hands shown of every round that has ended, settled or not."""
    last = await _last_shown(service, game_id, seat_in(await service.tables.known(game_id), caller))
    told = await summaries(service.database.session, game_id, int(cursor or 1), limit + 1)
    found = [summary for summary in told if summary.round <= last]
    more = found[limit:]
    return RoundList(tuple(found[:limit]), str(more[0].round) if more else None)


@router.get(
    "/v1/games/{game_id}/rounds/{number}",
    operation_id="get_round",
    summary="One round",
    responses=documented("unknown_game", "unknown_round", "unsupported_format"),
    response_model_exclude_none=True,
)
async def get_round(
    game_id: GameId,
    number: Annotated[int, Path(ge=1, le=_ROUNDS_AT_MOST, description="From 1.", examples=[1])],
    caller: Reader,
    service: ServiceOf,
) -> RoundSummary:
    """One round that has ended."""
    last = await _last_shown(service, game_id, seat_in(await service.tables.known(game_id), caller))
    found = await summaries(service.database.session, game_id, number, 1)
    if not found or found[0].round != number or number > last:
        raise Problem("unknown_round")
    return found[0]


async def _last_shown(service: Service, game_id: str, seat: int | None) -> int:
    """The last round of which this reader is told: a spectator who is kept behind, of those before the one it sees."""
    game = await service.tables.current(game_id)
    seen = await service.tables.seen(game, seat)
    return game.state.round.number if seen is game else seen.state.round.number - 1
