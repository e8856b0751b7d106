"""A game as the caller sees it, whether it waits for players, is played, or is over."""

from __future__ import annotations

from typing import Any, Final

from starlette.responses import Response

from app.api.table import ETAG, place_in, seat_in
from app.auth import Caller
from app.errors import Problem
from app.lobby import NotWaiting
from app.lobby.waiting import WaitingTable, encode_waiting, waiting_etag
from app.service import Service
from app.store.lobby import OpenTable
from app.tables import LiveGame
from app.tables.view import GameView, encode_view

AnyTable = WaitingTable | GameView

SHOWN: Final[dict[str, Any]] = {"description": "The table as the caller sees it.", "headers": ETAG}
"""The answer of what shows a table, for the contract."""


LOCATED: Final[dict[str, Any]] = {
    "description": "The table as the caller sees it: dealt, or waiting for players.",
    "headers": ETAG | {"Location": {"description": "The game's address.", "schema": {"type": "string"}}},
}
"""The answer of what makes a table."""


async def shown(
    service: Service, caller: Caller, game_id: str, *, min_seq: int = 0, known_etag: str | None = None
) -> Response:
    """The table, or 304 where the caller has seen it so. Raises Problem `unknown_game`, `scope_missing`
    or `behind`."""
    known = await service.tables.known(game_id)
    if not known.is_dealt:
        place_in(known, caller)
        try:
            return await shown_waiting(service, caller, await service.lobby.find(game_id), known_etag=known_etag)
        except NotWaiting:
            known = await service.tables.known(game_id)
    return await shown_game(service, caller, known, min_seq=min_seq, known_etag=known_etag)


async def shown_waiting(
    service: Service, caller: Caller, table: OpenTable, *, status: int = 200, known_etag: str | None = None
) -> Response:
    """A table that waits."""
    code = await service.lobby.code_of(table)
    etag = waiting_etag(table, code)
    if _matches(known_etag, etag):
        return Response(status_code=304, headers={"ETag": etag})
    reader = caller.player_id if "play" in caller.scopes else ""
    content = encode_waiting(table, reader, code, service.clock.now())
    return Response(content, status, {"ETag": etag}, "application/json")


async def shown_game(
    service: Service,
    caller: Caller,
    known: LiveGame,
    *,
    status: int = 200,
    min_seq: int = 0,
    known_etag: str | None = None,
) -> Response:
    """A game that is played or over; to spectators perhaps as it was some events ago."""
    seat = seat_in(known, caller)
    game = await service.tables.current(known.id, min_seq)
    if game.is_over and game.rematch is None:
        game.rematch = await service.lobby.rematch_of(game)
    game = await service.tables.seen(game, seat)
    if game.seq < min_seq:
        detail = f"The view knows events up to {game.seq}; {min_seq} is not among them."
        raise Problem("behind", detail, headers={"Retry-After": "1"})
    etag = game.etag(seat)
    if _matches(known_etag, etag):
        return Response(status_code=304, headers={"ETag": etag})
    content = encode_view(game, seat, service.clock.now())
    return Response(content, status, {"ETag": etag}, "application/json")


def located(response: Response, game_id: str) -> Response:
    """The same, with the address of the game."""
    response.headers["Location"] = f"/v1/games/{game_id}"
    return response


def _matches(header: str | None, etag: str) -> bool:
    """Weak comparison, as `If-None-Match` asks for (RFC 9110, 13.1.2)."""
    if header is None:
        return False
    marks = {mark.strip().removeprefix("W/") for mark in header.split(",")}
    return "*" in marks or etag.removeprefix("W/") in marks
