"""What the routes of a game share: which game, whose seat, and how a move and its answer go on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol

from fastapi import Path, Request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from app.api.access import service_of
from app.auth import Caller
from app.errors import Fault, Problem, documented
from app.lobby import Person
from app.service import Service
from app.store import players
from app.tables import Answer, ClaimChoice, KongChoice, LiveGame, Move
from app.tables.frames import EventFrame, frames
from app.tables.view import GameView, encode_view
from app.wire import OWN_ID, ActionId, Count, is_own_id, name
from engine.actions import Action
from engine.tiles import CODES, KINDS

GameId = Annotated[str, Path(description="The game's id.", examples=["5d0c2f7a9be84161a3f08c6b72d1e495"])]

_REFUSALS: Final = (
    "stale_decision",
    "not_your_turn",
    "no_tile",
    "incomplete",
    "joker_eye_is_draw_only",
    "locked_after_pass",
    "draw_first",
    "already_drawn",
    "tile_not_held",
    "claim_not_offered",
    "kong_not_allowed",
    "nothing_to_pass",
    "wrong_round",
    "game_over",
    "paused",
)
MOVE_CODES: Final = (
    "unknown_game",
    "not_started",
    "not_seated",
    "seat_left",
    "precondition_failed",
    "action_id_reused",
    "invalid_idempotency_key",
    "invalid_request",
    "busy",
    "overloaded",
    "outcome_unknown",
    "unsupported_format",
    *_REFUSALS,
)
"""What every move may be answered instead of being carried out."""


ROUNDS_AT_MOST: Final = 2**31 - 1
"""The largest number that a round may have where it is sent."""


def _known(code: str) -> str:
    if code not in KINDS:
        raise PydanticCustomError("unknown_tile", "is no tile; GET /v1/tiles lists them")
    return code


Tile = Annotated[str, AfterValidator(_known), WithJsonSchema({"type": "string", "enum": list(CODES)})]
"""The code of a tile in a body. Raises what becomes Problem `unknown_tile`."""


def checked_reason(text: str) -> str:
    """A reason that everybody reads: one line of 1 to 200 characters. Raises what becomes `invalid_request`."""
    if not 1 <= len(text) <= 200:
        raise PydanticCustomError("invalid_request", "a reason has 1 to 200 characters")
    return name(text)


class MoveBody(BaseModel):
    """How a move is sent."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{}]})

    decision_no: Count | None = Field(
        None, description="The decision it is meant for; without it, whatever is open. Another one: `stale_decision`."
    )
    action_id: ActionId | None = Field(
        None,
        description="Your own id of this action, once in a game: a repeat is answered like the first. "
        "The header `Idempotency-Key` does the same.",
    )


@dataclass(frozen=True, slots=True)
class MoveAnswer:
    """The public events that the command led to, the last number then, and the view as it is now. Events that follow
    by themselves may already be in the view: they come after `seq`."""

    seq: int
    events: tuple[EventFrame, ...]
    view: GameView


def _header(title: str, description: str, pattern: str | None = None) -> dict[str, Any]:
    schema = {"type": "string"} | ({"pattern": pattern} if pattern else {})
    return {"name": title, "in": "header", "required": False, "description": description, "schema": schema}


MOVE_HEADERS: Final[dict[str, Any]] = {
    "parameters": [
        _header("Idempotency-Key", "The `action_id`, where the body has none.", OWN_ID),
        _header("If-Match", "The ETag of the view that this is meant for; another one: `precondition_failed`."),
    ]
}
"""The headers that every move reads, for the contract."""

ETAG: Final = {"ETag": {"description": "Marks this view.", "schema": {"type": "string"}}}
_REPLAYED: Final = {
    "Idempotency-Replayed": {"description": "`true` on a repeat.", "schema": {"type": "string", "enum": ["true"]}}
}


def answers_move(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The answers of a move, for the contract."""
    return {200: {"description": "What it led to.", "headers": ETAG | _REPLAYED}, **documented(*MOVE_CODES, *codes)}


def seat_in(game: LiveGame, caller: Caller) -> int | None:
    """The seat as which the caller sees a game: none for a spectator, who also is whoever has a token only to watch.
    Raises Problem `unknown_game` for what the caller may not know exists, `not_started` for a table that waits."""
    seat = place_in(game, caller)
    if not game.is_dealt:
        told = f"/v1/lobby/stream tells when it begins, and GET /v1/games/{game.id} shows who is there until then."
        raise Problem("not_started", f"The table waits for its players: {told}")
    if seat is None and "spectate" not in caller.scopes:
        raise Problem("scope_missing", "To watch takes a token with the scope spectate.")
    return seat


def place_in(game: LiveGame, caller: Caller) -> int | None:
    """The same of a table that may still wait for its players."""
    seat = game.seat_of.get(caller.player_id)
    if game.game.status != "open" and not game.is_dealt:
        raise Problem("unknown_game")  # it was closed before it began
    if seat is None and game.game.visibility == "private":
        raise Problem("unknown_game")
    return seat if "play" in caller.scopes else None


async def seat_to_move(service: Service, caller: Caller, game_id: str) -> int:
    """The seat the caller moves for. Raises Problem `unknown_game` or `not_seated`."""
    seat = seat_in(await service.tables.known(game_id), caller)
    if seat is None:
        raise Problem("not_seated")
    return seat


async def person_of(service: Service, caller: Caller) -> Person:
    """The caller as one who takes a seat. Raises Problem `unknown_player`."""
    player = await players.find(service.database.session, caller.player_id)
    if player is None:
        raise Problem("unknown_player")
    return Person(player.id, player.display_name)


class Sent(Protocol):
    """What every body of a move has."""

    decision_no: int | None
    action_id: str | None


async def move(
    request: Request, caller: Caller, game_id: str, action: Action | ClaimChoice | KongChoice, body: Sent | None
) -> Response:
    """Carries out a move of the caller and answers it."""
    service = service_of(request)
    seat = await seat_to_move(service, caller, game_id)
    decision_no, action_id = (body.decision_no, body.action_id) if body else (None, None)
    wanted = Move(seat, action, decision_no, _action_id(request, action_id), request.headers.get("if-match"))
    return answered(service, await service.tables.submit(game_id, wanted), seat)


def answered(service: Service, answer: Answer, seat: int | None) -> Response:
    """A MoveAnswer as JSON."""
    view = encode_view(answer.game, seat, service.clock.now())
    content = b'{"seq":%d,"events":%s,"view":%s}' % (answer.seq, frames(answer.events, seat), view)
    headers = {"ETag": answer.game.etag(seat)}
    if answer.replayed:
        headers["Idempotency-Replayed"] = "true"
    return Response(content, headers=headers, media_type="application/json")


def _action_id(request: Request, in_body: str | None) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is None:
        return in_body
    if not is_own_id(key):
        raise Problem("invalid_idempotency_key")
    if in_body not in (None, key):
        fault = Fault("header", "/Idempotency-Key", "is another id than the body's action_id")
        raise Problem("invalid_request", "One action has one id.", errors=[fault])
    return key
