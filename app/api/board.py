"""The lobby as it happens: a socket, server-sent events, or one look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute

from app.api.access import Listener, Reader, ServiceOf, spend
from app.api.idempotency import RepeatableRoute, seed_of
from app.api.stream import Ticket
from app.auth import bearer_of, derived_ticket, token_hash
from app.errors import documented
from app.lobby import LOBBY
from app.lobby.listing import GameListed, listed_open, sees
from app.store import tickets
from app.stream.admission import TICKET_LIFETIME
from app.stream.plain import plain
from app.stream.socket import LobbyStream
from app.stream.sse import MEDIA_TYPE, EventStream
from app.stream.streams import Streams

router = APIRouter(tags=["lobby"], route_class=RepeatableRoute)

_EVENTS: Final = {MEDIA_TYPE: {"schema": {"type": "string"}}}


@dataclass(frozen=True, slots=True)
class WaitingTables:
    """The public tables that wait, and those at which you sit, the newest first."""

    tables: tuple[GameListed, ...]


@router.get(
    "/v1/lobby",
    operation_id="watch_lobby",
    summary="The tables that wait",
    response_model=WaitingTables,
    response_model_exclude_none=True,
    responses={
        200: {
            "description": "The tables as they are; with `Accept: text/event-stream` then each one that comes, changes "
            "or goes, as the frames that the socket of the lobby sends.",
            "content": _EVENTS,
        },
        **documented("draining", "too_many_streams", "overloaded"),
    },
)
async def watch_lobby(caller: Reader, service: ServiceOf, request: Request) -> WaitingTables | Response:
    """What there is to join, and where you wait yourself. A table of yours that is gone with `started` is a game."""
    if MEDIA_TYPE in request.headers.get("accept", ""):
        spend(request, "reconnects", caller.player_id)
        streams: Streams = request.app.state.streams
        feed = streams.open_lobby(caller)
        return EventStream(request, feed)
    await service.board.look()
    shown = [table for table in service.board.tables.values() if sees(table, caller.player_id)]
    return WaitingTables(tuple(listed_open(table, caller.player_id) for table in shown))


@router.post(
    "/v1/lobby/ticket",
    status_code=201,
    operation_id="create_lobby_ticket",
    summary="A ticket for one stream of the lobby",
)
async def create_lobby_ticket(caller: Listener, service: ServiceOf, request: Request) -> Ticket:
    """For a browser, which cannot send headers with a WebSocket. It is good for 30 seconds, and for one use."""
    ticket = derived_ticket(bearer_of(request.headers.get("authorization")), seed_of(request))
    expires_at = await tickets.add(
        service.database.session, token_hash(ticket), LOBBY, caller.token_id, TICKET_LIFETIME
    )
    return Ticket(ticket, expires_at)


router.routes += [
    WebSocketRoute("/v1/lobby/stream", LobbyStream(), name="lobby_stream"),
    plain(
        "/v1/lobby/stream",
        "GET /v1/lobby shows the same, with Accept: text/event-stream as it changes, else as it is now",
    ),
]
