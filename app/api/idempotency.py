"""Idempotency-Key on every POST but moves and what hands out a first token: done once, answered the same for 24 hours.

An answer below 400 is kept; a refusal is not, so that the same key may be tried again (decision 0302).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.responses import Response

from app.api.access import identify, service_of, spend
from app.auth import Caller
from app.database import Session
from app.errors import Problem, documented
from app.service import Service
from app.store import idempotency
from app.store.idempotency import Entry, Key
from app.telemetry import log
from app.wire import OWN_ID, Answer, WireRoute, is_own_id

LEASE_SECONDS: Final = 30
"""A request that has not been answered for so long has lost its server; the next one with its key takes over."""

_KEPT_HEADERS: Final = ("content-type", "etag", "location")
_PARAMETER: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Repeats are answered like the first, with `Idempotency-Replayed: true`. Kept for 24 hours.",
    "schema": {"type": "string", "pattern": OWN_ID},
}
_CODES: Final = ("invalid_idempotency_key", "idempotency_key_reused", "idempotency_key_in_use")


class IdempotentRoute(WireRoute):
    """A POST that may carry an Idempotency-Key; other methods pass. Its answer is kept as it was."""

    keeps_answer = True

    def __init__(self, path: str, *args: Any, **options: Any) -> None:
        if "POST" in (options.get("methods") or ()):
            extra = options.get("openapi_extra") or {}
            options["openapi_extra"] = {**extra, "parameters": [*extra.get("parameters", ()), _PARAMETER]}
            options["responses"] = _merged(documented(*_CODES), options.get("responses") or {})
        super().__init__(path, *args, **options)

    async def finish(self, request: Request, answer: Answer) -> Response:
        """Answers the request, or repeats what the first with its key was answered."""
        given = request.headers.get("idempotency-key")
        if given is None or request.method != "POST":
            return await answer(request)
        if not is_own_id(given):
            raise Problem("invalid_idempotency_key")
        caller, service = await identify(request), service_of(request)
        key = Key(caller.player_id, f"POST {self.path_format}", given)
        request_hash = await self._hash(request, caller)
        entry, ours = await idempotency.begin(
            service.database.session, key, request_hash, secrets.token_bytes(32), LEASE_SECONDS
        )
        if entry.request_hash != request_hash:
            raise Problem("idempotency_key_reused")
        if entry.status is None and not ours:
            raise Problem("idempotency_key_in_use", headers={"Retry-After": "1"})
        if entry.status is not None and self.keeps_answer:
            spend(request, "reads", caller.player_id)
            return _replayed(Response(entry.content, entry.status, entry.headers))
        request.state.seed = entry.content
        if entry.status is not None:
            return _replayed(await answer(request))
        return await self._first(service, key, entry, request, answer)

    async def _first(self, service: Service, key: Key, entry: Entry, request: Request, answer: Answer) -> Response:
        session = service.database.session
        try:
            response = await answer(request)
            headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
            content = bytes(response.body) if self.keeps_answer else entry.content
            await idempotency.finish(session, key, response.status_code, headers, content)
        except BaseException as error:
            await asyncio.shield(_let_go(session, key, refused=_is_refusal(error)))
            raise
        return response

    async def _hash(self, request: Request, caller: Caller) -> bytes:
        body = await request.body()
        # By meaning, where the body was read as JSON: another order of members is the same request.
        payload = json.dumps(await request.json(), sort_keys=True).encode() if self.body_field and body else body
        who = b"" if self.keeps_answer else caller.token_id.encode()
        return hashlib.sha256(b"\0".join((request.url.path.encode(), who, payload))).digest()


class RepeatableRoute(IdempotentRoute):
    """An IdempotentRoute whose answer holds a secret and is kept nowhere: a repeat makes it again from `effect_of`."""

    keeps_answer = False


def effect_of(request: Request) -> str:
    """An id for what this request makes, 128 bits: for one Idempotency-Key always the same, and its own otherwise."""
    seed: bytes | None = getattr(request.state, "seed", None)
    return secrets.token_hex(16) if seed is None else hashlib.sha256(b"id" + seed).hexdigest()[:32]


def seed_of(request: Request) -> str:
    """What secrets of this request are derived from, together with its bearer token. Never shown to anybody."""
    seed: bytes | None = getattr(request.state, "seed", None)
    return secrets.token_hex(32) if seed is None else seed.hex()


def _is_refusal(error: BaseException) -> bool:
    """Whether nothing was done. After anything else it may have been: a COMMIT whose answer was lost is a mere broken
    connection here, and a request that is cut off goes on in the database."""
    return isinstance(error, RequestValidationError) or (isinstance(error, Problem) and error.kind.retry != "same_id")


async def _let_go(session: Session, key: Key, *, refused: bool) -> None:
    """Leaves the key to the next try: free, or with the same seed, under which it finds what was done."""
    try:
        if refused:
            await idempotency.abandon(session, key)
        else:
            await idempotency.release(session, key, LEASE_SECONDS)
    except Exception as error:  # the lease runs out by itself
        log.warning("a key could not be let go", error=repr(error))


def _replayed(response: Response) -> Response:
    response.headers["Idempotency-Replayed"] = "true"
    return response


def _merged(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    """Responses by status, the examples of both where both have one."""
    merged = dict(first)
    for status, response in second.items():
        for media_type, content in merged.get(status, {}).get("content", {}).items():
            response["content"][media_type]["examples"] |= content["examples"]
        merged[status] = response
    return merged
