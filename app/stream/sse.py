"""A stream as server-sent events: the same frames from the same cursor, with the number of each event as its id."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.stream import frames
from app.stream.feed import Feed
from app.stream.streams import Streams

MEDIA_TYPE: Final = "text/event-stream"
LAST_EVENT_ID: Final = "last-event-id"


class EventStream(Response):
    """The answer that goes on for as long as its feed does, which it closes. A reader that takes nothing is waited for:
    nothing is kept for it meanwhile."""

    def __init__(self, streams: Streams, feed: Feed, *, instance: str, request_id: str) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        del self.headers["content-length"]
        self._streams = streams
        self._feed = feed
        self._instance = instance
        self._request_id = request_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends until the feed ends or the reader has gone."""
        reader = asyncio.create_task(_gone(receive))
        sender = asyncio.create_task(self._send_all(send))
        try:
            await asyncio.wait({reader, sender}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._streams.close(self._feed)
            reader.cancel()
            sender.cancel()
            await asyncio.wait({reader, sender})

    async def _send_all(self, send: Send) -> None:
        async def send_frame(frame: bytes, seq: int | None) -> None:
            number = b"" if seq is None else b"id: %d\n" % seq
            await send(_part(b"%sdata: %s\n\n" % (number, frame)))

        with suppress(OSError):
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            ending = await self._feed.run(send_frame)
            last = ending.last
            if ending.problem is not None:
                last = frames.refused(ending.problem, None, instance=self._instance, request_id=self._request_id)
            await send(_part(b"" if last is None else b"data: %s\n\n" % last, more=False))


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _part(body: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.response.body", "body": body, "more_body": more}
