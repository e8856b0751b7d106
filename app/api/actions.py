"""What a seat does: any of its legal actions as it stands, or the short forms for people with a terminal."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Annotated, Any, Final, Self, TypeVar, assert_never

from fastapi import APIRouter, Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError
from starlette.responses import Response

from app.api.access import Mover
from app.api.alternatives import replace, required
from app.api.moving import MoveRoute
from app.api.table import (
    MOVE_HEADERS,
    ROUNDS_AT_MOST,
    GameId,
    MoveAnswer,
    MoveBody,
    Tile,
    answers_move,
    checked_reason,
    move,
)
from app.tables import ClaimChoice, KongChoice
from app.wire import ActionId, Count
from engine.actions import Action, Amend, Claim, ClaimKind, Confirm, Discard, Draw, Kong, KongKind, Pass, Win
from engine.tiles import KINDS

router = APIRouter(tags=["moves"], route_class=MoveRoute)

CLAIM_TILES: Final = (2, 3)
"""How many held tiles a claim uses."""

_Route = TypeVar("_Route", bound=Callable[..., Any])


def _whole_numbers(given: Any) -> Any:
    """pydantic would take a text or a bool for a number here: the engine's own classes are not strict."""
    if isinstance(given, dict):
        changes = given.get("changes")
        numbers = [given[name] for name in ("round",) if name in given]
        numbers += changes if isinstance(changes, list) else []
        if any(type(number) is not int for number in numbers):
            raise PydanticCustomError("invalid_request", "its round and its changes must be whole numbers")
    return given


def _round(number: int) -> int:
    if not 1 <= number <= ROUNDS_AT_MOST:
        raise PydanticCustomError("invalid_request", f"a round is a number from 1 to {ROUNDS_AT_MOST}")
    return number


def _checked(action: Action) -> Action:
    match action:
        case Discard() | Kong():
            tiles: tuple[str, ...] = (action.tile,)
        case Claim():
            if len(action.tiles) not in CLAIM_TILES:
                raise PydanticCustomError("invalid_request", "a claim names the 2 or 3 held tiles that it uses")
            tiles = action.tiles
        case Amend():
            return Amend(_round(action.round), action.changes, checked_reason(action.reason))
        case Confirm():
            return Confirm(_round(action.round))
        case Draw() | Pass() | Win():
            return action
        case _:
            assert_never(action)
    if any(code not in KINDS for code in tiles):
        raise PydanticCustomError("unknown_tile", "names what is no tile; GET /v1/tiles lists them")
    return action


_EXAMPLES: Final[list[JsonValue]] = [
    {"decision_no": 2, "action": {"type": "discard", "tile": "5c"}},
    {"decision_no": 3, "action": {"type": "pass"}},
    {"decision_no": 3, "action": {"type": "claim", "kind": "chow", "tiles": ["4c", "6c"]}},
    {"decision_no": 2, "action": {"type": "kong", "kind": "secret", "tile": "9d"}},
    {"action": {"type": "win"}},
    {"decision_no": 4, "action_id": "settle-1", "action": {"type": "confirm", "round": 1}},
]


def _with_or_without_decision(schema: dict[str, Any]) -> None:
    win = deepcopy(schema)
    win["properties"]["action"] = {"$ref": schema["properties"]["action"]["discriminator"]["mapping"]["win"]}
    replace(schema, {"decided": required(schema, "decision_no"), "win": win}, _EXAMPLES)


class ActionBody(BaseModel):
    """An action as `legal_actions` holds it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra=_with_or_without_decision,
    )

    decision_no: Count | None = Field(
        None, description="The decision it is meant for. Only `win` needs none: it is judged in the state as it is."
    )
    action_id: ActionId | None = Field(
        None,
        description="Your own id of this action. Without it, or `Idempotency-Key`, it cannot be repeated safely.",
    )
    action: Annotated[Action, Field(discriminator="type"), BeforeValidator(_whole_numbers), AfterValidator(_checked)]

    @model_validator(mode="after")
    def _names_its_decision(self) -> Self:
        if self.decision_no is None and not isinstance(self.action, Win):
            raise PydanticCustomError("invalid_request", "decision_no is required, but for a win")
        return self


class DiscardBody(MoveBody):
    """A tile to throw."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tile": "5c"}]})

    tile: Tile


class ClaimBody(MoveBody):
    """A claim. `tiles` are the held ones it uses; they may be left out where only one such claim is offered."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"kind": "pung"}, {"kind": "chow", "tiles": ["4c", "6c"]}, {"kind": "kong"}]}
    )

    kind: ClaimKind
    tiles: Annotated[list[Tile], Field(min_length=CLAIM_TILES[0], max_length=CLAIM_TILES[-1])] | None = None


class KongBody(MoveBody):
    """A Secret or a Sagasa. What is left out is filled in where only one kong is legal."""

    model_config = ConfigDict(json_schema_extra={"examples": [{}, {"kind": "secret", "tile": "9d"}]})

    kind: KongKind | None = None
    tile: Tile | None = None


def _post(name: str, summary: str, *codes: str) -> Callable[[_Route], _Route]:
    """The decorator of one short form, which may be answered these codes besides those of every move."""
    return router.post(
        f"/v1/games/{{game_id}}/{name}",
        operation_id=name if name != "pass" else "pass_window",
        summary=summary,
        response_model=MoveAnswer,
        responses=answers_move(*codes),
        openapi_extra=MOVE_HEADERS,
    )


@router.post(
    "/v1/games/{game_id}/actions",
    operation_id="act",
    summary="Take any legal action",
    response_model=MoveAnswer,
    responses=answers_move("amend_not_allowed", "amend_not_balanced", "unknown_tile"),
    openapi_extra=MOVE_HEADERS,
)
async def act(game_id: GameId, body: ActionBody, caller: Mover, request: Request) -> Response:
    """Sends back a member of `legal_actions` as it stands, with the decision it was read for."""
    return await move(request, caller, game_id, body.action, body)


@_post("draw", "Draw")
async def draw(game_id: GameId, caller: Mover, request: Request, body: MoveBody | None = None) -> Response:
    """Draws from the front of the wall; where the game draws by itself there is nothing to send."""
    return await move(request, caller, game_id, Draw(), body)


@_post("discard", "Throw a tile", "unknown_tile")
async def discard(game_id: GameId, body: DiscardBody, caller: Mover, request: Request) -> Response:
    """Throws one held tile."""
    return await move(request, caller, game_id, Discard(body.tile), body)


@_post("claim", "Claim the discard", "unknown_tile", "choice_needed")
async def claim(game_id: GameId, body: ClaimBody, caller: Mover, request: Request) -> Response:
    """Takes the tile just thrown, once nobody else has the better claim."""
    tiles = body.tiles and tuple(sorted(body.tiles, key=KINDS.__getitem__))
    wanted = Claim(body.kind, tiles) if tiles else ClaimChoice(body.kind)
    return await move(request, caller, game_id, wanted, body)


@_post("pass", "Pass")
async def pass_window(game_id: GameId, caller: Mover, request: Request, body: MoveBody | None = None) -> Response:
    """Wants nothing of the open window; a claim made in it is taken back."""
    return await move(request, caller, game_id, Pass(), body)


@_post("kong", "Declare a kong", "unknown_tile", "choice_needed")
async def kong(game_id: GameId, caller: Mover, request: Request, body: KongBody | None = None) -> Response:
    """Declares a Secret, or a Sagasa, on the own turn."""
    wanted = body or KongBody()
    return await move(request, caller, game_id, KongChoice(wanted.kind, wanted.tile), body)


@_post("win", "Win Now")
async def win(game_id: GameId, caller: Mover, request: Request, body: MoveBody | None = None) -> Response:
    """May be sent at any moment. When it is no win now, the answer says why and the game goes on as if nothing was."""
    return await move(request, caller, game_id, Win(), body)
