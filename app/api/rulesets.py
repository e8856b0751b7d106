"""The presets: every option with its value, range and sentence, what wins are worth, and a guide for players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Response
from pydantic import Field

from app.api.guides import GUIDES, Chapter
from app.errors import Problem, documented
from app.tables.sparse import sparse
from engine.rules import OPTIONS, PRESETS, Option, RuleSet, dump
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES

router = APIRouter(tags=["rules"])

OptionValue = str | bool | int | dict[str, int] | None


@sparse
@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these values."""

    values: tuple[str | bool, ...]
    type: Literal["one_of"] = "one_of"


@sparse
@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `low` to `high`, or null where `nullable`."""

    low: int
    high: int
    nullable: bool
    type: Literal["whole"] = "whole"


@sparse
@dataclass(frozen=True, slots=True)
class WholeById:
    """A whole number from `low` to `high` for each of these ids; an override may name some of them."""

    low: int
    high: int
    ids: tuple[str, ...]
    type: Literal["whole_by_id"] = "whole_by_id"


@dataclass(frozen=True, slots=True)
class RuleOption:
    """One option: a game may override it at its creation."""

    field: str
    sentence: str
    value: OptionValue
    allowed: Annotated[OneOf | Whole | WholeById, Field(discriminator="type")]


@dataclass(frozen=True, slots=True)
class CategoryWorth:
    """One way to win and its multiplier."""

    id: str
    title: str
    multiplier: int


@dataclass(frozen=True, slots=True)
class BonusWorth:
    """One bonus and what it adds to the multiplier."""

    id: str
    title: str
    filipino: str
    value: int


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A preset. `categories` or `bonuses` is empty, as its scoring says."""

    id: str
    title: str
    summary: str
    options: tuple[RuleOption, ...]
    categories: tuple[CategoryWorth, ...]
    bonuses: tuple[BonusWorth, ...]
    guide: tuple[Chapter, ...]


@dataclass(frozen=True, slots=True)
class Rulesets:
    """Every preset."""

    items: tuple[Ruleset, ...]


@router.get("/v1/rulesets", operation_id="list_rulesets", summary="Every preset of the rules")
async def list_rulesets(response: Response) -> Rulesets:
    """The presets, each in full: options with what they may be set to, values of wins, and the guide."""
    response.headers["Cache-Control"] = _CACHED
    return _ALL


@router.get(
    "/v1/rulesets/{ruleset_id}",
    operation_id="get_ruleset",
    summary="One preset of the rules",
    responses=documented("unknown_ruleset"),
)
async def get_ruleset(ruleset_id: Annotated[str, Path(examples=["emay"])], response: Response) -> Ruleset:
    """One preset in full."""
    found = next((ruleset for ruleset in _ALL.items if ruleset.id == ruleset_id), None)
    if found is None:
        raise Problem("unknown_ruleset", f"There is no such ruleset: the presets are {', '.join(PRESETS)}.")
    response.headers["Cache-Control"] = _CACHED
    return found


def _allowed(option: Option) -> OneOf | Whole | WholeById:
    if option.values:
        return OneOf(option.values)
    assert option.low is not None
    assert option.high is not None
    if option.ids:
        return WholeById(option.low, option.high, option.ids)
    return Whole(option.low, option.high, option.nullable)


def _ruleset(rules: RuleSet) -> Ruleset:
    values: dict[str, OptionValue] = dict(dump(rules))  # type: ignore[arg-type]
    guide = GUIDES[rules.name]
    multipliers, bonus_values = dict(rules.category_multipliers), dict(rules.bonus_values)
    by_category = rules.scoring == "emay_categories"
    return Ruleset(
        rules.name,
        guide.title,
        guide.summary,
        tuple(RuleOption(option.field, option.sentence, values[option.field], _allowed(option)) for option in OPTIONS),
        tuple(CategoryWorth(row.id, row.title, multipliers[row.id]) for row in CATEGORIES if by_category),
        tuple(BonusWorth(row.id, row.title, row.filipino, bonus_values[row.id]) for row in BONUSES if not by_category),
        guide.chapters,
    )


_ALL: Final = Rulesets(tuple(_ruleset(rules) for rules in PRESETS.values()))
_CACHED: Final = "public, max-age=3600"
