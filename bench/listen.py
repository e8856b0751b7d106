"""WebSocket clients that do nothing but send prepared moves and note when bytes came; what those were is read when all
is over.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Iterator
from time import perf_counter
from typing import cast

from pydantic_core import from_json

_HEAD_ENDS = b"\r\n\r\n"
_ACK = b'{"type":"ack"'
_PROBLEM = b'{"type":"problem"'


class Listener(asyncio.Protocol):
    """One socket that follows a game."""

    def __init__(self, game_id: str, token: str) -> None:
        self.game_id = game_id
        self._token = token
        self._came: list[tuple[float, bytes]] = []
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport | None = None
        self._answered: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        lines = (
            f"GET /v1/games/{self.game_id}/stream HTTP/1.1",
            "Host: 127.0.0.1",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: todas.v1",
            f"Authorization: Bearer {self._token}",
        )
        self._transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        self._came.append((perf_counter(), data))
        if not self.greeted.done():
            self.greeted.set_result(None)
        if self._answered is not None and not self._answered.done():
            if _ACK in data:
                self._answered.set_result(None)
            elif _PROBLEM in data:
                self._answered.set_exception(RuntimeError(f"a move was refused: {data.decode(errors='replace')}"))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.greeted.done():
            self.greeted.set_exception(exc or ConnectionError("the service closed a socket"))

    def send(self, frame: bytes) -> asyncio.Future[None]:
        """Sends a frame that is answered by an ack; done when that is there."""
        assert self._transport is not None
        self._answered = asyncio.get_running_loop().create_future()
        length = bytes([0x80 | len(frame)]) if len(frame) < 126 else b"\xfe" + len(frame).to_bytes(2, "big")
        self._transport.write(b"\x81" + length + bytes(4) + frame)  # masked by zeros, so as it is
        return self._answered

    def close(self) -> None:
        """Hangs up."""
        if self._transport is not None:
            self._transport.abort()

    def events(self) -> Iterator[tuple[int, float]]:
        """The number of each event that came, and when the last byte of it did."""
        buffer, skipped = b"", False
        for at, part in self._came:
            buffer += part
            if not skipped:
                buffer, skipped = buffer[buffer.index(_HEAD_ENDS) + len(_HEAD_ENDS) :], True
            while (size := _size(buffer)) and len(buffer) >= sum(size):
                start, length = size
                content = buffer[start : start + length]
                if content.startswith(b'{"type":"event"'):
                    yield from_json(content)["seq"], at
                buffer = buffer[start + length :]


async def listen(port: int, game_id: str, token: str) -> Listener:
    """A socket that has been greeted."""
    loop = asyncio.get_running_loop()
    _, listener = await loop.create_connection(lambda: Listener(game_id, token), "127.0.0.1", port)
    await listener.greeted
    return listener


def _size(buffer: bytes) -> tuple[int, int] | None:
    """Where the payload of the next frame starts and how long it is; a server's frames are not masked."""
    if len(buffer) < 2:
        return None
    length = buffer[1]
    more = {126: 2, 127: 8}.get(length, 0)
    if len(buffer) < 2 + more:
        return None
    return 2 + more, int.from_bytes(buffer[2 : 2 + more], "big") if more else length
