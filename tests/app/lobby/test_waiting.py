"""Tables that wait for their players."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest

from app.api.new_game import NewGameBody, asked_of
from app.lobby import Person
from app.main import Todas
from app.tables.verify import verify_games
from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import OPEN, PAIR, Room


def kinds(table: dict[str, Any]) -> list[str]:
    return [seat["kind"] for seat in table["seats"]]


async def test_a_table_with_an_open_seat_waits_and_shows_who_is_there(room: Room):
    (nena,) = await room.come_in("Nena")
    table = await room.open(nena, seats=PAIR)
    assert (table["game"]["seq"], table["game"]["owner"], table["seat"]) == (0, 0, 0)
    assert kinds(table) == ["person", "open", "bot", "bot"]
    assert [seat.get("name") for seat in table["seats"]] == ["Nena", None, "Jhat", "Angie"]


async def test_a_table_whose_seats_are_filled_is_dealt_at_once(room: Room):
    (nena,) = await room.come_in("Nena")
    made = await room.post(nena, "/v1/games", {"seats": [{"type": "bot"}, {"type": "me"}, *PAIR[2:]]})
    assert made.json()["game"]["status"] == "playing"


async def test_it_tells_the_seconds_that_so_many_people_play_with(room: Room):
    (nena,) = await room.come_in("Nena")
    table = await room.open(nena, timing={"claim_seconds": 7})
    assert (table["game"]["timing"]["turn_seconds"], table["game"]["timing"]["claim_seconds"]) == (20, 7)


@pytest.mark.parametrize(("asked", "shown"), [({}, 800), ({"bot_delay_ms": 250}, 250), ({"bot_delay_ms": 0}, 0)])
async def test_it_tells_the_milliseconds_that_bots_take(room: Room, asked: dict[str, Any], shown: int):
    (nena,) = await room.come_in("Nena")
    table = await room.open(nena, timing=asked)
    assert table["game"]["timing"]["bot_delay_ms"] == shown


async def test_it_tells_the_options_that_are_not_the_preset_s(room: Room):
    (nena,) = await room.come_in("Nena")
    table = await room.open(nena, overrides={"pot_ante": 7, "unit": 5})
    assert table["game"]["overrides"] == {"pot_ante": 7}


async def test_whoever_joins_gets_the_first_free_seat_or_the_one_it_names(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}/join"
    assert (await room.post(ben, path)).json()["seat"] == 1
    assert (await room.post(tess, path, {"seat": 3})).json()["seat"] == 3


async def test_a_person_may_change_seats_until_the_start(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}/join"
    await room.post(ben, path)
    table = (await room.post(ben, path, {"seat": 2})).json()
    assert (table["seat"], kinds(table)) == (2, ["person", "open", "person", "open"])


async def test_joining_again_changes_nothing(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}/join"
    first = await room.post(ben, path)
    again = await room.post(ben, path)
    assert (again.json()["seats"], again.headers["etag"]) == (first.json()["seats"], first.headers["etag"])


async def test_a_seat_that_is_taken_or_a_bot_s_is_refused(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}/join"
    for seat in (0, 2):
        assert problem(await room.post(ben, path, {"seat": seat}))["code"] == "seat_taken"


async def test_of_two_who_want_one_seat_at_once_one_gets_it(room: Room):
    nena, *others = await room.come_in("Nena", "Ben", "Tess", "Lito", "Mila")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}/join"
    answers = await asyncio.gather(*(room.post(who, path, {"seat": 2}) for who in others))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert {problem(answer)["code"] for answer in answers if answer.status_code == 409} == {"seat_taken"}


async def test_a_full_table_takes_nobody(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}/join"
    answers = await asyncio.gather(room.post(ben, path), room.post(tess, path))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert "table_full" in [answer.json().get("code") for answer in answers]


async def test_the_table_passes_on_with_its_owner_in_seat_order(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    seats = [OPEN[1], OPEN[1], OPEN[0], OPEN[1]]
    path = f"/v1/games/{(await room.open(nena, seats=seats))['game']['id']}"
    await room.post(ben, f"{path}/join", {"seat": 1})
    await room.post(tess, f"{path}/join", {"seat": 0})
    assert (await room.post(nena, f"{path}/leave")).status_code == 204
    table = (await room.get(ben, path)).json()
    assert (table["game"]["owner"], kinds(table)) == (0, ["person", "person", "open", "open"])


async def test_a_table_closes_with_the_last_person(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(nena, f"{path}/leave")
    assert problem(await room.get(nena, path))["code"] == "unknown_game"
    assert (await room.get(nena, "/v1/games")).json()["items"] == []


async def test_a_table_at_which_nothing_happens_is_closed(room: Room, app: Todas):
    (nena,) = await room.come_in("Nena")
    old, young = [f"/v1/games/{(await room.open(nena))['game']['id']}" for _ in range(2)]
    session, game_id = app.service.database.session, old.rpartition("/")[2]
    await session.execute("UPDATE open_tables SET changed_at = now() - interval '25 hours' WHERE game_id = $1", game_id)
    await app.service.housekeeping.tidy()
    assert [(await room.get(nena, path)).status_code for path in (old, young)] == [404, 200]


async def test_a_closed_table_leaves_the_stores_sound(room: Room, app: Todas):
    (nena,) = await room.come_in("Nena")
    await room.post(nena, f"/v1/games/{(await room.open(nena))['game']['id']}/leave")
    assert [verdict.faults async for verdict in verify_games(app.service.database.moment)] == [()]


async def test_who_has_no_seat_cannot_leave_or_be_ready(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    for what in ("leave", "ready", "start"):
        assert problem(await room.post(ben, f"{path}/{what}"))["code"] == "not_seated"


async def test_a_person_sent_away_does_not_come_back(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(ben, f"{path}/join")
    table = (await room.post(nena, f"{path}/kick", {"player_id": ben.id})).json()
    assert kinds(table) == ["person", "open", "open", "open"]
    assert problem(await room.post(ben, f"{path}/join"))["code"] == "barred"


async def test_only_the_owner_sends_away_and_not_itself(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(ben, f"{path}/join")
    assert problem(await room.post(ben, f"{path}/kick", {"player_id": nena.id}))["code"] == "not_the_owner"
    assert problem(await room.post(nena, f"{path}/kick", {"player_id": nena.id}))["code"] == "not_at_table"


async def test_the_view_has_a_mark_that_changes_with_the_table(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    mark = (await room.get(nena, path)).headers["etag"]
    assert (await room.get(nena, path, {"If-None-Match": mark})).status_code == 304
    await room.post(ben, f"{path}/join")
    assert (await room.get(nena, path, {"If-None-Match": mark})).status_code == 200


async def test_what_needs_a_game_waits_for_it(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    assert problem(await room.post(nena, f"{path}/draw"))["code"] == "not_started"
    assert problem(await room.get(nena, f"{path}/rounds"))["code"] == "not_started"
    assert problem(await room.post(nena, f"{path}/end", {"when": "now"}))["code"] == "not_started"


async def test_one_person_waits_at_few_tables(room: Room):
    (nena,) = await room.come_in("Nena")
    for _ in range(8):
        await room.open(nena)
    refused = problem(await room.post(nena, "/v1/games", {"seats": OPEN}))
    assert refused["code"] == "too_many_tables"


async def test_of_many_tables_made_at_once_one_person_waits_at_few(room: Room, second: httpx.AsyncClient):
    (nena,) = await room.come_in("Nena")
    ways = [room, Room(second)] * 6
    answers = await asyncio.gather(*(until_there_is_time(way, nena, "/v1/games", {"seats": OPEN}) for way in ways))
    assert sorted(answer.status_code for answer in answers) == [201] * 8 + [409] * 4
    assert {problem(answer)["code"] for answer in answers if answer.status_code == 409} == {"too_many_tables"}


async def test_of_many_tables_joined_at_once_one_person_waits_at_few(room: Room, second: httpx.AsyncClient):
    nena, tess, ben = await room.come_in("Nena", "Tess", "Ben")
    tables = [await room.open(who) for who in (nena, tess) for _ in range(6)]
    ways = [room, Room(second)] * 6
    paths = [f"/v1/games/{table['game']['id']}/join" for table in tables]
    asked = [until_there_is_time(way, ben, path) for way, path in zip(ways, paths, strict=True)]
    answers = await asyncio.gather(*asked)
    assert sorted(answer.status_code for answer in answers) == [200] * 8 + [409] * 4


async def until_there_is_time(room: Room, who: Guest, path: str, body: Any = None) -> httpx.Response:
    """A slow machine may have the last of many wait for longer than a lock is waited for."""
    while True:
        answer = await room.post(who, path, body)
        if answer.status_code != 503:
            return answer


async def test_a_player_who_is_deleted_leaves_its_tables(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(ben, f"{path}/join")
    await room.client.delete("/v1/players/me", headers=nena.headers)
    assert kinds((await room.get(ben, path)).json()) == ["open", "person", "open", "open"]


async def test_a_table_that_is_made_twice_at_once_is_one(room: Room, app: Todas):
    (nena,) = await room.come_in("Nena")
    asked, seat = asked_of(NewGameBody.model_validate({"seats": OPEN}))
    person = Person(nena.id, "Nena")
    made = await asyncio.gather(*(app.service.lobby.open(asked, "twice", seat, person, "5eed") for _ in range(4)))
    assert [table.game.id for table in made] == ["twice"] * 4
    assert [game["id"] for game in (await room.get(nena, "/v1/games")).json()["items"]] == ["twice"]
