"""The outermost ring of the service: what every request passes on its way in, and what every answer carries out.
Whatever goes wrong inside leaves as a problem; nothing but a mistake of ours is a 500.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.clock import monotonic
from app.database import excuse
from app.errors import Problem, respond
from app.telemetry import Telemetry, begin_request, log
from app.wire import check_target, fault_problem, is_own_id

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_CLIENT_GONE: Final = 499


class Edge:
    """ASGI around the application: request ids, HEAD, headers, figures, and the last resort.

    Leaves in the request's state `request_id`, and `headers`: raw headers for the answer, whatever it will be.
    """

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request; what is not HTTP passes untouched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = monotonic()
        request_id = _request_id(scope["headers"])
        begin_request(request_id)
        answer = _Answer(send, request_id, bodiless=scope["method"] == "HEAD")
        inner = {**scope, "state": {**scope.get("state", {}), "request_id": request_id, "headers": answer.headers}}
        if answer.bodiless:
            inner["method"] = "GET"
        self._telemetry.in_flight.inc()
        try:
            await self._answer(inner, receive, answer)
        finally:
            self._telemetry.in_flight.dec()
            route = getattr(inner.get("route"), "path", "none")
            self._telemetry.answered(scope["method"], route, answer.status, monotonic() - started)
            if problem := inner["state"].get("problem"):
                self._telemetry.problem(problem)
            log.debug("answered", method=scope["method"], path=scope["path"], status=answer.status)

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            _check_texts(scope)
            await self._app(scope, receive, answer.send)
        except Problem as problem:
            await (await _on_problem(Request(scope), problem))(scope, receive, answer.send)
        except Exception as error:
            # The application has answered already, and raises what it could not name.
            if excused := excuse(error):
                log.warning(excused.detail, error=str(error))
            else:
                log.error("a request failed", method=scope["method"], path=scope["path"], exc_info=error)


class _Answer:
    """The answer on its way out: what it carries besides its own, and what became of it."""

    def __init__(self, send: Send, request_id: str, *, bodiless: bool) -> None:
        self.headers = [(b"x-request-id", request_id.encode())]
        self.bodiless = bodiless
        self.begun = False
        self.status = _CLIENT_GONE
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            self.status = message["status"]
            own = list(message.get("headers", ()))
            named = {name for name, _ in own}
            always = [header for header in _ALWAYS if header[0] not in named]
            message = {**message, "headers": [*own, *always, *self.headers]}
        elif self.bodiless and message["type"] == "http.response.body":
            message = {**message, "body": b""}
        await self._send(message)


def _request_id(headers: list[tuple[bytes, bytes]]) -> str:
    """The caller's own, when it is one of ours in form; else a new one."""
    for name, value in headers:
        if name == b"x-request-id" and is_own_id(value.decode("latin-1")):
            return value.decode()
    return secrets.token_hex(8)


def _check_texts(scope: Scope) -> None:
    if any(b"\0" in value for _, value in scope["headers"]):
        raise Problem("invalid_text", "A header holds a NUL.")
    check_target(scope.get("raw_path") or b"", scope["query_string"])


async def _on_problem(request: Request, error: Exception) -> Response:
    assert isinstance(error, Problem)
    request.state.problem = error.kind.code
    return respond(error, instance=request.scope["path"], request_id=request.state.request_id)


async def _on_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return await _on_problem(request, fault_problem(error.errors(), error.body))


async def _on_http(request: Request, error: Exception) -> Response:
    """What the framework itself refuses."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        methods = _methods(request)
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"Allow": methods})
        text = f"This address answers {methods}."
        return await _on_problem(request, Problem("method_not_allowed", text, headers={"Allow": methods}))
    code = {404: "unknown_route", 413: "body_too_large"}.get(error.status_code, "invalid_request")
    return await _on_problem(request, Problem(code, _no_route(request) if code == "unknown_route" else ""))


def _no_route(request: Request) -> str:
    if "" in request.scope["path"].split("/")[1:]:
        return "A member of this path is empty: an id is missing, or a slash is too many."
    return "Nothing answers here: /openapi.json lists every address."


async def _on_gone(request: Request, error: Exception) -> Response:
    return Response(status_code=_CLIENT_GONE)


async def _on_mistake(request: Request, error: Exception) -> Response:
    return await _on_problem(request, excuse(error) or Problem("internal"))


def _methods(request: Request) -> str:
    """All methods of this address: the framework's 405 names those of its first route alone."""
    found = {
        method
        for method in _METHODS
        for route in request.app.router.routes
        if route.matches({**request.scope, "method": method})[0] == Match.FULL
    }
    return ", ".join(sorted(found | {"OPTIONS"} | ({"HEAD"} if "GET" in found else set())))


ANSWERS: Final[dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]]] = {
    Problem: _on_problem,
    RequestValidationError: _on_fault,
    HTTPException: _on_http,
    ClientDisconnect: _on_gone,
    Exception: _on_mistake,
}
"""How the application answers what is raised inside it."""
