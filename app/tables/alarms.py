"""What happens though nobody asked: bots that are due, deadlines that have passed, people who stay away. A timer only
submits what the table would do anyway; in time is what was committed before its row.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from app.clock import Clock
from app.database import Database, away
from app.heartbeat import Heartbeat
from app.store import log
from app.tables.absence import Absence, Moments, served
from app.tables.cache import Cache
from app.tables.commits import Commits
from app.tables.deadlines import GameClock
from app.tables.live_game import LiveGame
from app.tables.orders import default_moves, move_deadline
from app.tables.plan import Plan
from app.tables.seating import give_up_waiting, stand_in
from app.telemetry import log as lines
from engine.actions import EndGame, PauseGame

_SWEEP_SECONDS: Final = 1.0
_MARGIN: Final = timedelta(seconds=1)
"""What is overdue by less is left to the worker whose timer it is."""

_ARMED: Final = timedelta(hours=1)
"""How near a deadline is for which a timer is set at start; what is later is found by a sweep."""


class Alarms:
    """The timers of one worker, and its sweeps for games whose worker has died."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        cache: Cache,
        commits: Commits,
        heartbeat: Heartbeat,
        absence: Absence,
    ) -> None:
        self._database = database
        self._clock = clock
        self._cache = cache
        self._commits = commits
        self._heartbeat = heartbeat
        self._absence = absence
        self._task: asyncio.Task[None] | None = None
        commits.timers.on_due(self._due)

    async def start(self) -> None:
        """Arms a timer for every deadline that is near, puts ended games away, and begins to sweep."""
        session = self._database.session
        await log.archive(session)
        for game_id, version, at in await log.deadlines(session, _ARMED):
            self._commits.timers.arm(game_id, version, at)
        self._task = asyncio.create_task(self._sweep(), name="sweep")

    async def stop(self) -> None:
        """Ends the sweeps."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _due(self, game_id: str, version: int, *, swept: bool = False) -> None:
        self._commits.spawn(self._ring(game_id, version, swept=swept))

    async def _ring(self, game_id: str, version: int, *, swept: bool) -> None:
        """Moves a game on that stood at this version, unless it has moved since: whoever moved it armed anew. A sweep
        has just read that the game is overdue."""
        async with self._commits.hold(game_id) as game:
            if game.version < version:
                await self._cache.refresh(game)
            if game.version != version or game.clock is None:
                return
            now = self._clock.now()
            next_at = self._next_at(game, game.clock)
            if swept and self._is_abandoned(game, now):
                await self._abandon(game, now)
            elif next_at is not None and next_at <= now:
                await self._move_on(game, game.clock, now)
            elif next_at is not None:
                self._commits.timers.arm(game_id, version, next_at)

    async def _move_on(self, game: LiveGame, clock: GameClock, now: datetime) -> None:
        plan, moved_to = Plan(game.state), None
        pause_at, away_at = self._absences(game, clock)
        absent = [seat for seat, at in enumerate(away_at) if at is not None and at <= now]
        if pause_at is not None and pause_at <= now:
            plan.take(None, PauseGame())
        elif absent:
            for seat in absent:
                stand_in(plan, seat)
        elif clock.bots_at is not None and clock.bots_at <= now:
            plan.run_bots(game.terms, self._clock.monotonic, waited=True)
        elif self._was_not_served(clock):
            moved_to = clock.moved_to(now)
            move_deadline(plan, moved_to)
        else:
            default_moves(plan)
            give_up_waiting(game, plan)
        if moved_to is None and plan.bots_in is None:
            plan.run_bots(game.terms, self._clock.monotonic)
        if plan.events:
            await self._commits.commit(game, plan, now, moved_to=moved_to)
            await self._commits.let_bots_finish(game)

    def _next_at(self, game: LiveGame, clock: GameClock) -> datetime | None:
        """When the game moves by itself, seen from this worker."""
        pause_at, away_at = self._absences(game, clock)
        moments = (clock.deadline_at, clock.bots_at, pause_at, *away_at)
        return min((at for at in moments if at is not None), default=None)

    def _absences(self, game: LiveGame, clock: GameClock) -> tuple[datetime | None, Moments]:
        """When the table pauses, and each seat is given to a bot; whoever could not come back while nobody served has
        some time to."""
        since = self._heartbeat.serving_since
        a, b, c, d = (served(at, game.terms.away_seconds, since) for at in clock.away_at)
        return served(clock.pause_at, self._absence.pause_seconds, since), (a, b, c, d)

    def _was_not_served(self, clock: GameClock) -> bool:
        at = clock.deadline_at
        return at is not None and at < self._heartbeat.serving_since and not clock.moved

    def _is_abandoned(self, game: LiveGame, now: datetime) -> bool:
        """Whether no person has come for so long, though the table may play on by itself."""
        end_at = None if game.person_at is None else self._absence.end_at(game.person_at)
        end_at = served(end_at, self._absence.end_seconds, self._heartbeat.serving_since)
        return end_at is not None and end_at <= now

    async def _abandon(self, game: LiveGame, now: datetime) -> None:
        plan = Plan(game.state)
        plan.take(None, EndGame("now", "abandoned"))
        await self._commits.commit(game, plan, now)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            try:
                for due in await log.overdue(self._database.session, _MARGIN):
                    self._due(due.game_id, due.version, swept=True)
            except Exception as error:
                if not away(error):
                    lines.exception("a sweep for overdue games failed")
