"""`todas serve` in a process of its own, on a database of its own, for all tests of this folder."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import asyncpg
import httpx
import pytest

from app.database import Database
from tests.app.api.served import serve
from tests.app.conftest import at, fresh_database
from tests.app.table.house import House
from tests.app.table.stopped import stop_time

PATIENCE = 60.0


@pytest.fixture(scope="package")
def running(postgres: str) -> Iterator[tuple[str, str]]:
    """The URL of the database, and the address of the service."""
    with fresh_database(postgres, f"todas_table_{os.getpid()}") as url, serve(url, TODAS_ALLOW_SEEDS="1") as served:
        yield url, served.address


@pytest.fixture
async def house(running: tuple[str, str]) -> AsyncIterator[House]:
    """The service, and the way to its store."""
    url, address = running
    opened = Database(url, size=4)
    await opened.open()
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as http:
        yield House(address, http, opened)
    await opened.close()


@pytest.fixture
async def stopped(postgres: str) -> AsyncIterator[str]:
    """The URL of a database whose time stands still."""
    name = f"todas_stopped_{os.getpid()}"
    await _execute(postgres, f"CREATE DATABASE {name}")
    await stop_time(at(postgres, name))
    yield at(postgres, name)
    await _execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
