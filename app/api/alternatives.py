"""Bodies of which one member or another is given, as the contract tells them: a union of whole objects. Conditions
across the members of one object would say the same, and cost a client its members: generators take them for classes.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from pydantic import JsonValue

_NULL = {"type": "null"}


def one_of(*members: str, examples: list[JsonValue] | None = None) -> Callable[[dict[str, Any]], None]:
    """For `json_schema_extra` of a body with exactly one of `members`, none of which is ever null."""

    def describe(schema: dict[str, Any]) -> None:
        replace(schema, {member: _with(schema, member, frozenset(members) - {member}) for member in members}, examples)

    return describe


def replace(schema: dict[str, Any], forms: dict[str, dict[str, Any]], examples: list[JsonValue] | None = None) -> None:
    """Puts these forms of a body in its schema's place, each under a title of its own."""
    title, description = schema["title"], schema["description"]
    for name, form in forms.items():
        form["title"] = name.title().replace("_", "") + title
    schema.clear()
    schema |= {"anyOf": list(forms.values()), "title": title, "description": description}
    if examples is not None:
        schema["examples"] = examples


def required(schema: dict[str, Any], member: str) -> dict[str, Any]:
    """The schema of an object, with a member that has to be there and is not null."""
    whole = deepcopy(schema)
    about = whole["properties"][member]
    about.pop("default", None)
    kinds = [kind for kind in about.pop("anyOf", ()) if kind != _NULL]
    about |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}
    whole["required"] = [member, *(name for name in whole.get("required", ()) if name != member)]
    return whole


def _with(schema: dict[str, Any], member: str, absent: frozenset[str]) -> dict[str, Any]:
    whole = required(schema, member)
    for other in absent:
        del whole["properties"][other]
    return whole
