from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.api.conftest import Guest, problem
from tests.app.api.moves.seated import sit_down


async def test_without_a_word_it_is_emay_against_jhat_angie_and_kling(client: httpx.AsyncClient, guest: Guest):
    made = await client.post("/v1/games", headers=guest.headers)
    view = made.json()
    assert (made.status_code, made.headers["location"]) == (201, f"/v1/games/{view['game']['id']}")
    assert made.headers["etag"] == f'W/"{view["game"]["seq"]}.0"'
    assert [seat["name"] for seat in view["seats"]] == ["Nena", "Jhat", "Angie", "Kling"]
    assert (view["seat"], view["game"]["ruleset"], view["game"]["visibility"]) == (0, "emay", "private")


async def test_it_is_dealt_at_once(client: httpx.AsyncClient, guest: Guest):
    view = (await client.post("/v1/games", json={"seed": "5eed"}, headers=guest.headers)).json()
    assert (view["game"]["status"], view["decision"]["no"], len(view["hand"])) == ("playing", 2, 17)


async def test_with_one_person_nothing_has_a_deadline(client: httpx.AsyncClient, guest: Guest):
    view = (await client.post("/v1/games", json={"seed": "5eed"}, headers=guest.headers)).json()
    assert "deadline_at" not in view["decision"]


async def test_seconds_that_are_asked_for_are_given(client: httpx.AsyncClient, guest: Guest):
    seated = await sit_down(client, guest, seed="5eed", timing={"turn_seconds": 30, "bank_seconds": 10})
    view = await seated.view()
    assert 0 < view["decision"]["ms_left"] <= 40_000
    assert view["seats"][0]["bank_ms"] == 10_000


async def test_options_replace_those_of_the_preset(client: httpx.AsyncClient, guest: Guest):
    view = await (await sit_down(client, guest, overrides={"pot_ante": 7})).view()
    assert (view["game"]["pot"], view["seats"][0]["points"]) == (28, -7)


@pytest.mark.parametrize(("points", "each"), [(1000, [1000] * 4), ([1, 2, 3, -4], [1, 2, 3, -4])])
async def test_points_are_given_to_all_or_by_seat(
    client: httpx.AsyncClient, guest: Guest, points: Any, each: list[int]
):
    view = await (await sit_down(client, guest, ruleset="tsumo", points=points)).view()
    assert [seat["points"] for seat in view["seats"]] == each


async def test_the_person_sits_where_it_asked_and_bots_are_named_in_turn(client: httpx.AsyncClient, guest: Guest):
    seats = [{"type": "bot"}, {"type": "bot", "level": "random", "name": "Nonoy"}, {"type": "me"}, {"type": "bot"}]
    view = await (await sit_down(client, guest, seats=seats)).view()
    assert (view["seat"], [seat["name"] for seat in view["seats"]]) == (2, ["Jhat", "Nonoy", "Nena", "Angie"])
    assert [seat.get("bot") for seat in view["seats"]] == ["greedy", "random", None, "greedy"]


async def test_one_seed_deals_one_hand_and_is_shown_as_seeded(client: httpx.AsyncClient, guest: Guest):
    one, two = [await (await sit_down(client, guest, seed="ab")).view() for _ in range(2)]
    assert (one["hand"], one["game"]["seeded"]) == (two["hand"], True)


async def test_another_seed_deals_another_hand(client: httpx.AsyncClient, guest: Guest):
    one, two = [await (await sit_down(client, guest)).view() for _ in range(2)]
    assert one["hand"] != two["hand"]
    assert not one["game"]["seeded"]


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"ruleset": "riichi"}, "invalid_request", "/ruleset"),
        ({"overrides": {"unit": 0}}, "invalid_option", "/overrides/unit"),
        ({"overrides": {"wings": True}}, "invalid_option", "/overrides/wings"),
        ({"overrides": {"a/b~c": True}}, "invalid_option", "/overrides/a~1b~0c"),
        ({"overrides": {"deal": "dealer17"}}, "invalid_rules", "/overrides/deal"),
        ({"overrides": []}, "invalid_request", "/overrides"),
        ({"points": 10**9 + 1}, "invalid_request", "/points"),
        ({"points": 2**63}, "integer_out_of_range", None),
        ({"points": [1, 2, 3]}, "invalid_request", "/points"),
        ({"points": "5"}, "invalid_request", "/points"),
        ({"points": True}, "invalid_request", "/points"),
        ({"seats": [{"type": "bot"}] * 4}, "invalid_request", ""),
        ({"seats": [{"type": "me"}] * 4}, "invalid_request", ""),
        ({"seats": [{"type": "me"}, {"type": "bot"}]}, "invalid_request", "/seats"),
        ({"seats": [{"type": "me"}, *[{"type": "bot", "level": "genius"}] * 3]}, "invalid_request", None),
        ({"timing": {"turn_seconds": -1}}, "invalid_request", "/timing/turn_seconds"),
        ({"timing": {"turn_seconds": "20"}}, "invalid_request", "/timing/turn_seconds"),
        ({"timing": {"bot_delay_ms": 0.8}}, "invalid_request", "/timing/bot_delay_ms"),
        ({"timing": {"bot_delay_ms": 30_001}}, "invalid_request", "/timing/bot_delay_ms"),
        ({"timing": {"coffee": 1}}, "invalid_request", "/timing/coffee"),
        ({"length": {}}, "invalid_request", "/length"),
        ({"length": {"rounds": 1, "winds": 1}}, "invalid_request", "/length"),
        ({"length": {"rounds": 0}}, "invalid_request", "/length/rounds"),
        ({"visibility": "secret"}, "invalid_request", "/visibility"),
        ({"seed": "not hexadecimal"}, "invalid_request", "/seed"),
        ({"wishes": 1}, "invalid_request", "/wishes"),
    ],
)
async def test_what_cannot_be_made_is_refused_by_name(
    client: httpx.AsyncClient, guest: Guest, body: dict[str, Any], code: str, pointer: str | None
):
    refused = problem(await client.post("/v1/games", json=body, headers=guest.headers))
    assert (refused["status"], refused["code"]) == (422, code)
    if pointer is not None:
        assert pointer in [fault["pointer"] for fault in refused["errors"]]


async def test_one_key_makes_one_game(client: httpx.AsyncClient, guest: Guest):
    headers = {**guest.headers, "Idempotency-Key": "new-1"}
    first, again = [await client.post("/v1/games", headers=headers) for _ in range(2)]
    assert (again.status_code, again.json(), again.headers["etag"]) == (201, first.json(), first.headers["etag"])
    assert again.headers["idempotency-replayed"] == "true"


async def test_a_key_with_another_game_is_refused(client: httpx.AsyncClient, guest: Guest):
    headers = {**guest.headers, "Idempotency-Key": "new-1"}
    await client.post("/v1/games", headers=headers)
    refused = problem(await client.post("/v1/games", json={"ruleset": "tsumo"}, headers=headers))
    assert refused["code"] == "idempotency_key_reused"


async def test_the_own_games_are_listed_the_last_first_page_by_page(client: httpx.AsyncClient, guest: Guest):
    made = [(await sit_down(client, guest)).game_id for _ in range(3)]
    page = (await client.get("/v1/games", headers=guest.headers, params={"limit": 2})).json()
    rest = (await client.get("/v1/games", headers=guest.headers, params={"cursor": page["next"]})).json()
    assert [game["id"] for game in page["items"] + rest["items"]] == made[::-1]
    assert "next" not in rest


@pytest.mark.parametrize("cursor", ["", "x", "!!!", "bm90IGEgY3Vyc29y", "MjAyNi0wMS0wMSBhYmM="])
async def test_a_cursor_of_no_list_is_refused(client: httpx.AsyncClient, guest: Guest, cursor: str):
    refused = problem(await client.get("/v1/games", headers=guest.headers, params={"cursor": cursor}))
    assert refused["code"] == "invalid_request"


async def test_a_list_may_hold_only_games_of_one_status(client: httpx.AsyncClient, guest: Guest):
    await sit_down(client, guest)
    ended = (await client.get("/v1/players/me/games", headers=guest.headers, params={"status": "ended"})).json()
    assert ended == {"items": []}
