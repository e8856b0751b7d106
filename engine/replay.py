"""Folding a log of events, and proving that it is whole: that a game played by the rules wrote it.

Each command is decided again, by the `step` that decides live, and must come to the same events (decision 0009).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields

from engine import events as ev
from engine.actions import ChangeSeat, Command, Refusal
from engine.causes import cause
from engine.decide import new_game, step
from engine.evolve import apply, evolve
from engine.rules import from_dict
from engine.state import SEATS, GameState


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
    """The state after all events of a game, of which nothing else is known, each of them checked on the way.

    What was asked for is told from what came of it, so what nothing came of may be missing: an answer that another one
    replaced, a wish that changed nothing yet, who was connected. Raises BrokenLog for the first event at fault.
    """
    log = list(events)
    state, place = begin(log)
    while place < len(log):
        try:
            seat, command = cause(state, log, place)
        except (ValueError, LookupError) as problem:
            raise BrokenLog(place, f"{log[place].type}: {problem}") from problem
        before = place
        state, place = follow(state, seat, command, log, place)
        if place == before:
            raise BrokenLog(place, f"{log[place].type}: it changes nothing")
    return state


def begin(log: Sequence[ev.Event]) -> tuple[GameState, int]:
    """A new game of the terms with which the log begins, and the place after the events that it begins with.

    Raises BrokenLog when the log does not begin with them.
    """
    created = log[0] if log else None
    if not isinstance(created, ev.GameCreated):
        raise BrokenLog(0, "a game begins with game_created")
    try:
        _check_seats(created.owner)
        state, (_, *dealt) = new_game(
            from_dict(created.rules),
            created.players,
            created.seed,
            owner=created.owner,
            points=created.points,
            timing=created.timing,
            length=created.length,
        )
    except ValueError as problem:
        raise BrokenLog(0, f"game_created: {problem}") from problem
    return state, _compared(log, 1, dealt)


def follow(
    state: GameState, seat: int | None, command: Command, log: Sequence[ev.Event], place: int
) -> tuple[GameState, int]:
    """The state after a command, and the place after its events, which stand in the log from `place` on.

    Raises BrokenLog when it is not legal, or the log has anything else there.
    """
    what = log[place].type if place < len(log) else "the end of the log"
    try:
        if seat is not None:
            _check_seats(seat)
        if isinstance(command, ChangeSeat):
            _check_seats(command.seat, command.owner)
        after, events = step(state, seat, command)
    except Refusal as refusal:
        raise BrokenLog(place, f"{what}: {command.type} is refused: {refusal.code}: {refusal.detail}") from refusal
    except (ValueError, LookupError) as problem:
        raise BrokenLog(place, f"{what}: {command.type}: {problem}") from problem
    return after, _compared(log, place, events)


def _check_seats(*seats: int) -> None:
    for seat in seats:
        if seat not in SEATS:
            raise ValueError(f"there is no seat {seat}")


def _compared(log: Sequence[ev.Event], place: int, due: Sequence[ev.Event]) -> int:
    """The place after the events that are due at `place`."""
    for each in due:
        if place == len(log):
            raise BrokenLog(place, f"the log ends, and {each.type} is due")
        if log[place] != each:
            raise BrokenLog(place, f"{log[place].type}: {_difference(log[place], each)}")
        place += 1
    return place


def _difference(found: ev.Event, due: ev.Event) -> str:
    if type(found) is not type(due):
        return f"{due.type} is due"
    names = [field.name for field in fields(due) if getattr(found, field.name) != getattr(due, field.name)]
    return "; ".join(f"{name}: {getattr(found, name)!r}, expected {getattr(due, name)!r}" for name in names)
