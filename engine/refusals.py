"""What a seat is told that moves out of turn: what is asked of it now, or whom the table waits for.

It is told by who is asked, which everybody sees, and never by what a hand holds (rules 11).
"""

from __future__ import annotations

from typing import assert_never

from engine.actions import Refusal
from engine.claims import asked
from engine.legal import legal_actions, may_confirm
from engine.state import ClaimWindow, Dealing, GameOver, GameState, OpeningWindow, Settlement, Turn
from engine.tiles import CODES


def not_your_turn(state: GameState, seat: int) -> Refusal:
    """The refusal of a move that is none of those the seat is asked for, with those that it may make."""
    return Refusal("not_your_turn", _asked_now(state, seat), legal_actions(state, seat))


def _asked_now(state: GameState, seat: int) -> str:
    decision = state.decision
    match decision:
        case Turn():
            return f"It is the turn of seat {decision.seat}."
        case ClaimWindow():
            return _window(decision, seat)
        case OpeningWindow():
            return (
                "It is nobody's turn yet: before the first one you are asked for a Triple Joker. Win with it, or pass."
            )
        case Settlement():
            return _settlement(state, decision, seat)
        case Dealing():
            return "The tiles are being dealt."
        case GameOver():
            return "The game has ended."
        case _:
            assert_never(decision)


def _window(window: ClaimWindow, seat: int) -> str:
    tile, discarder = CODES[window.tile], window.discarder
    robbing = window.kind == "rob"
    if seat not in asked(window):
        done = "added to your pung" if robbing else "threw"
        return f"The others are asked about the {tile} that you {done}: wait for their answers."
    done, wanted = ("added to its pung", "win with it") if robbing else ("threw", "claim it")
    return f"You are asked about the {tile} that seat {discarder} {done}: {wanted}, or pass."


def _settlement(state: GameState, settlement: Settlement, seat: int) -> str:
    number = settlement.pending.round
    if may_confirm(state, settlement, seat):
        return f"Round {number} is over: confirm its points."
    return f"Round {number} is over, and you have confirmed its points: wait for the others."
