"""What happens though nobody asked: bots that are due and deadlines that have passed. A timer only submits what the
table would do anyway; in time is what was committed before its row.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from app.clock import Clock
from app.database import Database, away
from app.heartbeat import Heartbeat
from app.store import log
from app.tables.cache import Cache
from app.tables.commits import Commits
from app.tables.deadlines import GameClock
from app.tables.live_game import LiveGame
from app.tables.orders import default_moves, move_deadline
from app.tables.plan import Plan
from app.telemetry import log as lines

_SWEEP_SECONDS: Final = 1.0
_MARGIN: Final = timedelta(seconds=1)
"""What is overdue by less is left to the worker whose timer it is."""


class Alarms:
    """The timers of one worker, and its sweeps for games whose worker has died."""

    def __init__(self, database: Database, clock: Clock, cache: Cache, commits: Commits, heartbeat: Heartbeat) -> None:
        self._database = database
        self._clock = clock
        self._cache = cache
        self._commits = commits
        self._heartbeat = heartbeat
        self._task: asyncio.Task[None] | None = None
        commits.timers.on_due(self._due)

    async def start(self) -> None:
        """Arms a timer for every deadline there is, puts ended games away, and begins to sweep."""
        session = self._database.session
        await log.archive(session)
        for game_id, version, at in await log.deadlines(session):
            self._commits.timers.arm(game_id, version, at)
        self._task = asyncio.create_task(self._sweep(), name="sweep")

    async def stop(self) -> None:
        """Ends the sweeps."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _due(self, game_id: str, version: int) -> None:
        self._commits.spawn(self._ring(game_id, version))

    async def _ring(self, game_id: str, version: int) -> None:
        """Moves a game on that stood at this version, unless it has moved since: whoever moved it armed anew."""
        async with self._commits.hold(game_id) as game:
            if game.version < version:
                await self._cache.refresh(game)
            if game.version != version or game.clock is None or game.wake_at is None:
                return
            if game.wake_at > self._clock.now():
                self._commits.timers.arm(game_id, version, game.wake_at)
            else:
                await self._move_on(game, game.clock)

    async def _move_on(self, game: LiveGame, clock: GameClock) -> None:
        now = self._clock.now()
        plan, moved_to = Plan(game.state), None
        if clock.bots_at is not None and clock.bots_at <= now:
            plan.run_bots(game.terms, self._clock.monotonic, waited=True)
        elif clock.deadline_at is not None and clock.deadline_at < self._heartbeat.serving_since and not clock.moved:
            moved_to = clock.moved_to(now)
            move_deadline(plan, moved_to)
        else:
            default_moves(plan)
            plan.run_bots(game.terms, self._clock.monotonic)
        if plan.events:
            await self._commits.commit(game, plan, moved_to=moved_to)
            await self._commits.let_bots_finish(game)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            try:
                for due in await log.overdue(self._database.session, _MARGIN):
                    self._due(due.game_id, due.version)
            except Exception as error:
                if not away(error):
                    lines.exception("a sweep for overdue games failed")
