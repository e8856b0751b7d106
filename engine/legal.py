"""The rule book as a list: what a seat may do now, and what happens to it when it does nothing.

An action is legal exactly when it equals a member of `legal_actions`; the order is part of the contract (api, Names).
"""

from __future__ import annotations

from itertools import compress
from typing import Final

from engine.actions import Action, Confirm, Discard, Draw, Kong
from engine.claims import PASS, WIN, holds_triple_joker, is_complete, offers, own_claim_refusal
from engine.state import ClaimWindow, GameState, OpeningWindow, Settlement, Turn
from engine.tiles import CODES, SUITED, Kind

DRAW: Final = Draw()
DISCARDS: Final = tuple(Discard(CODES[kind]) for kind in range(SUITED))
SECRETS: Final = tuple(Kong("secret", CODES[kind]) for kind in range(SUITED))
SAGASAS: Final = tuple(Kong("added", CODES[kind]) for kind in range(SUITED))


def legal_actions(state: GameState, seat: int) -> tuple[Action, ...]:
    """Everything the seat may do now: win, kong, pung, chow, draw, discards, pass, confirm, in this order.

    Amending a settlement is the one action not listed.
    """
    decision = state.decision
    if state.paused:
        return ()
    if isinstance(decision, Turn):
        if seat == decision.seat:
            return _on_turn(state, decision)
        return (WIN,) if holds_triple_joker(state, seat) else ()
    if isinstance(decision, ClaimWindow):
        return () if seat == decision.discarder else (*offers(state, decision, seat), PASS)
    if isinstance(decision, OpeningWindow):
        return (*offers(state, decision, seat), PASS)
    if isinstance(decision, Settlement) and may_confirm(state, decision, seat):
        return (Confirm(decision.pending.round),)
    return ()


def default_action(state: GameState, seat: int) -> Action | None:
    """What a seat that does not answer is taken to do; None when it is asked nothing (rules 4).

    Draw if due, then throw the drawn tile, unless it is a joker: then the last natural of the sorted hand.
    """
    decision = state.decision
    if state.paused:
        return None
    if isinstance(decision, Turn):
        if seat != decision.seat:
            return None
        return DRAW if decision.stage == "draw" else DISCARDS[_default_discard(state, seat)]
    if isinstance(decision, ClaimWindow):
        return None if seat == decision.discarder else PASS
    if isinstance(decision, OpeningWindow):
        return PASS
    if isinstance(decision, Settlement) and may_confirm(state, decision, seat):
        return Confirm(decision.pending.round)
    return None


def may_confirm(state: GameState, settlement: Settlement, seat: int) -> bool:
    """Whether the seat's person still has to agree."""
    return state.players[seat].bot is None and not settlement.confirmed[seat]


def may_amend(state: GameState, seat: int) -> bool:
    """Whether the seat owns the table while point changes are pending, and the game is not paused (rules 8)."""
    if state.paused or not isinstance(state.decision, Settlement):
        return False
    return seat == state.owner and state.players[seat].bot is None


def may_win_on_turn(state: GameState, seat: int) -> bool:
    """Whether the seat on turn, past its draw, holds a win that it may declare."""
    if holds_triple_joker(state, seat):
        return True
    if state.round.claimed is not None:
        return own_claim_refusal(state, seat) is None
    return is_complete(state, seat)


def kong_kinds(state: GameState, seat: int) -> tuple[list[Kind], list[Kind]]:
    """The kinds of which the seat on turn may declare a Secret, and those it may add to an own pung (rules 5)."""
    rnd, rules, held = state.round, state.rules, state.seats[seat]
    if rules.kong_needs_wall_tile and rnd.wall_count == 0:
        return [], []
    if rnd.claimed is not None and not rules.kong_after_meld_claim:
        return [], []
    counts = held.counts
    secrets = [kind for kind in range(SUITED) if counts[kind] == 4] if 4 in counts else []
    added: list[Kind] = []
    if rules.added_kong and held.melds:
        added = [meld.tiles[0] for meld in held.melds if meld.kind == "pung" and counts[meld.tiles[0]]]
        added.sort()
    return secrets, added


def _on_turn(state: GameState, turn: Turn) -> tuple[Action, ...]:
    seat = turn.seat
    if turn.stage == "draw":
        return (WIN, DRAW) if holds_triple_joker(state, seat) else (DRAW,)
    held = state.seats[seat]
    legal: list[Action] = [WIN] if may_win_on_turn(state, seat) else []
    secrets, added = kong_kinds(state, seat)
    if secrets or added:
        legal += [SECRETS[kind] for kind in secrets]
        legal += [SAGASAS[kind] for kind in added]
    counts = held.counts
    if held.jokers and state.round.joker is not None:
        counts = counts[:]
        counts[state.round.joker] = held.jokers
    legal += compress(DISCARDS, counts)
    return tuple(legal)


def _default_discard(state: GameState, seat: int) -> Kind:
    held, joker = state.seats[seat], state.round.joker
    if held.drawn is not None and held.drawn != joker:
        return held.drawn
    naturals = [kind for kind in range(SUITED) if held.counts[kind]]
    if naturals:
        return naturals[-1]
    if joker is None:
        raise ValueError("a seat on turn holds no tile")
    return joker
