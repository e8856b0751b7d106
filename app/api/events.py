"""What happened in a game, in order, from any point; the same cursor that a stream follows."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from app.api.access import Reader, ServiceOf, identify_again, service_of, spend
from app.api.table import GameId, seat_in
from app.auth import Caller
from app.body import MAX_INTEGER
from app.errors import documented
from app.hub import tokens_of
from app.stream.admission import read_cursor
from app.stream.sse import LAST_EVENT_ID, MEDIA_TYPE, EventStream
from app.stream.streams import Streams
from app.tables import PAGE, Numbered
from app.tables.frames import EventFrame, frames
from app.wire import WireRoute

router = APIRouter(tags=["events"], route_class=WireRoute)

WAIT_AT_MOST: Final = 30
_LOOK_SECONDS: Final = 1.0
"""How often whoever waits looks for what another worker did and did not tell."""


@dataclass(frozen=True, slots=True)
class EventPage:
    """Numbered events that follow on the cursor; `seq` is the last one of the game, and no smaller than theirs. `next`
    is what to ask `after` for those that follow: the last one here, or the cursor itself where there is none."""

    seq: int
    next: int
    events: tuple[EventFrame, ...]


@router.get(
    "/v1/games/{game_id}/events",
    operation_id="poll_events",
    summary="Events after a cursor, waiting for the next where there is none",
    response_model=EventPage,
    responses={
        200: {
            "description": "What follows on the cursor: a page of it, or with `Accept: text/event-stream` all of it, "
            "as the frames that the socket of this game sends; `openapi/README.md` tells of them.",
            "content": {MEDIA_TYPE: {"schema": {"type": "string"}}},
        },
        **documented("unknown_game", "unsupported_format", "not_started", "draining", "too_many_streams", "overloaded"),
    },
    openapi_extra={
        "parameters": [
            {
                "name": "Last-Event-ID",
                "in": "header",
                "required": False,
                "description": "`after` of a stream that was cut: the `id` of the last event it brought.",
                "schema": {"type": "string", "pattern": "^[0-9]{1,19}$"},
            }
        ]
    },
)
async def poll_events(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    request: Request,
    after: Annotated[int, Query(ge=0, le=MAX_INTEGER, description="The last event you have; 0 for all.")] = 0,
    wait: Annotated[float, Query(ge=0, le=WAIT_AT_MOST, description="Seconds to wait when there is none.")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE, description="How many at most.")] = PAGE,
) -> Response:
    """Answers as soon as there is something, and after `wait` seconds with nothing. A page may end before `seq`: go on
    `after` its `next`. With `Accept: text/event-stream` it
    goes on: server-sent events, a `data:` line for each frame and the number of each event as its `id:`."""
    if MEDIA_TYPE in request.headers.get("accept", ""):
        return await _stream(request, caller, game_id, after)
    seat = seat_in(await service.tables.known(game_id), caller)
    with service.tables.presence.signs.waiting(game_id, caller.player_id):
        last, facts = await _next_events(request, game_id, seat, after, wait, limit)
    follows = facts[-1].seq if facts else min(after, last)
    content = b'{"seq":%d,"next":%d,"events":%s}' % (last, follows, frames(facts, seat))
    return Response(content, media_type="application/json")


async def _stream(request: Request, caller: Caller, game_id: str, after: int) -> Response:
    spend(request, "reconnects", caller.player_id)
    streams: Streams = request.app.state.streams
    last = read_cursor(request.headers.get(LAST_EVENT_ID), "header", "Last-Event-ID")
    feed = await streams.open(caller, game_id, after if last is None else last)
    return EventStream(request, feed)


async def _next_events(
    request: Request, game_id: str, seat: int | None, after: int, wait: float, limit: int
) -> tuple[int, list[Numbered]]:
    service, caller = service_of(request), request.state.caller
    until = service.clock.monotonic() + wait
    with service.hub.watching(game_id, tokens_of(caller.player_id)) as news:
        while True:
            news.clear()
            game = await service.tables.current(game_id)
            last = game.seq_for(seat)
            facts = [fact for fact in await service.tables.events_after(game, after, limit) if fact.seq <= last]
            left = until - service.clock.monotonic()
            if facts or left <= 0 or service.draining:
                return last, facts
            if not (service.heartbeat.alone or service.bus.reaches_others):
                left = min(left, _LOOK_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await news.wait()
            await identify_again(request)
