"""Valuing a win: its category or its bonuses, its multiplier, and the reading of the hand that earns them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events import MeldKind, WinReading, WinSource
from engine.tiles import Kind


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
