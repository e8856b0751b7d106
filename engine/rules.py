"""RuleSet: every option of a game, its sentence and range, the presets, and what is refused together (rules 14).

A RuleSet that exists is valid: presets are data, and every other one comes from `override` or `from_dict`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Literal

from engine.hands import Shapes
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES

ByName = tuple[tuple[str, int], ...]
"""A value per id, in the order of its table; hashable, unlike a dict."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All options of one game, frozen for that game. Defaults are emay's; OPTIONS explains each field."""

    name: str
    tile_set: Literal["suited108", "standard144"] = "suited108"
    deal: Literal["16_then_draw", "dealer17"] = "16_then_draw"
    first_dealer: Literal["seat0", "random"] = "seat0"
    auto_draw: bool = True
    joker_mode: Literal["random_kind", "wall_indicator", "indicator_removed", "none"] = "random_kind"
    joker_eye_definition: Literal["reserved_wait", "pair_has_joker"] = "reserved_wait"
    joker_eye_blocks_discard: bool = True
    discarded_joker: Literal["face_for_win", "dead", "wild"] = "face_for_win"
    added_kong: bool = False
    rob_added_kong: bool = False
    kong_needs_wall_tile: bool = True
    meld_on_empty_wall: bool = False
    kong_after_meld_claim: bool = False
    win_after_own_claim: Literal["refuse", "as_discard_win"] = "refuse"
    pass_lock: Literal["until_draw", "rest_of_round", "off"] = "until_draw"
    seven_pairs_distinct: bool = False
    seven_pairs_open: bool = True
    seven_pairs_kong: bool = True
    seven_pairs_set: Literal["any", "pung"] = "any"
    scoring: Literal["emay_categories", "bonuses"] = "emay_categories"
    unit: int = 5
    category_multipliers: ByName = tuple((row.id, row.multiplier) for row in CATEGORIES)
    bonus_values: ByName = tuple((row.id, row.value) for row in BONUSES)
    puro_pong_shapes: Literal["five_sets", "any"] = "five_sets"
    discarder_multiplier: int = 2
    self_draw_multiplier: int = 2
    bisaklat: bool = True
    before_fifth_limit: int | None = 5
    pot_claim: Literal["any_win", "draw_win", "special", "off"] = "any_win"
    pot_ante: int = 5
    pot_growth: int = 1
    pot_at_end: Literal["split", "house"] = "split"
    tip_per_win: int = 0
    kang_side_unit: int = 0
    secret_side_unit: int = 0
    sagasa_side_unit: int = 0
    dealer_repeats_on_win: bool = True
    dealer_repeats_on_draw: bool = True
    reveal_all_hands: bool = True

    @property
    def has_jokers(self) -> bool:
        """Whether one kind is a joker in each round."""
        return self.joker_mode != "none"

    @property
    def opening_window(self) -> bool:
        """Whether Triple Joker exists, and with it the window before the first draw (rules 7)."""
        return self.bisaklat and self.has_jokers and self.scoring == "emay_categories"

    @property
    def shapes(self) -> Shapes:
        """Which hands are complete, as a hand reader takes it (rules 6)."""
        return Shapes(
            self.has_jokers,
            self.seven_pairs_distinct,
            self.seven_pairs_open,
            self.seven_pairs_kong,
            self.seven_pairs_set,
        )


PRESETS: Final[dict[str, RuleSet]] = {
    "emay": RuleSet("emay"),
    "tsumo": RuleSet(
        "tsumo",
        tile_set="standard144",
        deal="dealer17",
        auto_draw=False,
        joker_mode="none",
        added_kong=True,
        pass_lock="off",
        scoring="bonuses",
        unit=1,
        bisaklat=False,
        before_fifth_limit=None,
        pot_claim="off",
        pot_ante=0,
        pot_growth=0,
        secret_side_unit=1,
    ),
}


class RulesError(ValueError):
    """Options that cannot stand. `fields` names them, the text says in one sentence each what is wrong; `problems` are
    both: of one field where it is unknown or out of range, else of those that are refused together."""

    def __init__(self, problems: Iterable[tuple[tuple[str, ...], str]]) -> None:
        found = tuple(problems)
        super().__init__(" ".join(sentence for _, sentence in found))
        self.problems: tuple[tuple[tuple[str, ...], str], ...] = found
        self.fields: tuple[str, ...] = tuple(dict.fromkeys(name for names, _ in found for name in names))


def preset(name: str) -> RuleSet:
    """The preset of that name. Raises RulesError when there is none."""
    if name not in PRESETS:
        raise RulesError([(("ruleset",), f"There is no ruleset {name!r}: choose {_either(PRESETS)}.")])
    return PRESETS[name]


def override(rules: RuleSet, changes: Mapping[str, object]) -> RuleSet:
    """The rules with some options replaced, as plain JSON values; per-id options may name only the ids that change.

    Raises RulesError that names every field at fault: unknown, out of range, or refused together (rules, opening).
    """
    problems = [problem for name, value in changes.items() if (problem := _value_problem(name, value))]
    if problems:
        raise RulesError(problems)
    changed: dict[str, Any] = dict(changes)
    for name in _PER_ID:
        if name in changed:
            changed[name] = tuple({**dict(getattr(rules, name)), **changed[name]}.items())
    result = replace(rules, **changed)
    if refused := list(_refused_together(result)):
        raise RulesError(refused)
    return result


def dump(rules: RuleSet) -> dict[str, object]:
    """The rules as plain JSON values, name first; `from_dict` reads them back."""
    return {
        field.name: dict(value) if isinstance(value := getattr(rules, field.name), tuple) else value
        for field in fields(rules)
    }


def from_dict(stored: Mapping[str, object]) -> RuleSet:
    """Rules from `dump`. A field that did not exist when they were stored takes its preset's value.

    Raises RulesError like `override`.
    """
    return override(preset(str(stored.get("name"))), {name: value for name, value in stored.items() if name != "name"})


@dataclass(frozen=True, slots=True)
class Option:
    """One field of RuleSet for people: what it does, and its values or its range.

    `ids` is set where the value is a mapping of these ids to whole numbers in the range.
    """

    field: str
    sentence: str
    values: tuple[str | bool, ...] = ()
    low: int | None = None
    high: int | None = None
    nullable: bool = False
    ids: tuple[str, ...] = ()


def _flag(field: str, sentence: str) -> Option:
    return Option(field, sentence, values=(True, False))


def _choice(field: str, values: str, sentence: str) -> Option:
    return Option(field, sentence, values=tuple(values.split()))


def _whole(field: str, low: int, high: int, sentence: str, *, nullable: bool = False) -> Option:
    return Option(field, sentence, low=low, high=high, nullable=nullable)


def _per_id(field: str, ids: Iterable[str], sentence: str) -> Option:
    return Option(field, sentence, low=0, high=1000, ids=tuple(ids))


OPTIONS: Final[tuple[Option, ...]] = (
    _choice("tile_set", "suited108 standard144", "The tiles in play: suits only, or with 36 bonus flowers."),
    _choice("deal", "16_then_draw dealer17", "Whether the dealer draws its 17th tile or is dealt it."),
    _choice("first_dealer", "seat0 random", "Who deals first: seat 0, or a seat drawn from the seed."),
    _flag("auto_draw", "The tile of a turn is drawn as soon as the turn opens."),
    _choice(
        "joker_mode",
        "random_kind wall_indicator indicator_removed none",
        "What names the joker of a round: the seed, the wall's last suited tile (which may leave play), or nothing.",
    ),
    _choice(
        "joker_eye_definition",
        "reserved_wait pair_has_joker",
        "What earns Joker Eye: a joker set aside before the winning tile, or a joker in the eye of a self-drawn win.",
    ),
    _flag("joker_eye_blocks_discard", "A hand in a Joker Eye wait cannot win on a discard."),
    _choice("discarded_joker", "face_for_win dead wild", "What a discarded joker counts as for a win."),
    _flag("added_kong", "Sagasa: the held fourth tile may be added to an own exposed pung."),
    _flag("rob_added_kong", "A Sagasa may be won on like a discard."),
    _flag("kong_needs_wall_tile", "A kong needs at least one tile in the wall."),
    _flag("meld_on_empty_wall", "A discard may be melded when the wall is empty."),
    _flag("kong_after_meld_claim", "A Secret or Sagasa may follow an own chow or pung at once."),
    _choice(
        "win_after_own_claim",
        "refuse as_discard_win",
        "Whether a hand completed by its own chow or pung may win at once, paid as a win on that discard.",
    ),
    _choice(
        "pass_lock", "until_draw rest_of_round off", "How long an offered win that is let go bars wins on discards."
    ),
    _flag("seven_pairs_distinct", "In Seven Pairs four identical tiles are not two pairs."),
    _flag("seven_pairs_open", "The set of Seven Pairs may be an exposed meld."),
    _flag("seven_pairs_kong", "The set of Seven Pairs may be a kong."),
    _choice("seven_pairs_set", "any pung", "Whether the set of Seven Pairs may be a chow."),
    _choice("scoring", "emay_categories bonuses", "How a win is valued: one of 22 categories, or one plus bonuses."),
    _whole("unit", 1, 10_000, "Points that one times the multiplier is worth."),
    _per_id("category_multipliers", (row.id for row in CATEGORIES), "The multiplier of each category."),
    _per_id("bonus_values", (row.id for row in BONUSES), "What each bonus adds to the multiplier."),
    _choice("puro_pong_shapes", "five_sets any", "Whether Seven Pairs with a pung or kong may be Puro Pong too."),
    _whole("discarder_multiplier", 1, 10, "How many times the plain share the discarder pays."),
    _whole("self_draw_multiplier", 1, 10, "How many times the plain share each seat pays for a self-drawn win."),
    _flag("bisaklat", "The Bisaklat categories exist."),
    _whole(
        "before_fifth_limit",
        1,
        40,
        "A win is Before the Fifth while the pile shows fewer tiles than this; null is off.",
        nullable=True,
    ),
    _choice("pot_claim", "any_win draw_win special off", "Which wins take the pot; special is all but plain Regular."),
    _whole("pot_ante", 0, 10_000, "Points each seat puts into an empty pot at a deal."),
    _whole("pot_growth", 0, 10_000, "Points each seat adds at a deal to a pot that was not taken."),
    _choice("pot_at_end", "split house", "Where a pot left at the end of the game goes."),
    _whole("tip_per_win", 0, 10_000, "Points of the winner's receipts that go to the house."),
    _whole("kang_side_unit", 0, 1000, "Points each opponent pays at once for a claimed kong."),
    _whole("secret_side_unit", 0, 1000, "Points each opponent pays at once for a Secret."),
    _whole("sagasa_side_unit", 0, 1000, "Points each opponent pays at once for a Sagasa."),
    _flag("dealer_repeats_on_win", "The dealer deals again after winning."),
    _flag("dealer_repeats_on_draw", "The dealer deals again after a drawn round."),
    _flag("reveal_all_hands", "Every hand is shown when a round is won."),
)
"""One row for each field of RuleSet but its name, in the same order."""

_BY_FIELD: Final = {option.field: option for option in OPTIONS}
_PER_ID: Final = tuple(option.field for option in OPTIONS if option.ids)
_JOKER_OPTIONS: Final = ("joker_eye_definition", "joker_eye_blocks_discard", "discarded_joker")


def _refused_together(rules: RuleSet) -> Iterable[tuple[tuple[str, ...], str]]:
    if rules.scoring == "emay_categories" and rules.deal == "dealer17":
        yield ("scoring", "deal"), "Scoring by emay_categories needs the deal 16_then_draw."
    if not rules.has_jokers:
        given = PRESETS[rules.name]
        moved = [name for name in _JOKER_OPTIONS if getattr(rules, name) != getattr(given, name)]
        if moved:
            together = " and ".join(moved)
            yield ("joker_mode", *moved), f"Without jokers {together} must stay as in {rules.name}."


def _value_problem(name: str, value: object) -> tuple[tuple[str, ...], str] | None:
    option = _BY_FIELD.get(name)
    if option is None:
        return (name,), f"There is no option {name!r}."
    if option.values:
        if any(type(value) is type(allowed) and value == allowed for allowed in option.values):
            return None
        return (name,), f"{name} must be {_either(str(allowed).lower() for allowed in option.values)}."
    if option.ids:
        if not isinstance(value, Mapping) or not all(_in_range(option, number) for number in value.values()):
            return (name,), f"{name} must map ids to whole numbers from {option.low} to {option.high}."
        unknown = [repr(key) for key in value if key not in option.ids]
        return ((name,), f"{name} knows no {_either(unknown)}.") if unknown else None
    if _in_range(option, value) or (value is None and option.nullable):
        return None
    or_null = " or null" if option.nullable else ""
    return (name,), f"{name} must be a whole number from {option.low} to {option.high}{or_null}."


def _in_range(option: Option, value: object) -> bool:
    # A bool is an int to isinstance, and would pass for 0 or 1.
    return (
        type(value) is int and option.low is not None and option.high is not None and option.low <= value <= option.high
    )


def _either(words: Iterable[str]) -> str:
    return " or ".join(words)
