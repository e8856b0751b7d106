"""The whole application over a database of its own, asked through ASGI."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.database import Place
from app.main import Todas, create_app
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has signed up, and how to ask as them."""

    id: str
    token: str
    token_id: str
    recovery_code: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@pytest.fixture
def settings() -> Settings:
    """What the application is started with; a test module may say otherwise."""
    return Settings()


@pytest.fixture
async def app(url: str, settings: Settings) -> AsyncIterator[Todas]:
    made = create_app(settings, Place(url))
    await made.service.open()
    yield made
    await made.service.close()


@pytest.fixture
async def client(app: Todas) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://todas.test") as made:
        yield made


@pytest.fixture
async def guest(client: httpx.AsyncClient) -> Guest:
    return await sign_up(client)


async def sign_up(client: httpx.AsyncClient, name: str = "Nena") -> Guest:
    """A new player."""
    made = (await client.post("/v1/players", json={"display_name": name})).json()
    return Guest(made["player"]["id"], made["token"], made["token_id"], made["recovery_code"])


def problem(answer: httpx.Response) -> dict[str, Any]:
    """The body of an answer that has to be a whole problem."""
    body: dict[str, Any] = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert body["status"] == answer.status_code
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["type"] == f"/v1/problems/{body['code']}"
    return body
