"""A service as it is run, for clients that know nothing but its address."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.app.api.served import Served, serve
from tests.app.conftest import fresh_database, postgres as postgres
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
