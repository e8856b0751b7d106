"""Folding a log of events, and proving that it is whole: tiles follow from the seed, numbers are dense, points balance.

Everything that plays a game again folds through `evolve`, as live play does (design 1.1).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import fields
from typing import Literal, assert_never

from engine import events as ev, rounds
from engine.evolve import apply, evolve
from engine.play import Play
from engine.state import ClaimWindow, GameState, OpeningWindow, Settlement, Turn
from engine.tiles import CODES
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

    Each deal is dealt again, from the seed and what went before it, and must be the same up to its first decision:
    wall, dealer, wind, hands, antes, joker and flowers. Later draws are made by the seat that is due, from the end of
    the wall that is due, and take what lies there. Decisions are numbered without a gap; the figures of each round
    balance, and seats + pot + house stay the starting points (rules 8, C59). No seat lays down what it does not hold.
    Raises BrokenLog for the first event that does not fit.
    """
    draft: GameState | None = None
    before: ev.Event | None = None
    deal: deque[ev.Event] = deque()
    place = 0
    for place, event in enumerate(events):
        try:
            if draft is None:
                draft = evolve(None, event)
            else:
                if isinstance(event, ev.WallBuilt) and not deal:
                    deal.extend(_next_deal(draft))
                if deal:
                    _check_dealt(event, deal.popleft())
                else:
                    _check_before(draft, event, before)
                apply(draft, event)
            _check_after(draft)
        except (ValueError, LookupError) as problem:
            raise BrokenLog(place, f"{event.type}: {problem}") from problem
        before = event
    if draft is None:
        raise BrokenLog(0, "a game has at least one event")
    if deal:
        raise BrokenLog(place + 1, f"the deal goes on with {deal[0].type}")
    return draft


def _next_deal(state: GameState) -> list[ev.Event]:
    play = Play(state.fork())
    rounds.deal(play, build_wall(state.rules, state.seed, state.round.number + 1))
    return play.events


def _check_dealt(event: ev.Event, expected: ev.Event) -> None:
    if type(event) is not type(expected):
        raise ValueError(f"the deal goes on with {expected.type}")
    for each in fields(expected):
        _same(each.name, getattr(event, each.name), getattr(expected, each.name))


def _check_before(state: GameState, event: ev.Event, before: ev.Event | None) -> None:
    """What follows a deal; `before` is the event before this one."""
    match event:
        case ev.GameCreated() | ev.WallBuilt() | ev.RoundDealt() | ev.JokerNamed():
            raise ValueError("nothing is dealt now")
        case ev.TileDrawn():
            _check_draw(state, event, before)
        case ev.FlowerExposed():
            drawn = (before.seat, before.tile) if isinstance(before, ev.TileDrawn) else None
            _same("the flower", (event.seat, event.tile), drawn)
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
            _same("the tips", event.tips, state.tips)
        case ev.TileDiscarded() | ev.WindowClosed() | ev.MeldMade() | ev.RoundWon() | ev.RoundDrawn():
            pass
        case ev.PointsConfirmed() | ev.GameEndAsked() | ev.Answered() | ev.LockChanged() | ev.PreferenceSet():
            pass
        case ev.SeatChanged() | ev.PauseAsked() | ev.GamePaused() | ev.GameResumed():
            pass
        case _:
            assert_never(event)


def _check_after(state: GameState) -> None:
    total = sum(seat.points for seat in state.seats) + state.pot + state.house
    _same("seats + pot + house", total, sum(state.starting_points))
    for seat, held in enumerate(state.seats):
        if held.jokers < 0 or min(held.counts) < 0:
            raise ValueError(f"seat {seat} holds less than nothing of a tile")


def _check_draw(state: GameState, event: ev.TileDrawn, before: ev.Event | None) -> None:
    rnd = state.round
    _same("the draw", (event.seat, event.origin), _next_draw(state, before))
    kind = rnd.last
    if rnd.front < rnd.back:
        kind = rnd.wall[rnd.front if event.origin == "front" else rnd.back - 1]
    _same("the tile", event.tile, None if kind is None else CODES[kind])
    _same("the wall count", event.wall_count, rnd.wall_count - 1)


def _next_draw(state: GameState, before: ev.Event | None) -> tuple[int, Literal["front", "back"]] | None:
    """Who draws now, and from where: a kong and a flower are replaced from the back (rules 2)."""
    decision = state.decision
    if isinstance(before, ev.FlowerExposed):
        return before.seat, "back"
    if isinstance(before, ev.MeldMade):
        return None if before.kind in ("chow", "pung") else (before.seat, "back")
    if isinstance(decision, OpeningWindow):
        return state.round.dealer, "front"
    if isinstance(decision, ClaimWindow):
        return (decision.discarder + 1) % 4, "front"
    if isinstance(decision, Turn) and decision.stage == "draw":
        return decision.seat, "front"
    return None


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
    _same("the tips", event.tips, state.tips + pending.tips_change)
    _check_points(state, event.points, event.changes)


def _check_points(state: GameState, points: ev.Four, changes: ev.Four) -> None:
    _same("the points", points, tuple(held.points + changes[seat] for seat, held in enumerate(state.seats)))


def _same(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise ValueError(f"{what}: {found!r}, expected {expected!r}")
