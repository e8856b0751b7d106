"""Playing again."""

from __future__ import annotations

import asyncio

from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import Room


async def end(room: Room, owner: Guest, game_id: str) -> str:
    """Ends a game at once: its address."""
    path = f"/v1/games/{game_id}"
    assert (await room.post(owner, f"{path}/end", {"when": "now"})).status_code == 200
    return path


async def test_alone_it_is_dealt_at_once_on_the_same_terms(room: Room):
    (nena,) = await room.come_in("Nena")
    body = {
        "ruleset": "tsumo",
        "points": 50,
        "overrides": {"unit": 3},
        "timing": {"turn_seconds": 9, "bot_delay_ms": 7},
    }
    game_id = (await room.post(nena, "/v1/games", body)).json()["game"]["id"]
    made = await room.post(nena, f"{await end(room, nena, game_id)}/rematch")
    view = made.json()
    assert (made.status_code, view["game"]["status"], view["game"]["ruleset"]) == (201, "playing", "tsumo")
    assert made.headers["location"] == f"/v1/games/{view['game']['id']}" != f"/v1/games/{game_id}"
    assert [seat["points"] for seat in view["seats"]] == [50] * 4
    assert view["decision"]["ms_left"] > 0
    assert view["game"]["timing"]["bot_delay_ms"] == 7


async def test_it_waits_until_everybody_has_asked(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = await end(room, nena, await room.playing(nena, ben))
    table = (await room.post(ben, f"{path}/rematch")).json()
    assert (table["game"]["status"], table["game"]["owner"], table["seat"]) == ("open", 0, 1)
    assert [(seat["kind"], seat.get("ready")) for seat in table["seats"][:2]] == [("person", False), ("person", True)]
    view = (await room.post(nena, f"{path}/rematch")).json()
    assert (view["game"]["id"], view["game"]["status"], view["seat"]) == (table["game"]["id"], "playing", 0)


async def test_of_two_who_ask_at_once_one_makes_it(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = await end(room, nena, await room.playing(nena, ben))
    answers = await asyncio.gather(*(room.post(who, f"{path}/rematch") for who in (nena, ben, nena, ben)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["game"]["id"] for answer in answers}) == 1
    follower = answers[0].headers["location"]
    assert (await room.get(nena, follower)).json()["game"]["status"] == "playing"


async def test_each_game_tells_of_the_other(room: Room):
    (nena,) = await room.come_in("Nena")
    path = await end(room, nena, await room.playing(nena))
    before = (await room.get(nena, path)).json()["game"]
    follower = (await room.post(nena, f"{path}/rematch")).json()["game"]
    after = (await room.get(nena, path)).json()["game"]
    assert (follower["rematch_of"], after["rematch"]) == (before["id"], follower["id"])
    assert "rematch" not in before


async def test_the_seat_of_a_person_who_left_is_open(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = await room.playing(nena, ben)
    await room.post(ben, f"/v1/games/{game_id}/leave")
    table = (await room.post(nena, f"{await end(room, nena, game_id)}/rematch")).json()
    assert [seat["kind"] for seat in table["seats"]] == ["person", "open", "bot", "bot"]


async def test_a_rematch_that_closed_may_be_asked_for_again(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = await end(room, nena, await room.playing(nena, ben))
    first = (await room.post(nena, f"{path}/rematch")).headers["location"]
    for who in (nena, ben):
        assert (await room.post(who, f"{first}/leave")).status_code == 204
    again = await room.post(nena, f"{path}/rematch")
    assert (again.status_code, again.headers["location"] != first) == (201, True)


async def test_it_is_for_after_the_end_and_for_who_played(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = await room.playing(nena)
    assert problem(await room.post(nena, f"/v1/games/{game_id}/rematch"))["code"] == "not_over"
    path = await end(room, nena, game_id)
    assert problem(await room.post(ben, f"{path}/rematch"))["code"] == "not_seated"


async def test_its_walls_are_new(room: Room):
    (nena,) = await room.come_in("Nena")
    path = await end(room, nena, await room.playing(nena, seed="5eed"))
    view = (await room.post(nena, f"{path}/rematch")).json()
    assert view["game"]["seeded"] is False
