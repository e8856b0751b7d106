"""How a body is read: strict JSON within fixed bounds of size, depth and numbers, and text that Postgres can hold."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any, Final, NoReturn

from starlette.requests import Request

from app.errors import Problem

MAX_BODY: Final = 64 * 1024
"""Bytes of the largest body that is read."""

BODY_SECONDS: Final = 20.0
"""How long a body may take to come."""

MAX_DEPTH: Final = 32
"""Objects and arrays inside each other in a body."""

MAX_INTEGER: Final = 2**63 - 1
"""The largest whole number that is read; the least is its negative less one."""

NOT_TEXT: Final = re.compile("[\0\ud800-\udfff]")
"""What no text may hold: Postgres refuses a NUL, and UTF-8 has no lone surrogate."""

_MAYBE_NOT_TEXT: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|[\]}]')


def parse(raw: bytes) -> Any:
    """The JSON value. Raises Problem: `malformed_json`, `invalid_text`, `duplicate_member`, `integer_out_of_range` or
    `nested_too_deep`.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise Problem("invalid_text", f"The body is not UTF-8: byte {error.start} is wrong.") from None
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise Problem("nested_too_deep", f"The body is nested deeper than {MAX_DEPTH}.")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Problem("malformed_json", f"{error.msg} at character {error.pos}.") from None
    if _MAYBE_NOT_TEXT.search(raw):
        _check_texts(value)
    return value


async def read(request: Request, patience: float = BODY_SECONDS) -> bytes:
    """The whole body, announced or in chunks. Raises Problem `body_too_large` as soon as it is too large, and
    `body_too_slow` when it has not come in so many seconds."""
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced[:20]) > MAX_BODY:
        raise _too_large()
    body = b""
    try:
        async with asyncio.timeout(patience):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY:
                    raise _too_large()
    except TimeoutError:
        detail = f"A body has to come within {patience:g} seconds."
        raise Problem("body_too_slow", detail, headers={"Connection": "close"}) from None
    return body


def _too_large() -> Problem:
    # What is left of the body is not worth reading to find the next request behind it.
    return Problem("body_too_large", f"A body may be {MAX_BODY} bytes long.", headers={"Connection": "close"})


def _depth(text: str) -> int:
    deepest = depth = 0
    for bracket in _BRACKETS.finditer(text):
        if bracket[1]:
            depth += 1
            deepest = max(deepest, depth)
        elif bracket[0] in "]}":
            depth -= 1
    return deepest


def _check_texts(value: Any) -> None:
    match value:
        case str():
            if NOT_TEXT.search(value):
                raise Problem("invalid_text", "The body holds a NUL or a lone surrogate.")
        case list():
            for item in value:
                _check_texts(item)
        case dict():
            for key, item in value.items():
                _check_texts(key)
                _check_texts(item)
        case _:
            pass  # a number, true, false or null


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [member for member, _ in pairs]
        twice = next(member for member in names if names.count(member) > 1)
        raise Problem("duplicate_member", f"{json.dumps(twice[:64])} stands twice in one object.")
    return members


def _whole(digits: str) -> int:
    # The length first: Python refuses, with an error of its own, to read thousands of digits.
    if len(digits) > 20 or not -MAX_INTEGER - 1 <= (number := int(digits)) <= MAX_INTEGER:
        shown = digits if len(digits) <= 24 else f"{digits[:24]}…"
        raise Problem("integer_out_of_range", f"{shown} does not fit in 64 bits.")
    return number


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        _no_constant(digits)
    return number


def _no_constant(word: str) -> NoReturn:
    raise Problem("malformed_json", f"{word[:24]} is not a number.")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members, parse_int=_whole, parse_float=_fraction, parse_constant=_no_constant
)
