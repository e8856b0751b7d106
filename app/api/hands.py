"""Hands outside of any game: what they are, what they are worth, and what they could become. Nothing is kept."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Request
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.api.access import spend_by_address
from app.api.new_game import Flag, Overrides, RulesetId, rules_of
from app.api.table import Tile
from app.errors import Fault, Problem, documented, pointer_to
from app.tables.sparse import sparse
from app.wire import WireRoute
from engine.analysis import Analysis, Circumstances, HandError, Held, Payments, Worth, analyze
from engine.events import MeldKind, WinSource
from engine.tiles import CODES, KINDS, parse_hand

router = APIRouter(tags=["rules"], route_class=WireRoute)

for _class in (Analysis, Worth, Payments):
    sparse(_class)

_JOKER: Final = "J"
_STRICT: Final = ConfigDict(extra="forbid")
_EXAMPLES: Final[list[JsonValue]] = [
    {"hand": "123b 456b 678c 222d 77c J 9d", "joker": "5d"},
    {"hand": "123b 456b 789b 222d 777c 99d", "joker": "5d", "source": "discard"},
    {
        "ruleset": "tsumo",
        "overrides": {"unit": 5},
        "hand": ["4b", "6b", "2d", "2d", "2d", "7c", "7c", "7c", "9d", "9d"],
        "melds": [{"kind": "chow", "tiles": "123b"}, {"kind": "chow", "tiles": ["7b", "8b", "9b"]}],
        "tile": "5b",
        "source": "discard",
        "flowers": 1,
    },
    {"hand": "1144b 2588c 3699d 17b 5c 8d", "unseen": {"2c": 1, "5c": 0}},
]


def _split(given: Any) -> Any:
    """The tiles of a hand string as a list; what is none stays as it is."""
    if not isinstance(given, str):
        return given
    tiles: list[str] = []
    try:
        for group in given.split():
            kinds, jokers = parse_hand(group)
            tiles += [*(CODES[kind] for kind in kinds), *[_JOKER] * jokers]
    except ValueError as error:
        raise PydanticCustomError("unknown_tile", "{reason}", {"reason": str(error)}) from None
    return tiles


def _tile_or_joker(code: str) -> str:
    if code not in KINDS and code != _JOKER:
        raise PydanticCustomError("unknown_tile", "is no tile and not J; GET /v1/tiles lists them")
    return code


def _tiles(example: str, pattern: str) -> WithJsonSchema:
    text = {"type": "string", "examples": [example]}
    return WithJsonSchema({"anyOf": [text, {"type": "array", "items": {"type": "string", "pattern": pattern}}]})


_CODE: Final = "[1-9][bcdwxfs]"
_CODE_OR_JOKER: Final = f"^({_CODE}|{_JOKER})$"

HandTile = Annotated[str, AfterValidator(_tile_or_joker), WithJsonSchema({"type": "string", "pattern": _CODE_OR_JOKER})]
HandTiles = Annotated[list[HandTile], BeforeValidator(_split), _tiles("123b 456c 99d J", _CODE_OR_JOKER)]
MeldTiles = Annotated[list[Tile], BeforeValidator(_split), _tiles("123b", f"^{_CODE}$")]
Number = Annotated[int, Strict(), Field(ge=0, le=144)]
Copies = Annotated[int, Strict(), Field(ge=0, le=4)]


class MeldBody(BaseModel):
    """A set that has been shown or declared."""

    model_config = _STRICT

    kind: MeldKind
    tiles: MeldTiles


class HandBody(BaseModel):
    """A hand of 16 tiles between turns, or 17 on turn, three less for each meld. Tiles are codes or a hand string."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": _EXAMPLES})

    ruleset: RulesetId = "emay"
    overrides: Overrides = Field({}, description="Options that differ from the preset's.")
    hand: HandTiles = Field(
        description="The concealed tiles, the drawn one last, as in a view; `J` is a joker. In a hand string ranks "
        "stand before their family."
    )
    joker: Tile | None = Field(None, description="The kind that is wild: each of its tiles in the hand is a joker.")
    jokers: Copies = Field(0, description="Jokers besides those in `hand`.")
    melds: list[MeldBody] = []
    unseen: dict[Tile, Copies] = Field(
        {}, description="How many copies are unseen; of a kind that is left out, all that the hand does not hold."
    )
    tile: HandTile | None = Field(
        None, description="The tile that is drawn or discarded, where `hand` is without it: then it is on turn."
    )
    source: WinSource = Field(
        "draw", description="Where the last tile comes from; `opening` is a Triple Joker before the first draw."
    )
    pile_count: Number | None = Field(
        None, description="Tiles in the pile, that of the win not counted; null is not Before the Fifth."
    )
    first_draw: Flag = Field(False, description="Whether it is the dealer's first draw: Bisaklat.")
    locked: Flag = Field(False, description="Whether the seat has let a win go and may not win on discards.")
    flowers: Number = 0
    wall_left: Number = Field(1, description="Tiles in the wall after the last one.")


@router.post(
    "/v1/hands/analyze",
    operation_id="analyze_hand",
    summary="What a hand is, and could become",
    responses=documented("unknown_tile", "invalid_hand", "invalid_option", "invalid_rules", "rate_limited"),
    response_model_exclude_none=True,
)
async def analyze_hand(body: HandBody, request: Request) -> Analysis:
    """Complete or not, its readings, what it wins and is paid, or its waits and best discards. Needs no token and keeps
    nothing; it is counted as a read of the address that asks."""
    spend_by_address(request, "reads")
    rules = rules_of(body.ruleset, body.overrides)
    how = Circumstances(body.source, body.pile_count, body.first_draw, body.locked, body.flowers, body.wall_left)
    unseen = {KINDS[code]: number for code, number in body.unseen.items()}
    try:
        return analyze(rules, _held(body), how, unseen)
    except HandError as error:
        first, *others = error.place
        fault = Fault("body", pointer_to(["hand" if first == "concealed" else first, *others]), str(error))
        raise Problem("invalid_hand", errors=[fault]) from None


def _held(body: HandBody) -> Held:
    tiles = [*[_JOKER] * body.jokers, *body.hand, *([] if body.tile is None else [body.tile])]
    return Held(
        tuple([None if code == _JOKER else KINDS[code] for code in tiles]),
        tuple([(meld.kind, tuple([KINDS[code] for code in meld.tiles])) for meld in body.melds]),
        None if body.joker is None else KINDS[body.joker],
    )
