"""Sitting down at a table and getting up from it, until it starts and after."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field, Strict
from starlette.responses import Response

from app.api.access import Player, ServiceOf, spend, spend_by_address
from app.api.idempotency import IdempotentRoute
from app.api.shown import SHOWN, AnyTable, shown, shown_game, shown_waiting
from app.api.table import GameId, person_of, place_in, seat_to_move
from app.auth import Caller
from app.errors import Problem, documented
from app.lobby import NotWaiting
from app.service import Service
from app.tables import LiveGame
from app.tables.seating import HandOver, Leave, Return
from app.wire import Text

router = APIRouter(tags=["lobby"], route_class=IdempotentRoute)

Seat = Annotated[int, Strict(), Field(ge=0, le=3)]
SpokenText = Annotated[Text, Field(min_length=1, max_length=40)]

_COMMIT = ("busy", "overloaded", "outcome_unknown", "unsupported_format")
_JOIN = ("unknown_player", "unknown_code", "seat_taken", "table_full", "barred", "too_many_tables")


class JoinBody(BaseModel):
    """Which seat, where it matters."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{}, {"seat": 2}, {"seat": 1, "code": "maka-tuli-basa"}]}
    )

    seat: Seat | None = Field(None, description="Without it, the first that is free.")
    code: SpokenText | None = Field(None, description="What a private table is joined with, as you heard it.")


class CodeBody(BaseModel):
    """The code of a table, and which seat, where it matters."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"code": "maka-tuli-basa"}, {"code": "Maka Tuli Basa", "seat": 3}]},
    )

    code: SpokenText
    seat: Seat | None = None


class ReadyBody(BaseModel):
    """Whether you are ready."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}, {"ready": False}]})

    ready: Annotated[bool, Strict()] = True


class StartBody(BaseModel):
    """How to start."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}, {"fill_with_bots": True}]})

    fill_with_bots: Annotated[bool, Strict()] = Field(False, description="Gives the seats that are open to bots.")


class KickBody(BaseModel):
    """Whom."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"player_id": "0c9ae1f25d7b4c380c9ae1f25d7b4c38"}]}
    )

    player_id: Annotated[Text, Field(min_length=1, max_length=64)]


@router.post(
    "/v1/games/join",
    operation_id="join_by_code",
    summary="Join by a code",
    response_model=AnyTable,
    responses={200: SHOWN, **documented("unknown_game", *_JOIN, "already_started", "game_over", *_COMMIT)},
)
async def join_by_code(body: CodeBody, caller: Player, service: ServiceOf, request: Request) -> Response:
    """A seat at the table with that code. Case, spaces and hyphens do not count."""
    _spend_try(request, caller)
    game_id = await service.lobby.of_code(body.code, caller.player_id)
    return await _join(service, caller, game_id, body.seat, body.code)


@router.post(
    "/v1/games/{game_id}/join",
    operation_id="join_game",
    summary="Take a seat, or take it back",
    response_model=AnyTable,
    responses={200: SHOWN, **documented("unknown_game", *_JOIN, "already_started", "game_over", *_COMMIT)},
)
async def join_game(
    game_id: GameId, caller: Player, service: ServiceOf, request: Request, body: JoinBody | None = None
) -> Response:
    """A seat at a table that waits, or another seat there. In a game whose seat a bot plays for you, because you
    left or were away, your seat again: another one is `seat_taken`. Whoever was merely away is back by a move too."""
    body = body or JoinBody()
    if body.code is None:
        place_in(await service.tables.known(game_id), caller)
    else:
        _spend_try(request, caller)
        await _check_code(service, caller, game_id, body.code)
    return await _join(service, caller, game_id, body.seat, body.code)


@router.post(
    "/v1/games/{game_id}/leave",
    operation_id="leave_game",
    summary="Give your seat up",
    status_code=204,
    responses=documented("unknown_game", "not_seated", "game_over", *_COMMIT),
)
async def leave_game(game_id: GameId, caller: Player, service: ServiceOf) -> None:
    """Frees your seat at a table that waits. In a game a bot plays it until you join again: until then you may look on,
    and a move or a wish for a pause is refused as `seat_left`. A table of yours passes on to the next person."""
    known = await service.tables.known(game_id)
    if not known.is_dealt:
        place_in(known, caller)
        with suppress(NotWaiting):  # dealt just now
            await service.lobby.leave(game_id, caller.player_id)
            return
    seat = await seat_to_move(service, caller, game_id)
    await service.tables.submit(game_id, Leave(seat, service.clock.now()))


@router.post(
    "/v1/games/{game_id}/ready",
    operation_id="be_ready",
    summary="Say that you are ready",
    response_model=AnyTable,
    responses={200: SHOWN, **documented("unknown_game", "not_seated")},
)
async def be_ready(game_id: GameId, caller: Player, service: ServiceOf, body: ReadyBody | None = None) -> Response:
    """Ready, or not yet. Once the game has begun it changes nothing."""
    place_in(await service.tables.known(game_id), caller)
    try:
        table = await service.lobby.ready(game_id, caller.player_id, ready=(body or ReadyBody()).ready)
    except NotWaiting:
        return await shown(service, caller, game_id)
    return await shown_waiting(service, caller, table)


@router.post(
    "/v1/games/{game_id}/start",
    operation_id="start_game",
    summary="Start the game",
    response_model=AnyTable,
    responses={
        200: SHOWN,
        **documented("unknown_game", "not_seated", "not_the_owner", "not_ready", "seats_open", "draining"),
    },
)
async def start_game(game_id: GameId, caller: Player, service: ServiceOf, body: StartBody | None = None) -> Response:
    """For the owner, when everybody else is ready. Started again it changes nothing."""
    service.draining.refuse()
    place_in(await service.tables.known(game_id), caller)
    try:
        game = await service.lobby.start(game_id, caller.player_id, fill=(body or StartBody()).fill_with_bots)
    except NotWaiting:
        await seat_to_move(service, caller, game_id)
        return await shown(service, caller, game_id)
    return await shown_game(service, caller, game)


@router.post(
    "/v1/games/{game_id}/kick",
    operation_id="kick_player",
    summary="Send somebody away",
    response_model=AnyTable,
    responses={
        200: SHOWN,
        **documented("unknown_game", "not_seated", "not_the_owner", "not_at_table", "not_away", "game_over", *_COMMIT),
    },
)
async def kick_player(game_id: GameId, body: KickBody, caller: Player, service: ServiceOf) -> Response:
    """For the owner. Before the start it frees the seat for good; in a game it hands the seat of a person who is away
    to a bot, until that person is back."""
    place_in(await service.tables.known(game_id), caller)
    try:
        table = await service.lobby.kick(game_id, caller.player_id, body.player_id)
    except NotWaiting:
        return await _hand_over(service, caller, game_id, body.player_id)
    return await shown_waiting(service, caller, table)


async def _join(service: Service, caller: Caller, game_id: str, seat: int | None, code: str | None) -> Response:
    try:
        table = await service.lobby.join(game_id, await person_of(service, caller), seat, code)
    except NotWaiting:
        return await _come_back(service, caller, await service.tables.known(game_id), seat)
    return await shown_waiting(service, caller, table)


async def _come_back(service: Service, caller: Caller, game: LiveGame, seat: int | None) -> Response:
    if not game.is_dealt:
        raise Problem("unknown_game")  # it was closed meanwhile
    own = game.seat_of.get(caller.player_id)
    if own is None:
        raise Problem("already_started")
    if seat not in (None, own):
        raise Problem("seat_taken", f"Your seat in this game is {own}.")
    await service.tables.submit(game.id, Return(own))
    return await shown_game(service, caller, game)


async def _hand_over(service: Service, caller: Caller, game_id: str, player_id: str) -> Response:
    own = await seat_to_move(service, caller, game_id)
    answer = await service.tables.submit(game_id, HandOver(own, player_id))
    return await shown_game(service, caller, answer.game)


async def _check_code(service: Service, caller: Caller, game_id: str, code: str) -> None:
    """A wrong code is one whether there is such a game or not, and whoever sends it; a game that is dealt has none."""
    try:
        known = await service.tables.known(game_id)
    except Problem as problem:
        raise Problem("unknown_code") if problem.kind.code == "unknown_game" else problem from None
    dealt_in = known.is_dealt and caller.player_id in known.seat_of
    if not dealt_in and await service.lobby.of_code(code, caller.player_id) != game_id:
        raise Problem("unknown_code")


def _spend_try(request: Request, caller: Caller) -> None:
    """Takes a try of a code from the caller's budget and from that of its address: who guesses may be many players."""
    spend(request, "codes", caller.player_id)
    spend_by_address(request, "codes")
