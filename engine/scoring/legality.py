"""Whether a hand may win now, and if not the first reason that applies (rules 5, Win Now; rules 6).

A hand at rest is read once into a wait; every discard is then one look at its bits.
"""

from __future__ import annotations

from typing import Final, Literal

from engine.hands import Keys, Reader
from engine.rules import RuleSet
from engine.tiles import SUITED, Kind

WinRefusal = Literal["incomplete", "joker_eye_is_draw_only", "locked_after_pass"]

Wait = int
"""Bits 0-26: natural kinds that complete the hand; then whether it is a Joker Eye wait, and whether a joker wins."""

JOKER_EYE: Final[Wait] = 1 << SUITED
ON_JOKER: Final[Wait] = 1 << (SUITED + 1)


def read_wait(hands: Reader, keys: Keys, jokers: int, melds: int, pairs: bool) -> Wait:
    """What 16 - 3 * melds concealed tiles wait for; `pairs`: whether the melds leave Seven Pairs possible."""
    wait = hands.waits(keys, jokers, melds, pairs)
    if wait and jokers and any(hands.joker_eye(keys, jokers, melds, pairs)):
        wait |= JOKER_EYE
    if wait and hands.waits_on_joker(keys, jokers, melds, pairs):
        wait |= ON_JOKER
    return wait


def discard_win_refusal(rules: RuleSet, wait: Wait, tile: Kind, joker: Kind | None, locked: bool) -> WinRefusal | None:
    """Why a hand with this wait cannot win on this discard, a robbed Sagasa included; None when it can."""
    if tile == joker and rules.discarded_joker != "face_for_win":
        wins = rules.discarded_joker == "wild" and wait & ON_JOKER
    else:
        wins = wait >> tile & 1
    if not wins:
        return "incomplete"
    if wait & JOKER_EYE and rules.joker_eye_blocks_discard:
        return "joker_eye_is_draw_only"
    return "locked_after_pass" if locked else None
