"""Dataclasses as plain JSON values, and back, by their type hints alone.

A writer and a reader are made once for each class. An absent field takes its default, so that older records stay
readable; a field that is not known is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

Plain = dict[str, Any]
"""A JSON object: text, numbers, booleans, null, lists and such objects."""

Write = Callable[[Any], Any]
Read = Callable[[Any], Any]
Derive = Callable[[Plain], Any]


class Records:
    """How a family of dataclasses is written and read, beyond what their type hints say.

    `renamed`: fields that carry another name in a record. `derived`: fields left out of a record, and how they follow
    from the others; None for a memo, which starts empty. `own`: classes that write and read themselves.
    """

    def __init__(
        self,
        renamed: Mapping[tuple[type, str], str],
        derived: Mapping[type, Mapping[str, Derive | None]],
        own: Mapping[type, tuple[Write, Read]],
    ) -> None:
        self._renamed = renamed
        self._derived = derived
        self._own = own

    def codec(self, hint: Any) -> tuple[Write, Read]:
        """What turns a value of this type into plain JSON values, and what turns those into it again.

        The latter raises ValueError that names the field at fault.
        """
        return self._writer(hint) or _as_it_is, self._reader(hint)

    def _writer(self, hint: Any) -> Write | None:
        """None where a value is plain already."""
        if hint in self._own:
            return self._own[hint][0]
        if is_dataclass(hint):
            return self._record_writer(hint)  # type: ignore[arg-type]
        origin, parts = get_origin(hint), [part for part in get_args(hint) if part is not ...]
        if origin in (tuple, list):
            return _sequence_writer(self._writer(parts[0]) if len(set(parts)) == 1 else None)
        if origin in (Union, UnionType):
            return self._union_writer(parts)
        return None

    def _reader(self, hint: Any) -> Read:
        if hint in self._own:
            return self._own[hint][1]
        if is_dataclass(hint):
            return self._record_reader(hint)  # type: ignore[arg-type]
        origin, parts = get_origin(hint), get_args(hint)
        if origin is Literal:
            return _literal_reader(parts)
        if origin is list:
            return _sequence_reader(list, self._reader(parts[0]))
        if origin is tuple and parts[-1] is ...:
            return _sequence_reader(tuple, self._reader(parts[0]))
        if origin is tuple:
            return _row_reader([self._reader(part) for part in parts])
        if origin in (Union, UnionType):
            return self._union_reader(parts)
        return _plain_reader(origin or hint)

    def _record_writer(self, cls: type) -> Write:
        hints = get_type_hints(cls)
        names = [field.name for field in fields(cls) if field.name not in self._derived.get(cls, ())]
        names.sort(key=lambda name: name != "type")  # first the type, then all others as they are declared
        wire = [self._renamed.get((cls, name), name) for name in names]
        converted = [
            (key, write) for key, name in zip(wire, names, strict=True) if (write := self._writer(hints[name]))
        ]
        if len(names) == 1:
            return lambda value: {wire[0]: getattr(value, names[0])}
        take = attrgetter(*names)

        def write_record(value: Any) -> Plain:
            record = dict(zip(wire, take(value), strict=True))
            for key, write in converted:
                record[key] = write(record[key])
            return record

        return write_record

    def _record_reader(self, cls: type) -> Read:
        hints, derived = get_type_hints(cls), self._derived.get(cls, {})
        rows = [
            (
                self._renamed.get((cls, field.name), field.name),
                field.name,
                self._reader(hints[field.name]),
                field.default is MISSING and field.default_factory is MISSING,
            )
            for field in fields(cls)
            if field.name not in derived
        ]
        made = [(name, make) for name, make in derived.items() if make]

        def read_record(given: Any) -> Any:
            if not isinstance(given, dict):
                raise ValueError(f"must be an object, not {given!r}")
            got: Plain = {}
            for key, name, read, required in rows:
                if key in given:
                    try:
                        got[name] = read(given[key])
                    except ValueError as problem:
                        raise ValueError(f"{key}: {problem}") from None
                elif required:
                    raise ValueError(f"{key}: is missing")
            if len(got) != len(given):
                raise ValueError(f"{_unknown(given, [key for key, *_ in rows])}: no such field")
            try:
                for name, make in made:
                    got[name] = make(got)
            except KeyError as missing:
                raise ValueError(f"{missing.args[0]}: is missing") from None
            return cls(**got)

        return read_record

    def _union_writer(self, parts: list[Any]) -> Write | None:
        records = [part for part in parts if is_dataclass(part)]
        if not records:
            return None
        if len(records) == 1:
            only = self._record_writer(records[0])  # type: ignore[arg-type]
            return lambda value: None if value is None else only(value)
        writers: dict[Any, Write] = {NoneType: _as_it_is, **{record: self._tagged_writer(record) for record in records}}
        return lambda value: writers[type(value)](value)

    def _tagged_writer(self, cls: Any) -> Write:
        write = self._record_writer(cls)
        if _own_tag(cls):
            return write
        tag = _tag(cls)
        return lambda value: {"type": tag, **write(value)}

    def _union_reader(self, parts: tuple[Any, ...]) -> Read:
        others = [part for part in parts if part is not NoneType]
        read_some = self._tagged_reader(others) if len(others) > 1 else self._reader(others[0])
        if len(others) == len(parts):
            return read_some
        return lambda given: None if given is None else read_some(given)

    def _tagged_reader(self, classes: list[Any]) -> Read:
        readers = {_tag(cls): (self._record_reader(cls), _own_tag(cls)) for cls in classes}

        def read_tagged(given: Any) -> Any:
            tag = given.get("type") if isinstance(given, dict) else None
            if not isinstance(tag, str) or tag not in readers:
                raise ValueError(f"type: must be one of {', '.join(readers)}, not {tag!r}")
            read, keeps_tag = readers[tag]
            try:
                return read(given if keeps_tag else {key: value for key, value in given.items() if key != "type"})
            except ValueError as problem:
                raise ValueError(f"{tag}: {problem}") from None

        return read_tagged


def _own_tag(cls: Any) -> str | None:
    return next((str(field.default) for field in fields(cls) if field.name == "type"), None)


def _tag(cls: Any) -> str:
    """What tells a class from the others in its place: its own `type`, else its name in snake case."""
    return _own_tag(cls) or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


def _as_it_is(value: Any) -> Any:
    return value


def _sequence_writer(write: Write | None) -> Write:
    if write is None:
        return list
    return lambda values: [write(value) for value in values]


def _sequence_reader(kind: type, read: Read) -> Read:
    return lambda given: kind([read(value) for value in _listed(given)])


def _row_reader(readers: list[Read]) -> Read:
    def read_row(given: Any) -> Any:
        if len(_listed(given)) != len(readers):
            raise ValueError(f"must have {len(readers)} values, not {len(given)}")
        return tuple([read(value) for read, value in zip(readers, given, strict=True)])

    return read_row


def _listed(given: Any) -> Any:
    if not isinstance(given, list | tuple):
        raise ValueError(f"must be a list, not {given!r}")
    return given


def _literal_reader(allowed: tuple[Any, ...]) -> Read:
    def read_literal(given: Any) -> Any:
        if given not in allowed:
            raise ValueError(f"must be {' or '.join(map(repr, allowed))}, not {given!r}")
        return given

    return read_literal


_PLAIN: Final[dict[Any, tuple[tuple[type, ...], str]]] = {
    int: ((int,), "a whole number"),
    float: ((float, int), "a number"),
    str: ((str,), "text"),
    bool: ((bool,), "true or false"),
    dict: ((dict,), "an object"),
}


def _plain_reader(hint: Any) -> Read:
    # `type` and not isinstance: a bool is no number here.
    allowed, wanted = _PLAIN[hint]

    def read_plain(given: Any) -> Any:
        if type(given) not in allowed:
            raise ValueError(f"must be {wanted}, not {given!r}")
        return given

    return read_plain


def _unknown(given: Plain, known: list[str]) -> str:
    return ", ".join(str(key) for key in given if key not in known)
