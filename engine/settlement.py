"""Agreeing on a round's points: confirm, amend, the end of the time to do so, and ending the game (rules 3, 8)."""

from __future__ import annotations

from engine import events as ev, rounds
from engine.actions import Amend, Confirm, EndGame, Refusal
from engine.ledger import amend_allowed
from engine.legal import legal_actions, may_amend, may_confirm
from engine.play import Play
from engine.state import GameOver, Settlement


def confirm(play: Play, seat: int, action: Confirm) -> None:
    """Agree to the pending changes; confirming again, after it was applied, or for a bot changes nothing."""
    state = play.state
    settlement = state.decision
    settling = isinstance(settlement, Settlement)
    settled = state.round.number - (settling or not isinstance(settlement, GameOver))
    if 1 <= action.round <= settled:
        return
    if not isinstance(settlement, Settlement) or action.round != settlement.pending.round:
        raise Refusal("wrong_round", f"Round {action.round} has no pending changes.", legal_actions(state, seat))
    if not may_confirm(state, settlement, seat):
        return
    play.happen(ev.PointsConfirmed(seat))
    _apply_if_agreed(play)


def amend(play: Play, seat: int, action: Amend) -> None:
    """Propose other figures in place of the computed ones; replaces an earlier amendment and all confirmations."""
    state = play.state
    settlement = state.decision
    legal = legal_actions(state, seat)
    if not isinstance(settlement, Settlement) or not may_amend(state, seat):
        raise Refusal("amend_not_allowed", "Only the table's owner may amend, while changes are pending.", legal)
    if action.round != settlement.pending.round:
        raise Refusal("wrong_round", f"Round {action.round} has no pending changes.", legal)
    if not amend_allowed(settlement.pending, action.changes):
        total = sum(settlement.pending.changes)
        raise Refusal("amend_not_balanced", f"The four figures must be whole numbers that sum to {total}.", legal)
    play.happen(ev.PointsAmended(seat, play.next_no(), action.changes, action.reason))
    _apply_if_agreed(play)


def close(play: Play) -> None:
    """The time is over: the computed changes are applied, also where an amendment waits."""
    settlement = play.state.decision
    if not isinstance(settlement, Settlement):
        raise Refusal("stale_decision", "No settlement is open.")
    if play.state.paused:
        raise Refusal("paused", "No time runs while the game is paused.")
    rounds.apply_points(play, settlement.pending.changes)


def end_game(play: Play, action: EndGame) -> None:
    """End after the running settlement, or now: a round in progress is void, a settled one is applied as computed."""
    state = play.state
    if isinstance(state.decision, GameOver):
        raise Refusal("game_over", "The game has ended.")
    if not state.ending:
        play.happen(ev.GameEndAsked(action.reason))
    if action.when == "now":
        if isinstance(state.decision, Settlement):
            rounds.apply_points(play, state.decision.pending.changes)
        else:
            rounds.end(play, action.reason, void=True)


def _apply_if_agreed(play: Play) -> None:
    state = play.state
    settlement = state.decision
    assert isinstance(settlement, Settlement)
    if all(settlement.confirmed[seat] for seat in state.persons()):
        agreed = settlement.amended or settlement.pending
        rounds.apply_points(play, agreed.changes)
