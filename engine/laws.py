"""What holds in every state of every game, by whatever rules: tiles, hands, points, and what a silent seat does.

`simulate --check` and the tests ask the same questions of the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.codec import dump_event, dump_state, load_event, load_state
from engine.events import Event
from engine.evolve import apply
from engine.legal import default_action, legal_actions
from engine.replay import fold
from engine.state import SEATS, ClaimWindow, GameOver, GameState, OpeningWindow, Turn
from engine.tiles import CODES, Kind, full_set


def broken_law(state: GameState) -> str | None:
    """The first law this state breaks, in a sentence; None when it keeps all. For a game that has been dealt."""
    return _lost_tiles(state) or _wrong_hands(state) or _lost_points(state) or _wrong_defaults(state)


class Twin:
    """The same game, made from nothing but its events, each dumped and loaded."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._state = fold([load_event(dump_event(event)) for event in events])

    def follow(self, events: Iterable[Event]) -> None:
        """Let the events of a step happen here too."""
        self._state = self._state.draft()
        for event in events:
            apply(self._state, load_event(dump_event(event)))

    def broken_law(self, state: GameState) -> str | None:
        """Where the twin, or the state dumped and loaded, is not the state; None when they are equal."""
        if self._state != state:
            return "the events, dumped, loaded and folded, come to another state"
        return None if load_state(dump_state(state)) == state else "the state, dumped and loaded, is another"


def _lost_tiles(state: GameState) -> str | None:
    rnd = state.round
    found = [0] * len(CODES)
    for kind in _tiles_not_in_hands(state):
        found[kind] += 1
    for held in state.seats:
        for kind, count in enumerate(held.counts):
            found[kind] += count
        if rnd.joker is not None:
            found[rnd.joker] += held.jokers
    expected = [0] * len(CODES)
    for kind in full_set(state.rules.tile_set):
        expected[kind] += 1
    if state.rules.joker_mode == "indicator_removed" and rnd.joker is not None:
        expected[rnd.joker] -= 1
    wrong = [CODES[kind] for kind in range(len(CODES)) if found[kind] != expected[kind]]
    return f"there are too many or too few of {' '.join(wrong)}" if wrong else None


def _tiles_not_in_hands(state: GameState) -> list[Kind]:
    """Wall, pile, melds and flowers."""
    rnd = state.round
    tiles = [*rnd.wall[rnd.front : rnd.back], *[kind for kind, _ in rnd.pile]]
    if rnd.last is not None:
        tiles.append(rnd.last)
    for held in state.seats:
        tiles += held.flowers
        for meld in held.melds:
            tiles += meld.tiles
    return tiles


def _wrong_hands(state: GameState) -> str | None:
    """16 less 3 a meld at rest, one more for the seat that acts or whose Sagasa may be robbed (rules 4)."""
    decision = state.decision
    if not isinstance(decision, Turn | ClaimWindow | OpeningWindow):
        return None
    full: int | None = None
    if isinstance(decision, Turn) and decision.stage == "act":
        full = decision.seat
    elif isinstance(decision, ClaimWindow) and decision.kind == "rob":
        full = decision.discarder
    for seat, held in enumerate(state.seats):
        size = 16 - 3 * len(held.melds) + (seat == full)
        if held.concealed != size or sum(held.counts) + held.jokers != size or min(held.counts) < 0 or held.jokers < 0:
            return f"seat {seat} does not hold {size} concealed tiles"
    return None


def _lost_points(state: GameState) -> str | None:
    total = sum(held.points for held in state.seats) + state.pot + state.house
    expected = sum(state.starting_points)
    return None if total == expected else f"seats + pot + house are {total} points, not {expected}"


def _wrong_defaults(state: GameState) -> str | None:
    """Silence stands for something the seat may do, and somebody is asked unless the game is paused or over."""
    waiting = False
    for seat in SEATS:
        default = default_action(state, seat)
        waiting = waiting or default is not None
        if default is not None and default not in legal_actions(state, seat):
            return f"silence of seat {seat} stands for {default}, which is not legal"
    if waiting or state.paused or isinstance(state.decision, GameOver):
        return None
    return "the game waits for nobody, yet it is not over"
