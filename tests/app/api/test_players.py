from __future__ import annotations

import httpx
import pytest

from app.main import Todas
from app.settings import Settings
from tests.app.api.conftest import Guest, problem, sign_up


async def test_a_guest_gets_a_token_that_opens_its_own_page(client: httpx.AsyncClient) -> None:
    made = await client.post("/v1/players", json={"display_name": "  Aling Nena "})
    seen = await client.get("/v1/players/me", headers={"Authorization": f"Bearer {made.json()['token']}"})

    assert made.status_code == 201
    assert seen.json() == made.json()["player"]
    assert seen.json()["display_name"] == "Aling Nena"


async def test_another_player_sees_a_name_and_no_more(client: httpx.AsyncClient, guest: Guest) -> None:
    other = await sign_up(client, "Jun")
    seen = await client.get(f"/v1/players/{guest.id}", headers=other.headers)

    assert seen.json().keys() == {"id", "display_name", "created_at"}
    assert seen.json()["display_name"] == "Nena"


@pytest.mark.parametrize("player_id", ["nobody", "0" * 32, "a" * 5000, "%27", "%F0%9F%80%84"])
async def test_an_unknown_player_is_not_found(client: httpx.AsyncClient, guest: Guest, player_id: str) -> None:
    answer = await client.get(f"/v1/players/{player_id}", headers=guest.headers)

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_player")


async def test_a_player_may_change_its_name(client: httpx.AsyncClient, guest: Guest) -> None:
    await client.patch("/v1/players/me", json={"display_name": "Nena II"}, headers=guest.headers)
    seen = await client.get("/v1/players/me", headers=guest.headers)

    assert seen.json()["display_name"] == "Nena II"


async def test_a_deleted_player_is_gone_with_its_tokens_and_code(client: httpx.AsyncClient, guest: Guest) -> None:
    other = await sign_up(client)
    await client.get("/v1/players/me", headers=guest.headers)
    deleted = await client.delete("/v1/players/me", headers=guest.headers)

    own = await client.get("/v1/players/me", headers=guest.headers)
    seen = await client.get(f"/v1/players/{guest.id}", headers=other.headers)
    back = await client.post("/v1/players/recover", json={"recovery_code": guest.recovery_code})
    assert (deleted.status_code, own.status_code, seen.status_code, back.status_code) == (204, 401, 404, 404)


async def test_a_recovery_code_brings_the_player_back_however_it_is_typed(
    client: httpx.AsyncClient, guest: Guest
) -> None:
    typed = guest.recovery_code.lower().replace("-", " ")
    back = await client.post("/v1/players/recover", json={"recovery_code": typed})
    seen = await client.get("/v1/players/me", headers={"Authorization": f"Bearer {back.json()['token']}"})

    assert back.status_code == 201
    assert seen.json()["id"] == guest.id


async def test_a_recovery_leaves_the_tokens_that_were_there(client: httpx.AsyncClient, guest: Guest) -> None:
    await client.post("/v1/players/recover", json={"recovery_code": guest.recovery_code})

    assert (await client.get("/v1/players/me", headers=guest.headers)).status_code == 200


async def test_an_unknown_recovery_code_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players/recover", json={"recovery_code": "ABCD-EFGH"})

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_recovery_code")


async def test_a_replaced_recovery_code_is_worth_nothing(client: httpx.AsyncClient, guest: Guest) -> None:
    code = (await client.post("/v1/players/me/recovery_code", headers=guest.headers)).json()["recovery_code"]

    old = await client.post("/v1/players/recover", json={"recovery_code": guest.recovery_code})
    new = await client.post("/v1/players/recover", json={"recovery_code": code})
    assert (old.status_code, new.status_code) == (404, 201)


async def test_nothing_that_opens_anything_is_stored(app: Todas, client: httpx.AsyncClient, guest: Guest) -> None:
    await client.post("/v1/players/me/tokens", json={}, headers={**guest.headers, "Idempotency-Key": "once"})
    tables = ("players", "tokens", "idempotency_keys")
    stored = [await app.service.database.session.fetch(f"SELECT {name}::text FROM {name}") for name in tables]  # noqa: S608

    assert guest.token not in str(stored)
    assert guest.recovery_code not in str(stored)


class TestSignUpLimit:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(rate_sign_ups="2/hour", rate_reads="3/hour")

    async def test_one_address_makes_so_many_players_and_no_more(self, client: httpx.AsyncClient) -> None:
        answers = [await client.post("/v1/players", json={"display_name": "Nena"}) for _ in range(3)]

        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert [answer.headers["ratelimit"].split(";")[1] for answer in answers] == ["r=1", "r=0", "r=0"]
        assert answers[0].headers["ratelimit-policy"] == '"sign_ups";q=2;w=3600'
        assert int(answers[2].headers["retry-after"]) <= 3600
        assert problem(answers[2])["code"] == "rate_limited"
        assert "new players" in problem(answers[2])["detail"]

    async def test_a_spent_budget_leaves_the_others_alone(self, client: httpx.AsyncClient) -> None:
        guests = [await sign_up(client) for _ in range(2)]
        statuses = [(await client.get("/v1/players/me", headers=guests[0].headers)).status_code for _ in range(4)]
        other = await client.get("/v1/players/me", headers=guests[1].headers)

        assert (statuses, other.status_code) == ([200, 200, 200, 429], 200)
