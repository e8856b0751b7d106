"""The one writer of moves: takes rows of many games, commits all that wait in one statement, and tells each waiter what
became of its row. A row it was given is carried to its end, whoever still waits; nobody hears "no" unless it is so.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime

from app.clock import Clock
from app.database import given_up
from app.log_queue import (
    ActionKnown,
    Busy,
    Committed,
    Counts,
    Entry,
    Outcome,
    OutcomeUnknown,
    Queue,
    RowFailed,
    VersionTaken,
)
from app.store.append import Appender, MarkedRow, Standing
from app.store.log import NewRow
from app.telemetry import log

__all__ = ["ActionKnown", "Busy", "Committed", "LogWriter", "Outcome", "OutcomeUnknown", "RowFailed", "VersionTaken"]

_PUT_OFF_SECONDS = 0.004
_RECONNECT_SECONDS = (0.02, 1.0)


class LogWriter:
    """One task with a connection of its own. The rows of one game are sent one after another, in the order they came,
    so a batch never holds two of them."""

    def __init__(
        self,
        url: str,
        clock: Clock,
        worker: str,
        *,
        capacity: int = 2000,
        batch: int = 256,
        patience: float = 5.0,
        on_suspect: Callable[[str], None] = lambda game_id: None,
    ) -> None:
        """`worker` is unique to this start of this process; `capacity` the rows held at once; `patience` the seconds
        for which a waiter waits while the outcome stays open; `on_suspect` is told a game whose cached state is not to
        be trusted. The clock is set from the database at each connection."""
        self.counts = Counts()
        self._url = url
        self._clock = clock
        self._worker = worker
        self._capacity = capacity
        self._batch = batch
        self._patience = patience
        self._on_suspect = on_suspect
        self._marks = 0
        self._queue = Queue()
        self._in_flight: list[Entry] = []
        self._task: asyncio.Task[None] | None = None
        self._appender: Appender | None = None

    @property
    def held(self) -> int:
        """The rows under way now."""
        return len(self._queue)

    async def start(self) -> None:
        """Connects and begins. Raises what `database.away` recognises when there is no server."""
        self._appender = await Appender.connect(self._url, self._clock)
        self._task = asyncio.create_task(self._run(), name="log writer")

    async def stop(self, seconds: float = 10.0) -> None:
        """Takes no more rows, carries those it has to their end if that can be done in time, and disconnects."""
        self._capacity = 0
        with suppress(TimeoutError, OutcomeUnknown):
            async with asyncio.timeout(seconds):
                for entry in list(self._queue):
                    await self.settled(entry.game_id)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        for entry in self._queue:
            self._let_go(entry)
        self._disconnect()

    async def append(self, row: NewRow, on_committed: Callable[[Committed], None]) -> Outcome:
        """Hands a row over and waits for what becomes of it. `on_committed` is called before the waiter wakes, and
        also when nobody waits any more: it moves the new state into the cache, and waits for nothing itself. Raises
        Busy, OutcomeUnknown or RowFailed."""
        if len(self._queue) >= self._capacity:
            self.counts.busy += 1
            raise Busy
        self._marks += 1
        marked = MarkedRow(row, f"{self._worker}:{self._marks}")
        waiter: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._queue.put(Entry(marked, self._clock.monotonic(), waiter, on_committed))
        return await waiter

    async def settled(self, game_id: str) -> None:
        """Returns when no row of the game is under way: only then may a command be decided from its cached state.
        Raises OutcomeUnknown when that takes too long."""
        if not await self._queue.settled(game_id, self._patience):
            raise OutcomeUnknown

    async def _run(self) -> None:
        while True:
            try:
                while True:
                    self._in_flight = await self._queue.take(self._batch)
                    await self._write(self._in_flight)
                    self._in_flight = []
            except Exception:
                log.exception("the log writer failed and starts again")
                self._send_again(self._in_flight)
                await asyncio.sleep(_RECONNECT_SECONDS[0])

    async def _write(self, batch: list[Entry]) -> None:
        """Sends one statement, and ends, puts off or sends again each of its rows."""
        appender = await self._connected()
        self.counts.batches += 1
        left = batch
        try:
            times = await appender.write([entry.marked for entry in batch])
            left = [entry for entry in batch if entry.game_id not in times]
            for entry in batch:
                if entry.game_id in times:
                    self._commit(entry, times[entry.game_id])
            if left:
                standing = await appender.standing([entry.marked for entry in left])
                for entry in left:
                    self._leave_out(entry, standing[entry.game_id])
        except Exception as error:
            if appender.lost(error):
                log.warning("the log writer lost an answer", error=repr(error), rows=len(left))
                self._send_again(left)
            elif given_up(error):
                for entry in left:
                    self._put_off(entry)
            elif len(batch) == 1:
                self._fail(batch[0], error)
            else:
                for entry in left:
                    await self._write([entry])

    def _leave_out(self, entry: Entry, standing: Standing) -> None:
        row = entry.marked.row
        if standing.taken_by == entry.marked.mark and standing.taken_at is not None:
            self._commit(entry, standing.taken_at)  # it went in, and only the answer was lost
        elif standing.action_known:
            self.counts.action_known += 1
            self._end(entry, ActionKnown())
        elif standing.taken_by is not None:
            self.counts.version_taken += 1
            self._end(entry, VersionTaken())
        elif standing.head == row.version - 1 and not standing.ended:
            self._put_off(entry)  # another session holds the game
        else:
            self._fail(entry, ValueError(f"version {row.version} does not follow on {standing}"))

    def _commit(self, entry: Entry, at: datetime) -> None:
        row = entry.marked.row
        committed = Committed(row.game_id, row.version, at)
        self.counts.committed += 1
        try:
            entry.on_committed(committed)
        except Exception:
            log.exception("a committed state did not reach the cache", game_id=row.game_id, version=row.version)
            self._suspect(row)
        self._end(entry, committed)

    def _fail(self, entry: Entry, error: Exception) -> None:
        row = entry.marked.row
        log.error("a row cannot be written", game_id=row.game_id, version=row.version, error=repr(error))
        self.counts.failed += 1
        self._suspect(row)
        if entry.uncertain:
            self._let_go(entry)
        failure = RowFailed(row.game_id, row.version)
        failure.__cause__ = error
        self._end(entry, failure)

    def _suspect(self, row: NewRow) -> None:
        self.counts.suspect += 1
        self._on_suspect(row.game_id)

    def _end(self, entry: Entry, outcome: Outcome | Exception) -> None:
        self._queue.remove(entry)
        entry.tell(outcome)

    def _put_off(self, entry: Entry) -> None:
        """The row is sent again in a moment. When that has gone on too long and the row is certainly not applied, it
        is dropped with a true "no"; else only its waiters are let go."""
        self.counts.put_off += 1
        if self._clock.monotonic() - entry.since <= self._patience:
            asyncio.get_running_loop().call_later(_PUT_OFF_SECONDS, self._queue.send, entry.game_id)
        elif entry.uncertain:
            self._release(self._queue.lane(entry.game_id))
            asyncio.get_running_loop().call_later(_RECONNECT_SECONDS[1], self._queue.send, entry.game_id)
        else:
            self.counts.busy += 1
            self._end(entry, Busy())

    def _send_again(self, entries: list[Entry]) -> None:
        """The same rows once more, on a new connection: reading could not tell what is still to be carried out."""
        self._disconnect()
        for entry in entries:
            if entry in self._queue.lane(entry.game_id):
                entry.uncertain = True
                self.counts.resent += 1
                self._queue.send(entry.game_id)

    async def _connected(self) -> Appender:
        pause, longest = _RECONNECT_SECONDS
        while self._appender is None or self._appender.closed:
            try:
                self._appender = await Appender.connect(self._url, self._clock)
            except Exception as error:
                log.warning("the log writer cannot connect", error=repr(error))
                self._release(self._queue)
                await asyncio.sleep(pause)
                pause = min(2 * pause, longest)
        return self._appender

    def _release(self, entries: Iterable[Entry]) -> None:
        """Lets those go who have waited long enough; their rows stay under way."""
        for entry in entries:
            if self._clock.monotonic() - entry.since > self._patience:
                self._let_go(entry)

    def _let_go(self, entry: Entry) -> None:
        """Tells a waiter, unless it was told something before, that nobody knows yet."""
        self.counts.unknown += entry.tell(OutcomeUnknown())

    def _disconnect(self) -> None:
        if self._appender is not None:
            self._appender.terminate()
            self._appender = None
