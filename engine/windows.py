"""Windows: asking about a tile, closing when the answers settle it, carrying out what they come to (rules 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import events as ev, rounds, wins
from engine.actions import Action, Claim, Pass, Refusal, RefusalCode, Win
from engine.claims import Offers, asked, is_settled, offers, taker
from engine.legal import legal_actions
from engine.play import Play
from engine.rules import RuleSet
from engine.scoring.payments import kong_changes
from engine.state import SEATS, WINDOWS, ClaimWindow, OpeningWindow
from engine.tiles import CODES, Kind

Claimed = tuple[int, Action]

TAKEN_BY_NOBODY: Final = ev.WindowClosed("nobody", None)


def open_window(play: Play, kind: ev.WindowKind, tile: Kind, discarder: int) -> None:
    """Ask the three other seats about a discard, or about the tile of a Sagasa that may be robbed."""
    play.happen(ev.WindowOpened(kind, play.next_no(), CODES[tile], discarder))


def answer(play: Play, seat: int, action: Pass | Claim) -> None:
    """Record a seat's answer; it replaces an earlier one until the window closes."""
    state = play.state
    window = state.decision
    if not isinstance(window, WINDOWS) or seat not in asked(window):
        code: RefusalCode = "nothing_to_pass" if isinstance(action, Pass) else "claim_not_offered"
        raise Refusal(code, "You are asked about no tile now.", legal_actions(state, seat))
    if isinstance(action, Claim) and action not in offers(state, window, seat):
        raise Refusal("claim_not_offered", "This claim is not offered to you.", legal_actions(state, seat))
    play.happen(ev.Answered(seat, action))


def close_if_settled(play: Play) -> bool:
    """Close the open window if its answers settle it, and carry out what they come to; whether one was closed."""
    state = play.state
    window = state.decision
    if not isinstance(window, WINDOWS):
        return False
    offered = [offers(state, window, seat) for seat in SEATS]
    if not is_settled(state, window, offered):
        return False
    claim = taker(window)
    if claim is None:
        play.happen(TAKEN_BY_NOBODY)
    else:
        seat, action = claim
        play.happen(ev.WindowClosed(action.kind if isinstance(action, Claim) else "win", seat))
    if isinstance(window, OpeningWindow):
        _carry_out_opening(play, claim)
    else:
        if any(offered):
            _lock_who_let_go(play, window, offered, claim)
        _carry_out(play, window, claim)
    return True


def lay_kong(play: Play, seat: int, meld: ev.MeldKind, kind: Kind) -> None:
    """Declare a Secret or complete a Sagasa, and draw the replacement."""
    payments = kong_changes(play.state.rules, meld, seat)
    play.happen(ev.MeldMade(seat, meld, (CODES[kind],) * 4, None, payments))
    rounds.draw(play, seat, "back")


def _carry_out_opening(play: Play, claim: Claimed | None) -> None:
    if claim is None:
        rounds.open_turn(play, play.state.round.dealer)
    else:
        wins.by_triple_joker(play, claim[0])


def _carry_out(play: Play, window: ClaimWindow, claim: Claimed | None) -> None:
    if claim is None and window.kind == "rob":
        lay_kong(play, window.discarder, "sagasa", window.tile)
    elif claim is None:
        rounds.open_turn(play, (window.discarder + 1) % 4)
    elif isinstance(claim[1], Claim):
        _take_tile(play, window, claim[0], claim[1])
    else:
        wins.by_discard(play, claim[0], window)


def _take_tile(play: Play, window: ClaimWindow, seat: int, claim: Claim) -> None:
    payments = kong_changes(play.state.rules, claim.kind, seat)
    tiles = tuple(sorted((*claim.tiles, CODES[window.tile])))
    play.happen(ev.MeldMade(seat, claim.kind, tiles, window.discarder, payments))
    if claim.kind == "kong":
        rounds.draw(play, seat, "back")
    else:
        play.happen(ev.TurnOpened(seat, "act", play.next_no()))


def _lock_who_let_go(play: Play, window: ClaimWindow, offered: Sequence[Offers], claim: Claimed | None) -> None:
    """Lock whoever was offered a win and last answered anything else, or nothing (rules 5).

    Where a seat may still win on its own chow or pung (`as_discard_win`), it lets go only with its next discard or
    kong. A win ends the round, and with it every lock.
    """
    rules = play.state.rules
    if rules.pass_lock == "off" or (claim is not None and isinstance(claim[1], Win)):
        return
    for seat in asked(window):
        win_offered = bool(offered[seat]) and isinstance(offered[seat][0], Win)
        if win_offered and not isinstance(window.answers[seat], Win) and not _may_still_win(rules, seat, claim):
            play.lock(seat)


def _may_still_win(rules: RuleSet, seat: int, claim: Claimed | None) -> bool:
    if rules.win_after_own_claim == "refuse" or claim is None or claim[0] != seat:
        return False
    return isinstance(claim[1], Claim) and claim[1].kind != "kong"
