"""Making a plan true: one game at a time is held while it is decided, its row is handed to the writer, and what was
committed is told to everybody who waits. Publish after commit, never before.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from app.bus import Bus
from app.clock import Clock
from app.database import Database, away, excuse
from app.errors import Problem, unavailable
from app.heartbeat import Heartbeat
from app.log_writer import Busy, Committed, LogWriter, Outcome, OutcomeUnknown, RowFailed
from app.store import games, log, snapshots
from app.store.log import NewRow
from app.tables.absence import Absence
from app.tables.cache import Cache
from app.tables.deadlines import GameClock, following, moved
from app.tables.live_game import LiveGame, row_of
from app.tables.loading import snapshot_of
from app.tables.plan import Plan
from app.tables.timers import Timers
from app.telemetry import log as lines
from engine.codec import FORMAT
from engine.state import GameState

_FINISH_SECONDS: Final = 5.0
_ROWS_OF_BOTS: Final = 16


class Commits:
    """What turns decisions into rows of the log, and rows into the state that is served."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        cache: Cache,
        writer: LogWriter,
        bus: Bus,
        heartbeat: Heartbeat,
        absence: Absence,
    ) -> None:
        self._database = database
        self._clock = clock
        self._cache = cache
        self._writer = writer
        self._bus = bus
        self._heartbeat = heartbeat
        self._absence = absence
        self._tasks: set[asyncio.Task[Any]] = set()
        self.timers = Timers(clock)

    @asynccontextmanager
    async def hold(self, game_id: str) -> AsyncIterator[LiveGame]:
        """The game, with nobody else deciding a command of it here and no row of it under way, known to every other
        worker: whoever stood still for a lease says by now that nobody served meanwhile. Raises Problem only:
        `unknown_game`, `unsupported_format`, `outcome_unknown`, `database_away`, `busy` or `internal`."""
        while True:
            with _problems():
                game = await self._cache.get(game_id)
                await self._heartbeat.known()  # here too: in the lock, those who come for a game would wait in turn
            _check_no_doubt(game)
            async with game.lock:
                _check_no_doubt(game)
                if not self._cache.holds(game):
                    continue  # dropped while this waited for it
                try:
                    await self._writer.settled(game_id)
                except OutcomeUnknown:
                    raise self._doubted(game) from None
                with _problems():
                    await self._heartbeat.known()
                yield game
                return

    async def commit(
        self,
        game: LiveGame,
        plan: Plan,
        now: datetime,
        *,
        seat: int | None = None,
        action_id: str | None = None,
        moved_to: datetime | None = None,
    ) -> tuple[NewRow, Outcome]:
        """Writes the plan's row, for a game that is held. `now` was read before the plan was made: how long a window
        stays open does not depend on how long anybody thought about a hand. Raises Problem only, when it was not
        written, or may not have been."""
        clock = self._clock_after(game, plan, now, moved_to)
        dealt = plan.state.round.number != game.state.round.number
        end_at = self._absence.end_at(clock.person_at or now)
        row = row_of(game.id, (game.version, game.seq), plan, clock, end_at, seat=seat, action_id=action_id)

        def committed(done: Committed) -> None:
            if self._heartbeat.is_known:
                game.advance(row, plan, clock, done.at)
            else:
                game.behind = True  # another worker may still tell of it as it was; a refresh waits for that to end
            self._follow_up(row, clock.wake_at, plan.state if dealt else None)

        with _problems():
            await self._note_format(game)
        try:
            outcome = await self._writer.append(row, committed)
        except OutcomeUnknown:
            raise self._doubted(game) from None
        except Busy:
            raise unavailable("overloaded", 1) from None
        except RowFailed:
            raise Problem("internal") from None
        if isinstance(outcome, Committed) and game.version < row.version:
            await self._take_in(game)
        return row, outcome

    async def _take_in(self, game: LiveGame) -> None:
        """Reads what was committed while this worker was not known, once it is. Raises Problem `outcome_unknown` where
        that takes too long: the row is in the log, and what it came to is told later."""
        try:
            await self._cache.refresh(game)
        except Exception as error:
            raise self._doubted(game) from error

    async def let_bots_finish(self, game: LiveGame) -> None:
        """Writes the rows in which bots go on that a limit stopped, for a game that is held: whoever moved it finds it
        waiting for a person. What is left after some rows, or fails, is left to the game's timer."""
        for _ in range(_ROWS_OF_BOTS):
            due, now = None if game.clock is None else game.clock.bots_at, self._clock.now()
            if due is None or due > now:
                return
            plan = Plan(game.state)
            plan.run_bots(game.terms, self._clock.monotonic, waited=True)
            try:
                _, outcome = await self.commit(game, plan, now)
            except Problem:
                return
            if not isinstance(outcome, Committed):
                return

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Runs something to its end, whoever still waits for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def stop(self) -> None:
        """Lets what is under way come to its end, within seconds."""
        self.timers.clear()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_FINISH_SECONDS)
        for task in list(self._tasks):
            task.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Problem) and error.__cause__ is not None and away(error.__cause__):
            error = error.__cause__
        if error is not None and not isinstance(error, Problem):
            if away(error):
                lines.warning("the database went away", error=repr(error))
            else:
                lines.error("work on a game failed", exc_info=error)

    def _clock_after(self, game: LiveGame, plan: Plan, now: datetime, moved_to: datetime | None) -> GameClock:
        clock = following(
            game.clock,
            game.state,
            plan,
            game.terms,
            now,
            serving_since=self._heartbeat.serving_since,
            pause_seconds=self._absence.pause_seconds,
        )
        if moved_to is not None:
            clock = moved(clock, moved_to)
        person_at = None if plan.by_person else game.person_at
        return clock if clock.person_at == person_at else replace(clock, person_at=person_at)

    def _follow_up(self, row: NewRow, wake_at: datetime | None, dealt: GameState | None) -> None:
        """What a commit leads to: the timer, the news, the state to keep where it `dealt`, the end of a game."""
        self.timers.arm(row.game_id, row.version, wake_at)
        self._bus.publish(row.game_id, row.version)
        if dealt is not None:
            self.spawn(self._keep(row, dealt))
        if row.ended:
            self.spawn(log.archive(self._database.session, [row.game_id]))

    async def _note_format(self, game: LiveGame) -> None:
        """Before a game of an older format is written to, so that no older version of the service goes on with it."""
        if game.game.format < FORMAT:
            await games.set_format(self._database.session, game.id, FORMAT)
            game.game = replace(game.game, format=FORMAT)

    async def _keep(self, row: NewRow, state: GameState) -> None:
        await snapshots.put(self._database.session, snapshot_of(row.game_id, row.version, state))

    def _doubted(self, game: LiveGame) -> Problem:
        """The problem of a command whose row may or may not go in; until that is known the game takes no other."""
        if not game.in_doubt:
            game.in_doubt = True
            self.spawn(self._resolve(game))
        return unavailable("outcome_unknown", 1)

    async def _resolve(self, game: LiveGame) -> None:
        while True:
            try:
                await self._writer.settled(game.id)
            except OutcomeUnknown:
                continue
            game.behind = True
            game.in_doubt = False
            return


@contextmanager
def _problems() -> Iterator[None]:
    """Raises as a Problem whatever else is raised in the block."""
    try:
        yield
    except Problem:
        raise
    except Exception as error:
        problem = excuse(error)
        if problem is None:
            lines.error("the games cannot be reached", exc_info=error)
        raise problem or Problem("internal") from error


def _check_no_doubt(game: LiveGame) -> None:
    if game.in_doubt:
        raise unavailable("outcome_unknown", 1)
