"""The tables of the service as one worker serves them: made, moved, looked at. Correct whatever other workers do; what
is in memory, and the lock of a game, only save work.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from app.bus import Bus
from app.clock import Clock
from app.database import Database, Session
from app.errors import Problem, unavailable
from app.heartbeat import Heartbeat
from app.hub import Hub
from app.log_writer import ActionKnown, Committed, LogWriter
from app.store import games, lobby, log
from app.tables.absence import USUAL_ABSENCE, Absence
from app.tables.alarms import Alarms
from app.tables.cache import Cache, Waiting
from app.tables.commits import Commits
from app.tables.done import done_of
from app.tables.live_game import LiveGame, Numbered, numbered_of
from app.tables.opening import Opening
from app.tables.orders import Move, Order
from app.tables.past import Past
from app.tables.plan import Plan
from app.tables.presence import Presence
from app.tables.seating import Vanish
from engine.actions import Refusal
from engine.codec import dump_command

ATTEMPTS: Final = 8
"""How often a command is decided while other workers move the game under it."""

PAGE: Final = 500
"""Numbered events read from the log at once."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to: the numbered events of its row, and the last number then. `game` is as it is now."""

    game: LiveGame
    seq: int
    events: tuple[Numbered, ...] = ()
    replayed: bool = False


class Tables:
    """All games."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        heartbeat: Heartbeat,
        bus: Bus,
        hub: Hub,
        worker: str,
        *,
        capacity: int = 2000,
        patience: float = 5.0,
        writer_url: str | None = None,
        absence: Absence = USUAL_ABSENCE,
    ) -> None:
        """`worker` is unique to this start of this process; `capacity` the rows that may wait for the log, `patience`
        the seconds for which whoever sent one waits while its outcome is open, `absence` those for which people are.
        The writer connects to `writer_url` where it is not the database's."""
        self._database = database
        self._clock = clock
        self._hub = hub
        self._worker = worker
        self._cache = Cache(database, heartbeat)
        self._writer = LogWriter(
            writer_url or database.url,
            clock,
            worker,
            capacity=capacity,
            patience=patience,
            on_suspect=self._cache.drop,
        )
        self._past = Past()
        self._absence = absence
        self._commits = Commits(database, clock, self._cache, self._writer, bus, heartbeat, absence)
        self._alarms = Alarms(database, clock, self._cache, self._commits, heartbeat, absence)
        self.presence = Presence(database, clock, heartbeat, self._cache, self.submit, absence, worker)
        bus.on_moved(self._heard)

    @property
    def writer(self) -> LogWriter:
        """What writes their rows."""
        return self._writer

    async def start(self) -> None:
        """Begins to write, and takes up every deadline. Raises what `database.away` recognises without a server."""
        await self._writer.start()
        await self._alarms.start()
        await self.presence.start()

    async def stop(self) -> None:
        """Lets what is under way come to its end, as far as that is a matter of seconds."""
        await self.presence.stop()
        await self._alarms.stop()
        await self._commits.stop()
        await self._writer.stop()

    async def create(self, opening: Opening) -> LiveGame:
        """Makes a game and deals it in one transaction. One that its creator has made already is returned as it is."""
        async with self._database.transaction() as session:
            if await games.find(session, opening.id) is None:
                row, dealt = opening.dealt(self._clock.now(), self._clock.monotonic, self._absence)
                await games.create(session, opening.game(), row, dealt, self._worker)
        return await self.begun(opening.id)

    async def deal(self, session: Session, opening: Opening) -> None:
        """Deals a game that waited, in the transaction that has locked it; once it is committed, `begun` follows."""
        row, dealt = opening.dealt(self._clock.now(), self._clock.monotonic, self._absence)
        await lobby.begin(session, opening.game(), row, dealt, self._worker)

    async def begun(self, game_id: str) -> LiveGame:
        """A game that has just been dealt: everybody is told, and its bots go on."""
        with suppress(Waiting):
            await self._cache.get(game_id)  # somebody may be reading it as it was before
        async with self._commits.hold(game_id) as game:
            self._commits.timers.arm(game.id, game.version, game.wake_at)
            self._hub.wake(game_id)
            await self._commits.let_bots_finish(game)
            return game

    def in_memory(self) -> list[LiveGame]:
        """The games that this worker knows, for its figures."""
        return self._cache.games()

    async def known(self, game_id: str) -> LiveGame:
        """The game, for what does not change: who sits where, who may see it. One that waits for players comes as it
        is in the store, not dealt. Raises Problem `unknown_game`."""
        try:
            return await self._cache.get(game_id)
        except Waiting as waiting:
            return waiting.game

    async def current(self, game_id: str, min_seq: int = 0) -> LiveGame:
        """The game, at least as new as any answer that anybody has got. Raises Problem `unknown_game`."""
        return await self._cache.current(game_id, min_seq)

    async def seen(self, game: LiveGame, seat: int | None) -> LiveGame:
        """The game as this reader may see it: a spectator perhaps as it was some events ago."""
        seq = game.seq_for(seat)
        return game if seq == game.seq else await self.past(game, seq)

    async def past(self, game: LiveGame, seq: int) -> LiveGame:
        """The game as it was after one of its events."""
        return await self._past.at(self._database.session, game, seq)

    async def submit(self, game_id: str, order: Order) -> Answer:
        """Carries out a command, whoever still waits for it. Raises Problem: what the engine refuses, `unknown_game`,
        `action_id_reused`, `precondition_failed`, `busy`, `overloaded` or `outcome_unknown`.
        """
        return await asyncio.shield(self._commits.spawn(self._carry_out(game_id, order)))

    async def events_after(self, game: LiveGame, after: int, limit: int = PAGE) -> list[Numbered]:
        """The numbered events that follow on a cursor, in order: from memory, or from the log where it is older."""
        tail = game.tail
        if after >= game.seq:
            return []
        if tail and tail[0].seq <= after + 1:
            skipped = after + 1 - tail[0].seq
            return [tail[place] for place in range(skipped, min(len(tail), skipped + limit))]
        rows = await log.rows_of_events(self._database.session, game.id, after, limit)
        return [fact for row in rows for fact in numbered_of(row) if fact.seq > after][:limit]

    def _heard(self, game_id: str, version: int) -> None:
        game = self._cache.find(game_id)
        if game is not None and game.version < version:
            game.behind = True
        self._hub.wake(game_id)

    async def _carry_out(self, game_id: str, order: Order) -> Answer:
        seat, action_id = (order.seat, order.action_id) if isinstance(order, Move) else (None, None)
        async with self._commits.hold(game_id) as game:
            for _ in range(ATTEMPTS):
                if isinstance(order, Move) and (repeated := await self._repeated(game, order)):
                    return repeated
                now, plan = self._clock.now(), Plan(game.state)
                plan.by_person = not isinstance(order, Vanish)
                try:
                    order.apply(game, plan)
                except (Refusal, Problem) as refusal:
                    if await self._was_wrong(game, order):
                        continue
                    raise _problem(refusal, game) from None
                if not plan.events:
                    if await self._was_wrong(game, order):
                        continue
                    return Answer(game, game.seq)
                plan.run_bots(game.terms, self._clock.monotonic)
                row, outcome = await self._commits.commit(game, plan, now, seat=seat, action_id=action_id)
                if isinstance(outcome, Committed):
                    await self._commits.let_bots_finish(game)
                    return Answer(game, row.last_seq, await self._events(game, row.first_seq, row.last_seq))
                if isinstance(outcome, ActionKnown):
                    await self._recollect(game, order)
                await self._cache.refresh(game)
        raise unavailable("busy", 1)

    async def _repeated(self, game: LiveGame, move: Move) -> Answer | None:
        """The first answer to an action that is known; None for a new one. Raises Problem `action_id_reused`."""
        done = None if move.action_id is None else game.done(move.seat, move.action_id)
        if done is None:
            return None
        if done.content != move.content:
            raise Problem("action_id_reused")
        if not self._cache.is_current(game) or game.seq < done.last_seq:
            await self._cache.refresh(game)
        return Answer(game, done.last_seq, await self._events(game, done.first_seq, done.last_seq), replayed=True)

    async def _was_wrong(self, game: LiveGame, order: Order) -> bool:
        """Whether a refusal, or that nothing was to do, came from an old state or from not knowing a repeat."""
        if not self._cache.is_current(game) and await self._cache.refresh(game):
            return True
        return await self._recollect(game, order)

    async def _recollect(self, game: LiveGame, order: Order) -> bool:
        """Looks an action up in the log that is not in memory any more; whether it was there."""
        if not isinstance(order, Move) or order.action_id is None or game.done(order.seat, order.action_id):
            return False
        row = await log.row_of_action(self._database.session, game.id, order.seat, order.action_id)
        if row is None:
            return False
        game.remember(order.seat, order.action_id, done_of(row))
        return True

    async def _events(self, game: LiveGame, first_seq: int, last_seq: int) -> tuple[Numbered, ...]:
        if last_seq < first_seq:
            return ()
        return tuple(await self.events_after(game, first_seq - 1, last_seq - first_seq + 1))


def _problem(refusal: Refusal | Problem, game: LiveGame) -> Problem:
    """What the engine refuses, as it goes on the wire, with the decision that is open and what may be done instead."""
    if isinstance(refusal, Problem):
        return refusal
    members = {
        "decision_no": game.state.decision.no,
        "legal_actions": [dump_command(action) for action in refusal.legal],
    }
    return Problem(refusal.code, refusal.detail, members=members)
