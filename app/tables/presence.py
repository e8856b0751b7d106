"""Who is there at the tables of several people: what this worker sees of them, told in the log where that says
otherwise and it has lasted. The event is the truth; the worker that sees a person reports it (decision 0903).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from app.clock import Clock
from app.database import Database, away
from app.errors import Problem
from app.heartbeat import Heartbeat
from app.store import log, presence
from app.store.presence import Place
from app.tables.absence import Absence, connected_seconds, is_watched
from app.tables.cache import Cache
from app.tables.live_game import LiveGame
from app.tables.seating import Appear, Vanish, has_left
from app.tables.signs import NOTHING, Sign, Signs
from app.telemetry import log as lines
from engine.state import ClaimWindow, OpeningWindow

_LOOK_SECONDS: Final = 0.5
_FORGET_SECONDS: Final = 60.0
_TOUCHES: Final = 24
"""How often, until a game would end, is noted that somebody is there who does not move."""

Report = Appear | Vanish
Submit = Callable[[str, Report], Awaitable[Any]]


class Presence:
    """One task that compares what is seen with what is told. `signs` are told by the routes and streams."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        heartbeat: Heartbeat,
        cache: Cache,
        submit: Submit,
        absence: Absence,
        worker: str,
    ) -> None:
        self.signs = Signs(clock)
        self._database = database
        self._clock = clock
        self._heartbeat = heartbeat
        self._cache = cache
        self._submit = submit
        self._absence = absence
        self._worker = worker
        self._kept: set[Place] = set()
        self._unlike: dict[Place, datetime] = {}
        self._quiet = False
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begins to look."""
        self._task = asyncio.create_task(self._run(), name="presence")

    async def stop(self) -> None:
        """Ends, and says so where the database still listens: what this worker saw is for others to see now."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        with suppress(Exception):
            if self._kept:
                await presence.leave(self._database.session, self._worker)

    def asked(self, game_id: str, player_id: str, *, moved: bool) -> None:
        """A player has asked for something at a game, which may have been a move."""
        if moved:
            game = self._cache.find(game_id)
            self.signs.moved(game_id, player_id, None if game is None else _window_since(game))
        else:
            self.signs.asked(game_id, player_id)

    def fall_silent(self) -> None:
        """Reports nothing more: this worker is about to stop, and its streams come back elsewhere."""
        self._quiet = True

    async def look(self) -> None:
        """Looks once at every table in memory, and reports what is to be reported."""
        now = self._clock.now()
        seen: set[Place] = set()
        reports: dict[Place, Report] = {}
        for game in self._cache.games():
            if not game.is_dealt or game.is_over:
                continue
            await self._touch(game, now)
            if len(game.persons) > 1 and is_watched(game.state):
                self._look_at(game, now, seen, reports)
        self._unlike = {place: at for place, at in self._unlike.items() if self._cache.find(place[0])}
        await self._keep(seen)
        for place in await self._seen_elsewhere([place for place in reports if isinstance(reports[place], Vanish)]):
            del reports[place]
        await asyncio.gather(*(self._report(game_id, report) for (game_id, _), report in reports.items()))

    def _look_at(self, game: LiveGame, now: datetime, seen: set[Place], reports: dict[Place, Report]) -> None:
        if game.watched_since is None:
            game.watched_since = now
        for seat, player_id in game.persons.items():
            sign = self.signs.of(game.id, player_id)
            is_here = self._is_here(game, sign, now)
            if is_here:
                seen.add((game.id, seat))
            report = self._due(game, seat, sign, is_here, now)
            if report is not None:
                reports[game.id, seat] = report

    def _is_here(self, game: LiveGame, sign: Sign, now: datetime) -> bool:
        if sign.open:
            return True
        last = sign.last(_window_since(game))
        return last is not None and now - last <= timedelta(seconds=connected_seconds(game.terms))

    def _due(self, game: LiveGame, seat: int, sign: Sign, is_here: bool, now: datetime) -> Report | None:
        """What is to be told of a seat now."""
        player, place, changed_at = game.state.players[seat], (game.id, seat), game.changed_at[seat]
        if has_left(player):
            return None
        if is_here and self._is_missed(game, seat, sign):
            return Appear(seat)
        if is_here == player.connected or (sign is NOTHING and self._is_new(game, now)):
            self._unlike.pop(place, None)
            return None
        since = self._unlike.setdefault(place, now)
        if now - since < timedelta(seconds=self._absence.settle_seconds):
            return None
        if changed_at is not None and now - changed_at < timedelta(seconds=self._absence.apart_seconds):
            return None
        return Appear(seat) if is_here else Vanish(seat)

    def _is_missed(self, game: LiveGame, seat: int, sign: Sign) -> bool:
        """Whether the game waits for this very person, or a bot plays for it: it is told at once."""
        player, changed_at = game.state.players[seat], game.changed_at[seat]
        if player.away and player.connected:  # it let its turns run out, and has to move
            moved_at = None if _is_window(game) else sign.moved_at
            return moved_at is not None and changed_at is not None and moved_at > changed_at
        return player.away or (game.clock is not None and game.clock.is_deserted)

    def _is_new(self, game: LiveGame, now: datetime) -> bool:
        """Whether a person may have been seen of late by a worker that is gone."""
        since = game.watched_since
        return since is None or now - since <= timedelta(seconds=connected_seconds(game.terms))

    async def _keep(self, seen: set[Place]) -> None:
        """Lets the other workers know, where there are any."""
        if self._heartbeat.alone:
            if self._kept:
                await presence.leave(self._database.session, self._worker)
                self._kept = set()
        elif seen != self._kept:
            await presence.keep(self._database.session, self._worker, seen - self._kept, self._kept - seen)
            self._kept = seen

    async def _seen_elsewhere(self, places: list[Place]) -> set[Place]:
        if self._heartbeat.alone or not places:
            return set()
        return await presence.elsewhere(self._database.session, self._worker, places, self._heartbeat.lease)

    async def _report(self, game_id: str, report: Report) -> None:
        if self._quiet:
            return
        try:
            await self._submit(game_id, report)
        except Problem as problem:
            lines.info("presence is told later", game_id=game_id, code=problem.kind.code)

    async def _touch(self, game: LiveGame, now: datetime) -> None:
        """Puts off the end of a game that somebody looks at without moving, now and then."""
        apart = timedelta(seconds=self._absence.end_seconds / _TOUCHES)
        if game.person_at is None or now - game.person_at < apart:
            return
        signs = [self.signs.of(game.id, player_id) for player_id in game.persons.values()]
        lasts = [sign.last(None) for sign in signs]
        if any(sign.open for sign in signs) or any(last is not None and now - last < apart for last in lasts):
            game.seen_at = now
            end_at = self._absence.end_at(now)
            wake_at = end_at if game.wake_at is None else min(game.wake_at, end_at)
            await log.put_off(self._database.session, game.id, game.version, wake_at)

    async def _run(self) -> None:
        forgotten = self._clock.monotonic()
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await self.look()
                if self._clock.monotonic() - forgotten > _FORGET_SECONDS:
                    forgotten = self._clock.monotonic()
                    self.signs.forget(self._clock.now())
            except Exception as error:
                if not away(error):
                    lines.exception("looking after who is there failed")


def _is_window(game: LiveGame) -> bool:
    return isinstance(game.state.decision, ClaimWindow | OpeningWindow)


def _window_since(game: LiveGame) -> datetime | None:
    """Since when a window is open; None where none is."""
    return game.decided_at if _is_window(game) else None
