"""How things go wrong: the service said no, or nobody answered."""

from __future__ import annotations

from typing import Any, Literal, cast

import httpx

Retry = Literal["never", "same_id", "after"]


class Problem(Exception):
    """The service said no. Decide by `code`, which is stable; show `detail` to people.

    `retry` says what may help: `never` (ask for something else), `same_id` (repeat it with the same id, since it may or
    may not have been done) or `after` (repeat it later: in `retry_after` seconds, or once the game has moved on).
    """

    def __init__(self, body: dict[str, Any], status: int, retry_after: float | None = None) -> None:
        self.body = body
        self.status = status
        self.retry_after = retry_after
        self.code: str = body.get("code", f"http_{status}")
        self.title: str = body.get("title", f"HTTP {status}")
        self.detail: str = body.get("detail", self.title)
        self.retry = cast("Retry", body.get("retry", "same_id" if status >= 500 else "never"))
        self.request_id: str | None = body.get("request_id")
        self.errors: list[dict[str, str]] = body.get("errors", [])
        super().__init__(f"{self.code}: {self.detail}")

    @property
    def passing(self) -> bool:
        """Whether the same request, with the same id, may go through a little later although nothing else changes."""
        return self.status in (429, 502, 503, 504) or self.code in ("idempotency_key_in_use", "behind")


class Unreachable(Exception):
    """Nobody answered for as long as the client was willing to try. Whether a move was done is not known: repeat it
    with the same `action_id`."""


class Closed(Exception):
    """The service closed the stream for good: `code` is the WebSocket close code, 1008 for a frame or token it does not
    accept."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"the stream was closed with {code} {reason}".rstrip())
        self.code = code
        self.reason = reason


def problem_of(answer: httpx.Response) -> Problem:
    """The problem that an answer from 400 on holds; one made up from its status where a proxy answered instead."""
    return problem_in(answer.content, answer.status_code, answer.headers.get("retry-after"))


def problem_in(content: bytes, status: int, retry_after: str | None) -> Problem:
    """The same, from the parts of an answer."""
    try:
        body = httpx.Response(status, content=content).json()
    except ValueError:
        body = None
    seconds = float(retry_after) if retry_after and retry_after.isdecimal() else None
    return Problem(body if isinstance(body, dict) else {}, status, seconds)
