"""Text of others as it is printed for the operator: no character of it acts on a terminal, or makes a line look like
another.
"""

from __future__ import annotations

from typing import Any, Final

from pydantic_core import to_json

_WIDTH: Final = 300
_CUT: Final = "..."


def printable(text: str) -> str:
    r"""The text with whatever is not printable as `\u` and four digits, as JSON writes it: in JSON it says the same."""
    return text if text.isprintable() else "".join([char if char.isprintable() else _escaped(char) for char in text])


def one_line(text: str) -> str:
    """The text as a line of at most 300 characters: what is quoted in it may be of any length, and hold anything."""
    line = printable(" ".join(text.split()))
    return line if len(line) <= _WIDTH else line[: _WIDTH - len(_CUT)] + _CUT


def json_line(value: Any) -> str:
    """The value as a line of JSON."""
    return printable(to_json(value).decode())


def _escaped(char: str) -> str:
    """A character beyond the first 65536 is two in JSON."""
    units = char.encode("utf-16-be", "surrogatepass").hex()
    return "".join([f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4)])
