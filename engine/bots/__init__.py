"""Bots: policies over what a seat may see, by name, and what they do in a game.

A bot's chance follows from the game's seed, the round, the decision and the seat, so a restart changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.actions import Action, Confirm
from engine.bots import greedy, uniform
from engine.bots.reader import SeatReader
from engine.claims import asked
from engine.legal import may_confirm
from engine.state import SEATS, WINDOWS, GameState, Settlement, Turn
from engine.wall import Chance

Policy = Callable[[SeatReader, Chance], Action]

BOTS: Final[dict[str, Policy]] = {"greedy": greedy.choose, "random": uniform.choose}
NAMES: Final = ("Jhat", "Angie", "Kling")
"""The bots of a table with one person, in turn order (rules 3)."""


def bot_action(state: GameState, seat: int) -> Action | None:
    """What the bot of this seat does now; None where the table does not wait for it, or a person plays the seat.

    Raises KeyError for a level that is not in BOTS.
    """
    view = _asked_bot(state, seat)
    return _choice(state, view) if view else None


def next_move(state: GameState) -> tuple[int, Action] | None:
    """A seat that a bot plays and what it does now; None when the table waits for no bot.

    In a `fast` window a bot without offers holds nobody up and is not asked; in a `uniform` one all bots answer alike.
    """
    decision = state.decision
    if state.paused:
        return None
    if isinstance(decision, Turn):
        action = bot_action(state, decision.seat)
        return None if action is None else (decision.seat, action)
    if isinstance(decision, WINDOWS):
        all_answer = state.round.claim_timing == "uniform"
        for seat in asked(decision):
            view = _asked_bot(state, seat)
            if view and (all_answer or len(view.legal_actions) > 1):
                return seat, _choice(state, view)
    if isinstance(decision, Settlement) and decision.amended is None:
        # A bot standing in for a person agrees to the computed figures only (rules 8).
        for seat in SEATS:
            if state.players[seat].stand_in and may_confirm(state, decision, seat):
                return seat, Confirm(decision.pending.round)
    return None


def _asked_bot(state: GameState, seat: int) -> SeatReader | None:
    if state.level(seat) is None or state.paused:
        return None
    view = SeatReader(state, seat)
    return view if view.is_asked else None


def _choice(state: GameState, view: SeatReader) -> Action:
    legal = view.legal_actions
    level = state.level(view.seat)
    if len(legal) == 1 or level is None:
        return legal[0]
    return BOTS[level](view, Chance(state.seed, f"bot/{state.round.number}/{state.decision.no}/{view.seat}"))
