"""What a command makes happen. The flow of a turn reads top to bottom here; rounds and points are in `rounds.py`.

A command runs on one private draft: each event is written to it by `evolve` before the next is decided, so what is
decided live is what a replay folds. A Refusal leaves the given state as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from engine import events as ev, rounds, seats, settlement, windows, wins
from engine.actions import (
    Amend,
    AskPause,
    AskResume,
    ChangeSeat,
    Claim,
    CloseSettlement,
    Command,
    Confirm,
    Discard,
    Draw,
    EndGame,
    Kong,
    MoveDeadline,
    Pass,
    PauseGame,
    Refusal,
    RefusalCode,
    ResumeGame,
    SeatWish,
    SetPreferences,
    Win,
)
from engine.claims import (
    discard_win_refusal,
    holds_triple_joker,
    is_complete,
    lets_go_of_own_claim,
    own_claim_refusal,
)
from engine.legal import kong_kinds, legal_actions
from engine.play import Play
from engine.refusals import not_your_turn
from engine.rules import RuleSet
from engine.state import ZERO, ClaimWindow, GameState, OpeningWindow, Turn
from engine.tiles import KINDS, SUITED, Kind


def new_game(
    rules: RuleSet,
    players: Iterable[ev.Player],
    seed: str,
    *,
    owner: int = 0,
    points: ev.Four = ZERO,
    timing: ev.Timing | None = None,
    length: ev.Length | None = None,
) -> tuple[GameState, tuple[ev.Event, ...]]:
    """A game of four players, dealt, and its first events.

    `seed` is text with 256 bits of entropy; without a `length` the table ends the game.
    Raises ValueError unless four play, and the length is of one kind.
    """
    play = rounds.created(rules, players, seed, owner=owner, points=points, timing=timing, length=length)
    while windows.close_if_settled(play):
        pass
    return play.state, tuple(play.events)


def decide(state: GameState, seat: int | None, command: Command) -> tuple[ev.Event, ...]:
    """The events a command causes, in order. Raises Refusal when it is not legal now."""
    return step(state, seat, command)[1]


def step(state: GameState, seat: int | None, command: Command) -> tuple[GameState, tuple[ev.Event, ...]]:
    """The state after a command, and its events; seat None speaks for the table. Raises Refusal; `state` never changes.

    Confirming twice is no refusal: it causes no event.
    """
    play = Play(state.fork())
    if seat is None:
        _table(play, command)
    else:
        _seat(play, seat, command)
    while windows.close_if_settled(play):
        pass
    seats.pause_if_due(play, state.decision.no)
    return play.state, tuple(play.events)


def _seat(play: Play, seat: int, command: Command) -> None:
    if play.state.paused and not isinstance(command, SeatWish):
        raise Refusal("paused", "The game is paused.")
    match command:
        case Discard():
            _discard(play, seat, command)
        case Pass() | Claim():
            windows.answer(play, seat, command)
        case Draw():
            _draw(play, seat)
        case Win():
            _win(play, seat, command)
        case Kong():
            _kong(play, seat, command)
        case Confirm():
            settlement.confirm(play, seat, command)
        case Amend():
            settlement.amend(play, seat, command)
        case AskPause() | AskResume() | SetPreferences():
            seats.wish(play, seat, command)
        case CloseSettlement() | EndGame() | MoveDeadline() | ChangeSeat() | PauseGame() | ResumeGame():
            raise Refusal("not_your_turn", "Only the table itself may ask for this.")
        case _:
            assert_never(command)


def _table(play: Play, command: Command) -> None:
    match command:
        case CloseSettlement():
            settlement.close(play)
        case EndGame():
            settlement.end_game(play, command)
        case MoveDeadline():
            if command.decision_no != play.state.decision.no:
                raise Refusal("stale_decision", "The game has moved on.")
            play.happen(ev.DeadlineMoved(command.decision_no, command.deadline_at))
        case ChangeSeat():
            seats.change(play, command)
        case PauseGame():
            seats.pause_now(play)
        case ResumeGame():
            seats.resume_now(play)
        case Discard() | Pass() | Claim() | Draw() | Win() | Kong() | Confirm() | Amend():
            raise Refusal("not_your_turn", "This is a seat's to ask, not the table's.")
        case AskPause() | AskResume() | SetPreferences():
            raise Refusal("not_your_turn", "This is a seat's to ask, not the table's.")
        case _:
            assert_never(command)


# The own turn


def _draw(play: Play, seat: int) -> None:
    turn = _own_turn(play.state, seat)
    if turn.stage != "draw":
        raise Refusal("already_drawn", "You have drawn; discard, or declare.", legal_actions(play.state, seat))
    rounds.draw(play, seat, "front")


def _discard(play: Play, seat: int, action: Discard) -> None:
    state = play.state
    kind = _held_kind(state, seat, _acting(state, seat), action.tile)
    _let_go_of_own_claim(play, seat)
    play.happen(ev.TileDiscarded(seat, action.tile))
    windows.open_window(play, "claim", kind, seat)


def _kong(play: Play, seat: int, action: Kong) -> None:
    state = play.state
    kind = _held_kind(state, seat, _acting(state, seat), action.tile)
    secrets, added = kong_kinds(state, seat)
    if kind not in (secrets if action.kind == "secret" else added):
        detail = f"You may not declare {action.kind} with {action.tile} now."
        raise Refusal("kong_not_allowed", detail, legal_actions(state, seat))
    _let_go_of_own_claim(play, seat)
    if action.kind == "secret":
        windows.lay_kong(play, seat, "secret", kind)
    elif state.rules.rob_added_kong:
        windows.open_window(play, "rob", kind, seat)
    else:
        windows.lay_kong(play, seat, "sagasa", kind)


def _let_go_of_own_claim(play: Play, seat: int) -> None:
    if lets_go_of_own_claim(play.state, seat):
        play.lock(seat)


# Wins


def _win(play: Play, seat: int, action: Win) -> None:
    """Win Now: judged in the current state, whatever the decision number (rules 5)."""
    state = play.state
    decision = state.decision
    if isinstance(decision, ClaimWindow) and seat != decision.discarder:
        if reason := discard_win_refusal(state, seat, decision.tile):
            raise _no_win(state, seat, reason)
        play.happen(ev.Answered(seat, action))
    elif isinstance(decision, OpeningWindow):
        if not holds_triple_joker(state, seat):
            raise _no_win(state, seat, "incomplete")
        play.happen(ev.Answered(seat, action))
    elif isinstance(decision, Turn):
        _win_in_turn(play, seat, decision)
    else:
        raise not_your_turn(state, seat)


def _win_in_turn(play: Play, seat: int, turn: Turn) -> None:
    state = play.state
    acting = seat == turn.seat and turn.stage == "act"
    complete = acting and state.round.claimed is None and is_complete(state, seat)
    if holds_triple_joker(state, seat) and (not complete or state.round.kong_before_discard):
        wins.by_triple_joker(play, seat)
    elif complete:
        wins.by_draw(play, seat)
    elif seat != turn.seat:
        raise not_your_turn(state, seat)
    elif not acting:
        raise _no_win(state, seat, "no_tile")
    elif state.round.claimed is None:
        raise _no_win(state, seat, "incomplete")
    elif reason := own_claim_refusal(state, seat):
        raise _no_win(state, seat, reason)
    else:
        wins.by_own_claim(play, seat)


_WIN_REASONS: dict[RefusalCode, str] = {
    "no_tile": "You have no new tile to win with: draw first, or wait for your next turn.",
    "incomplete": "Your tiles are not a winning hand.",
    "joker_eye_is_draw_only": "A Joker Eye wait wins by draw only.",
    "locked_after_pass": "You let a win go; you cannot win on a discard until you have drawn.",
}


def _no_win(state: GameState, seat: int, reason: RefusalCode) -> Refusal:
    return Refusal(reason, _WIN_REASONS[reason], legal_actions(state, seat))


# What a seat must be, to act


def _own_turn(state: GameState, seat: int) -> Turn:
    decision = state.decision
    if not isinstance(decision, Turn) or decision.seat != seat:
        raise not_your_turn(state, seat)
    return decision


def _acting(state: GameState, seat: int) -> Turn:
    turn = _own_turn(state, seat)
    if turn.stage != "act":
        raise Refusal("draw_first", "Draw before you discard or declare.", legal_actions(state, seat))
    return turn


def _held_kind(state: GameState, seat: int, turn: Turn, code: str) -> Kind:
    kind = KINDS.get(code, SUITED)
    held = state.seats[turn.seat]
    if kind < SUITED and (held.counts[kind] or (held.jokers and kind == state.round.joker)):
        return kind
    raise Refusal("tile_not_held", f"You hold no {code}.", legal_actions(state, seat))
