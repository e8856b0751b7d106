"""Whether a hand may win now, and if not the first reason that applies (rules 5, Win Now; rules 6).

A hand is three suit keys of naturals, the jokers held, the number of melds and whether Seven Pairs may be read.
"""

from __future__ import annotations

from typing import Literal

from engine.hands import POWER, Reader
from engine.rules import RuleSet
from engine.tiles import Kind

WinRefusal = Literal["incomplete", "joker_eye_is_draw_only", "locked_after_pass"]


def discard_win_refusal(
    rules: RuleSet,
    reader: Reader,
    keys: tuple[int, int, int],
    jokers: int,
    melds: int,
    pairs: bool,
    tile: Kind,
    joker: Kind | None,
    locked: bool,
) -> WinRefusal | None:
    """Why the concealed tiles cannot win on this discard, a robbed Sagasa included; None when they can."""
    if tile == joker and rules.discarded_joker != "face_for_win":
        complete = rules.discarded_joker == "wild" and reader.is_win(keys, jokers + 1, melds, pairs)
    else:
        complete = reader.is_win(with_tile(keys, tile), jokers, melds, pairs)
    if not complete:
        return "incomplete"
    if jokers and rules.joker_eye_blocks_discard and True in reader.joker_eye(keys, jokers, melds, pairs):
        return "joker_eye_is_draw_only"
    return "locked_after_pass" if locked else None


def draw_win_refusal(
    rules: RuleSet,
    reader: Reader,
    keys: tuple[int, int, int],
    jokers: int,
    melds: int,
    pairs: bool,
    triple_joker: bool,
) -> WinRefusal | None:
    """Why the concealed tiles, the drawn one included, cannot win; None when they can.

    `triple_joker`: three or more jokers before the dealer's first discard, where the rest does not matter (rules 7).
    """
    if (triple_joker and rules.opening_window) or reader.is_win(keys, jokers, melds, pairs):
        return None
    return "incomplete"


def with_tile(keys: tuple[int, int, int], tile: Kind) -> tuple[int, int, int]:
    """The suit keys with one natural more."""
    bamboo, characters, dots = keys
    if tile < 9:
        return bamboo + POWER[tile], characters, dots
    if tile < 18:
        return bamboo, characters + POWER[tile], dots
    return bamboo, characters, dots + POWER[tile]
