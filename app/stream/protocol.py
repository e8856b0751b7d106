"""uvicorn's WebSocket protocol, held to the close codes of the contract, and to letting go of whoever does not read."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.server import ServerProtocol

from app.stream.ending import LATER, REFUSED

_NOT_THERE = 1011
"""The code with which a peer is closed that does not answer the transport's own pings."""


class StreamProtocol(WebSocketsSansIOProtocol):
    """One WebSocket connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.conn = _Connection(max_size=self.config.ws_max_size, logger=self.logger)

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

    async def send(self, message: Any) -> None:
        """Sends a message. A close does not wait for a reader that takes nothing, and is not waited for without end."""
        if message["type"] == "websocket.close":
            self.writable.set()
            await super().send(message)
            if self.close_timer is not None:
                self.close_timer.cancel()
                self.close_timer = self.loop.call_later(self.close_timeout, self.transport.abort)
            return
        await super().send(message)


class _Connection(ServerProtocol):
    """What fails by the rules of WebSocket is a bad frame like any other; a peer that is not there comes back."""

    def fail(self, code: int, reason: str = "") -> None:
        super().fail(LATER if code == _NOT_THERE else REFUSED if code in (1002, 1007, 1009) else code, reason)
