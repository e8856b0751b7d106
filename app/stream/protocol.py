"""uvicorn's protocols: a WebSocket is held to the close codes of the contract, and to letting go of whoever does not
read; an answer that goes on is enabled to do so too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.server import ServerProtocol

from app.stream.ending import LATER, REFUSED

_NOT_THERE = 1011
"""The code with which a peer is closed that does not answer the transport's own pings."""


_NO_HANDSHAKE: Final = "Failed to open a WebSocket connection: a handshake is a GET without a body.\n"

_CONNECTION: Final = "todas.connection"


class AnswerProtocol(HttpToolsProtocol):
    """One connection for requests. Each of them is told of its transport: ASGI has no word for giving up a reader."""

    def on_message_begin(self) -> None:
        """Begins a request."""
        super().on_message_begin()
        self.scope["extensions"] = {_CONNECTION: {"transport": self.transport}}


def transport_of(scope: Mapping[str, Any]) -> asyncio.Transport | None:
    """The transport that a request came over; None where another server than ours serves it."""
    transport: asyncio.Transport | None = scope.get("extensions", {}).get(_CONNECTION, {}).get("transport")
    return transport


class StreamProtocol(WebSocketsSansIOProtocol):
    """One WebSocket connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Connection(max_size=self.config.ws_max_size, logger=self.logger)
        self._flushes = False
        if self.ping_timeout is not None:
            self.close_timeout = self.ping_timeout

    def data_received(self, data: bytes) -> None:
        """Takes what came. A request that is none to the library, as one with a body or with headers that are too long,
        is answered: it would stay open for as long as its sender likes."""
        super().data_received(data)
        if self.conn.handshake_exc is not None and not (self.handshake_initiated or self.close_sent):
            refusal = b"".join(self.conn.data_to_send()) or self.conn.reject(400, _NO_HANDSHAKE).serialize()
            self.handshake_complete = self.close_sent = True
            self.transport.write(refusal)
            self.transport.close()

    def send_receive_event_to_app(self) -> None:
        """Hands a message over, once it is known to be text where it says so: the library logs a trace otherwise."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.conn.fail(REFUSED, "not UTF-8")
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def handle_parser_exception(self) -> None:
        """Closes for a bad frame."""
        super().handle_parser_exception()
        self._abort_later()

    def keepalive_timeout(self) -> None:
        """Closes a peer that does not answer: the library would neither tell the application nor let go of it."""
        super().keepalive_timeout()
        if self.close_sent:
            self.queue.put_nowait({"type": "websocket.disconnect", "code": LATER})
            self._abort_later()

    async def send(self, message: Any) -> None:
        """Sends a message; frames that are sent in one go become one write. A close does not wait for a reader that
        takes nothing."""
        match message["type"]:
            case "websocket.send":
                await self._send_text(message["text"])
            case "websocket.close" if self.handshake_complete:
                if self.close_sent:
                    raise ClientDisconnected
                self.writable.set()
                await super().send(message)
                self._abort_later()
            case "websocket.http.response.body":
                await super().send(message)
                self.handshake_complete = self.close_sent  # an answer is one too: uvicorn would log an error
            case _:
                await super().send(message)
                if self.handshake_complete and not self.close_sent:
                    del self.request, self.response  # they would stay as long as the connection

    def _abort_later(self) -> None:
        """Closing waits for what is written to be taken, which whoever does not read never does."""
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)

    async def _send_text(self, text: str) -> None:
        if not self.writable.is_set():
            await self.writable.wait()
        if self.disconnected:
            raise ClientDisconnected
        try:
            self.conn.send_text(text.encode())
        except InvalidState:
            raise ClientDisconnected from None
        if not self._flushes:
            self._flushes = True
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._flushes = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))


class _Connection(ServerProtocol):
    """What fails by the rules of WebSocket is a bad frame like any other; a peer that is not there comes back."""

    def fail(self, code: int, reason: str = "") -> None:
        super().fail(LATER if code == _NOT_THERE else REFUSED if code in (1002, 1007, 1009) else code, reason)
