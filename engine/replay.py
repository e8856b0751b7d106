"""Folding a log of events, and proving that it is whole: tiles follow from the seed, numbers are dense, points balance.

Everything that plays a game again folds through `evolve`, as live play does (design 1.1).
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import events as ev
from engine.evolve import apply, evolve
from engine.state import GameState, Round, Settlement
from engine.tiles import CODES, codes
from engine.wall import build_wall


class BrokenLog(ValueError):
    """The log is not one that `decide` made. `place` counts from 0 and is the first event at fault."""

    def __init__(self, place: int, reason: str) -> None:
        super().__init__(f"event {place}: {reason}")
        self.place = place
        self.reason = reason


def fold(events: Iterable[ev.Event]) -> GameState:
    """The state after all events of a game, from its first. Raises ValueError when they do not begin a game."""
    following = iter(events)
    first = next(following, None)
    if first is None:
        raise ValueError("a game has at least one event")
    draft = evolve(None, first)
    for event in following:
        apply(draft, event)
    return draft


def verify(events: Iterable[ev.Event]) -> GameState:
    """Fold a whole game and check each event on the way; the state after all of them.

    Walls, jokers, deals and draws follow from the seed; decisions are numbered without a gap; `seq` counts the public
    events; the figures of each round balance, and seats + pot + house stay the starting points (rules 8, C59).
    Raises BrokenLog for the first event that does not fit.
    """
    draft: GameState | None = None
    numbered = 0
    for place, event in enumerate(events):
        try:
            if draft is None:
                draft = evolve(None, event)
            else:
                _check_before(draft, event)
                apply(draft, event)
            numbered += not isinstance(event, ev.NOTES)
            _check_after(draft, numbered)
        except (ValueError, LookupError) as problem:
            raise BrokenLog(place, f"{event.type}: {problem}") from problem
    if draft is None:
        raise BrokenLog(0, "a game has at least one event")
    return draft


def _check_before(state: GameState, event: ev.Event) -> None:
    match event:
        case ev.WallBuilt():
            _check_wall(state, event)
        case ev.RoundDealt():
            _check_deal(state, event)
        case ev.JokerNamed():
            joker = build_wall(state.rules, state.seed, state.round.number).joker
            _same("the joker", event.kind, None if joker is None else CODES[joker])
        case ev.TileDrawn():
            _same("the tile", event.tile, _next_tile(state.round, event))
            _same("the wall count", event.wall_count, state.round.wall_count - 1)
        case ev.WindowOpened() | ev.TurnOpened() | ev.PointsAmended():
            _same("the decision", event.decision_no, state.decision.no + 1)
        case ev.PointsPending():
            _same("the decision", event.decision_no, state.decision.no + 1)
            _check_pending(state, event)
        case ev.DeadlineMoved():
            _same("the decision", event.decision_no, state.decision.no)
        case ev.PointsApplied():
            _check_applied(state, event)
        case ev.GameEnded():
            _check_points(state, event.points, event.returned)
        case _:
            pass


def _check_after(state: GameState, numbered: int) -> None:
    _same("seq", state.seq, numbered)
    total = sum(seat.points for seat in state.seats) + state.pot + state.house
    _same("seats + pot + house", total, sum(state.starting_points))
    for seat, held in enumerate(state.seats):
        if held.jokers < 0 or min(held.counts) < 0:
            raise ValueError(f"seat {seat} holds less than nothing of a tile")


def _check_wall(state: GameState, event: ev.WallBuilt) -> None:
    _same("the round", event.round, state.round.number + 1)
    wall = build_wall(state.rules, state.seed, event.round)
    _same("the wall", event.tiles, "".join(codes(wall.tiles)))
    _same("its last tile", event.last, None if wall.last is None else CODES[wall.last])


def _check_deal(state: GameState, event: ev.RoundDealt) -> None:
    _same("the round", event.round, state.round.number)
    count = sum(len(hand) for hand in event.hands)
    dealt = sorted(code for hand in event.hands for code in hand)
    _same("the tiles dealt", dealt, sorted(codes(state.round.wall[:count])))
    _same("the wall count", event.wall_count, state.round.wall_count - count)


def _next_tile(rnd: Round, event: ev.TileDrawn) -> str | None:
    if rnd.front < rnd.back:
        return CODES[rnd.wall[rnd.front if event.origin == "front" else rnd.back - 1]]
    return None if rnd.last is None else CODES[rnd.last]


def _check_pending(state: GameState, event: ev.PointsPending) -> None:
    _same("the round", event.round, state.round.number)
    _same("the side payments", event.side_payments, state.round.side)
    _same("the pot before", event.pot_before, state.pot)
    balance = sum(event.changes) + event.pot_after - event.pot_before + event.house_change
    _same("changes of seats, pot and house together", balance, 0)


def _check_applied(state: GameState, event: ev.PointsApplied) -> None:
    settlement = state.decision
    if not isinstance(settlement, Settlement):
        raise ValueError("there is no settlement to apply")
    pending, amended = settlement.pending, settlement.amended
    if amended is None or event.changes != amended.changes:
        _same("the changes", event.changes, pending.changes)
    _same("the pot", event.pot, pending.pot_after)
    _check_points(state, event.points, event.changes)


def _check_points(state: GameState, points: ev.Four, changes: ev.Four) -> None:
    _same("the points", points, tuple(held.points + changes[seat] for seat, held in enumerate(state.seats)))


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise ValueError(f"{what}: {found!r}, expected {expected!r}")
