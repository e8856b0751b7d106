"""What a view held when a format was written: a view may gain fields since, and what it had stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from tests.formats.frozen import read


def as_known(path: Path, view: Any) -> Any:
    """A view of the game in that file, without the fields that no view in the files of its format has."""
    return _only(_known(path.parent), view)


@cache
def _known(folder: Path) -> frozenset[str]:
    views = [view for path in folder.glob("*.ndjson") for view in read(path).views.values()]
    return frozenset(name for view in views for name in _fields(from_json(view)))


def _fields(value: Any, at: str = "") -> Iterator[str]:
    """Where in a JSON value each of its fields is."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield f"{at}.{name}"
            yield from _fields(inner, f"{at}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _fields(inner, at)


def _only(known: frozenset[str], value: Any, at: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _only(known, it, f"{at}.{name}") for name, it in value.items() if f"{at}.{name}" in known}
    return [_only(known, it, at) for it in value] if isinstance(value, list) else value
