"""How a game is asked for, and what applies where nothing is said (api, POST /v1/games)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, Strict, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.errors import Fault, Problem
from app.store.players import Player as Guest
from app.tables import Opening, Terms, usual_terms
from app.wire import DisplayName
from engine.bots import BOTS, NAMES
from engine.events import ClaimTiming, Four, Length, Player
from engine.rules import PRESETS, RulesError, RuleSet, override, preset

POINTS_AT_MOST: Final = 10**9

_STRICT: Final = ConfigDict(extra="forbid")
_EXAMPLES: Final[list[JsonValue]] = [
    {},
    {"ruleset": "tsumo", "length": {"rounds": 4}},
    {
        "ruleset": "emay",
        "overrides": {"tip_per_win": 2, "before_fifth_limit": None, "category_multipliers": {"bisaklat_regular": 12}},
        "points": [1000, 1000, 1000, 1000],
        "seats": [
            {"type": "bot"},
            {"type": "me"},
            {"type": "bot", "level": "random"},
            {"type": "bot", "name": "Nonoy"},
        ],
        "timing": {"turn_seconds": 30, "claim_seconds": 8, "settlement_seconds": None},
        "length": {"winds": 1},
        "visibility": "public",
    },
]


def _known_ruleset(text: str) -> str:
    if text not in PRESETS:
        raise PydanticCustomError("invalid_request", "must be a preset; GET /v1/rulesets lists them")
    return text


def _known_level(text: str) -> str:
    if text not in BOTS:
        raise PydanticCustomError("invalid_request", f"must be {' or '.join(BOTS)}")
    return text


RulesetId = Annotated[str, AfterValidator(_known_ruleset), WithJsonSchema({"type": "string", "enum": list(PRESETS)})]
Level = Annotated[str, AfterValidator(_known_level), WithJsonSchema({"type": "string", "enum": list(BOTS)})]
Points = Annotated[int, Strict(), Field(ge=-POINTS_AT_MOST, le=POINTS_AT_MOST)]
Whole = Annotated[int, Strict(), Field(ge=1, le=1000)]
Seconds = Annotated[float, Strict(), Field(ge=0, le=3600)]


class OwnSeat(BaseModel):
    """The seat of whoever makes the game."""

    model_config = _STRICT

    type: Literal["me"]


class BotSeat(BaseModel):
    """A seat played by a bot. Without a name it is Jhat, Angie or Kling, in turn order."""

    model_config = _STRICT

    type: Literal["bot"]
    level: Level = "greedy"
    name: DisplayName | None = None


AnySeat = Annotated[OwnSeat | BotSeat, Field(discriminator="type")]


class TimingBody(BaseModel):
    """All seconds. 0 is no deadline for turns and windows, and at once for the settlement, whose null is only by
    confirmation. With one person there is no hurry unless it is asked for here, but 15 seconds to settle in `emay`."""

    model_config = _STRICT

    claim_timing: ClaimTiming | None = Field(
        None, description="`fast` closes a window as soon as nobody can outrank the best answer; `uniform` does not."
    )
    turn_seconds: Seconds = 0
    bank_seconds: Seconds = Field(
        0, description="What each seat has besides, in each round, for turns that take longer."
    )
    claim_seconds: Seconds = 0
    settlement_seconds: Seconds | None = None
    bot_delay_seconds: Annotated[float, Strict(), Field(ge=0, le=30)] = 0


class LengthBody(BaseModel):
    """So many deals, or so many prevailing winds."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"oneOf": [{"required": ["rounds"]}, {"required": ["winds"]}]}
    )

    rounds: Whole | None = None
    winds: Whole | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.rounds is None) == (self.winds is None):
            raise PydanticCustomError("invalid_request", "must name either rounds or winds")
        return self


class NewGameBody(BaseModel):
    """A game to be made. All of it may be left out."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": _EXAMPLES})

    ruleset: RulesetId = "emay"
    overrides: dict[str, bool | Points | str | dict[str, Points] | None] = Field(
        {}, description="Options that differ from the preset's; `GET /v1/rulesets` says what each may be."
    )
    points: Points | tuple[Points, Points, Points, Points] = Field(
        0, description="Points to start with: the same for all seats, or by seat."
    )
    seats: tuple[AnySeat, AnySeat, AnySeat, AnySeat] | None = Field(
        None, description="Who plays, by seat; exactly one is `me`. As usual: you in seat 0 and three bots."
    )
    timing: TimingBody = TimingBody()
    length: LengthBody | None = Field(
        None, description="Null: until the owner ends it. Left out: so in `emay`, four winds in `tsumo`."
    )
    visibility: Literal["private", "public"] = "private"
    seed: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")] | None = Field(
        None, description="What the walls follow from, where this server allows to name it; the game is then `seeded`."
    )

    @model_validator(mode="after")
    def _one_me(self) -> Self:
        if self.seats is not None and sum(isinstance(seat, OwnSeat) for seat in self.seats) != 1:
            raise PydanticCustomError("invalid_request", "exactly one of the seats must be me")
        return self


def opening_of(body: NewGameBody, game_id: str, guest: Guest, seed: str) -> Opening:
    """The game that was asked for. Raises Problem `invalid_rules` that names each field at fault."""
    own, players = _players(body, guest.display_name)
    points = body.points
    each: Four = (points, points, points, points) if isinstance(points, int) else points
    return Opening(
        id=game_id,
        rules=_rules(body),
        players=players,
        persons={own: guest.id},
        owner=own,
        points=each,
        terms=_terms(body),
        length=_length(body),
        visibility=body.visibility,
        seed=seed,
        seeded=body.seed is not None,
    )


def _rules(body: NewGameBody) -> RuleSet:
    try:
        return override(preset(body.ruleset), body.overrides)
    except RulesError as error:
        faults = [Fault("body", f"/overrides/{field}", "cannot stand") for field in error.fields]
        raise Problem("invalid_rules", str(error), errors=faults) from None


def _players(body: NewGameBody, name: str) -> tuple[int, tuple[Player, Player, Player, Player]]:
    usual: list[OwnSeat | BotSeat] = [OwnSeat(type="me"), *[BotSeat(type="bot") for _ in NAMES]]
    seats = usual if body.seats is None else body.seats
    names = iter(NAMES)
    made = [
        Player(name) if isinstance(seat, OwnSeat) else Player(seat.name or next(names), seat.level) for seat in seats
    ]
    a, b, c, d = made
    return next(number for number, seat in enumerate(seats) if isinstance(seat, OwnSeat)), (a, b, c, d)


def _terms(body: NewGameBody) -> Terms:
    return replace(usual_terms(body.ruleset, persons=1), **body.timing.model_dump(exclude_unset=True))


def _length(body: NewGameBody) -> Length | None:
    if "length" not in body.model_fields_set:
        return Length(winds=4) if body.ruleset == "tsumo" else None
    return None if body.length is None else Length(body.length.rounds, body.length.winds)
