"""A replay as it was told, read back and proven: all that whoever was given it can check, without the service
(docs/fairness.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic_core import from_json

from app.printable import one_line
from engine import events as ev, rules, wall
from engine.codec import FORMAT, load_event
from engine.records import Plain
from engine.replay import BrokenLog, verify
from engine.state import GameOver, GameState

_EVENTS: Final = {field.default: each for each in get_args(ev.Event) for field in fields(each) if field.name == "type"}


@dataclass(frozen=True, slots=True)
class Told:
    """A whole replay: what its header says, the number that each event carries, and the events."""

    header: Plain
    numbers: list[int | None]
    events: list[ev.Event]


def read(lines: Iterable[bytes | str]) -> Told:
    """The replay in these lines. Raises ValueError where they are none, or are told for one seat alone."""
    header, *told = [from_json(line) for line in lines]
    if header.get("type") != "header" or "seat" in header:
        raise ValueError("this is not the whole of a game: ask for its replay without a seat")
    if header["format"] > FORMAT or header["wall_version"] != wall.VERSION:
        raise ValueError(f"it is of format {header['format']}, which this version does not read")
    header["seats"] = [(each["seat"], each["name"], each.get("bot")) for each in header["seats"]]
    events = [whole(each["event"]) for each in told]
    for created in [event for event in events if event["type"] == "game_created"]:
        # Earlier versions left out the options that are null there, which are told in the header alone.
        off = {name: None for name, value in header["rules"].items() if value is None}
        created["rules"] = off | created["rules"]
    return Told(header, [each.get("seq") for each in told], [load_event(event) for event in events])


def whole(event: Plain) -> Plain:
    """An event as it is stored, of what was told: a field that did not apply is absent there, whatever its default."""
    return _filled(_EVENTS[event["type"]], event)


def faults_of_replay(lines: Iterable[bytes | str], commitment: str | None = None) -> list[str]:
    """What is wrong with a replay, in words; nothing when a game played by the rules from its seed went so, to its end.
    `commitment`: the one that was shown while it was played."""
    try:
        told = read(lines)
        state = verify(told.events)
    except BrokenLog as broken:
        return [one_line(str(broken))]
    except Exception as error:  # what was tampered with may fail in any way
        return [one_line(f"cannot be read: {type(error).__name__}: {error}")]
    faults = [] if isinstance(state.decision, GameOver) else ["the game does not end"]
    numbers = [number for number in told.numbers if number is not None]
    if _numbers(told.events) != told.numbers:
        faults.append("its events are numbered otherwise")
    known = _known(state, len(numbers))
    faults += [f"the header says another {name}" for name, value in known.items() if told.header.get(name) != value]
    if commitment is not None and commitment.lower() != wall.commitment(state.seed):
        faults.append("its seed is not the one that was committed to")
    return faults


def _numbers(events: Sequence[ev.Event]) -> list[int | None]:
    numbers: list[int | None] = []
    seq = 0
    for event in events:
        seq += not isinstance(event, ev.NOTES)
        numbers.append(None if isinstance(event, ev.NOTES) else seq)
    return numbers


def _known(state: GameState, seq: int) -> Plain:
    """What a header says that follows from the events."""
    return {
        "seed": state.seed,
        "commitment": wall.commitment(state.seed),
        "ruleset": state.rules.name,
        "rules": rules.dump(state.rules),
        "points": list(state.starting_points),
        "seats": [(seat, player.name, player.bot) for seat, player in enumerate(state.players)],
        "seq": seq,
    }


def _filled(cls: Any, record: Plain) -> Plain:
    filled: Plain = {}
    for name, parts in _optional(cls).items():
        value = record.get(name)
        inner = next((part for part in parts if is_dataclass(part)), None)
        if isinstance(value, dict) and inner is not None and len(parts) <= 2:
            filled[name] = _filled(inner, value)
        elif value is None and NoneType in parts:
            filled[name] = None
    return {**record, **filled}


@cache
def _optional(cls: Any) -> dict[str, tuple[Any, ...]]:
    """The fields of a class that may be absent or have fields of their own, and what they may be."""
    hints = get_type_hints(cls)
    parts = {field.name: _parts(hints[field.name]) for field in fields(cls)}
    return {name: each for name, each in parts.items() if NoneType in each or any(map(is_dataclass, each))}


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
