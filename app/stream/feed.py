"""What one reader of a game is sent, in order: a hello, the events after its cursor, its decision whenever that has
changed, and the answers to what it sent after the events they caused. Live, resumed or from another worker, it is one
path: a cursor over the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from app.auth import Caller
from app.clock import Clock
from app.errors import Problem
from app.store.talk import Said
from app.stream import frames
from app.stream.channel import Channel
from app.stream.ending import LATER, Ending, ending_of, problem_of
from app.stream.frames import Mark
from app.stream.outbox import Outbox
from app.stream.presence import presence
from app.talk import may_hear
from engine.events import SeatChanged

Send = Callable[[bytes, int | None], Awaitable[None]]
"""Hands a frame to the transport, with its number when it is an event; waits while the reader is too slow for it."""

_AT_ONCE: Final = 32
"""Frames handed over before others on this worker have their turn."""


class Feed:
    """One reader. `run` is its sender; everything else may be called meanwhile, from the same loop."""

    __slots__ = (
        "_after",
        "_cursor",
        "_greeted_at",
        "_greets",
        "_mark",
        "_news",
        "_outbox",
        "_sender",
        "_sending_since",
        "busy",
        "caller",
        "channel",
        "clock",
        "ending",
        "heartbeat",
        "next_ping_at",
        "seat",
        "tells_presence",
    )

    channel: Channel

    def __init__(self, caller: Caller, seat: int | None, after: int | None, clock: Clock, heartbeat: float) -> None:
        """`after` is the last event the reader has; None is whatever has happened until its hello."""
        self.caller = caller
        self.seat = seat
        self.clock = clock
        self.ending: Ending | None = None
        self.busy = False
        """Something it sent is being done."""
        self.tells_presence = False
        """Who is there is told by frames of its own too."""
        self.next_ping_at = 0.0
        self.heartbeat = heartbeat
        self._greets = True
        self._after = after
        self._cursor = 0
        self._greeted_at = 0
        self._mark: Mark = ()
        self._news = asyncio.Event()
        self._outbox = Outbox()
        self._sender: asyncio.Task[object] | None = None
        self._sending_since: float | None = None

    async def run(self, send: Send) -> Ending:
        """Sends until the feed is to end: how. Raises what `send` raises."""
        self._sender = asyncio.current_task()
        try:
            while not self._is_over():
                self._news.clear()
                await self._send_news(send)
                if not self._is_over():
                    await self._news.wait()
        except asyncio.CancelledError:
            if self.ending is None or self._sender is None:
                raise
            self._sender.uncancel()  # it was cut off
        assert self.ending is not None
        return self.ending

    def wake(self) -> None:
        """There may be something to send."""
        self._news.set()

    def reply(self, seq: int, frame: bytes | None) -> None:
        """Sends a frame once the events up to `seq` have been sent, after the replies before it; None is a ping."""
        if not self._outbox.put(seq, frame):
            self.cut(Ending(LATER))
        self.wake()

    def tell(self, said: Said, frame: bytes) -> None:
        """Sends what was said at the table to whoever may hear it."""
        if may_hear(self.channel.game, self.caller.player_id):
            self.reply(0, frame)

    def resume(self, after: int) -> None:
        """Begins again, after this event."""
        self._greets, self._after = True, after
        self.wake()

    def end(self, ending: Ending) -> None:
        """Ends it, after the frame that is being sent, or once what is in flight is answered. The first ending counts,
        unless it waits for something."""
        if self.ending is None or self.ending.in_order:
            self.ending = ending
        self.wake()

    def lose(self, problem: Problem) -> None:
        """Ends it for a problem."""
        self.end(ending_of(problem))

    def cut(self, ending: Ending) -> None:
        """Ends it even while the reader takes nothing."""
        self.end(ending)
        if self._sender is not None:
            self._sender.cancel()

    def stalled(self, now: float) -> float:
        """For how many seconds the reader has not taken the frame that is being sent."""
        return 0.0 if self._sending_since is None else now - self._sending_since

    @property
    def is_held_up(self) -> bool:
        """Whether a frame has been handed over that the reader has not taken; for good, once it has run."""
        return self._sending_since is not None

    def _is_over(self) -> bool:
        ending = self.ending
        return ending is not None and not (ending.in_order and (self.busy or self._outbox))

    async def _send_news(self, send: Send) -> None:
        try:
            if self._greets:
                await self._greet(send)
            await self._send_events(send)
            await self._send_decision(send)
            while self._outbox.is_due(self._cursor) and not (self._greets or self._is_over()):
                await self._hand_over(send, self._outbox.take() or frames.ping(self._cursor))
        except Exception as error:
            if self.is_held_up:
                raise  # the transport's
            self.lose(problem_of(error))

    async def _greet(self, send: Send) -> None:
        await self.channel.hear()
        await self.channel.look()
        game = await self.channel.seen(self.seat)
        self._greets = False
        self._greeted_at = game.seq
        self._cursor = game.seq if self._after is None else min(self._after, game.seq)
        self._mark = frames.decision_mark(game, self.seat)
        await self._hand_over(send, frames.hello(game, self.seat, self.clock.now(), self.heartbeat))

    async def _send_events(self, send: Send) -> None:
        sent, last = 0, self.channel.game.seq_for(self.seat)
        while self._cursor < last and (facts := await self.channel.events_after(self._cursor)):
            for fact in facts:
                if self._greets or self._is_over() or fact.seq > last:
                    return
                await self._hand_over(send, frames.event(fact, self.seat), fact.seq)
                self._cursor = fact.seq
                if self.tells_presence and fact.seq > self._greeted_at and isinstance(fact.event, SeatChanged):
                    await self._hand_over(send, presence(fact.event))
                sent += 1
                if sent % _AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _send_decision(self, send: Send) -> None:
        game = await self.channel.seen(self.seat)
        if self._cursor < game.seq or self._greets or self._is_over():
            return
        mark = frames.decision_mark(game, self.seat)
        if mark != self._mark:
            self._mark = mark
            await self._hand_over(send, self.channel.decision(game, self.seat, mark))

    async def _hand_over(self, send: Send, frame: bytes, seq: int | None = None) -> None:
        self._sending_since = self.clock.monotonic()
        await send(frame, seq)
        self._sending_since = None
