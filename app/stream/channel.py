"""Games as the streams of this worker follow them: each game is looked at once for all its readers, whenever it may
have moved.
"""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from app.database import away
from app.errors import Problem
from app.service import Service
from app.store.talk import Said
from app.stream import frames
from app.stream.frames import Mark
from app.stream.talk import talk
from app.tables import LiveGame, Numbered
from app.talk import topic
from app.telemetry import log

_TRY_AGAIN_SECONDS: Final = 1.0

_FRESH_SECONDS: Final = 0.05
"""How long a Decision frame is shown to further readers: the time left in it runs."""


class Follower(Protocol):
    """Whoever follows a channel."""

    def wake(self) -> None:
        """The game may have moved."""

    def lose(self, problem: Problem) -> None:
        """The game cannot be followed here any more."""

    def tell(self, said: Said, frame: bytes) -> None:
        """Something was said at the table."""


class Channel:
    """One game. `game` is it as it was last seen."""

    def __init__(self, service: Service, game: LiveGame) -> None:
        self._service = service
        self._shown: dict[int | None, tuple[Mark, float, bytes]] = {}
        self._heard: int | None = None
        self.game = game
        self.followers: set[Follower] = set()

    async def look(self) -> LiveGame:
        """The game, at least as new as any answer that anybody has got. Raises Problem."""
        self.game = await self._service.tables.current(self.game.id)
        return self.game

    async def events_after(self, after: int) -> list[Numbered]:
        """The numbered events that follow on a cursor, up to a page of them."""
        return await self._service.tables.events_after(self.game, after)

    async def seen(self, seat: int | None) -> LiveGame:
        """The game as it was last seen, to a spectator perhaps as it was some events before."""
        game = self.game
        return game if game.seq_for(seat) == game.seq else await self._service.tables.seen(game, seat)

    def decision(self, game: LiveGame, seat: int | None, mark: Mark) -> bytes:
        """The Decision frame of a game that a seat has `seen`, whose mark this is; encoded once for all who read as
        it."""
        now = self._service.clock.monotonic()
        shown = self._shown.get(seat)
        if shown is None or shown[0] != mark or now - shown[1] > _FRESH_SECONDS:
            content = frames.decision(game, seat, self._service.clock.now())
            shown = self._shown[seat] = mark, now, content
        return shown[2]

    async def hear(self) -> None:
        """From now on everything that is said is told: what was said before can be asked for."""
        if self._heard is None:
            self._heard = await self._service.talk.last(self.game.id)

    async def follow_talk(self) -> None:
        """Tells the followers what is said at the table, until it is cancelled."""
        with self._service.hub.watching(topic(self.game.id)) as news:
            while True:
                await news.wait()
                news.clear()
                try:
                    await self.hear()
                    await self._tell()
                except Exception as error:
                    if not away(error):
                        log.exception("talk could not be read", game_id=self.game.id)
                    await asyncio.sleep(_TRY_AGAIN_SECONDS)
                    news.set()

    async def _tell(self) -> None:
        assert self._heard is not None
        for said in await self._service.talk.after(self.game.id, self._heard):
            self._heard = said.no
            frame = talk(said)
            for follower in list(self.followers):
                follower.tell(said, frame)

    async def follow(self) -> None:
        """Wakes the followers whenever the game may have moved, until it is cancelled or the game is lost."""
        with self._service.hub.watching(self.game.id) as news:
            while True:
                news.clear()
                try:
                    await self.look()
                except Problem as problem:
                    for follower in list(self.followers):
                        follower.lose(problem)
                    return
                except Exception as error:
                    if not away(error):
                        log.exception("a game could not be looked at", game_id=self.game.id)
                    await asyncio.sleep(_TRY_AGAIN_SECONDS)
                    continue
                for follower in self.followers:
                    follower.wake()
                await news.wait()


class Channels:
    """The channels of one worker: each is there for as long as somebody follows it."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._open: dict[str, tuple[Channel, tuple[asyncio.Task[None], ...]]] = {}

    def join(self, game: LiveGame, follower: Follower) -> Channel:
        """The channel of a game, which wakes this follower too from now on."""
        if game.id not in self._open:
            channel = Channel(self._service, game)
            tasks = asyncio.create_task(channel.follow()), asyncio.create_task(channel.follow_talk())
            self._open[game.id] = channel, tasks
        channel = self._open[game.id][0]
        channel.followers.add(follower)
        return channel

    def leave(self, channel: Channel, follower: Follower) -> None:
        """Wakes this follower no more."""
        channel.followers.discard(follower)
        if not channel.followers:
            for task in self._open.pop(channel.game.id)[1]:
                task.cancel()

    def look_again(self) -> None:
        """Looks at every game, since another worker may have moved it, or heard something there, and not told."""
        for game_id in self._open:
            self._service.hub.wake(game_id)
            self._service.hub.wake(topic(game_id))
