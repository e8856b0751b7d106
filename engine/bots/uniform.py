"""The `random` bot: every legal action is equally likely."""

from __future__ import annotations

from engine.actions import Action
from engine.bots.reader import SeatReader
from engine.wall import Chance


def choose(view: SeatReader, chance: Chance) -> Action:
    """Any legal action; a Triple Joker is declared in the opening window (rules 7)."""
    legal = view.legal_actions
    return legal[0] if view.in_opening_window else legal[chance.below(len(legal))]
