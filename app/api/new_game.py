"""How a game is asked for, and what applies where nothing is said (api, POST /v1/games)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, Strict, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from app.api.alternatives import one_of
from app.errors import Fault, Problem, pointer_to
from app.lobby import Asked, Bots
from app.tables.customs import Customs
from app.tables.seating import USUAL_LEVEL
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
        "timing": {"turn_seconds": 30, "claim_seconds": 8, "settlement_seconds": None, "bot_delay_ms": 500},
        "length": {"winds": 1},
        "visibility": "public",
        "spectator_delay": 10,
    },
    {
        "seats": [{"type": "me"}, {"type": "open"}, {"type": "open"}, {"type": "bot"}],
        "free_text": True,
        "hints": False,
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
Flag = Annotated[bool, Strict()]
Overrides = dict[str, bool | Points | str | dict[str, Points] | None]
Seconds = Annotated[float, Strict(), Field(ge=0, le=3600)]


class OwnSeat(BaseModel):
    """The seat of whoever makes the game."""

    model_config = _STRICT

    type: Literal["me"]


class BotSeat(BaseModel):
    """A seat played by a bot. Without a name it is Jhat, Angie or Kling, in turn order."""

    model_config = _STRICT

    type: Literal["bot"]
    level: Level = USUAL_LEVEL
    name: DisplayName | None = None


class OpenSeat(BaseModel):
    """A seat for whoever joins."""

    model_config = _STRICT

    type: Literal["open"]


AnySeat = Annotated[OwnSeat | BotSeat | OpenSeat, Field(discriminator="type")]


class TimingBody(BaseModel):
    """All seconds, and milliseconds for bots. 0 is no deadline for turns and windows, and at once for the settlement,
    whose null is only by confirmation. With one person nothing expires unless it is asked for here: `emay` waits until
    the points are confirmed, `tsumo` applies them at once. With more, what is left out is 20 for a turn and 60 in the
    bank, 4 for a claim, 15 to settle, 60 away, and 800 milliseconds for bots."""

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
    away_seconds: Seconds = Field(
        0,
        description="How long a person may be missing at a table of several before a bot plays for it; 0 is for ever. "
        "It is also how long a request counts as being connected.",
    )
    bot_delay_ms: Annotated[int, Strict(), Field(ge=0, le=30_000)] = Field(
        0, description="What a bot leaves before each of its moves, whatever it holds."
    )


class LengthBody(BaseModel):
    """So many deals, or so many prevailing winds."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=one_of("rounds", "winds"))

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
    overrides: Overrides = Field(
        {}, description="Options that differ from the preset's; `GET /v1/rulesets` says what each may be."
    )
    points: Points | tuple[Points, Points, Points, Points] = Field(
        0, description="Points to start with: the same for all seats, or by seat."
    )
    seats: tuple[AnySeat, AnySeat, AnySeat, AnySeat] | None = Field(
        None,
        description="Who plays, by seat; exactly one is `me`. As usual: you in seat 0 and three bots. With an `open` "
        "seat the table waits for players.",
    )
    timing: TimingBody = TimingBody()
    length: LengthBody | None = Field(
        None, description="Null: until the owner ends it. Left out: so in `emay`, four winds in `tsumo`."
    )
    visibility: Literal["private", "public"] = Field(
        "private", description="Anybody may join and watch a `public` table; a `private` one is joined by its code."
    )
    spectator_delay: Annotated[int, Strict(), Field(ge=0, le=100)] = Field(
        0, description="By how many events spectators are kept behind until the game is over."
    )
    free_text: Flag = Field(False, description="Whether people may write what they like, besides phrases.")
    hints: Flag | None = Field(
        None, description="Whether a seat may ask for advice; null: only where one person plays."
    )
    commitment: Flag = Field(True, description="Whether `GET .../fairness` commits to the walls from the start.")
    seed: Annotated[str, Field(pattern=r"^[0-9a-f]{1,64}$")] | None = Field(
        None, description="What the walls follow from, where this server allows to name it; the game is then `seeded`."
    )

    @model_validator(mode="after")
    def _one_me(self) -> Self:
        if self.seats is not None and sum(isinstance(seat, OwnSeat) for seat in self.seats) != 1:
            raise PydanticCustomError("invalid_request", "exactly one of the seats must be me")
        return self


def asked_of(body: NewGameBody) -> tuple[Asked, int]:
    """The game that was asked for, and the seat of whoever asked. Raises Problem `invalid_option` or
    `invalid_rules` that names each field at fault."""
    own, bots = _seats(body)
    points = body.points
    each: Four = (points, points, points, points) if isinstance(points, int) else points
    asked = Asked(
        rules=rules_of(body.ruleset, body.overrides),
        bots=bots,
        points=each,
        timing=body.timing.model_dump(exclude_unset=True),
        length=_length(body),
        visibility=body.visibility,
        customs=Customs(body.spectator_delay, body.free_text, body.hints, body.commitment),
        seeded=body.seed is not None,
    )
    return asked, own


def rules_of(ruleset: str, overrides: Overrides) -> RuleSet:
    """A preset with some options replaced. Raises Problem that names each field at fault: `invalid_option` for those
    that are unknown or out of range, else `invalid_rules` for those that are refused together."""
    try:
        return override(preset(ruleset), overrides)
    except RulesError as error:
        faults = [
            Fault("body", pointer_to(("overrides", field)), sentence.removesuffix("."))
            for fields, sentence in error.problems
            for field in fields
        ]
        code = "invalid_option" if all(len(fields) == 1 for fields, _ in error.problems) else "invalid_rules"
        raise Problem(code, str(error), errors=faults) from None


def _seats(body: NewGameBody) -> tuple[int, Bots]:
    """The seat of whoever asked, and the bots by seat."""
    usual: list[OwnSeat | BotSeat | OpenSeat] = [OwnSeat(type="me"), *[BotSeat(type="bot") for _ in NAMES]]
    seats = usual if body.seats is None else body.seats
    names = iter(NAMES)
    a, b, c, d = (Player(seat.name or next(names), seat.level) if isinstance(seat, BotSeat) else None for seat in seats)
    return next(number for number, seat in enumerate(seats) if isinstance(seat, OwnSeat)), (a, b, c, d)


def _length(body: NewGameBody) -> Length | None:
    if "length" not in body.model_fields_set:
        return Length(winds=4) if body.ruleset == "tsumo" else None
    return None if body.length is None else Length(body.length.rounds, body.length.winds)
