"""What the service does for a seat because its person said so beforehand (api, `/preferences`).

At a `uniform` table only "pass on all" answers at once: anything finer would let the time tell what a seat holds.
"""

from __future__ import annotations

from engine.actions import Action, Claim, Win
from engine.claims import PASS, WIN, offers
from engine.legal import DRAW, default_action, legal_actions, may_win_on_turn
from engine.state import WINDOWS, ClaimWindow, GameState, Turn


def prompt_action(state: GameState, seat: int) -> Action | None:
    """What the service does for the seat at once, or None: draw, win, or pass."""
    decision, wants = state.decision, state.preferences[seat]
    if state.paused:
        return None
    if isinstance(decision, Turn) and decision.seat == seat:
        if decision.stage == "draw":
            return DRAW if wants.auto_draw else None
        return WIN if wants.auto_win and may_win_on_turn(state, seat) else None
    if not isinstance(decision, WINDOWS) or decision.answers[seat] is not None:
        return None
    if isinstance(decision, ClaimWindow) and decision.discarder == seat:
        return None
    if "all" in wants.auto_pass:
        return PASS
    if state.round.claim_timing == "uniform":
        return None
    if wants.auto_win and WIN in offers(state, decision, seat):
        return WIN
    return None if shown_actions(state, seat) != (PASS,) or len(legal_actions(state, seat)) == 1 else PASS


def late_action(state: GameState, seat: int) -> Action | None:
    """What a seat that has not acted in time does: the default action, or the win it asked to take."""
    action = default_action(state, seat)
    if action == PASS and state.preferences[seat].auto_win and WIN in legal_actions(state, seat):
        return WIN
    return action


def shown_actions(state: GameState, seat: int) -> tuple[Action, ...]:
    """The legal actions without the claims the seat does not want to be asked about; those stay legal."""
    unwanted = state.preferences[seat].auto_pass
    legal = legal_actions(state, seat)
    if not unwanted or not isinstance(state.decision, ClaimWindow):
        return legal
    return tuple([action for action in legal if not _is_unwanted(action, unwanted)])


def _is_unwanted(action: Action, unwanted: tuple[str, ...]) -> bool:
    if isinstance(action, Claim):
        return action.kind in unwanted or "all" in unwanted
    return isinstance(action, Win) and "all" in unwanted
