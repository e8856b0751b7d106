"""A real Postgres for the service's tests: one server for the run, and for each test a database of its own, copied
from one that the migrations made. After each test every game in it must stand where its log ends.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from app import database
from app.postgres_server import PostgresServer

# Nothing here outlives the run, so nothing is forced to disk; what a test of durability needs it starts for itself.
UNSAFE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}
_numbers = itertools.count(1)


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


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The name of a database that the migrations have just made; the databases of the tests are copies of it."""
    name = f"todas_test_{os.getpid()}"
    asyncio.run(_execute(postgres, f"CREATE DATABASE {name}"))
    database.migrate(at(postgres, name))
    yield name
    asyncio.run(_execute(postgres, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
async def url(postgres: str, migrated: str) -> AsyncIterator[str]:
    """The URL of a database for one test, migrated and empty."""
    name = f"{migrated}_{next(_numbers)}"
    await _execute(postgres, f"CREATE DATABASE {name} TEMPLATE {migrated} STRATEGY FILE_COPY")
    yield at(postgres, name)
    await _execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def db(url: str) -> AsyncIterator[database.Database]:
    """An open pool on a database for one test."""
    opened = database.Database(url, size=5)
    await opened.open()
    yield opened
    await opened.close()


def at(server: str, name: str) -> str:
    """The URL of another database of the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
