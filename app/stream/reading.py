"""What a client's frames are read by: strict JSON within the bounds of a body, and the classes of the protocol."""

from __future__ import annotations

from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from starlette.types import Message

from app import body
from app.errors import Problem
from app.stream.frames import ActionFrame, PingFrame, ResumeFrame
from app.wire import fault_problem, is_own_id

_READERS: Final[dict[str, TypeAdapter[Any]]] = {
    "action": TypeAdapter(ActionFrame),
    "ping": TypeAdapter(PingFrame),
    "resume": TypeAdapter(ResumeFrame),
}


def parsed(message: Message) -> Any:
    """The JSON value of a message. Raises Problem as a body does."""
    text = message.get("text")
    if text is None:
        raise Problem("malformed_json", "Frames are text.")
    return body.parse(text.encode())


def action_id_of(value: Any) -> str | None:
    """The id under which a frame wants to be answered, whatever else is wrong with it."""
    if not isinstance(value, dict) or value.get("type") != "action":
        return None
    given = value.get("action_id")
    return given if isinstance(given, str) and is_own_id(given) else None


def read_frame(value: Any) -> ActionFrame | PingFrame | ResumeFrame:
    """The frame that a value is. Raises Problem that names each field at fault."""
    kind = value.get("type") if isinstance(value, dict) else None
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise Problem("invalid_request", f"A frame is an object whose type is {', '.join(_READERS)}.")
    try:
        frame: ActionFrame | PingFrame | ResumeFrame = reader.validate_python(value)
    except ValidationError as error:
        faults = [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors(include_url=False)]
        raise fault_problem(faults, value) from None
    return frame
