"""What somebody may have done to a log: an event left out, or one of its fields changed to what its type allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from engine import events as ev
from engine.actions import Pass, Win
from engine.state import SEATS
from engine.tiles import CODES, KINDS

_R = TypeVar("_R")

_PLACES: Final = {"seat", "discarder", "owner", "dealer", "claimed_from"}
"""Fields that name a seat."""

_SOME: Final = {"bonuses": ("bisaklat",), "auto_pass": ("all",)}
"""What stands where there was nothing and no tiles belong."""


def left_out(log: Sequence[_R], place: int) -> list[_R]:
    """The log without what stands at a place."""
    return [*log[:place], *log[place + 1 :]]


def put(log: Sequence[_R], place: int, other: _R) -> list[_R]:
    """The log with something else at a place."""
    return [*log[:place], other, *log[place + 1 :]]


def variants(record: Any) -> Iterator[tuple[str, Any]]:
    """An event, or anything in one, with each of its fields changed in turn: the field, and the event then."""
    hints = _hints(record.__class__)
    for field in fields(record):
        value = getattr(record, field.name)
        for other in [] if field.name == "type" else _others(hints[field.name], field.name, value):
            yield field.name, replace(record, **{field.name: other})


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _others(hint: Any, name: str, value: Any) -> list[Any]:
    if name == "action":
        return [Pass() if isinstance(value, Win) else Win(), *(other for _, other in variants(value))]
    if name in _PLACES:
        return [0 if value is None else (value + 1) % len(SEATS)]
    if get_origin(hint) in (Union, UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
        return _others(parts[0], name, value)
    if get_origin(hint) is Literal:
        return [next(each for each in get_args(hint) if each != value)]
    if is_dataclass(value):
        return [other for _, other in variants(value)]
    match value:
        case None:
            return ["1b"] if hint is str else []
        case bool():
            return [not value]
        case int() | float():
            return [value + 1]
        case str():
            return [_other_text(name, value)]
        case tuple():
            return _other_rows(name, value)
        case dict():
            return [{**value, "tip_every": 0}]
        case _:
            raise AssertionError(value)


def _other_text(name: str, text: str) -> str:
    if text in KINDS:
        return CODES[(KINDS[text] + 1) % 27]
    return text[2:] + text[:2] if name == "tiles" else f"{text}0"


def _other_rows(name: str, row: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    if not row:
        return [_SOME.get(name, ("1b",))]
    first, second, *others = (*row, None) if len(row) == 1 else row
    if isinstance(first, bool | ev.Player):
        return [(other, *row[1:]) for other in _others(type(first), "", first)]
    if isinstance(first, int):
        return [(first - 1, second + 1, *others)]  # every sum stays
    if isinstance(first, str):
        return [(_other_text("", first) if first in KINDS else "E", *row[1:]), row[1:]]
    return [tuple(_other_rows("tiles", each)[0] if place == 0 else each for place, each in enumerate(row))]
