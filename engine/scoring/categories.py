"""The 22 categories of emay, one row each: id, title, house multiplier, test (rules 7).

Adding a category is adding a row: its id becomes part of `category_multipliers`, where a game may replace its value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

Pattern = Literal["regular", "eskalera", "seven_pairs"]
How = Literal["discard", "draw", "joker_eye", "bisaklat", "triple_joker"]


@dataclass(frozen=True, slots=True)
class CategoryContext:
    """What a category may ask about a win. `joker_eye` is a draw with Joker Eye; `early` is Before the Fifth."""

    how: How
    early: bool
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Category:
    """One way to win: its id, the title shown to people, the multiplier unless a game replaces it, and its test."""

    id: str
    title: str
    multiplier: int
    test: Callable[[CategoryContext], bool]


def _won(how: How, pattern: Pattern, *, early: bool = False) -> Callable[[CategoryContext], bool]:
    return lambda win: (win.how, win.pattern, win.early) == (how, pattern, early)


def _bisaklat(pattern: Pattern) -> Callable[[CategoryContext], bool]:
    return lambda win: (win.how, win.pattern) == ("bisaklat", pattern)


def _triple_joker(win: CategoryContext) -> bool:
    return win.how == "triple_joker"


CATEGORIES: Final[tuple[Category, ...]] = (
    Category("win_by_discard_regular", "Win by Discard Regular", 1, _won("discard", "regular")),
    Category("win_by_discard_eskalera", "Win by Discard Eskalera", 2, _won("discard", "eskalera")),
    Category("win_by_discard_seven_pairs", "Win by Discard Seven Pairs", 2, _won("discard", "seven_pairs")),
    Category(
        "win_by_discard_before_the_fifth",
        "Win by Discard Before the Fifth",
        2,
        _won("discard", "regular", early=True),
    ),
    Category(
        "win_by_discard_before_the_fifth_eskalera",
        "Win by Discard Before the Fifth Eskalera",
        3,
        _won("discard", "eskalera", early=True),
    ),
    Category(
        "win_by_discard_before_the_fifth_seven_pairs",
        "Win by Discard Before the Fifth Seven Pairs",
        3,
        _won("discard", "seven_pairs", early=True),
    ),
    Category("win_by_draw_regular", "Win by Draw Regular", 1, _won("draw", "regular")),
    Category("win_by_draw_eskalera", "Win by Draw Eskalera", 2, _won("draw", "eskalera")),
    Category("win_by_draw_seven_pairs", "Win by Draw Seven Pairs", 2, _won("draw", "seven_pairs")),
    Category(
        "win_by_draw_before_the_fifth",
        "Win by Draw Before the Fifth",
        2,
        _won("draw", "regular", early=True),
    ),
    Category(
        "win_by_draw_before_the_fifth_eskalera",
        "Win by Draw Before the Fifth Eskalera",
        3,
        _won("draw", "eskalera", early=True),
    ),
    Category(
        "win_by_draw_before_the_fifth_seven_pairs",
        "Win by Draw Before the Fifth Seven Pairs",
        3,
        _won("draw", "seven_pairs", early=True),
    ),
    Category("win_by_draw_joker_eye", "Win by Draw Joker Eye", 2, _won("joker_eye", "regular")),
    Category("win_by_draw_joker_eye_eskalera", "Win by Draw Joker Eye Eskalera", 3, _won("joker_eye", "eskalera")),
    Category(
        "win_by_draw_joker_eye_seven_pairs",
        "Win by Draw Joker Eye Seven Pairs",
        3,
        _won("joker_eye", "seven_pairs"),
    ),
    Category(
        "win_by_draw_joker_eye_before_the_fifth",
        "Win by Draw Joker Eye Before the Fifth",
        3,
        _won("joker_eye", "regular", early=True),
    ),
    Category(
        "win_by_draw_joker_eye_before_the_fifth_eskalera",
        "Win by Draw Joker Eye Before the Fifth Eskalera",
        4,
        _won("joker_eye", "eskalera", early=True),
    ),
    Category(
        "win_by_draw_joker_eye_before_the_fifth_seven_pairs",
        "Win by Draw Joker Eye Before the Fifth Seven Pairs",
        4,
        _won("joker_eye", "seven_pairs", early=True),
    ),
    Category("bisaklat_triple_joker", "Bisaklat Triple Joker", 10, _triple_joker),
    Category("bisaklat_regular", "Bisaklat Regular", 10, _bisaklat("regular")),
    Category("bisaklat_eskalera", "Bisaklat Eskalera", 11, _bisaklat("eskalera")),
    Category("bisaklat_seven_pairs", "Bisaklat Seven Pairs", 11, _bisaklat("seven_pairs")),
)

PLAIN_REGULAR: Final = frozenset({"win_by_discard_regular", "win_by_draw_regular"})
"""The categories that a `special` pot does not go to (rules 8)."""


def categorize(win: CategoryContext) -> Category:
    """The one category of a win; the tests exclude each other."""
    return next(row for row in CATEGORIES if row.test(win))
