"""What Postgres gives up for a lock or for its time is no mistake of the service: the client is told to come back."""

from __future__ import annotations

import asyncpg
import httpx
import pytest

from app.database import excuse
from app.main import Todas
from tests.app.api.conftest import Guest, problem

OPEN = [{"type": "me"}, {"type": "open"}, {"type": "open"}, {"type": "open"}]


async def test_a_table_that_stays_locked_is_busy(client: httpx.AsyncClient, guest: Guest, url: str) -> None:
    made = await client.post("/v1/games", json={"seats": OPEN}, headers=guest.headers)
    path = f"/v1/games/{made.json()['game']['id']}"
    other = await asyncpg.connect(url)
    async with other.transaction():
        await other.execute("SELECT FROM open_tables FOR UPDATE")
        answer = await client.post(f"{path}/ready", headers=guest.headers)
    await other.close()

    assert (answer.status_code, problem(answer)["code"], problem(answer)["retry"]) == (503, "busy", "same_id")
    assert answer.headers["retry-after"] == "1"
    assert (await client.post(f"{path}/ready", headers=guest.headers)).status_code == 200


@pytest.mark.parametrize("state", ["40001", "40P01", "55P03", "57014"])
async def test_whatever_the_server_gave_up_is_busy(app: Todas, client: httpx.AsyncClient, state: str) -> None:
    @app.get("/given_up")
    async def give_up() -> None:
        await app.service.database.session.execute(f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{state}'; END $$")

    answer = await client.get("/given_up")

    assert (answer.status_code, problem(answer)["code"]) == (503, "busy")


def test_a_statement_that_is_wrong_is_no_excuse() -> None:
    assert excuse(asyncpg.UniqueViolationError("x")) is None
