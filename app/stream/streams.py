"""The open streams of this worker: who may have one, when each is pinged, and what closes them all or one player's."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from app.api.table import seat_in
from app.auth import Caller
from app.database import away
from app.draining import COME_BACK_SECONDS
from app.errors import Problem, unavailable
from app.service import Service
from app.store import tokens
from app.stream import frames
from app.stream.channel import Channels
from app.stream.ending import LATER, REFUSED, RESTARTING, Ending
from app.stream.feed import Feed
from app.stream.lobby import LobbyFeed
from app.telemetry import log

Presence = Callable[[str, str, bool], None]
"""Is told a game's id, a player's, and whether that player has a stream of that game now. Must not block or raise."""

_TICK_SECONDS: Final = 0.25
_LOOK_SECONDS: Final = 1.0
"""How often games are looked at for what another worker did and did not tell."""

_TOKENS_SECONDS: Final = 10.0
"""How often the tokens of open streams are looked up: a word of another worker may be lost, and some expire."""

_FULL_SECONDS: Final = 5

_JITTER_SECONDS: Final = 3.0
"""How far apart the clients of a server that stops come back."""


class Streams:
    """All feeds. A stream that is not here is not pinged, not closed by anything, and counts for nobody's presence."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._channels = Channels(service)
        self._feeds: set[Feed] = set()
        self._open: Counter[tuple[str, str]] = Counter()
        self._held: Counter[str] = Counter()
        self._presence: list[Presence] = []
        self._empty = asyncio.Event()
        self._empty.set()
        self._task: asyncio.Task[None] | None = None
        service.bus.on_revoked(self._revoked)
        service.draining.on_begin(self._drain)

    async def start(self) -> None:
        """Begins to ping."""
        self._task = asyncio.create_task(self._run(), name="streams")

    async def stop(self) -> None:
        """Ends."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def on_presence(self, call: Presence) -> None:
        """Calls it from now on when a player's first stream of a game opens, and when its last one closes."""
        self._presence.append(call)

    @property
    def count(self) -> int:
        """How many are open."""
        return len(self._feeds)

    async def open(self, caller: Caller, game_id: str, after: int | None) -> Feed:
        """A new feed, which has to be closed. Raises Problem: `unknown_game`, `not_started`, `draining`,
        `too_many_streams`, `overloaded`."""
        service = self._service
        game = await service.tables.known(game_id)
        seat = seat_in(game, caller)
        self._check_room(caller)
        feed = Feed(caller, seat, after, service.clock, service.settings.stream_heartbeat_seconds)
        feed.channel = self._channels.join(game, feed)
        self._add(feed)
        key = game_id, caller.player_id
        self._open[key] += 1
        if self._open[key] == 1:
            self._tell(*key, is_open=True)
        return feed

    def open_lobby(self, caller: Caller) -> LobbyFeed:
        """A new feed of the tables that wait, which has to be closed. Raises Problem: `draining`, `too_many_streams`,
        `overloaded`."""
        service = self._service
        self._check_room(caller)
        feed = LobbyFeed(caller, service.board, service.clock, service.settings.stream_heartbeat_seconds)
        service.board.join(feed.wake)
        self._add(feed)
        return feed

    def close(self, feed: Feed) -> None:
        """Forgets a feed."""
        self._feeds.discard(feed)
        self._held[feed.caller.player_id] -= 1
        if not self._held[feed.caller.player_id]:
            del self._held[feed.caller.player_id]
        self._service.telemetry.streams.set(len(self._feeds))
        if isinstance(feed, LobbyFeed):
            self._service.board.leave(feed.wake)
        else:
            self._leave(feed)
        if not self._feeds:
            self._empty.set()

    async def emptied(self, seconds: float) -> None:
        """Waits until all streams are closed, at most so long; those that are left are cut."""
        try:
            async with asyncio.timeout(seconds):
                await self._empty.wait()
        except TimeoutError:
            log.warning("streams are still open", count=len(self._feeds))
            for feed in list(self._feeds):
                feed.cut(Ending(RESTARTING))

    def draining(self) -> Ending:
        """How a stream ends because this server stops: not all of them come back at once."""
        seconds = max(COME_BACK_SECONDS, self._service.settings.drain_seconds) + random.random() * _JITTER_SECONDS
        return Ending(RESTARTING, last=frames.draining(round(seconds * 1000)), in_order=True)

    def _check_room(self, caller: Caller) -> None:
        self._service.draining.refuse()
        if self._held[caller.player_id] >= self._service.settings.streams_per_player:
            raise unavailable("too_many_streams", _FULL_SECONDS)
        if len(self._feeds) >= self._service.settings.streams_at_most:
            raise unavailable("overloaded", _FULL_SECONDS)

    def _add(self, feed: Feed) -> None:
        feed.next_ping_at = self._service.clock.monotonic() + random.uniform(0.5, 1) * feed.heartbeat
        self._feeds.add(feed)
        self._held[feed.caller.player_id] += 1
        self._service.telemetry.streams.set(len(self._feeds))
        self._empty.clear()

    def _leave(self, feed: Feed) -> None:
        self._channels.leave(feed.channel, feed)
        key = feed.channel.game.id, feed.caller.player_id
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]
            self._tell(*key, is_open=False)

    def _tell(self, game_id: str, player_id: str, *, is_open: bool) -> None:
        for call in self._presence:
            call(game_id, player_id, is_open)

    def _drain(self) -> None:
        for feed in self._feeds:
            feed.end(self.draining())

    def _revoked(self, player_id: str, token_id: str | None) -> None:
        for feed in self._feeds:
            if feed.caller.player_id == player_id and token_id in (None, feed.caller.token_id):
                _close_unauthenticated(feed)

    async def _run(self) -> None:
        look_at = tokens_at = 0.0
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            now = self._service.clock.monotonic()
            try:
                self._tick(now)
                if now >= look_at:
                    look_at = now + _LOOK_SECONDS
                    self._look_again()
                if now >= tokens_at:
                    tokens_at = now + min(_TOKENS_SECONDS, self._service.settings.stream_heartbeat_seconds)
                    await self._check_tokens()
            except Exception as error:
                if not away(error):
                    log.exception("looking after streams failed")

    def _tick(self, now: float) -> None:
        patience = self._service.settings.stream_stall_seconds
        for feed in list(self._feeds):
            if feed.stalled(now) > patience:
                feed.cut(Ending(LATER))
            elif now >= feed.next_ping_at:
                feed.next_ping_at = now + feed.heartbeat
                feed.reply(0, None)

    def _look_again(self) -> None:
        if not (self._service.heartbeat.alone or self._service.bus.reaches_others):
            self._channels.look_again()

    async def _check_tokens(self) -> None:
        held = {feed.caller.token_id for feed in self._feeds}
        if held:
            valid = await tokens.valid_among(self._service.database.session, list(held))
            for feed in self._feeds:
                if feed.caller.token_id in held - valid:
                    _close_unauthenticated(feed)


def _close_unauthenticated(feed: Feed) -> None:
    feed.end(Ending(REFUSED, Problem("unauthenticated", "This token is not valid any more.")))
