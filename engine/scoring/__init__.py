"""Valuing a win: its category or its bonuses, its multiplier, and the reading of the hand that earns them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.events import MeldKind, Tiles, WinReading, WinSource
from engine.hands import keys_of, reader
from engine.hands.readings import Reading, eskalera_eye, readings
from engine.scoring.bonuses import BONUSES, BonusContext
from engine.scoring.categories import CategoryContext, How, Pattern, categorize
from engine.tiles import CODES, Kind, codes

if TYPE_CHECKING:
    # A RuleSet holds a value for each row of the two tables here, so engine.rules imports this package.
    from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class WinContext:
    """A win and all that its value depends on; hands are 27 counts of naturals and a number of jokers."""

    counts: tuple[int, ...]
    """The complete concealed part, winning tile included; a discarded joker at its face is a natural."""
    jokers: int
    wait_counts: tuple[int, ...]
    """The concealed part before the winning tile: W of rules 6."""
    wait_jokers: int
    melds: tuple[tuple[MeldKind, Kind], ...]
    """Kind of meld and its lowest tile."""
    source: WinSource
    """`opening`: Triple Joker, declared without a winning tile."""
    tile: Kind | None
    pile_count: int
    """Tiles in the pile at the win, the winning discard taken out."""
    first_draw: bool
    """The dealer's first wall draw, before its first discard and with no Secret before."""
    triple_joker: bool
    """Before the dealer's first discard, with three or more jokers held."""
    flowers: int
    wall_left: int
    """Tiles in the wall after the winning tile."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a win is worth: a category (emay) or bonuses in their order (tsumo), as ids, and the multiplier.

    `reading` is None for Triple Joker, where the rest of the hand does not matter.
    """

    category: str | None
    bonuses: tuple[str, ...]
    multiplier: int
    reading: WinReading | None


def score(rules: RuleSet, win: WinContext) -> Score:
    """The value of a legal win (rules 7, 9). Raises ValueError when the hand is neither complete nor a Triple Joker."""
    found = [] if win.source == "opening" else readings(win.counts, win.jokers, win.melds, rules.shapes)
    triple = win.triple_joker and rules.opening_window
    if not (found or triple):
        raise ValueError("the hand is not complete")
    if rules.scoring == "bonuses":
        return _by_bonuses(rules, win, found)
    if triple and not (found and win.first_draw):
        return _of_category(rules, win, "triple_joker", "regular", None)
    pattern = next(pattern for pattern in _ORDER if any(_pattern(reading) == pattern for reading in found))
    found = [reading for reading in found if _pattern(reading) == pattern]
    how = _how(rules, win, pattern, found)
    # A joker that was kept for the eye is shown there.
    shown = max(found, key=lambda reading: reading.pair_has_joker) if how == "joker_eye" else found[0]
    return _of_category(rules, win, how, pattern, shown)


_ORDER: Final[tuple[Pattern, ...]] = ("eskalera", "seven_pairs", "regular")
"""Which pattern a hand with several is counted as (rules 7)."""

_CLAIMED: Final = frozenset({"chow", "pung", "kong", "sagasa"})


def _how(rules: RuleSet, win: WinContext, pattern: Pattern, found: Sequence[Reading]) -> How:
    if rules.bisaklat and win.first_draw:
        return "bisaklat"
    if win.source == "discard":
        return "discard"
    if rules.joker_eye_definition == "pair_has_joker":
        eye = any(reading.pair_has_joker for reading in found)
    else:
        eye = _reserved(rules, win, pattern)
    return "joker_eye" if eye else "draw"


def _reserved(rules: RuleSet, win: WinContext, pattern: Pattern) -> bool:
    """Whether the tiles before the draw were a Joker Eye wait for this pattern (rules 6)."""
    if not win.wait_jokers:
        return False
    if pattern == "eskalera":
        return eskalera_eye(win.wait_counts, win.wait_jokers, win.melds, rules.shapes)
    hands = reader(rules.shapes)
    pairs = hands.pairs_allowed(win.melds)
    eyes = hands.joker_eye(keys_of(win.wait_counts), win.wait_jokers, len(win.melds), pairs)
    return eyes[pattern == "seven_pairs"]


def _of_category(rules: RuleSet, win: WinContext, how: How, pattern: Pattern, shown: Reading | None) -> Score:
    early = rules.before_fifth_limit is not None and win.pile_count < rules.before_fifth_limit
    row = categorize(CategoryContext(how, early, pattern))
    return Score(row.id, (), dict(rules.category_multipliers)[row.id], None if shown is None else shown_reading(shown))


def _by_bonuses(rules: RuleSet, win: WinContext, found: Sequence[Reading]) -> Score:
    """The reading of the highest total; of equal ones the first in the order of patterns (decision 202)."""
    values = dict(rules.bonus_values)
    best: tuple[int, tuple[str, ...], Reading] | None = None
    for reading in sorted(found, key=lambda reading: _ORDER.index(_pattern(reading))):
        context = _bonus_context(rules, win, reading)
        earned = tuple(row.id for row in BONUSES if row.test(context))
        total = sum(values[bonus] for bonus in earned)
        if best is None or total > best[0]:
            best = total, earned, reading
    assert best is not None
    total, earned, shown = best
    return Score(None, earned, 1 + total, shown_reading(shown))


def _bonus_context(rules: RuleSet, win: WinContext, reading: Reading) -> BonusContext:
    return BonusContext(
        pattern=_pattern(reading),
        all_pungs=reading.all_pungs,
        puro_pong_shapes=rules.puro_pong_shapes,
        one_suit=reading.one_suit,
        claimed=any(kind in _CLAIMED for kind, _ in win.melds),
        self_drawn=win.source in ("draw", "replacement"),
        flowers=win.flowers,
        wall_left=win.wall_left,
    )


def _pattern(reading: Reading) -> Pattern:
    return "eskalera" if reading.eskalera else reading.pattern


def shown_reading(reading: Reading) -> WinReading:
    """A reading as people are shown it, in tile codes."""
    return WinReading(
        pattern=reading.pattern,
        sets=tuple(_set_codes(kind, first) for kind, first in reading.sets),
        pairs=tuple((CODES[kind], CODES[kind]) for kind in reading.pairs),
        jokers_as=tuple(code for group in reading.groups for code in codes(group.jokers_as)),
    )


def _set_codes(kind: str, first: Kind) -> Tiles:
    if kind == "chow":
        return codes((first, first + 1, first + 2))
    return (CODES[first],) * (3 if kind == "pung" else 4)
