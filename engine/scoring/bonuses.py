"""The bonuses of tsumo, one row each: id, titles, house value, test (rules 9).

Adding a bonus is adding a row: its id becomes part of `bonus_values`, where a game may replace its value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from engine.scoring.categories import Pattern


@dataclass(frozen=True, slots=True)
class BonusContext:
    """What a bonus may ask about a win and one reading of its hand."""

    pattern: Pattern
    all_pungs: bool
    """Every set of the reading, melds included, is a pung or a kong."""
    puro_pong_shapes: Literal["five_sets", "any"]
    one_suit: bool
    claimed: bool
    """A meld was taken from a discard; the winning tile is no meld."""
    self_drawn: bool
    flowers: int
    wall_left: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """One bonus: its id, English and Filipino titles, the value unless a game replaces it, and its test."""

    id: str
    title: str
    filipino: str
    value: int
    test: Callable[[BonusContext], bool]


def _puro_pong(win: BonusContext) -> bool:
    return win.all_pungs and (win.pattern != "seven_pairs" or win.puro_pong_shapes == "any")


BONUSES: Final[tuple[Bonus, ...]] = (
    Bonus("flush", "Flush", "Isa-isa", 1, lambda win: win.one_suit),
    Bonus("puro_pong", "Puro Pong", "Puro Pong", 1, _puro_pong),
    Bonus("siete_pares", "Siete Pares", "Siete Pares", 2, lambda win: win.pattern == "seven_pairs"),
    Bonus("concealed", "Concealed", "Lihim", 1, lambda win: not win.claimed),
    Bonus("no_flowers", "No Flowers", "Walang Bulaklak", 1, lambda win: win.flowers == 0),
    Bonus("last_tile", "Last Tile", "Huli sa Bunot", 1, lambda win: win.self_drawn and win.wall_left == 0),
    Bonus("escalera", "Escalera", "Eskalera", 1, lambda win: win.pattern == "eskalera"),
)
