"""Requests over HTTP that survive a lost connection and a service that restarts.

A request is sent again only where that cannot do anything twice: a read, or a write under an id of its own.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import httpx

from todas_client.problems import Problem, Unreachable, problem_of

_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


class Transport:
    """Asks the service at `address` on behalf of whoever has the `token`, for up to `patience` seconds a request."""

    def __init__(self, address: str, token: str | None, patience: float) -> None:
        self.address = root_of(address)
        self.token = token
        self._patience = patience
        timeout = httpx.Timeout(10, connect=5)
        self._http = httpx.AsyncClient(base_url=f"{self.address}/v1", timeout=timeout)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    @property
    def authorization(self) -> dict[str, str]:
        """The header that says who asks."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    async def get(self, path: str, held: float = 0, **query: Any) -> Any:
        """Reads something; `held` are seconds that the service itself may take before it answers."""
        params = {name: value for name, value in query.items() if value is not None}
        timeout = httpx.Timeout(10 + held, connect=5)
        return await self._ask("GET", path, params=params, timeout=timeout, repeatable=True)

    async def once(self, path: str, held: float = 0, **query: Any) -> Any:
        """The same, tried once. Raises Problem and httpx.TransportError."""
        answer = await self._http.get(
            path, params=query, headers=self.authorization, timeout=httpx.Timeout(10 + held, connect=5)
        )
        if answer.status_code >= 400:
            raise problem_of(answer)
        return answer.json()

    async def send(self, method: str, path: str, body: Any = None, *, key: str | None = None) -> Any:
        """Writes something. With a `key`, or with an id inside the body, it is repeated until the outcome is known."""
        headers = {} if key is None else {"Idempotency-Key": key}
        repeatable = key is not None or (isinstance(body, dict) and "action_id" in body) or method in ("PUT", "DELETE")
        return await self._ask(method, path, json=body, headers=headers, repeatable=repeatable)

    async def _ask(self, method: str, path: str, *, repeatable: bool, **request: Any) -> Any:
        request["headers"] = {**request.get("headers", {}), **self.authorization}
        waits = pauses()
        until = asyncio.get_running_loop().time() + self._patience
        while True:
            try:
                answer = await self._http.request(method, path, **request)
            except httpx.TransportError as error:
                lost: Exception = error
                again = repeatable or isinstance(error, _NOT_SENT)
                pause = next(waits)
            else:
                if answer.status_code < 400:
                    return answer.json() if answer.content else None
                lost = problem = problem_of(answer)
                again = problem.passing and (repeatable or problem.status == 429)
                pause = max(next(waits), problem.retry_after or 0)
            if not again or asyncio.get_running_loop().time() + pause > until:
                if isinstance(lost, Problem):
                    raise lost
                raise Unreachable(f"{self.address} does not answer: {str(lost) or type(lost).__name__}") from lost
            await asyncio.sleep(pause)


def root_of(address: str) -> str:
    """The address of a service as everything here writes it: with a scheme, without the version."""
    address = address if "://" in address else f"http://{address}"
    return address.rstrip("/").removesuffix("/v1")


def pauses() -> Iterator[float]:
    """Seconds to wait before each next try: growing to five, and never the same for two clients."""
    pause = 0.2
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(pause * 2, 5)
