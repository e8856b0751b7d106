"""What happened in a game, in order, from any point; the same cursor that a stream follows."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.api.access import Reader, ServiceOf
from app.api.table import GameId, seat_in
from app.body import MAX_INTEGER
from app.errors import documented
from app.service import Service
from app.tables import PAGE, LiveGame, Numbered
from app.tables.frames import EventFrame, frames
from app.wire import WireRoute

router = APIRouter(tags=["events"], route_class=WireRoute)

WAIT_AT_MOST: Final = 30
_LOOK_SECONDS: Final = 1.0
"""How often whoever waits looks for what another worker did and did not tell."""


@dataclass(frozen=True, slots=True)
class EventPage:
    """Numbered events that follow on the cursor; `seq` is the last one of the game, and no smaller than theirs. Ask
    again `after` the last one here."""

    seq: int
    events: tuple[EventFrame, ...]


@router.get(
    "/v1/games/{game_id}/events",
    operation_id="poll_events",
    summary="Events after a cursor, waiting for the next where there is none",
    response_model=EventPage,
    responses=documented("unknown_game", "unsupported_format"),
)
async def poll_events(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    after: Annotated[int, Query(ge=0, le=MAX_INTEGER, description="The last event you have; 0 for all.")] = 0,
    wait: Annotated[float, Query(ge=0, le=WAIT_AT_MOST, description="Seconds to wait when there is none.")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE, description="How many at most.")] = PAGE,
) -> Response:
    """Answers as soon as there is something, and after `wait` seconds with nothing."""
    seat = seat_in(await service.tables.known(game_id), caller)
    game, facts = await _next_events(service, game_id, after, wait, limit)
    content = b'{"seq":%d,"events":%s}' % (game.seq, frames(facts, seat))
    return Response(content, media_type="application/json")


async def _next_events(
    service: Service, game_id: str, after: int, wait: float, limit: int
) -> tuple[LiveGame, list[Numbered]]:
    until = service.clock.monotonic() + wait
    with service.hub.watching(game_id) as news:
        while True:
            news.clear()
            game = await service.tables.current(game_id)
            facts = await service.tables.events_after(game, after, limit)
            left = until - service.clock.monotonic()
            if facts or left <= 0 or service.draining:
                return game, facts
            if not (service.heartbeat.alone or service.bus.reaches_others):
                left = min(left, _LOOK_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await news.wait()
