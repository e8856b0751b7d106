"""Claims on a discard: what each seat is offered, their rank, when a window is settled, who takes the tile (rules 5).

The outcome depends on the answers, never on the order in which they arrived.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.actions import Action, Claim, Pass, RefusalCode, Win
from engine.scoring import legality
from engine.state import NO_ANSWERS, ClaimWindow, GameState, OpeningWindow, SeatState
from engine.tiles import CODES, SUITED, Kind

Offers = tuple[Claim | Win, ...]

NOTHING: Final[Offers] = ()
ALL_SEATS: Final = (0, 1, 2, 3)
OTHERS: Final = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
"""By discarder, the seats asked about its tile, nearest in turn order first."""

WIN: Final = Win()
PASS: Final = Pass()
TRIPLE: Final = 3
"""Jokers that make a Triple Joker."""


def _chows(kind: Kind) -> tuple[tuple[Kind, Kind, Claim], ...]:
    rank = kind % 9
    lows = [low for low in (rank - 2, rank - 1, rank) if 0 <= low <= 6]
    pairs = [[kind - rank + low + i for i in range(3) if low + i != rank] for low in lows]
    return tuple((a, b, Claim("chow", (CODES[a], CODES[b]))) for a, b in pairs)


PUNGS: Final = tuple(Claim("pung", (CODES[kind],) * 2) for kind in range(SUITED))
KONGS: Final = tuple(Claim("kong", (CODES[kind],) * 3) for kind in range(SUITED))
CHOWS: Final = tuple(_chows(kind) for kind in range(SUITED))


def pairs_allowed(state: GameState, held: SeatState) -> bool:
    """Whether the seat's melds leave Seven Pairs possible (rules 6)."""
    melds = held.melds
    if not melds:
        return True
    return len(melds) == 1 and state.reader.pairs_allowed([(melds[0].kind, melds[0].tiles[0])])


def discard_win_refusal(state: GameState, seat: int, tile: Kind) -> RefusalCode | None:
    """Why the seat may not win on this discard, or None when it may; the first reason that applies (rules 5)."""
    held = state.seats[seat]
    return legality.discard_win_refusal(state.rules, _wait(state, held), tile, state.round.joker, held.locked)


def is_complete(state: GameState, seat: int) -> bool:
    """Whether the concealed tiles of a seat on turn, with its melds, are a winning hand."""
    held = state.seats[seat]
    return state.reader.is_win(held.suits, held.jokers, len(held.melds), pairs_allowed(state, held))


def own_claim_refusal(state: GameState, seat: int) -> RefusalCode | None:
    """Why a hand just completed by its own chow or pung may not win, or None (rules 5, Win Now).

    `refuse`: there is no tile to win with. `as_discard_win`: judged as the discard was, lock and Joker Eye included.
    """
    if state.rules.win_after_own_claim == "refuse":
        return "no_tile"
    return _claimed_tile_refusal(state, seat) if is_complete(state, seat) else "incomplete"


def lets_go_of_own_claim(state: GameState, seat: int) -> bool:
    """Whether a discard or kong now lets go of a win on the seat's own claim, which locks it (`as_discard_win`)."""
    rules = state.rules
    if state.round.claimed is None or rules.pass_lock == "off" or rules.win_after_own_claim == "refuse":
        return False
    return _claimed_tile_refusal(state, seat) is None


def before_claim(held: SeatState) -> SeatState:
    """What the seat held before its last chow or pung."""
    meld = held.melds[-1]
    twin = held.copy()
    for kind in meld.tiles:
        twin.add(kind, 1, None)
    if meld.claimed is not None:
        twin.add(meld.claimed, -1, None)
    twin.melds = held.melds[:-1]
    return twin


def holds_triple_joker(state: GameState, seat: int) -> bool:
    """Whether the seat may declare Triple Joker: until the dealer's first discard (rules 7)."""
    return (
        state.seats[seat].jokers >= TRIPLE
        and not state.round.discards
        and state.rules.opening_window
        and state.round.result is None
    )


def in_joker_eye_wait(state: GameState, held: SeatState) -> bool:
    """Whether the seat, between turns, is in a Joker Eye wait (rules 6); known to that seat alone."""
    resting = held.concealed == 16 - 3 * len(held.melds)
    return resting and bool(_wait(state, held) & legality.JOKER_EYE)


def offers(state: GameState, window: ClaimWindow | OpeningWindow, seat: int) -> Offers:
    """What the window offers this seat: win, kong, pung, chows from low to high."""
    if isinstance(window, OpeningWindow):
        return (WIN,) if holds_triple_joker(state, seat) else NOTHING
    tile, discarder = window.tile, window.discarder
    if seat == discarder:
        return NOTHING
    held = state.seats[seat]
    rnd = state.round
    found = NOTHING
    wait = _wait(state, held)
    if wait and legality.discard_win_refusal(state.rules, wait, tile, rnd.joker, held.locked) is None:
        found = (WIN,)
    if tile == rnd.joker or window.kind == "rob":
        return found
    counts = held.counts
    may_chow = seat == (discarder + 1) % 4
    if counts[tile] < 2 and not may_chow:
        return found
    if rnd.wall_count == 0 and not state.rules.meld_on_empty_wall:
        return found
    if counts[tile] >= 2:
        if counts[tile] == 3 and (rnd.wall_count or not state.rules.kong_needs_wall_tile):
            found += (KONGS[tile],)
        found += (PUNGS[tile],)
    if may_chow:
        for low, high, chow in CHOWS[tile]:
            if counts[low] and counts[high]:
                found += (chow,)
    return found


def asked(window: ClaimWindow | OpeningWindow) -> tuple[int, ...]:
    """The seats a window asks, in the order in which equal claims count."""
    return ALL_SEATS if isinstance(window, OpeningWindow) else OTHERS[window.discarder]


def is_settled(state: GameState, window: ClaimWindow | OpeningWindow, offered: Sequence[Offers]) -> bool:
    """Whether the window may close now. `offered` is by seat.

    `uniform`: when everybody has answered. `fast`: when no unanswered seat's offers could outrank the best answer.
    """
    answers = window.answers
    if state.round.claim_timing == "uniform":
        return all(answers[seat] is not None for seat in asked(window))
    if not any(offered):
        return True
    silent = [seat for seat in asked(window) if offered[seat] and answers[seat] is None]
    if not silent:
        return True
    best = taker(window)
    if best is None:
        return False
    return all(_strength(window, seat, offered[seat][0]) <= _strength(window, *best) for seat in silent)


def taker(window: ClaimWindow | OpeningWindow) -> tuple[int, Action] | None:
    """The seat whose answer is carried out, and the answer; None when nobody wants anything (head-bump: rules 5)."""
    if window.answers is NO_ANSWERS:
        return None
    best: tuple[int, Action] | None = None
    for seat in asked(window):
        answer = window.answers[seat]
        if answer is not None and _rank(answer) > (_rank(best[1]) if best else 0):
            best = (seat, answer)
    return best


_RANKS: Final = {"chow": 1, "pung": 2, "kong": 3}


def _rank(answer: Action) -> int:
    if isinstance(answer, Claim):
        return _RANKS[answer.kind]
    return 4 if isinstance(answer, Win) else 0


def _strength(window: ClaimWindow | OpeningWindow, seat: int, answer: Action) -> tuple[int, int]:
    return (_rank(answer), -asked(window).index(seat))


def _claimed_tile_refusal(state: GameState, seat: int) -> RefusalCode | None:
    claimed = state.round.claimed
    assert claimed is not None
    before = state.draft()
    before.seats[seat] = before_claim(state.seats[seat])
    return discard_win_refusal(before, seat, claimed)


def _wait(state: GameState, held: SeatState) -> int:
    """The seat's reading between turns, made once: winning kinds, Joker Eye wait, and whether a joker wins."""
    wait = held.waits
    if wait is None:
        pairs = pairs_allowed(state, held)
        wait = held.waits = legality.read_wait(state.reader, held.suits, held.jokers, len(held.melds), pairs)
    return wait
