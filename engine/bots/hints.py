"""Advice to a seat, from what it sees and nothing else: what each discard and each claim would leave, and what the
`greedy` bot would do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine import events as ev
from engine.actions import Action, Claim, Discard
from engine.bots import greedy
from engine.bots.reader import SeatReader
from engine.hands import Discard as Choice, kinds_in
from engine.state import ClaimWindow, GameState, OpeningWindow, Turn
from engine.tiles import CODES, Code
from engine.wall import Chance

_NO_CHANCE: Final = Chance("", "hint")
"""The greedy bot leaves nothing to it."""


@dataclass(frozen=True, slots=True)
class DiscardHint:
    """What throwing a tile leaves: `shanten` tiles to exchange before the hand waits, -1 where it is complete, and the
    `accepted` kinds that bring it nearer, of which `acceptance` copies are unseen."""

    tile: Code
    shanten: int
    acceptance: int
    accepted: ev.Tiles


@dataclass(frozen=True, slots=True)
class ClaimHint:
    """What a claim leaves, after the best discard where one follows."""

    action: Claim
    shanten: int
    acceptance: int


@dataclass(frozen=True, slots=True)
class Hint:
    """`shanten` of the hand as it is; `accepted` and `acceptance` while it waits for a tile; `discards` and `claims`
    that are open to the seat, the best first; `suggestion` what the greedy bot would do, where the seat is asked.
    A joker brings every hand nearer and is not counted."""

    shanten: int
    acceptance: int | None
    accepted: ev.Tiles
    discards: tuple[DiscardHint, ...]
    claims: tuple[ClaimHint, ...]
    suggestion: Action | None


def hint(state: GameState, seat: int) -> Hint | None:
    """Advice to the seat now; None once the round is over."""
    if not isinstance(state.decision, Turn | ClaimWindow | OpeningWindow):
        return None
    view = SeatReader(state, seat)
    shanten, acceptance, accepted = view.hand_reader.shanten(*view.hand), None, 0
    if state.seats[seat].concealed % 3 == 1:
        accepted, acceptance = view.hand_reader.acceptance(*view.hand, view.unseen)
    return Hint(
        shanten=shanten,
        acceptance=acceptance,
        accepted=_codes(accepted),
        discards=_discards(view),
        claims=_claims(view),
        suggestion=greedy.choose(view, _NO_CHANCE) if view.is_asked else None,
    )


def ranked(discards: Iterable[Choice]) -> tuple[DiscardHint, ...]:
    """Discards as the hand reader finds them, told the best first."""
    found = sorted(discards, key=lambda each: (each.shanten, -each.acceptance, each.kind))
    return tuple(DiscardHint(CODES[each.kind], each.shanten, each.acceptance, _codes(each.mask)) for each in found)


def _discards(view: SeatReader) -> tuple[DiscardHint, ...]:
    """Each natural tile held: a joker is thrown only where nothing else is held."""
    if not any(isinstance(action, Discard) for action in view.legal_actions):
        return ()
    return ranked(view.hand_reader.discards(*view.hand, view.unseen))


def _claims(view: SeatReader) -> tuple[ClaimHint, ...]:
    found = []
    for action in view.legal_actions:
        if isinstance(action, Claim):
            shanten, acceptance = greedy.outlook(view, action)
            found.append(ClaimHint(action, shanten, -acceptance))
    found.sort(key=lambda each: (each.shanten, -each.acceptance))
    return tuple(found)


def _codes(mask: int) -> ev.Tiles:
    return tuple(CODES[kind] for kind in kinds_in(mask))
