"""Every action that can be written down for a seat, legal or not, within reason."""

from __future__ import annotations

from itertools import combinations

from engine.actions import Action, Claim, Confirm, Discard, Draw, Kong, Pass, Win
from engine.state import GameState
from engine.tiles import CODES, SUITED

_SUITED = CODES[:SUITED]
_NEAR = [
    (a, b)
    for a, b in combinations(_SUITED, 2)
    if CODES.index(b) - CODES.index(a) <= 2  # the last of a suit and the first of the next among them
]
_ALWAYS: tuple[Action, ...] = (
    Draw(),
    Pass(),
    Win(),
    *[Discard(code) for code in (*CODES, "back", "0c", "")],
    *[Claim("chow", pair) for pair in [*_NEAR, ("2c", "1c"), ("1c", "1c"), ("5d",), ()]],
    *[Claim("pung", (code, code)) for code in _SUITED],
    *[Claim("kong", (code, code, code)) for code in _SUITED],
    *[Kong("secret", code) for code in (*_SUITED, "1f", "back")],
    *[Kong("added", code) for code in (*_SUITED, "1f", "back")],
)


def every_action(state: GameState) -> tuple[Action, ...]:
    """The universe for a state: all moves, and confirming this round, the one before and the one after."""
    return (*_ALWAYS, *[Confirm(state.round.number + offset) for offset in (-1, 0, 1)])
