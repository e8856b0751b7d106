"""A stream as server-sent events: the same frames from the same cursor, with the number of each event as its id."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.service import Service
from app.stream import frames
from app.stream.feed import Feed
from app.stream.protocol import transport_of
from app.stream.streams import Streams

MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT_ID: Final = "last-event-id"


class EventStream(Response):
    """The answer that goes on for as long as its feed does, which it closes. A reader that takes nothing is waited for
    until the feed is cut, and a connection on which nothing arrives any more for two heartbeats; then it is let go."""

    def __init__(self, request: Request, feed: Feed) -> None:
        # Whatever is written last to a connection that is not used again may be given up with it.
        super().__init__(media_type=MEDIA_TYPE, headers={"Connection": "close"})
        del self.headers["content-length"]
        self._service: Service = request.app.state.service
        self._streams: Streams = request.app.state.streams
        self._feed = feed
        self._instance = request.url.path
        self._request_id: str = request.state.request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends until the feed ends or the reader has gone."""
        transport = transport_of(scope)
        if transport is not None and not transport.is_closing():
            _show_all_waiting(transport)
            _give_up_after(transport, 2 * self._feed.heartbeat)
        reader = asyncio.create_task(_gone(receive))
        sender = asyncio.create_task(self._send_all(send))
        try:
            await asyncio.wait({reader, sender}, return_when=asyncio.FIRST_COMPLETED)
            if transport is not None and sender.done():
                await self._let_go(transport, reader)
        finally:
            self._streams.close(self._feed)
            reader.cancel()
            sender.cancel()
            await asyncio.wait({reader, sender})

    async def _let_go(self, transport: asyncio.Transport, reader: asyncio.Task[None]) -> None:
        """Once it has ended: at once from a reader that holds it up, later from one that does not take the rest."""
        if self._feed.is_held_up:
            transport.abort()
            await reader  # else the server takes the answer for one that was forgotten
        elif transport.get_write_buffer_size():
            asyncio.get_running_loop().call_later(self._service.settings.stream_stall_seconds, transport.abort)

    async def _send_all(self, send: Send) -> None:
        async def send_frame(frame: bytes, seq: int | None) -> None:
            number = b"" if seq is None else b"id: %d\n" % seq
            await send(_part(b"%sdata: %s\n\n" % (number, frame)))

        with suppress(OSError):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            ending = await self._feed.run(send_frame)
            self._service.telemetry.stream_closed(ending.code)
            if self._feed.is_held_up:
                return
            last = ending.last
            if ending.problem is not None:
                last = frames.refused(ending.problem, None, instance=self._instance, request_id=self._request_id)
            await send(_part(b"" if last is None else b"data: %s\n\n" % last, more=False))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _show_all_waiting(transport: asyncio.Transport) -> None:
    """Makes whoever sends wait for the least that is not taken: a few pings would fit in between for hours."""
    transport.set_write_buffer_limits(high=0)


def _give_up_after(transport: asyncio.Transport, seconds: float) -> None:
    """Ends a connection on which nothing that is sent arrives for so long, where the system can."""
    if sys.platform == "linux":
        connection: socket.socket = transport.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(seconds * 1000))


def _part(body: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": more}
