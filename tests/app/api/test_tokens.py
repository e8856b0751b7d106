from __future__ import annotations

import asyncio

import httpx
import pytest

from app.main import Todas
from tests.app.api.conftest import Guest, problem, sign_up


async def test_a_new_token_opens_the_same_player(client: httpx.AsyncClient, guest: Guest) -> None:
    made = await client.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=guest.headers)
    seen = await client.get("/v1/players/me", headers={"Authorization": f"Bearer {made.json()['token']}"})

    assert made.status_code == 201
    assert seen.json()["id"] == guest.id


async def test_the_list_shows_every_valid_token_without_its_text(client: httpx.AsyncClient, guest: Guest) -> None:
    made = (await client.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=guest.headers)).json()
    listed = (await client.get("/v1/players/me/tokens", headers=guest.headers)).json()["items"]

    assert [(row["id"], row.get("label"), row["current"]) for row in listed] == [
        (guest.token_id, None, True),
        (made["id"], "Tablet", False),
    ]
    assert all("token" not in row for row in listed)


async def test_a_revoked_token_opens_nothing_at_once(client: httpx.AsyncClient, guest: Guest) -> None:
    made = (await client.post("/v1/players/me/tokens", json={}, headers=guest.headers)).json()
    tablet = {"Authorization": f"Bearer {made['token']}"}
    before = await client.get("/v1/players/me", headers=tablet)
    revoked = await client.delete(f"/v1/players/me/tokens/{made['id']}", headers=guest.headers)
    after = await client.get("/v1/players/me", headers=tablet)

    assert (before.status_code, revoked.status_code, after.status_code) == (200, 204, 401)
    assert (await client.get("/v1/players/me", headers=guest.headers)).status_code == 200


async def test_a_token_of_somebody_else_cannot_be_revoked(client: httpx.AsyncClient, guest: Guest) -> None:
    other = await sign_up(client, "Jun")
    answer = await client.delete(f"/v1/players/me/tokens/{guest.token_id}", headers=other.headers)

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_token")
    assert (await client.get("/v1/players/me", headers=guest.headers)).status_code == 200


async def test_a_token_gives_no_scope_it_does_not_have(client: httpx.AsyncClient, guest: Guest) -> None:
    answer = await client.post("/v1/players/me/tokens", json={"scopes": ["play", "admin"]}, headers=guest.headers)

    assert (answer.status_code, problem(answer)["code"]) == (403, "scope_missing")


async def test_a_token_to_watch_may_read_and_change_nothing(client: httpx.AsyncClient, guest: Guest) -> None:
    body = {"scopes": ["spectate"]}
    made = (await client.post("/v1/players/me/tokens", json=body, headers=guest.headers)).json()
    watching = {"Authorization": f"Bearer {made['token']}"}
    read = await client.get("/v1/players/me", headers=watching)
    renamed = await client.patch("/v1/players/me", json={"display_name": "X"}, headers=watching)

    assert (read.status_code, renamed.status_code, problem(renamed)["code"]) == (200, 403, "scope_missing")


async def test_a_repeated_key_shows_the_same_token_and_adds_none(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "tablet-1"}
    first = await client.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=keyed)
    again = await client.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=keyed)
    listed = await client.get("/v1/players/me/tokens", headers=guest.headers)

    assert (again.status_code, again.json()) == (201, first.json())
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert len(listed.json()["items"]) == 2


async def test_a_key_used_again_with_another_payload_is_refused(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "tablet-1"}
    await client.post("/v1/players/me/tokens", json={"label": "Tablet"}, headers=keyed)
    answer = await client.post("/v1/players/me/tokens", json={"label": "Phone"}, headers=keyed)

    assert (answer.status_code, problem(answer)["code"]) == (422, "idempotency_key_reused")


async def test_a_key_means_something_else_on_another_route_and_for_another_player(
    client: httpx.AsyncClient, guest: Guest
) -> None:
    other = await sign_up(client, "Jun")
    keyed = {"Idempotency-Key": "1"}
    answers = [
        await client.post("/v1/players/me/tokens", json={}, headers=guest.headers | keyed),
        await client.post("/v1/players/me/recovery_code", headers=guest.headers | keyed),
        await client.post("/v1/players/me/tokens", json={}, headers=other.headers | keyed),
    ]

    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert all("idempotency-replayed" not in answer.headers for answer in answers)


async def test_members_in_another_order_are_the_same_payload(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "1", "Content-Type": "application/json"}
    first = await client.post("/v1/players/me/tokens", content=b'{"label":"A","scopes":["play"]}', headers=keyed)
    again = await client.post("/v1/players/me/tokens", content=b'{"scopes": ["play"], "label": "A"}', headers=keyed)

    assert (again.status_code, again.json()) == (201, first.json())


async def test_a_refused_request_leaves_its_key_free(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "1"}
    refused = await client.post("/v1/players/me/tokens", json={"scopes": ["admin"]}, headers=keyed)
    malformed = await client.post("/v1/players/me/tokens", json={"scopes": 1}, headers=keyed)
    taken = await client.post("/v1/players/me/tokens", json={"scopes": ["play"]}, headers=keyed)

    assert (refused.status_code, malformed.status_code, taken.status_code) == (403, 422, 201)


@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 65, "é"])
async def test_a_key_in_another_form_is_refused(client: httpx.AsyncClient, guest: Guest, key: str) -> None:
    headers = [(b"Authorization", guest.headers["Authorization"].encode()), (b"Idempotency-Key", key.encode())]
    answer = await client.post("/v1/players/me/tokens", json={}, headers=headers)

    assert (answer.status_code, problem(answer)["code"]) == (422, "invalid_idempotency_key")


async def test_of_many_at_once_with_one_key_one_is_done(client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "1"}
    asked = [client.post("/v1/players/me/tokens", json={}, headers=keyed) for _ in range(8)]
    answers = await asyncio.gather(*asked)
    listed = await client.get("/v1/players/me/tokens", headers=guest.headers)

    assert {answer.status_code for answer in answers} <= {201, 409}
    assert len({answer.json()["token"] for answer in answers if answer.status_code == 201}) == 1
    assert {problem(answer)["code"] for answer in answers if answer.status_code == 409} <= {"idempotency_key_in_use"}
    assert len(listed.json()["items"]) == 2


async def test_a_request_whose_server_died_is_done_again_and_once(
    app: Todas, client: httpx.AsyncClient, guest: Guest
) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "1"}
    first = await client.post("/v1/players/me/tokens", json={}, headers=keyed)
    # What a server leaves that dies between the deed and keeping the answer.
    await app.service.database.session.execute(
        "UPDATE idempotency_keys SET status = NULL, created_at = created_at - interval '31 seconds'"
    )
    again = await client.post("/v1/players/me/tokens", json={}, headers=keyed)

    assert (again.status_code, again.json()) == (201, first.json())


async def test_a_key_is_forgotten_after_a_day(app: Todas, client: httpx.AsyncClient, guest: Guest) -> None:
    keyed = {**guest.headers, "Idempotency-Key": "1"}
    first = await client.post("/v1/players/me/tokens", json={}, headers=keyed)
    await app.service.database.session.execute(
        "UPDATE idempotency_keys SET created_at = created_at - interval '24 hours 1 second'"
    )
    later = await client.post("/v1/players/me/tokens", json={"label": "Phone"}, headers=keyed)

    assert later.status_code == 201
    assert later.json()["token"] != first.json()["token"]
