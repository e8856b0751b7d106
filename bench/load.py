"""A load generator that does nothing but send prepared requests and count the answers: HTTP/1.1, one at a time on each
of its connections.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import cast

_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = b"content-length: "


@dataclass(slots=True)
class Run:
    """One run of all clients. `seconds` holds how long each answer took that came before the end."""

    seconds: list[float] = field(default_factory=list)
    after: int = 0
    """Answers that came when it was over."""
    over: bool = False


class Client(asyncio.Protocol):
    """One connection, with the requests it sends one after another."""

    def __init__(self, requests: Iterator[bytes]) -> None:
        self._requests = requests
        self._answer = b""
        self._sent_at = 0.0
        self._run = Run(over=True)
        self._idle: asyncio.Future[None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._idle is not None and not self._idle.done():
            self._idle.set_exception(exc or ConnectionError("the service closed a connection"))

    def data_received(self, data: bytes) -> None:
        answer = self._answer = self._answer + data
        head = answer.find(_END_OF_HEAD)
        if head < 0:
            return
        start = answer.index(_LENGTH) + len(_LENGTH)
        if len(answer) < head + len(_END_OF_HEAD) + int(answer[start : answer.index(b"\r", start)]):
            return
        self._answer = b""
        if not answer.startswith(b"HTTP/1.1 200"):
            self._end(RuntimeError(f"a move was refused: {answer.decode()}"))
        elif self._run.over:
            self._run.after += 1
            self._end(None)
        else:
            self._run.seconds.append(perf_counter() - self._sent_at)
            self._send()

    def begin(self, run: Run) -> asyncio.Future[None]:
        """Sends from now on until the run is over; done when the last answer is there."""
        self._run, self._idle = run, asyncio.get_running_loop().create_future()
        self._send()
        return self._idle

    def close(self) -> None:
        """Hangs up."""
        if self._transport is not None:
            self._transport.close()

    def _send(self) -> None:
        request = next(self._requests, None)
        if request is None or self._transport is None:
            self._end(RuntimeError("there is nothing left to send: play more moves beforehand"))
        else:
            self._sent_at = perf_counter()
            self._transport.write(request)

    def _end(self, error: Exception | None) -> None:
        if self._idle is not None and not self._idle.done():
            if error is None:
                self._idle.set_result(None)
            else:
                self._idle.set_exception(error)


async def connect(port: int, requests: Sequence[Iterator[bytes]]) -> list[Client]:
    """A client for each of these, connected."""
    loop = asyncio.get_running_loop()
    clients = [Client(each) for each in requests]
    for client in clients:
        await loop.create_connection(partial(_same, client), "127.0.0.1", port)
    return clients


async def run(clients: Sequence[Client], seconds: float) -> Run:
    """All clients at once, for so long."""
    this = Run()
    idle = [client.begin(this) for client in clients]
    done, _ = await asyncio.wait(idle, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    this.over = True
    for each in done:
        each.result()
    await asyncio.gather(*idle)
    return this


def _same(client: Client) -> Client:
    return client
