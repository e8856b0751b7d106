"""The stream of a game over as many connections as it takes, each going on behind the last event of the one before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import Literal

from todas_client import polling, socket
from todas_client.connection import Frames, Lost, NoSocket
from todas_client.shapes import Frame
from todas_client.transport import Transport, pauses

Way = Literal["auto", "socket", "poll"]


async def stream(transport: Transport, game_id: str, after: int | None, way: Way) -> AsyncIterator[Frame]:
    """The frames of one connection after the other; see `Client.stream`."""
    cursor = Cursor(after)
    connect: Callable[[Transport, str, int | None], Frames] = polling.frames if way == "poll" else socket.frames
    waits = pauses()
    while True:
        try:
            async with aclosing(connect(transport, game_id, cursor.seq)) as frames:
                async for frame in frames:
                    if frame["type"] == "hello":
                        waits = pauses()
                    if cursor.passes(frame):
                        yield frame
            return
        except NoSocket:
            if way == "socket":
                raise
            connect = polling.frames
        except Lost as lost:
            pause = max(next(waits), lost.again_in_s)
            yield {"type": "lost", "reason": lost.reason, "again_in_s": pause}
            await asyncio.sleep(pause)


class Cursor:
    """The last event that was passed on; `seq` is None until it is known where to begin."""

    def __init__(self, seq: int | None) -> None:
        self.seq = seq

    def passes(self, frame: Frame) -> bool:
        """Whether to pass the frame on: not, when it is an event that has been. Raises Lost at a gap."""
        if frame["type"] == "hello" and self.seq is None:
            self.seq = frame["seq"]
        if frame["type"] != "event":
            return True
        if self.seq is not None and frame["seq"] <= self.seq:
            return False
        if self.seq is not None and frame["seq"] > self.seq + 1:
            raise Lost(f"event {self.seq + 1} is missing")
        self.seq = frame["seq"]
        return True
