"""A service as it is run, for clients that know nothing but its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import asyncpg
import pytest

from app import database
from app.store import log
from tests.app.api.served import Served, serve
from tests.app.conftest import at, postgres as postgres
from todas_client import Client


@pytest.fixture(scope="session")
def service(postgres: str) -> Iterator[Served]:
    """One service for all tests that leave it running."""
    with fresh_database(postgres, "todas_clients") as url, serve(url, TODAS_ALLOW_SEEDS="true") as served:
        yield served


@pytest.fixture
def own_url(postgres: str) -> Iterator[str]:
    """A database for a service that is stopped and started."""
    with fresh_database(postgres, "todas_restarted") as url:
        yield url


@pytest.fixture
async def client(service: Served) -> AsyncIterator[Client]:
    """Somebody who has signed up there."""
    async with Client(service.address, patience=30) as made:
        await made.sign_up("Nena")
        yield made


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


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _uneven(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    try:
        return [str(game) for game in await log.uneven(connection)]
    finally:
        await connection.close()
