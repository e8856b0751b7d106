"""A worker's tables without its routes, games on them, and persons who play whatever is legal."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from app.bus import LocalBus
from app.clock import Clock
from app.database import Database
from app.heartbeat import Heartbeat
from app.hub import Hub
from app.store import log, players
from app.store.log import LogRow
from app.tables import Answer, LiveGame, Move, Opening, Tables, Terms, usual_terms
from app.tables.deadlines import dump_clock, load_clock
from app.tables.verify import verify_games
from engine.actions import Action
from engine.bots import NAMES
from engine.events import Length, Player
from engine.legal import default_action
from engine.rules import preset
from engine.state import GameState

PATIENCE = 60.0

_numbers = itertools.count(1)


@dataclass(slots=True)
class Hand:
    """Turns the clocks of workers: their time passes only when a test says so, however slow the machine is."""

    seconds: float = 0.0

    def clock(self) -> Clock:
        """A clock that it turns."""
        return Clock(lambda: self.seconds)


@dataclass(slots=True)
class Worker:
    """The parts of a worker that concern games."""

    database: Database
    clock: Clock
    heartbeat: Heartbeat
    bus: LocalBus
    hub: Hub
    tables: Tables
    name: str

    async def new_game(
        self, ruleset: str = "emay", *, persons: int = 1, terms: Terms | None = None, **more: Any
    ) -> str:
        """The id of a game that is dealt, with persons in the first seats and greedy bots in the others."""
        return (await self.tables.create(await self.opening(ruleset, persons=persons, terms=terms, **more))).id

    async def opening(
        self, ruleset: str = "emay", *, persons: int = 1, terms: Terms | None = None, **more: Any
    ) -> Opening:
        """Such a game, to be made."""
        seated = {seat: await new_player(self.database) for seat in range(persons)}
        made = [Player("Ligaya")] * persons + [Player(name, "greedy") for name in NAMES][: 4 - persons]
        a, b, c, d = made
        return Opening(
            id=f"g{next(_numbers)}",
            rules=preset(ruleset),
            players=(a, b, c, d),
            persons=seated,
            owner=0,
            points=(0, 0, 0, 0),
            terms=terms or usual_terms(ruleset, persons),
            length=more.get("length", Length(rounds=2)),
            visibility="private",
            seed=more.get("seed", "5eed"),
            seeded=True,
        )

    async def state(self, game_id: str) -> GameState:
        """The game as it is now."""
        return (await self.tables.current(game_id)).state

    async def act(self, game_id: str, seat: int, action: Action, **more: Any) -> Answer:
        """A seat's action, meant for the decision that is open now."""
        no = (await self.state(game_id)).decision.no
        return await self.tables.submit(game_id, Move(seat, action, **{"decision_no": no, **more}))

    async def next_move(self, game_id: str, seat: int = 0, action_id: str | None = None) -> Move:
        """The default action of a seat that the table waits for, meant for the decision that is open now."""
        state = await self.state(game_id)
        action = default_action(state, seat)
        assert action is not None
        return Move(seat, action, state.decision.no, action_id)

    async def rows(self, game_id: str) -> list[LogRow]:
        """The game's log."""
        return await log.rows_after(self.database.session, game_id, 0)


async def wait(worker: Worker, game_id: str, until: Callable[[LiveGame], bool]) -> LiveGame:
    """The game once something holds of it, without anybody's doing."""
    with worker.hub.watching(game_id) as news:
        async with asyncio.timeout(PATIENCE):
            while not until(game := await worker.tables.current(game_id)):
                await news.wait()
                news.clear()
            return game


async def come_due(worker: Worker, hand: Hand, game_id: str) -> LiveGame:
    """Turns the clock to where the game moves by itself: the game once it has."""
    game = await worker.tables.current(game_id)
    version, due = game.version, game.wake_at
    assert due is not None
    hand.seconds += max(0.0, worker.clock.seconds_until(due))
    return await wait(worker, game_id, lambda game: game.version > version)


@asynccontextmanager
async def working(url: str, clock: Clock | None = None, *, beats: bool = True, **more: Any) -> AsyncIterator[Worker]:
    """A worker that serves until the end of the block, and perhaps beats only when it has to be known; `more` goes to
    its Tables."""
    clock = clock or Clock()
    database = Database(url, size=5)
    name = f"worker-{next(_numbers)}"
    heartbeat = Heartbeat(database, clock, name, timedelta(seconds=30))  # longer than a busy machine stands still
    bus, hub = LocalBus(), Hub()
    tables = Tables(database, clock, heartbeat, bus, hub, name, **more)
    await database.open()
    await database.set_clock(clock)
    await (heartbeat.start() if beats else heartbeat.known())
    await tables.start()
    try:
        yield Worker(database, clock, heartbeat, bus, hub, tables, name)
    finally:
        await tables.stop()
        await heartbeat.stop()
        await database.close()


async def faults(database: Database) -> list[str]:
    """What `todas verify` finds."""
    return [fault async for verdict in verify_games(database.moment) for fault in verdict.faults]


async def forget(*workers: Worker) -> None:
    """Lets the database take workers for such as it has not heard of for an hour."""
    for worker in workers:
        await worker.database.session.execute(
            "UPDATE workers SET seen_at = seen_at - interval '1 hour' WHERE id = $1", worker.name
        )


async def pass_unserved(database: Database, game_id: str) -> datetime:
    """Sets a game's deadline an hour back, as if it had passed while nobody served: when that was."""
    last = (await log.rows_after(database.session, game_id, 0))[-1]
    assert last.clock is not None
    clock = load_clock(last.clock)
    assert clock.deadline_at is not None
    passed = clock.deadline_at - timedelta(hours=1)
    content = dump_clock(replace(clock, deadline_at=passed, bank_from=None))
    await database.session.execute(
        "UPDATE game_log SET clock = $3 WHERE game_id = $1 AND version = $2", game_id, last.version, content
    )
    await log.put_off(database.session, game_id, last.version, passed)
    return passed


async def new_player(database: Database) -> str:
    """The id of a new player."""
    player_id = f"player-{next(_numbers)}"
    await players.create(database.session, player_id, "Ligaya", player_id.encode())
    return player_id


def lazy(state: GameState, seat: int) -> Action | None:
    """What a person does who only ever does the default."""
    return default_action(state, seat)


async def play(
    worker: Worker,
    game_id: str,
    until: Callable[[LiveGame], bool],
    choose: Callable[[GameState, int], Action | None] = lazy,
) -> LiveGame:
    """Lets the persons of a game act until something holds, and waits while it is the bots' move."""
    with worker.hub.watching(game_id) as news:
        while True:
            news.clear()
            game = await worker.tables.current(game_id)
            if until(game):
                return game
            acting = [(seat, action) for seat in game.persons if (action := choose(game.state, seat)) is not None]
            if acting:
                await worker.act(game_id, *acting[0])
            else:
                await asyncio.wait_for(news.wait(), PATIENCE)
