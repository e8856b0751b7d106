"""The way to a game's stream: the ticket with which a browser opens it, and the socket."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fastapi import APIRouter, Request
from starlette.routing import WebSocketRoute

from app.api.access import Listener, ServiceOf
from app.api.idempotency import RepeatableRoute, seed_of
from app.api.table import GameId, seat_in
from app.auth import bearer_of, derived_ticket, token_hash
from app.errors import documented
from app.store import tickets
from app.stream.admission import TICKET_LIFETIME
from app.stream.plain import plain
from app.stream.socket import Stream

router = APIRouter(tags=["events"], route_class=RepeatableRoute)


@dataclass(frozen=True, slots=True)
class Ticket:
    """What opens one stream of this game as you: `?ticket=` in its address, in place of the bearer header."""

    ticket: str
    expires_at: datetime


@router.post(
    "/v1/games/{game_id}/ticket",
    status_code=201,
    operation_id="create_ticket",
    summary="A ticket for one stream",
    responses=documented("unknown_game", "unsupported_format"),
)
async def create_ticket(game_id: GameId, caller: Listener, service: ServiceOf, request: Request) -> Ticket:
    """For a browser, which cannot send headers with a WebSocket. It is good for 30 seconds, and for one use."""
    seat_in(await service.tables.known(game_id), caller)
    ticket = derived_ticket(bearer_of(request.headers.get("authorization")), seed_of(request))
    expires_at = await tickets.add(
        service.database.session, token_hash(ticket), game_id, caller.token_id, TICKET_LIFETIME
    )
    return Ticket(ticket, expires_at)


router.routes += [
    WebSocketRoute("/v1/games/{game_id}/stream", Stream(), name="stream"),
    plain(
        "/v1/games/{game_id}/stream",
        "GET /v1/games/{game_id}/events brings the same, with Accept: text/event-stream as it happens, "
        "with ?after=0&wait=25 as a long poll",
    ),
]
