"""The stream of a game over as many connections as it takes, each going on behind the last event of the one before."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import aclosing
from typing import Literal

from todas_client import polling, socket
from todas_client.connection import Frames, Lost, NoSocket, decision
from todas_client.shapes import Frame
from todas_client.transport import Transport, pauses

Way = Literal["auto", "socket", "poll"]


async def stream(transport: Transport, game_id: str, after: int | None, way: Way) -> Frames:
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
                    for passed in cursor.pass_on(frame):
                        yield passed
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
    """What has been passed on: `seq` is the last event, None until it is known where to begin."""

    def __init__(self, seq: int | None) -> None:
        self.seq = seq
        self._hello: Frame | None = None

    def pass_on(self, frame: Frame) -> Iterator[Frame]:
        """The frame, unless it is an event that has been; and behind a `hello`, once the history up to its view has
        come in, the decision that it found open. Raises Lost at a gap."""
        match frame["type"]:
            case "hello":
                self.seq = frame["seq"] if self.seq is None else self.seq
                self._hello = frame
            case "decision":
                self._hello = None
            case "event":
                if self.seq is not None and frame["seq"] <= self.seq:
                    return
                if self.seq is not None and frame["seq"] > self.seq + 1:
                    raise Lost(f"event {self.seq + 1} is missing")
                self.seq = frame["seq"]
            case _:
                pass  # who is there, talk, a ping, and what later servers may send
        yield frame
        if self._hello is not None and self.seq == self._hello["seq"]:
            yield decision(self._hello["view"])
            self._hello = None
