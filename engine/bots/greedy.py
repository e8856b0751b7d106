"""The `greedy` bot wins whenever it may, and else comes closer to a win: lowest shanten, then highest acceptance."""

from __future__ import annotations

from typing import Final

from engine.actions import Action, Claim, Discard, Kong
from engine.bots.reader import Hand, SeatReader
from engine.events import MeldKind
from engine.hands import keys_of_tiles
from engine.legal import DISCARDS
from engine.tiles import KINDS, Code
from engine.wall import Chance

Outlook = tuple[int, int]
"""Shanten between turns, then the unseen tiles that lower it, negated: less is better."""

_NO_NATURALS: Final = (0, 0, 0)


def choose(view: SeatReader, chance: Chance) -> Action:
    """The legal action that leaves the best outlook; nothing is left to chance."""
    legal = view.legal_actions
    match legal[0]:
        case Claim():
            return _claim(view, legal)
        case Kong() | Discard():
            return _kong(view, legal) or _discard(view, legal)
        case first:
            return first


def outlook(view: SeatReader, claim: Claim) -> Outlook:
    """What a claim leaves."""
    return _outlook(view, claim, _melded(view, claim.kind, claim.tiles, view.hand.melds + 1))


def _discard(view: SeatReader, legal: tuple[Action, ...]) -> Action:
    """A joker only where nothing else is held: then it is the one discard left."""
    hand = view.hand
    if hand.suits == _NO_NATURALS:
        return legal[-1]
    return DISCARDS[view.hand_reader.best_discard(*hand, view.unseen)]


def _kong(view: SeatReader, legal: tuple[Action, ...]) -> Action | None:
    """A Secret or Sagasa that does not lead away from a win."""
    now: int | None = None
    for action in legal:
        if not isinstance(action, Kong):
            break
        if now is None:
            now = view.hand_reader.shanten(*view.hand)
        if view.hand_reader.shanten(*_after_kong(view, action)) <= now:
            return action
    return None


def _after_kong(view: SeatReader, action: Kong) -> Hand:
    melds = view.hand.melds
    if action.kind == "secret":
        return _melded(view, "secret", (action.tile,) * 4, melds + 1)
    return _melded(view, "sagasa", (action.tile,), melds)


def _claim(view: SeatReader, legal: tuple[Action, ...]) -> Action:
    """The claim with the best outlook among those that lower the shanten; else none of them."""
    reader, hand = view.hand_reader, view.hand
    now = reader.shanten(*hand)
    best: tuple[Outlook, Action] = ((now, 0), legal[-1])
    for action in legal:
        if isinstance(action, Claim):
            after = _melded(view, action.kind, action.tiles, hand.melds + 1)
            if reader.shanten(*after) < now:
                outlook = _outlook(view, action, after)
                if outlook[0] < now and outlook < best[0]:
                    best = outlook, action
    return best[1]


def _outlook(view: SeatReader, claim: Claim, after: Hand) -> Outlook:
    """After a kong the hand is at rest; after a chow or pung it is so after its best discard, which is no joker unless
    nothing else is held."""
    reader = view.hand_reader
    if claim.kind != "kong" and after.suits == _NO_NATURALS:
        after = Hand(after.suits, after.jokers - 1, after.melds, after.pairs)
    elif claim.kind != "kong":
        _, shanten, acceptance = reader.best(*after, view.unseen)
        return shanten, -acceptance
    return reader.shanten(*after), -reader.acceptance(*after, view.unseen)[1]


def _melded(view: SeatReader, meld: MeldKind, tiles: tuple[Code, ...], melds: int) -> Hand:
    """The hand when these held tiles have gone into a meld, and it has so many melds."""
    kinds = [KINDS[code] for code in tiles]
    hand = view.hand
    a, b, c = hand.suits
    x, y, z = keys_of_tiles(kinds)
    pairs = melds == 1 and view.hand_reader.pairs_allowed([(meld, kinds[0])])
    return Hand((a - x, b - y, c - z), hand.jokers, melds, pairs)
