"""What the service accepts from outside: the types every text and number passes, and routes that read strictly.
Nothing that came through here can make a row of the log fail (design 3).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, Final
from urllib.parse import unquote_to_bytes

from fastapi.routing import APIRoute
from pydantic import AfterValidator, Field, Strict, StringConstraints
from pydantic_core import PydanticCustomError
from starlette.requests import Request
from starlette.responses import Response

from app import body
from app.body import MAX_INTEGER, NOT_TEXT
from app.errors import PROBLEMS, Problem
from app.wording import faults_of

Answer = Callable[[Request], Coroutine[Any, Any, Response]]

NOTHING: Final = object()
"""In the place of a body that was not sent, which is another thing than null."""

OWN_ID: Final = "^[A-Za-z0-9._:-]{1,64}$"
"""What an id looks like that a client makes up: of an action, a request, an Idempotency-Key."""

_NAME_FORBIDS: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINER: Final = "\u200d"


def is_own_id(text: str) -> bool:
    """Whether a text is such an id."""
    return re.fullmatch(OWN_ID, text) is not None


def clean(text: str) -> str:
    """The text itself. Raises what pydantic reads as `invalid_text` when Postgres or UTF-8 could not hold it."""
    if NOT_TEXT.search(text):
        raise PydanticCustomError("invalid_text", "must hold no NUL and no lone surrogate")
    return text


def name(text: str) -> str:
    """A name people read: composed (NFC), trimmed, in one line, without marks that turn or hide what follows."""
    composed = unicodedata.normalize("NFC", clean(text)).strip()
    # The joiner holds one emoji together; the other format characters reverse or hide text.
    if any(unicodedata.category(sign) in _NAME_FORBIDS and sign != _JOINER for sign in composed):
        raise PydanticCustomError("invalid_request", "must hold no control or invisible characters")
    if not composed.strip(_JOINER):
        raise PydanticCustomError("invalid_request", "must hold a letter, a digit or a sign")
    return composed


Text = Annotated[str, AfterValidator(clean)]
"""A text of any length; every use adds its own: `Annotated[Text, Field(max_length=200)]`."""

DisplayName = Annotated[str, Field(min_length=1, max_length=40), AfterValidator(name)]
"""What people see of a player or a table."""

ActionId = Annotated[str, StringConstraints(pattern=OWN_ID)]
"""A client's own id of an action; an Idempotency-Key is one too (api, Conventions)."""

Integer = Annotated[int, Strict(), Field(ge=-MAX_INTEGER - 1, le=MAX_INTEGER)]
"""A whole number in a body: no text, no bool, no fraction."""

Count = Annotated[int, Strict(), Field(ge=0, le=MAX_INTEGER)]
"""A whole number from 0 in a body."""


def check_target(path: bytes, query: bytes) -> None:
    """Refuses a path or query that does not decode to text, with Problem `invalid_text`."""
    for part, raw in (("path", path), ("query", query)):
        if b"%" in raw or not raw.isascii():
            try:
                text = unquote_to_bytes(raw).decode()
            except UnicodeDecodeError:
                raise Problem("invalid_text", f"The {part} is not UTF-8.") from None
            if "\0" in text:
                raise Problem("invalid_text", f"The {part} holds a NUL.")


def fault_problem(errors: Sequence[Any], value: Any = None) -> Problem:
    """The problem that tells of pydantic's `errors` about a request whose body was read as `value`.

    Its code is that of the first error whose type is a code of ours, else `invalid_request`.
    """
    faults = faults_of(errors, value)
    code = next((error["type"] for error in errors if error["type"] in PROBLEMS), "invalid_request")
    return Problem(code, errors=faults)


class WireRequest(Request):
    """A request whose body is read by the rules of `app.body`."""

    async def body(self) -> bytes:
        """The body, at most MAX_BODY bytes. Raises Problem."""
        if not hasattr(self, "_body"):
            self._body = await body.read(self)
        return self._body

    async def json(self) -> Any:
        """The body's JSON value. Raises Problem."""
        if not hasattr(self, "_json"):
            self._json = body.parse(await self.body())
        return self._json


class WireRoute(APIRoute):
    """A route that reads its body by the rules of `app.body`, before anything else looks at it."""

    def get_route_handler(self) -> Answer:
        """What answers a request: for methods with a body, after the body was read and judged."""
        self.strict_content_type = False  # other types are refused below, with a problem
        answer = super().get_route_handler()
        if self.methods is not None and self.methods <= {"GET", "HEAD"}:
            return answer

        async def read_and_answer(request: Request) -> Response:
            checked = WireRequest(request.scope, request.receive)
            # Here and not on demand: FastAPI turns what is raised while it reads a body into a plain 400.
            await self.given(checked)
            return await self.finish(checked, answer)

        return read_and_answer

    async def given(self, request: WireRequest) -> Any:
        """The JSON value that was sent, NOTHING where none was. Raises Problem."""
        if not await request.body() or self.body_field is None:
            return NOTHING
        _check_media_type(request.headers.get("content-type"))
        return await request.json()

    async def finish(self, request: Request, answer: Answer) -> Response:
        """Answers a request whose body has been read; kinds of routes do more around it."""
        return await answer(request)


def _check_media_type(given: str | None) -> None:
    media_type = (given or "application/json").partition(";")[0].strip().lower()
    if media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json")):
        return
    raise Problem("unsupported_media_type", f"Send the body as application/json, not as {media_type}.")
