"""A service whose time stands still: its clock and its database's move only when a test says so, and its ids are given.
It is a real uvicorn and a real Postgres, in this process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg

from app import database
from app.auth import GUEST, token_hash
from app.clock import Clock
from app.database import Database, Place
from app.main import create_app
from app.schema import metadata
from app.server import Server
from app.service import Service
from app.settings import Settings
from app.store import players, tokens
from tests.app.table.house import Person

# A name without a schema is looked for in those of the path, in their order: `now()` of this database is ours.
STOP = """
    CREATE SCHEMA stopped;
    CREATE FUNCTION stopped.now() RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
        $$ SELECT timestamptz '2026-01-01 00:00:00Z' $$;
    CREATE FUNCTION stopped.clock_timestamp() RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
        $$ SELECT timestamptz '2026-01-01 00:00:00Z' $$;
"""

PEOPLE = [Person(f"player{number}", f"token{number}") for number in range(5)]


@dataclass(slots=True)
class Hand:
    """What turns the clock."""

    seconds: float = 0.0

    def read(self) -> float:
        """Monotonic seconds."""
        return self.seconds


async def stop_time(url: str) -> None:
    """Stops the time of a database that has no tables yet."""
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(STOP)
        name = await connection.fetchval("SELECT current_database()")
        await connection.execute(f"ALTER DATABASE {name} SET search_path = public, stopped, pg_catalog")
    finally:
        await connection.close()
    await asyncio.to_thread(database.migrate, url)


@asynccontextmanager
async def serving(url: str, hand: Hand) -> AsyncIterator[tuple[str, Service]]:
    """The address of a service on that database, and its parts; at the end everything in the database is gone."""
    rates: dict[str, Any] = {f"rate_{name}": "1000000/second" for name in ("moves", "reads", "reconnects")}
    app = create_app(Settings(port=0, **rates), Place(url), Clock(hand.read))
    server = Server(app)
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done()
        await asyncio.sleep(0.01)
    try:
        await _sign_up(app.service.database, PEOPLE)
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", app.service
        for table in reversed(metadata.sorted_tables):
            await app.service.database.session.execute(f"DELETE FROM {table.name}")  # noqa: S608
    finally:
        server.should_exit = True
        await task


async def _sign_up(opened: Database, people: Sequence[Person]) -> None:
    async with opened.transaction() as session:
        for person in people:
            await players.create(session, person.id, person.id, person.id.encode())
            await tokens.add(session, f"of {person.id}", person.id, token_hash(person.token), GUEST, None)
