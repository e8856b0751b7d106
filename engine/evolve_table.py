"""What settlements, seats, pauses and the end of a game change; `evolve` alone calls these writers."""

from __future__ import annotations

from typing import TypeVar

from engine import events as ev
from engine.state import NOBODY, SEATS, GameOver, GameState, Settlement

_T = TypeVar("_T")


def points_pending(state: GameState, event: ev.PointsPending) -> None:
    """The round's figures wait."""
    state.decision = Settlement(event.decision_no, event)


def points_amended(state: GameState, event: ev.PointsAmended) -> None:
    """Other figures are proposed; only the owner has agreed."""
    settlement = _settlement(state)
    confirmed = replaced(NOBODY, event.seat, True)
    state.decision = Settlement(event.decision_no, settlement.pending, event, confirmed)


def points_confirmed(state: GameState, event: ev.PointsConfirmed) -> None:
    """One seat agrees."""
    settlement = _settlement(state)
    confirmed = replaced(settlement.confirmed, event.seat, True)
    state.decision = Settlement(settlement.no, settlement.pending, settlement.amended, confirmed)


def points_applied(state: GameState, event: ev.PointsApplied) -> None:
    """The round is settled."""
    for seat in SEATS:
        state.own(seat).points = event.points[seat]
    state.pot = event.pot
    state.house = event.house
    state.tips = event.tips


def deadline_moved(state: GameState, event: ev.DeadlineMoved) -> None:
    """Time is not the engine's; the event is numbered and nothing else."""


def game_end_asked(state: GameState, event: ev.GameEndAsked) -> None:
    """This settlement is the last."""
    state.ending = event.reason


def game_ended(state: GameState, event: ev.GameEnded) -> None:
    """Nothing more is asked."""
    for seat in SEATS:
        state.own(seat).points = event.points[seat]
    state.pot = 0
    state.house = event.house
    state.tips = event.tips
    state.decision = GameOver(state.decision.no)


def seat_changed(state: GameState, event: ev.SeatChanged) -> None:
    """Another player, another presence, or another owner of the table."""
    state.players = replaced(state.players, event.seat, event.player)
    state.owner = event.owner


def pause_asked(state: GameState, event: ev.PauseAsked) -> None:
    """One person more wishes it."""
    state.asked = replaced(state.asked, event.seat, True)


def game_paused(state: GameState, event: ev.GamePaused) -> None:
    """Moves are refused from now on."""
    state.paused = True
    state.asked = NOBODY


def game_resumed(state: GameState, event: ev.GameResumed) -> None:
    """The game goes on where it stood."""
    state.paused = False
    state.asked = NOBODY


def preference_set(state: GameState, event: ev.PreferenceSet) -> None:
    """What the service may do for a seat."""
    state.preferences = replaced(state.preferences, event.seat, event.preferences)


def replaced(values: tuple[_T, ...], place: int, value: _T) -> tuple[_T, ...]:
    """The tuple with another value in one place."""
    return (*values[:place], value, *values[place + 1 :])


def _settlement(state: GameState) -> Settlement:
    if not isinstance(state.decision, Settlement):
        raise ValueError("there is no settlement to write to: the log is not one that decide made")
    return state.decision
