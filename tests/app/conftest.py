"""A real Postgres for the service's tests: one server and one migrated database for the run, emptied after each test,
once it was checked that every game in it stands where its log ends.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from app import database
from app.postgres_server import PostgresServer
from app.schema import metadata
from app.store import log

# Nothing here outlives the run, so nothing is forced to disk; a test of durability starts a server of its own.
UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server where databases may be made: DATABASE_URL's, or an embedded one in a temporary folder."""
    if "DATABASE_URL" in os.environ:
        yield database.given(os.environ["DATABASE_URL"]).url
        return
    folder = Path(tempfile.mkdtemp(prefix="todas-"))
    folder.chmod(0o755)  # the account that the server drops to has to pass
    try:
        with PostgresServer(folder, options=UNSAFE) as server:
            yield server.url
    finally:
        shutil.rmtree(folder)


@pytest.fixture
async def blank(postgres: str) -> AsyncIterator[str]:
    """The URL of a database without a table."""
    name = f"todas_blank_{os.getpid()}"
    await _execute(postgres, f"CREATE DATABASE {name}")
    yield at(postgres, name)
    await _execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The URL of a database that the migrations have just made."""
    with fresh_database(postgres, f"todas_test_{os.getpid()}") as url:
        yield url


@pytest.fixture
async def url(migrated: str) -> AsyncIterator[str]:
    """The URL of a migrated database, empty for this test."""
    yield migrated
    connection = await asyncpg.connect(migrated)
    # What a killed service has sent may still be on its way, or its session about to end.
    await connection.execute(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    try:
        assert await log.uneven(connection) == []  # design 8, stores
    finally:
        for table in reversed(metadata.sorted_tables):
            await connection.execute(f"DELETE FROM {table.name}")  # noqa: S608
        await connection.close()


@pytest.fixture
async def db(url: str) -> AsyncIterator[database.Database]:
    """An open pool on that database."""
    opened = database.Database(url, size=5)
    await opened.open()
    yield opened
    await opened.close()


@contextmanager
def fresh_database(server: str, name: str) -> Iterator[str]:
    """The URL of a migrated database, until the block ends and every game in it stands where its log ends."""
    asyncio.run(_execute(server, f"CREATE DATABASE {name}"))
    url = at(server, name)
    try:
        database.migrate(url)
        yield url
        assert asyncio.run(_uneven(url)) == []  # design 8, stores
    finally:
        asyncio.run(_execute(server, f"DROP DATABASE {name} WITH (FORCE)"))


def at(server: str, name: str) -> str:
    """The URL of another database of the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _uneven(url: str) -> list[log.Uneven]:
    connection = await asyncpg.connect(url)
    try:
        return await log.uneven(connection)
    finally:
        await connection.close()
