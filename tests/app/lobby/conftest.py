"""Tables of several people over HTTP, on a server that lets a game name its seed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from app.database import Place
from app.main import Todas, create_app
from app.settings import Settings
from tests.app.api.conftest import Guest, sign_up

CALM = "ca10"
"""The seed of a game whose first deals are ordinary."""
OPEN: list[Any] = [{"type": "me"}, {"type": "open"}, {"type": "open"}, {"type": "open"}]
PAIR: list[Any] = [{"type": "me"}, {"type": "open"}, {"type": "bot"}, {"type": "bot"}]


@dataclass(slots=True)
class Room:
    """A client, and the people who have come in."""

    client: httpx.AsyncClient
    people: list[Guest] = field(default_factory=list)

    async def come_in(self, *names: str) -> list[Guest]:
        """New players."""
        made = [await sign_up(self.client, name) for name in names]
        self.people += made
        return made

    async def get(self, who: Guest, path: str, headers: dict[str, str] | None = None, **params: Any) -> httpx.Response:
        """Reads something."""
        return await self.client.get(path, headers={**who.headers, **(headers or {})}, params=params)

    async def post(self, who: Guest, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Sends something."""
        return await self.client.post(path, json=body, headers={**who.headers, **headers})

    async def open(self, who: Guest, **body: Any) -> dict[str, Any]:
        """A new table that waits."""
        made = await self.post(who, "/v1/games", {"seats": OPEN, "visibility": "public", **body})
        assert made.status_code == 201, made.text
        table: dict[str, Any] = made.json()
        assert table["game"]["status"] == "open"
        return table

    async def playing(self, *people: Guest, **body: Any) -> str:
        """The id of a game of those people, the first of them its owner, with bots in the other seats.

        Its seed is the same each time, since in one `emay` deal of thirty a bot wins at once.
        """
        game_id: str = (await self.open(people[0], **{"seed": CALM, **body}))["game"]["id"]
        for who in people[1:]:
            assert (await self.post(who, f"/v1/games/{game_id}/join")).status_code == 200
            assert (await self.post(who, f"/v1/games/{game_id}/ready")).status_code == 200
        started = await self.post(people[0], f"/v1/games/{game_id}/start", {"fill_with_bots": True})
        assert started.status_code == 200, started.text
        return game_id


@pytest.fixture
def settings() -> Settings:
    return Settings(allow_seeds=True)


@pytest.fixture
async def app(url: str, settings: Settings) -> AsyncIterator[Todas]:
    async with _serving(url, settings) as made:
        yield made


@pytest.fixture
async def client(app: Todas) -> AsyncIterator[httpx.AsyncClient]:
    async with _asking(app) as made:
        yield made


@pytest.fixture
async def second(app: Todas, url: str, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """The way to a second worker on the same database."""
    async with _serving(url, settings) as other, _asking(other) as made:
        yield made


@pytest.fixture
def room(client: httpx.AsyncClient) -> Room:
    return Room(client)


@asynccontextmanager
async def _serving(url: str, settings: Settings) -> AsyncIterator[Todas]:
    made = create_app(settings, Place(url))
    await made.service.open()
    try:
        yield made
    finally:
        await made.service.close()


def _asking(app: Todas) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://todas.test")
