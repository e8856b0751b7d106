"""Routes on the path of a move: told to the contract like any other, and answered without the machinery that finds out
anew for every request what an endpoint needs (decision 0307).
"""

from __future__ import annotations

from inspect import iscoroutinefunction, signature
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.types import Receive, Scope, Send

from app.wire import NOTHING, WireRequest, WireRoute

_NEEDED: Final = frozenset({"game_id", "caller", "request"})


class MoveRoute(WireRoute):
    """A route whose endpoint takes `game_id`, `caller`, `request` and at most a `body`, and answers with a response."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        needed = _NEEDED | ({"body"} if self.body_field is not None else set())
        if not iscoroutinefunction(self.endpoint) or signature(self.endpoint).parameters.keys() != needed:
            raise TypeError(f"{self.path}: a MoveRoute answers coroutines of {', '.join(sorted(needed))}")
        (caller,) = self.dependant.dependencies
        assert caller.call is not None
        self._identify = caller.call
        self.app = self._answer

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """What is raised on the way is answered further out, as for every route."""
        request = WireRequest(scope, receive)
        given = await self.given(request)
        needs = {
            "game_id": request.path_params["game_id"],
            "request": request,
            "caller": await self._identify(request),
        }
        if self.body_field is not None:
            needs["body"] = self._checked(given)
        response = await self.endpoint(**needs)
        await response(scope, receive, send)

    def _checked(self, given: Any) -> Any:
        """The body as the endpoint takes it. Raises RequestValidationError."""
        assert self.body_field is not None
        if given is NOTHING:
            if not self.body_field.field_info.is_required():
                return None
            missing = {"type": "missing", "loc": ("body",), "msg": "Field required", "input": None}
            raise RequestValidationError([missing])
        body, faults = self.body_field.validate(given, {}, loc=("body",))
        if faults:
            raise RequestValidationError(faults, body=given)
        return body
