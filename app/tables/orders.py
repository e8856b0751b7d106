"""What a live game can be asked to do: a seat's move or wish, the owner's end, a deadline. Each says what it would make
of the game as it stands; none of them waits or writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, assert_never

from app.errors import Problem
from app.tables.live_game import LiveGame
from app.tables.plan import Plan
from app.tables.seating import check_not_left, take_back
from engine.actions import (
    Action,
    Claim,
    ClaimKind,
    CloseSettlement,
    Confirm,
    Discard,
    EndGame,
    Kong,
    KongKind,
    MoveDeadline,
    Refusal,
    SeatWish,
    SetPreferences,
    Win,
)
from engine.claims import asked
from engine.codec import dump_command
from engine.decide import step
from engine.legal import legal_actions
from engine.preferences import late_action
from engine.records import Plain
from engine.state import ClaimWindow, Dealing, GameOver, GameState, OpeningWindow, Settlement, Turn
from engine.tiles import CODES


class Order(Protocol):
    """What a game can be asked to do."""

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan. Raises Refusal or Problem."""


@dataclass(frozen=True, slots=True)
class ClaimChoice:
    """A claim that leaves its tiles open where only one such claim is offered."""

    kind: ClaimKind


@dataclass(frozen=True, slots=True)
class KongChoice:
    """A kong that leaves open what only one legal kong can be."""

    kind: KongKind | None = None
    tile: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A seat's action. Without `decision_no` it is meant for whatever is being decided; with `if_match` only for a
    view with that ETag. `action_id` makes it happen once."""

    seat: int
    action: Action | ClaimChoice | KongChoice
    decision_no: int | None = None
    action_id: str | None = None
    if_match: str | None = None

    @property
    def content(self) -> Plain:
        """What a repeat is compared by."""
        return {"action": _sent(self.action), "decision_no": self.decision_no}

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan. Raises Refusal or Problem."""
        state = plan.state
        if self.if_match not in (None, "*", game.etag(self.seat)):
            raise Problem("precondition_failed", "The game has moved on from the view this was meant for.")
        if isinstance(state.decision, GameOver) and not isinstance(self.action, Confirm):
            raise Refusal("game_over", "The game has ended.")
        check_not_left(game, state, self.seat)
        if not self._is_fresh(state):
            detail = f"Decision {self.decision_no} is not open; the game is at {state.decision.no}."
            raise Refusal("stale_decision", detail, legal_actions(state, self.seat))
        take_back(game, plan, self.seat)
        plan.acted = self.seat
        action = self.action
        if isinstance(action, ClaimChoice | KongChoice):
            chosen = _chosen(plan.state, self.seat, action)
            plan.take(self.seat, chosen, decision_no=self.decision_no, sent=_sent(action))
        else:
            plan.take(self.seat, action, decision_no=self.decision_no)

    def _is_fresh(self, state: GameState) -> bool:
        """A win is judged in the current state (rules 5); a round that is settled may be confirmed for ever."""
        if self.decision_no in (None, state.decision.no) or isinstance(self.action, Win):
            return True
        settling = isinstance(state.decision, Settlement)
        return isinstance(self.action, Confirm) and self.action.round < state.round.number + (not settling)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person may ask for at any time: another preference, a pause, or its end. Whoever was away
    and asks for the table's sake has its seat back; a preference is nobody else's business, and changes nothing that
    others see."""

    seat: int
    wish: SeatWish

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where it is wished already. Raises Refusal `game_over`, or Problem
        `seat_left` for a pause and its end."""
        if isinstance(plan.state.decision, GameOver):
            raise Refusal("game_over", "The game has ended.")
        if not isinstance(self.wish, SetPreferences):
            check_not_left(game, plan.state, self.seat)
            take_back(game, plan, self.seat)
        plan.take(self.seat, self.wish)


@dataclass(frozen=True, slots=True)
class End:
    """The owner ends the game: whoever has that seat must be it when it ends."""

    seat: int
    when: Literal["after_round", "now"]

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan. Raises Refusal, or Problem `not_the_owner`."""
        if self.seat != plan.state.owner:
            raise Problem("not_the_owner")
        plan.take(None, EndGame(self.when))


def default_moves(plan: Plan) -> None:
    """What happens to a table that waited in vain: the turn's default action, or for everybody who has not answered
    the win it asked to take or a pass, or the settlement as it was computed."""
    decision = plan.state.decision
    no = decision.no
    match decision:
        case Turn():
            if decision.stage == "act":
                plan.ran_out = decision.seat
            _act_late(plan, decision.seat)
        case ClaimWindow() | OpeningWindow():
            for seat in asked(decision):
                if plan.state.decision.no == no and _is_unanswered(plan.state, seat):
                    _act_late(plan, seat)
        case Settlement():
            plan.take(None, CloseSettlement())
        case Dealing() | GameOver():
            pass
        case _:
            assert_never(decision)


def move_deadline(plan: Plan, deadline_at: datetime) -> None:
    """Moves the deadline of what is being decided."""
    plan.take(None, MoveDeadline(plan.state.decision.no, deadline_at.isoformat()))


def _act_late(plan: Plan, seat: int) -> None:
    action = late_action(plan.state, seat)
    assert action is not None
    plan.take(seat, action)


def _is_unanswered(state: GameState, seat: int) -> bool:
    window = state.decision
    return isinstance(window, ClaimWindow | OpeningWindow) and window.answers[seat] is None


def _sent(action: Action | ClaimChoice | KongChoice) -> Plain:
    match action:
        case ClaimChoice():
            return {"type": "claim", "kind": action.kind}
        case KongChoice():
            return {"type": "kong", "kind": action.kind, "tile": action.tile}
        case _:
            return dump_command(action)


def _chosen(state: GameState, seat: int, choice: ClaimChoice | KongChoice) -> Action:
    """The one legal action that fits. Raises Problem `choice_needed` that lists those which do where several do, and
    where none does what the engine refuses of such an action."""
    legal = legal_actions(state, seat)
    fitting = [action for action in legal if _fits(action, choice)]
    if len(fitting) == 1:
        return fitting[0]
    if not fitting:
        raise _refusal(state, seat, choice, legal)
    claims = isinstance(choice, ClaimChoice)
    detail = f"You may {choice.kind} in several ways: name the tiles." if claims else "Name one of your kongs."
    members = {
        "decision_no": state.decision.no,
        "legal_actions": [dump_command(action) for action in legal],
        "choices": [dump_command(action) for action in fitting],
    }
    raise Problem("choice_needed", detail, members=members)


def _refusal(state: GameState, seat: int, choice: ClaimChoice | KongChoice, legal: Iterable[Action]) -> Refusal:
    """Why nothing fits: what the engine says of a whole action, so that every way to send one hears the same."""
    whole: Claim | Kong
    if isinstance(choice, ClaimChoice):
        whole = Claim(choice.kind, ())
    else:
        held = next((action.tile for action in legal if isinstance(action, Discard)), CODES[0])
        whole = Kong(choice.kind or "secret", choice.tile or held)
    try:
        step(state, seat, whole)
    except Refusal as refusal:
        if isinstance(choice, KongChoice) and choice.tile is None and refusal.code == "kong_not_allowed":
            return Refusal(refusal.code, "You have no such kong to declare now.", refusal.legal)
        return refusal
    raise AssertionError(f"{whole} is legal, but not listed")


def _fits(action: Action, choice: ClaimChoice | KongChoice) -> bool:
    if isinstance(choice, ClaimChoice):
        return isinstance(action, Claim) and action.kind == choice.kind
    return isinstance(action, Kong) and choice.kind in (None, action.kind) and choice.tile in (None, action.tile)
