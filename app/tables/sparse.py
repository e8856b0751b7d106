"""A field that does not apply is absent from an answer, and the contract says so: never null, never hidden (api,
Conventions).
"""

from __future__ import annotations

from typing import Any, Final, TypeVar, get_args

from engine import actions, events as ev, views

_Class = TypeVar("_Class", bound=type)

_OPTIONS: Final = ("rules",)
_RENAMED: Final = {"TileDrawn": {"origin": "from"}}


def sparse(cls: _Class) -> _Class:
    """Describes a dataclass as it is written by `to_json(..., exclude_none=True)` or `sparse_event`."""
    config = {**getattr(cls, "__pydantic_config__", {}), "json_schema_extra": _describe}
    setattr(cls, "__pydantic_config__", config)  # noqa: B010
    return cls


def without_none(record: dict[str, Any]) -> dict[str, Any]:
    """A dumped event without the fields that do not apply. Of options null is a value (decision 0503)."""
    return {
        name: without_none(value) if isinstance(value, dict) and name not in _OPTIONS else value
        for name, value in record.items()
        if value is not None
    }


def _describe(schema: dict[str, Any]) -> None:
    properties = schema.get("properties", {})
    for name, given in list(properties.items()):
        kinds = given.get("anyOf", ())
        if {"type": "null"} in kinds:
            left = [kind for kind in kinds if kind != {"type": "null"}]
            about = {key: value for key, value in given.items() if key != "anyOf"}
            properties[name] = about | (left[0] if len(left) == 1 else {"anyOf": left})
            schema["required"] = [field for field in schema.get("required", ()) if field != name]
    if "const" in properties.get("type", {}):
        # A default to Python; on the wire it is what tells one class from another.
        properties["type"].pop("default", None)
        schema["required"] = ["type", *schema.get("required", ())]
    for old, new in _RENAMED.get(schema.get("title", ""), {}).items():
        schema["properties"] = {new if name == old else name: value for name, value in properties.items()}
        schema["required"] = [new if name == old else name for name in schema["required"]]


# The engine's own classes are the models at the edge; what is said of them here is only how they are written.
for _class in (*get_args(ev.NumberedEvent), *get_args(actions.Action), ev.WinReading, views.MeldView):
    sparse(_class)
