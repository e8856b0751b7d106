"""From a table that waits to a game, once and for all."""

from __future__ import annotations

import asyncio

import httpx

from tests.app.api.conftest import problem
from tests.app.lobby.conftest import OPEN, PAIR, Room


async def test_a_game_starts_when_everybody_but_the_owner_has_said_ready(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}"
    await room.post(ben, f"{path}/join")
    assert problem(await room.post(nena, f"{path}/start"))["code"] == "not_ready"
    table = (await room.post(ben, f"{path}/ready")).json()
    assert [seat.get("ready") for seat in table["seats"]] == [False, True, None, None]
    view = (await room.post(nena, f"{path}/start")).json()
    assert (view["game"]["status"], [seat["name"] for seat in view["seats"]]) == (
        "playing",
        ["Nena", "Ben", "Jhat", "Angie"],
    )


async def test_whoever_is_not_ready_any_more_holds_it_up(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}"
    await room.post(ben, f"{path}/join")
    await room.post(ben, f"{path}/ready")
    await room.post(ben, f"{path}/ready", {"ready": False})
    assert problem(await room.post(nena, f"{path}/start"))["code"] == "not_ready"


async def test_only_the_owner_starts(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}"
    await room.post(ben, f"{path}/join")
    assert problem(await room.post(ben, f"{path}/start"))["code"] == "not_the_owner"


async def test_open_seats_hold_it_up_unless_bots_fill_them(room: Room):
    (nena,) = await room.come_in("Nena")
    seats = [*OPEN[:3], {"type": "bot", "level": "random"}]
    path = f"/v1/games/{(await room.open(nena, seats=seats))['game']['id']}"
    assert problem(await room.post(nena, f"{path}/start"))["code"] == "seats_open"
    view = (await room.post(nena, f"{path}/start", {"fill_with_bots": True})).json()
    assert [seat["name"] for seat in view["seats"]] == ["Nena", "Angie", "Kling", "Jhat"]
    assert [seat.get("bot") for seat in view["seats"]] == [None, "random", "random", "random"]


async def test_seconds_follow_from_how_many_people_play_when_it_is_dealt(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    alone, together = await room.playing(nena), await room.playing(nena, ben)
    views = [(await room.get(nena, f"/v1/games/{game_id}")).json() for game_id in (alone, together)]
    assert [view["game"]["claim_timing"] for view in views] == ["fast", "uniform"]
    assert ["deadline_at" in view["decision"] for view in views] == [False, True]


async def test_what_was_agreed_on_is_told_to_whoever_plays_or_watches(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    agreed = {
        "timing": {"claim_seconds": 7, "bot_delay_ms": 0},
        "overrides": {"pot_ante": 7, "before_fifth_limit": None},
        "length": {"winds": 1},
    }
    path = f"/v1/games/{await room.playing(nena, ben, **agreed)}"
    games = [(await room.get(who, path)).json()["game"] for who in (nena, ben, tess)]
    seconds = {
        "turn_seconds": 20.0,
        "bank_seconds": 60.0,
        "claim_seconds": 7.0,
        "settlement_seconds": 15.0,
        "away_seconds": 60.0,
    }
    told = {**agreed, "timing": {"claim_timing": "uniform", **seconds, "bot_delay_ms": 0}}
    assert [{name: game[name] for name in agreed} for game in games] == [told] * 3


async def test_of_what_does_not_apply_nothing_is_told(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, timing={'settlement_seconds': None}, length=None)}"
    game = (await room.get(nena, path)).json()["game"]
    assert (game["overrides"], "length" in game, "settlement_seconds" in game["timing"]) == ({}, False, False)


async def test_each_sees_its_own_hand(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    views = [(await room.get(who, path)).json() for who in (nena, ben)]
    assert [view["seat"] for view in views] == [0, 1]
    assert views[0]["hand"] != views[1]["hand"]


async def test_starting_again_changes_nothing(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    before = (await room.get(ben, path)).headers["etag"]
    again = await room.post(nena, f"{path}/start")
    assert (again.status_code, again.json()["game"]["status"]) == (200, "playing")
    assert (await room.get(ben, path)).headers["etag"] == before


async def test_of_many_starts_at_once_one_deals(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    answers = await asyncio.gather(*(room.post(nena, f"{path}/start", {"fill_with_bots": True}) for _ in range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({tuple(answer.json()["hand"]) for answer in answers}) == 1


async def test_a_join_and_a_start_at_once_agree_on_who_plays(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    for _ in range(5):
        path = f"/v1/games/{(await room.open(nena))['game']['id']}"
        joined, started = await asyncio.gather(
            room.post(ben, f"{path}/join"), room.post(nena, f"{path}/start", {"fill_with_bots": True})
        )
        view = (await room.get(nena, path)).json()
        if started.status_code == 200:
            assert joined.status_code == 409
            assert [seat["kind"] for seat in view["seats"]] == ["person", "bot", "bot", "bot"]
        else:
            assert (problem(started)["code"], joined.status_code) == ("not_ready", 200)
            assert [seat["kind"] for seat in view["seats"]] == ["person", "person", "open", "open"]
            await room.post(ben, f"{path}/leave")
        await room.post(nena, f"{path}/leave")


async def test_one_key_makes_one_table(room: Room):
    (nena,) = await room.come_in("Nena")
    made = [await room.post(nena, "/v1/games", {"seats": OPEN}, **{"Idempotency-Key": "t1"}) for _ in range(2)]
    assert made[0].json()["game"]["id"] == made[1].json()["game"]["id"]
    assert len((await room.get(nena, "/v1/games")).json()["items"]) == 1


async def test_a_table_dealt_by_one_worker_is_played_at_another(room: Room, second: httpx.AsyncClient):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}"
    other = Room(second)
    assert (await other.post(ben, f"{path}/join")).json()["seat"] == 1
    await other.post(ben, f"{path}/ready")
    assert (await room.post(nena, f"{path}/start")).status_code == 200
    seen = (await other.get(ben, path)).json()
    assert (seen["game"]["status"], seen["seat"], len(seen["hand"])) == ("playing", 1, 16)


async def test_of_two_workers_one_gives_the_seat_away(room: Room, second: httpx.AsyncClient):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}/join"
    answers = await asyncio.gather(room.post(ben, path, {"seat": 1}), Room(second).post(tess, path, {"seat": 1}))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
