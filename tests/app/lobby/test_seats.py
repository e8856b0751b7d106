"""Seats of a game that is running: left to a bot, taken back, handed over."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import OPEN, Room


async def changes(room: Room, who: Guest, path: str) -> list[dict[str, Any]]:
    """The events that tell of seats, pauses and the like, in order."""
    events = (await room.get(who, f"{path}/events")).json()["events"]
    kinds = {"seat_changed", "game_paused", "game_resumed"}
    return [fact["event"] for fact in events if fact["event"]["type"] in kinds]


async def test_a_seat_that_is_left_is_played_by_a_bot_of_the_table_s_level(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    seats = [*OPEN[:2], {"type": "bot", "level": "random"}, {"type": "bot", "level": "random"}]
    path = f"/v1/games/{await room.playing(nena, ben, seats=seats)}"
    assert (await room.post(ben, f"{path}/leave")).status_code == 204
    (event,) = await changes(room, nena, path)
    assert (event["seat"], event["player"]["stand_in"], event["owner"]) == (1, "random", 0)
    seat = (await room.get(nena, path)).json()["seats"][1]
    assert (seat["kind"], seat["stand_in"], seat["name"]) == ("person", "random", "Ben")


async def test_the_bot_plays_on_where_the_person_was_on_turn(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    timing = {"bot_delay_ms": 0, "turn_seconds": 0, "claim_seconds": 0, "claim_timing": "fast"}
    path = f"/v1/games/{await room.playing(nena, ben, timing=timing, seed='5eed')}"
    view = (await room.get(nena, path)).json()
    while view["decision"]["kind"] != "turn":  # the opening window
        for who in (nena, ben):
            await room.post(who, f"{path}/pass")
        view = (await room.get(nena, path)).json()
    assert view["decision"]["who"] == [0]
    await room.post(nena, f"{path}/leave")
    events = (await room.get(ben, f"{path}/events", after=view["game"]["seq"])).json()["events"]
    assert [fact["event"]["type"] for fact in events[:2]] == ["seat_changed", "tile_discarded"]
    assert events[1]["event"]["seat"] == 0


@pytest.mark.parametrize("left", [True, False])
async def test_nobody_comes_back_to_another_seat_than_its_own(room: Room, left: bool):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    if left:
        await room.post(ben, f"{path}/leave")
    refused = problem(await room.post(ben, f"{path}/join", {"seat": 2}))
    assert (refused["code"], refused["detail"]) == ("seat_taken", "Your seat in this game is 1.")
    back = await room.post(ben, f"{path}/join", {"seat": 1})
    assert (back.status_code, back.json()["seat"], "stand_in" in back.json()["seats"][1]) == (200, 1, False)


async def test_leaving_again_changes_nothing(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    for _ in range(2):
        assert (await room.post(ben, f"{path}/leave")).status_code == 204
    assert len(await changes(room, nena, path)) == 1


async def test_whoever_left_looks_on_and_is_asked_for_nothing(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    assert (await room.get(ben, path)).json()["legal_actions"] == [{"type": "pass"}]
    await room.post(ben, f"{path}/leave")
    view = (await room.get(ben, path)).json()
    assert (view["seat"], view["decision"]["who"], view["legal_actions"]) == (1, [0, 1, 2, 3], [])
    assert len(view["hand"]) == 16


@pytest.mark.parametrize(
    ("route", "body"),
    [
        ("pass", {}),
        ("win", {}),
        ("discard", {"tile": "1b"}),
        ("claim", {"kind": "pung"}),
        ("pass", {"decision_no": 99}),
        ("settlement/confirm", {"round": 1}),
        ("settlement/amend", {"round": 1, "changes": [0, 0, 0, 0], "reason": "We agreed."}),
        ("pause", None),
        ("resume", None),
    ],
)
async def test_whoever_left_does_not_move_until_it_joins_again(room: Room, route: str, body: dict[str, Any] | None):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await room.post(ben, f"{path}/leave")
    refused = problem(await room.post(ben, f"{path}/{route}", body))
    assert (refused["status"], refused["code"], refused["retry"]) == (409, "seat_left", "never")
    assert f"POST {path}/join" in refused["detail"]
    assert len(await changes(room, nena, path)) == 1
    view = (await room.post(ben, f"{path}/join")).json()
    assert ("stand_in" in view["seats"][1], view["legal_actions"]) == (False, [{"type": "pass"}])


async def test_a_table_that_its_only_person_has_left_goes_on_once_it_joins(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena)}"
    await room.post(nena, f"{path}/leave")
    assert problem(await room.post(nena, f"{path}/draw"))["code"] == "seat_left"
    view = (await room.post(nena, f"{path}/join")).json()
    assert (view["game"]["paused"], len(view["legal_actions"]) > 0) == (False, True)


async def test_whoever_left_may_come_back_until_the_end(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await room.post(ben, f"{path}/leave")
    view = (await room.post(ben, f"{path}/join")).json()
    assert (view["seat"], "stand_in" in view["seats"][1], len(view["hand"])) == (1, False, 16)
    await room.post(nena, f"{path}/end", {"when": "now"})
    assert problem(await room.post(ben, f"{path}/join"))["code"] == "game_over"
    assert problem(await room.post(ben, f"{path}/leave"))["code"] == "game_over"


async def test_a_seat_that_was_left_and_taken_back_is_not_left_again_at_once(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    answers = [await room.post(ben, f"{path}/{route}") for route in ("leave", "join", "leave", "join")]
    assert [answer.status_code for answer in answers] == [204, 200, 429, 200]
    assert problem(answers[2])["code"] == "rate_limited"
    assert int(answers[2].headers["retry-after"]) in range(1, 11)
    assert len(await changes(room, nena, path)) == 2
    assert (await room.post(nena, f"{path}/leave")).status_code == 204


async def test_a_stranger_does_not_get_a_seat_of_a_running_game(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena)}"
    assert problem(await room.post(ben, f"{path}/join"))["code"] == "already_started"
    assert problem(await room.post(ben, f"{path}/leave"))["code"] == "not_seated"


async def test_the_table_passes_on_to_the_next_person_who_is_there(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    path = f"/v1/games/{await room.playing(nena, ben, tess)}"
    await room.post(ben, f"{path}/leave")
    await room.post(nena, f"{path}/leave")
    assert (await room.get(tess, path)).json()["game"]["owner"] == 2
    await room.post(nena, f"{path}/join")
    assert (await room.get(tess, path)).json()["game"]["owner"] == 2


async def test_a_table_that_all_have_left_pauses_until_one_is_back_whose_it_is_then(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await room.post(nena, f"{path}/leave")
    await room.post(ben, f"{path}/leave")
    before = (await room.get(ben, path)).json()["game"]["seq"]
    view = (await room.post(nena, f"{path}/join")).json()
    assert [event["type"] for event in await changes(room, nena, path)] == [
        "seat_changed",
        "seat_changed",
        "game_paused",
        "seat_changed",
        "game_resumed",
    ]
    assert (view["game"]["owner"], view["game"]["seq"] >= before + 2) == (0, True)


async def test_only_a_person_who_is_away_is_handed_over(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    assert problem(await room.post(nena, f"{path}/kick", {"player_id": ben.id}))["code"] == "not_away"
    assert problem(await room.post(ben, f"{path}/kick", {"player_id": nena.id}))["code"] == "not_the_owner"
    assert problem(await room.post(nena, f"{path}/kick", {"player_id": nena.id}))["code"] == "not_at_table"


async def test_a_seat_left_at_one_worker_is_taken_back_at_another(room: Room, second: httpx.AsyncClient):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await room.post(ben, f"{path}/leave")
    view = (await Room(second).post(ben, f"{path}/join")).json()
    assert "stand_in" not in view["seats"][1]
    assert "stand_in" not in (await room.get(nena, path)).json()["seats"][1]


async def test_an_owner_who_has_gone_does_not_end_the_game_at_a_worker_that_has_not_heard_of_it(
    room: Room, second: httpx.AsyncClient
):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await Room(second).post(nena, f"{path}/leave")
    assert problem(await room.post(nena, f"{path}/end", {"when": "now"}))["code"] == "not_the_owner"


async def test_the_new_owner_ends_a_game_at_a_worker_that_has_not_heard_of_it(room: Room, second: httpx.AsyncClient):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await Room(second).post(nena, f"{path}/leave")
    assert (await room.post(ben, f"{path}/end", {"when": "after_round"})).status_code == 200


async def test_the_new_owner_hands_a_seat_over_at_a_worker_that_has_not_heard_of_it(
    room: Room, second: httpx.AsyncClient
):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    await Room(second).post(nena, f"{path}/leave")
    assert (await room.post(ben, f"{path}/kick", {"player_id": nena.id})).status_code == 200
    assert problem(await room.post(nena, f"{path}/kick", {"player_id": ben.id}))["code"] == "not_the_owner"


async def test_whoever_deletes_itself_leaves_its_games_for_good_and_its_name_with_them(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    over = f"/v1/games/{await room.playing(nena, ben)}"
    await room.post(nena, f"{over}/end", {"when": "now"})
    assert (await room.client.delete("/v1/players/me", headers=nena.headers)).status_code == 204
    view = (await room.get(ben, path)).json()
    assert [seat["name"] for seat in view["seats"][:2]] == ["", "Ben"]
    assert (view["seats"][0]["stand_in"], view["game"]["owner"]) == ("greedy", 1)
    assert len(await changes(room, ben, path)) == 1


async def test_a_game_that_nobody_is_left_in_pauses(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, visibility='public')}"
    await room.client.delete("/v1/players/me", headers=nena.headers)
    assert [event["type"] for event in await changes(room, ben, path)] == ["seat_changed", "game_paused"]


async def test_another_name_is_shown_where_one_waits_and_in_the_games_dealt_from_then_on(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    playing = f"/v1/games/{await room.playing(nena, ben)}"
    waits = f"/v1/games/{(await room.open(ben))['game']['id']}"
    known = {"If-None-Match": (await room.get(ben, waits)).headers["etag"]}
    await room.client.patch("/v1/players/me", json={"display_name": "Benigno"}, headers=ben.headers)
    assert (await room.get(ben, waits, known)).status_code == 200
    dealt = f"/v1/games/{await room.playing(ben)}"
    names = [(await room.get(ben, path)).json()["seats"] for path in (playing, waits, dealt)]
    assert [names[0][1]["name"], names[1][0]["name"], names[2][0]["name"]] == ["Ben", "Benigno", "Benigno"]
