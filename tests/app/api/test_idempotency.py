from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from app.database import Database, Place
from app.main import Todas, create_app
from app.settings import Settings
from tests.app.api.conftest import Guest, problem, sign_up
from tests.app.faulty_wire import faulty_wire


async def games_of(client: httpx.AsyncClient, guest: Guest) -> list[str]:
    return [game["id"] for game in (await client.get("/v1/games", headers=guest.headers)).json()["items"]]


async def test_a_repeated_key_is_answered_the_same_and_makes_one_game(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    first = await client.post("/v1/games", json={"ruleset": "emay"}, headers=keyed)
    again = await client.post("/v1/games", json={"ruleset": "emay"}, headers=keyed)

    assert (again.status_code, again.content) == (201, first.content)
    assert [again.headers[name] for name in ("location", "etag", "content-type")] == [
        first.headers[name] for name in ("location", "etag", "content-type")
    ]
    assert again.headers["idempotency-replayed"] == "true"
    assert len(await games_of(client, guest)) == 1


async def test_another_payload_under_a_key_is_refused(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    await client.post("/v1/games", json={"ruleset": "emay"}, headers=keyed)
    answer = await client.post("/v1/games", json={"ruleset": "tsumo"}, headers=keyed)

    assert (answer.status_code, problem(answer)["code"]) == (422, "idempotency_key_reused")
    assert len(await games_of(client, guest)) == 1


async def test_many_at_once_under_a_key_make_one_game(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    answers = await asyncio.gather(*(client.post("/v1/games", headers=keyed) for _ in range(8)))

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert {problem(answer)["retry"] for answer in answers if answer.status_code == 409} <= {"same_id"}
    assert len(await games_of(client, guest)) == 1


async def test_a_refused_request_makes_nothing_and_leaves_its_key_free(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    refused = await client.post("/v1/games", json={"overrides": {"unit": 0}}, headers=keyed)
    taken = await client.post("/v1/games", json={"overrides": {"unit": 10}}, headers=keyed)

    assert (refused.status_code, taken.status_code) == (422, 201)


async def test_what_a_server_did_before_it_died_is_found_and_not_done_again(
    app: Todas, client: httpx.AsyncClient, guest: Guest
) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    made = await unfinished(app, client, keyed)
    again = await client.post("/v1/games", headers=keyed)

    assert (again.status_code, again.json()["game"]["id"]) == (201, made)
    assert await games_of(client, guest) == [made]


async def test_a_game_whose_commit_was_not_heard_of_is_found_by_the_next_try(url: str) -> None:
    async with faulty_wire(url) as wire, asking(wire.url) as client:
        guest = await sign_up(client)
        keyed = {**guest.headers, "Idempotency-Key": "new-game"}
        wire.lose_answer(b"COMMIT;")
        lost = await client.post("/v1/games", headers=keyed)
        again = await client.post("/v1/games", headers=keyed)

        assert (lost.status_code, problem(lost)["retry"], again.status_code) == (503, "same_id", 201)
        assert await games_of(client, guest) == [again.json()["game"]["id"]]


@pytest.mark.parametrize(
    ("route", "body", "table"),
    [("talk", {"text": "Kamusta"}, "game_talk"), ("report", {"message": 1, "reason": "Kamusta"}, "reports")],
)
async def test_what_was_said_or_reported_unheard_is_found_by_the_next_try(
    url: str, db: Database, route: str, body: dict[str, Any], table: str
) -> None:
    async with faulty_wire(url) as wire, asking(wire.url) as client:
        guest = await sign_up(client)
        asked = {"seats": [{"type": "me"}, *[{"type": "open"}] * 3], "free_text": True}
        made = await client.post("/v1/games", json=asked, headers=guest.headers)
        path = f"/v1/games/{made.json()['game']['id']}"
        if route == "report":
            await client.post(f"{path}/talk", json={"phrase": "hello"}, headers=guest.headers)
        keyed = {**guest.headers, "Idempotency-Key": "once"}
        wire.lose_answer(b"Kamusta")
        lost = await client.post(f"{path}/{route}", json=body, headers=keyed)
        again = await client.post(f"{path}/{route}", json=body, headers=keyed)

        assert (lost.status_code, problem(lost)["retry"], again.status_code) == (503, "same_id", 201)
        assert await db.session.fetchval(f"SELECT count(*) FROM {table}") == 1  # noqa: S608


async def test_the_same_words_are_said_again_under_another_key_or_none(client: httpx.AsyncClient, guest: Guest) -> None:
    path = f"/v1/games/{(await client.post('/v1/games', headers=guest.headers)).json()['game']['id']}/talk"
    keys: list[dict[str, str]] = [{"Idempotency-Key": "one"}, {"Idempotency-Key": "two"}, {}, {}]
    said = [await client.post(path, json={"phrase": "hello"}, headers={**guest.headers, **key}) for key in keys]

    assert [each.json()["no"] for each in said] == [1, 2, 3, 4]


@pytest.mark.parametrize("steps", [0, 8, 16, 24])
async def test_a_request_that_was_cut_off_makes_no_second_game(
    client: httpx.AsyncClient, db: Database, guest: Guest, steps: int
) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    request = asyncio.create_task(client.post("/v1/games", headers=keyed))
    async with asyncio.timeout(60):
        while not await db.session.fetchval("SELECT count(*) FROM games"):
            continue
    for _ in range(steps):
        await asyncio.sleep(0)
    request.cancel()
    await asyncio.wait({request})
    again = await client.post("/v1/games", headers=keyed)

    assert again.status_code == 201
    assert await games_of(client, guest) == [again.json()["game"]["id"]]


@pytest.mark.parametrize("body", [{}, {"seats": [{"type": "me"}, *[{"type": "open"}] * 3]}])
async def test_of_many_that_find_a_dead_server_s_request_one_takes_it_over(
    app: Todas, client: httpx.AsyncClient, guest: Guest, body: dict[str, Any]
) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    made = await unfinished(app, client, keyed, body)
    answers = await asyncio.gather(*(client.post("/v1/games", json=body, headers=keyed) for _ in range(6)))

    assert {answer.status_code for answer in answers} <= {201, 409}  # whoever asks late enough is given the answer
    assert [answer.status_code for answer in answers if "idempotency-replayed" not in answer.headers].count(201) == 1
    assert await games_of(client, guest) == [made]


async def test_a_body_that_does_not_fit_leaves_its_key_free(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "new-game"}
    refused = await client.post("/v1/games", json={"visibility": 7}, headers=keyed)
    taken = await client.post("/v1/games", json={"visibility": "public"}, headers=keyed)

    assert (refused.status_code, taken.status_code) == (422, 201)


@asynccontextmanager
async def asking(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of an application on that database."""
    app = create_app(Settings(), Place(url))
    await app.service.open()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://todas.test") as client:
        yield client
    await app.service.close()


async def unfinished(app: Todas, client: httpx.AsyncClient, headers: dict[str, str], body: Any = None) -> str:
    """Makes a game under a key and leaves what a server does that dies before it keeps the answer: key, seed, game."""
    session = app.service.database.session
    await session.execute(
        """
        CREATE OR REPLACE FUNCTION forget() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.status := NULL; NEW.answer := OLD.answer; NEW.created_at := OLD.created_at - interval '1 minute';
        RETURN NEW; END $$
        """
    )
    await session.execute(
        "CREATE TRIGGER forget BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION forget()"
    )
    made = await client.post("/v1/games", json=body, headers=headers)
    await session.execute("DROP TRIGGER forget ON idempotency_keys")
    await session.execute("DROP FUNCTION forget")
    game_id: str = made.json()["game"]["id"]
    return game_id


class TestNewGameLimit:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(rate_new_games="1/hour")

    async def test_new_game_pressed_again_is_the_same_game_under_one_key_and_refused_without(
        self, client: httpx.AsyncClient, guest: Guest
    ) -> None:
        keyed = {**guest.headers, "Idempotency-Key": "new-game"}
        first = await client.post("/v1/games", headers=keyed)
        again = await client.post("/v1/games", headers=keyed)
        other = await client.post("/v1/games", headers=guest.headers)

        assert (again.status_code, again.content) == (201, first.content)
        assert (other.status_code, problem(other)["code"]) == (429, "rate_limited")
        assert "new games" in problem(other)["detail"]
