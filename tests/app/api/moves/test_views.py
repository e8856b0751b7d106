from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator

from tests.app.api.conftest import Guest, problem, sign_up
from tests.app.api.moves.seated import Seated, sit_down

CONTRACT: dict[str, Any] = json.loads((Path(__file__).parents[4] / "openapi/openapi.json").read_text(encoding="utf-8"))


def check(name: str, answer: httpx.Response) -> None:
    """Whether an answer is what the contract says of it."""
    Draft202012Validator({"$ref": f"#/components/schemas/{name}", **CONTRACT}).validate(answer.json())


async def test_nothing_new_is_not_sent_again(emay: Seated):
    seen = await emay.get()
    again = await emay.client.get(emay.path, headers={**emay.guest.headers, "If-None-Match": seen.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", seen.headers["etag"])


@pytest.mark.parametrize("known", ['W/"1.0"', '"other", W/"2.0"', "nonsense"])
async def test_what_is_new_is_sent(emay: Seated, known: str):
    answer = await emay.client.get(emay.path, headers={**emay.guest.headers, "If-None-Match": known})
    assert (answer.status_code, answer.json()["seat"]) == (200, 0)


async def test_a_move_changes_the_mark_of_the_view(emay: Seated):
    before = await emay.get()
    await emay.post("discard", {"tile": before.json()["hand"][0]})
    assert (await emay.get()).headers["etag"] != before.headers["etag"]


async def test_a_view_that_does_not_know_an_event_yet_is_no_answer_to_who_insists_on_it(emay: Seated):
    seq = (await emay.view())["game"]["seq"]
    refused = await emay.get(min_seq=seq + 1)
    assert (refused.status_code, problem(refused)["code"], refused.headers["retry-after"]) == (409, "behind", "1")
    assert (await emay.get(min_seq=seq)).json()["game"]["seq"] == seq


async def test_the_hand_of_another_seat_is_shown_to_nobody(emay: Seated):
    view = await emay.view()
    assert [seat["hand_shown"] for seat in view["seats"]] == [[]] * 4
    assert {"locked", "joker_eye"} & set(view["seats"][1]) == set()


async def test_a_public_table_is_watched_without_its_hands(client: httpx.AsyncClient, guest: Guest):
    seated = await sit_down(client, guest, visibility="public")
    watching = Seated(client, await sign_up(client, "Jun"), seated.game_id)
    view = await watching.view()
    assert (view["hand"], view["legal_actions"], "seat" in view) == ([], [], False)
    dealt = (await watching.get("/events")).json()["events"][0]["event"]
    assert {tile for hand in dealt["hands"] for tile in hand} == {"back"}


@pytest.mark.parametrize("path", ["discard", "win", "settlement/confirm", "end"])
async def test_whoever_only_watches_has_no_seat_to_move_for(client: httpx.AsyncClient, guest: Guest, path: str):
    seated = await sit_down(client, guest, visibility="public")
    watching = Seated(client, await sign_up(client, "Jun"), seated.game_id)
    body = {"discard": {"tile": "5c"}, "settlement/confirm": {"round": 1}, "end": {"when": "now"}}.get(path)
    assert problem(await watching.post(path, body))["code"] == "not_seated"


async def test_a_token_to_watch_does_not_show_the_own_hand(client: httpx.AsyncClient, guest: Guest):
    seated = await sit_down(client, guest, visibility="public")
    body = {"scopes": ["spectate"]}
    token = (await client.post("/v1/players/me/tokens", json=body, headers=guest.headers)).json()["token"]
    view = (await client.get(seated.path, headers={"Authorization": f"Bearer {token}"})).json()
    assert (view["hand"], "seat" in view) == ([], False)


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_all_answers_of_a_game_are_what_the_contract_says(client: httpx.AsyncClient, guest: Guest, ruleset: str):
    seated = await sit_down(client, guest, ruleset=ruleset, seed="5eed", length={"rounds": 2})
    while (view := await seated.view())["game"]["status"] != "ended":
        if view["legal_actions"]:
            check("MoveAnswer", await seated.act(view["legal_actions"][0], view["decision"]["no"]))
            check("GameView", await seated.get())
    check("EventPage", await seated.get("/events"))
    check("RoundList", await seated.get("/rounds"))
    check("RoundSummary", await seated.get("/rounds/2"))
