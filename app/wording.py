"""What pydantic finds wrong, in plain words: one fault for each field, where a union has tried it several ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from app.errors import Fault, Part, pointer_to

_KINDS: Final = (
    (("string_", "str"), "a text"),
    (("int_",), "a whole number"),
    (("float_", "finite_number", "decimal_"), "a number"),
    (("bool_",), "true or false"),
    (("list_", "tuple_", "set_", "iterable_"), "a list"),
    (("dict_", "model_", "dataclass_", "mapping_"), "an object"),
    (("datetime_", "date_", "time_"), "a time as in RFC 3339"),
)
"""What a value of another kind should have been, by how the names of its errors begin."""

_KIND: Final = re.compile(r"_(type|parsing|from_float|attributes_type|exact_type)$")
_PATTERNS: Final = {
    "^[A-Za-z0-9._:-]{1,64}$": "must be 1 to 64 of the characters A-Z a-z 0-9 . _ : -",
    "^[a-z_]{1,32}$": "must be 1 to 32 of the characters a-z _",
    "^[1-9][0-9]{0,8}$": "must be the `next` of a page",
    "^[0-9a-f]{1,64}$": "must be 1 to 64 of the digits 0-9 a-f",
}
_TEXTS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "missing": lambda _: "is missing",
    "extra_forbidden": lambda _: "is not known here",
    "unexpected_keyword_argument": lambda _: "is not known here",
    "literal_error": lambda ctx: f"must be {ctx['expected']}",
    "enum": lambda ctx: f"must be {ctx['expected']}",
    "union_tag_invalid": lambda ctx: f"must be {_either(ctx['expected_tags'].split(', '))}",
    "union_tag_not_found": lambda _: "is missing",
    "greater_than_equal": lambda ctx: f"must be at least {_number(ctx['ge'])}",
    "greater_than": lambda ctx: f"must be more than {_number(ctx['gt'])}",
    "less_than_equal": lambda ctx: f"must be at most {_number(ctx['le'])}",
    "less_than": lambda ctx: f"must be less than {_number(ctx['lt'])}",
    "string_too_short": lambda ctx: f"must have at least {_many(ctx['min_length'], 'character')}",
    "string_too_long": lambda ctx: f"must have at most {_many(ctx['max_length'], 'character')}",
    "too_short": lambda ctx: f"must hold at least {_many(ctx['min_length'], 'element')}",
    "too_long": lambda ctx: f"must hold at most {_many(ctx['max_length'], 'element')}",
    "string_pattern_mismatch": lambda ctx: _PATTERNS.get(ctx["pattern"], f"must look like {ctx['pattern']}"),
}


def faults_of(errors: Iterable[Any], value: Any) -> list[Fault]:
    """One fault for each field that pydantic's `errors` are about, in their order; `value` is the body as it was read.

    Where a union has tried a value several ways, those that led furthest count: the others were not meant.
    """
    found: dict[tuple[Part, tuple[int | str, ...]], list[Any]] = {}
    for error in errors:
        part, *steps = error["loc"] or ("body",)
        if part == "body":
            steps = _steps_in(value, steps)
        if error["type"].startswith("union_tag"):
            steps = [*steps, error["ctx"]["discriminator"].strip("'")]
        found.setdefault((cast("Part", part), tuple(steps)), []).append(error)
    deeper = {(part, steps[:depth]) for part, steps in found for depth in range(len(steps))}
    return [
        Fault(part, pointer_to(steps), _told(about))
        for (part, steps), about in found.items()
        if not ((part, steps) in deeper and all(_kind(error) for error in about))
    ]


def _told(errors: Sequence[Any]) -> str:
    """The words for all that was found about one field."""
    meant = [error for error in errors if _kind(error) is None]
    if meant:
        return "; ".join(dict.fromkeys(_text(error) for error in meant))
    return f"must be {_either(dict.fromkeys(str(_kind(error)) for error in errors))}"


def _text(error: Any) -> str:
    name = error["type"]
    if name == "missing" and error["loc"] and isinstance(error["loc"][-1], int):
        return "holds too few elements"
    if name in ("too_short", "too_long") and isinstance(error["input"], str):
        name = f"string_{name}"
    word = _TEXTS.get(name)
    if word is not None:
        return word(error.get("ctx", {}))
    return str(error["msg"]).removeprefix("Value error, ").replace("Input should be", "must be")


def _kind(error: Any) -> str | None:
    """What the value should have been, where it is of another kind; None for any other error."""
    name = error["type"]
    if not _KIND.search(name) and name != "finite_number":
        return None
    return next((kind for starts, kind in _KINDS if name.startswith(starts)), None)


def _steps_in(value: Any, steps: Sequence[int | str]) -> list[int | str]:
    """The steps that lead through `value`: pydantic also names the branch of a union it took."""
    found: list[int | str] = []
    for position, step in enumerate(steps):
        last = position == len(steps) - 1
        match value, step:
            case dict(), str() if step in value or last:
                value = value.get(step)
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                continue
        found.append(step)
    return found


def _either(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def _number(bound: float) -> str:
    return str(int(bound)) if float(bound).is_integer() else str(bound)


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
