"""Tables of one person over HTTP, on a server that lets a game name its seed."""

from __future__ import annotations

import httpx
import pytest

from app.settings import Settings
from tests.app.api.conftest import Guest
from tests.app.api.moves.seated import Seated, sit_down


@pytest.fixture
def settings() -> Settings:
    return Settings(allow_seeds=True)


@pytest.fixture
async def emay(client: httpx.AsyncClient, guest: Guest) -> Seated:
    """An emay game whose dealer, the guest, has drawn."""
    return await sit_down(client, guest, seed="5eed")


@pytest.fixture
async def tsumo(client: httpx.AsyncClient, guest: Guest) -> Seated:
    """A tsumo game whose dealer, the guest, has yet to throw its first tile."""
    return await sit_down(client, guest, ruleset="tsumo", seed="5eed")
