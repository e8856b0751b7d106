"""What a table refuses says what to do next."""

from __future__ import annotations

import pytest

from tests.app.api.conftest import problem
from tests.app.lobby.conftest import OPEN, PAIR, Room


@pytest.mark.parametrize(
    ("ready", "named"), [((), "Seats 1, 2 and 3 are"), ((2,), "Seats 1 and 3 are"), ((1, 3), "Seat 2 is")]
)
async def test_who_is_not_ready_yet_is_named_with_the_way_to_be(room: Room, ready: tuple[int, ...], named: str):
    people = await room.come_in("Nena", "Ben", "Tess", "Lito")
    path = f"/v1/games/{(await room.open(people[0]))['game']['id']}"
    for who in people[1:]:
        await room.post(who, f"{path}/join")
    for seat in ready:
        await room.post(people[seat], f"{path}/ready")
    refused = problem(await room.post(people[0], f"{path}/start"))
    assert (refused["code"], refused["detail"]) == (
        "not_ready",
        f"{named} not ready yet: each of them sends POST {path}/ready.",
    )


async def test_seats_that_are_open_are_named_with_the_way_to_fill_them(room: Room):
    (nena,) = await room.come_in("Nena")
    seats = [OPEN[0], {"type": "bot"}, *OPEN[2:]]
    path = f"/v1/games/{(await room.open(nena, seats=seats))['game']['id']}"
    refused = problem(await room.post(nena, f"{path}/start"))
    assert refused["code"] == "seats_open"
    assert (
        refused["detail"] == 'Seats 2 and 3 are still open: wait for players, or start with {"fill_with_bots": true}.'
    )


async def test_a_code_is_told_to_open_nothing_in_the_same_words_whatever_became_of_it(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    begun, renewed = [await room.open(nena, visibility="private", seats=PAIR) for _ in range(2)]
    await room.post(nena, f"/v1/games/{begun['game']['id']}/start", {"fill_with_bots": True})
    await room.post(nena, f"/v1/games/{renewed['game']['id']}/code")
    codes = ["mama-mama-mama", "no code", begun["code"]["code"], renewed["code"]["code"]]
    refusals = [problem(await room.post(tess, "/v1/games/join", {"code": code})) for code in codes]
    refusals.append(problem(await room.post(ben, f"/v1/games/{renewed['game']['id']}/join", {"code": codes[0]})))
    refusals.append(problem(await room.post(ben, f"/v1/games/{'0' * 32}/join", {"code": codes[0]})))
    assert {refused["code"] for refused in refusals} == {"unknown_code"}
    (detail,) = {refused["detail"] for refused in refusals}
    assert all(word in detail for word in ("mistyped", "used up", "out of date", "has begun", "GET /v1/games"))


async def test_a_full_table_names_where_others_are(room: Room):
    nena, ben, tess = await room.come_in("Nena", "Ben", "Tess")
    path = f"/v1/games/{(await room.open(nena, seats=PAIR))['game']['id']}/join"
    await room.post(ben, path)
    refused = problem(await room.post(tess, path))
    assert (refused["code"], "GET /v1/lobby" in refused["detail"]) == ("table_full", True)


async def test_a_game_that_goes_on_says_what_has_to_end_first(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena)}"
    rematch, replay = await room.post(nena, f"{path}/rematch"), await room.get(nena, f"{path}/replay")
    assert problem(rematch)["detail"] == f"A rematch follows on a game that is over: POST {path}/end ends one."
    assert problem(replay)["detail"] == "The game goes on: this is told once it has ended."


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_table_that_waits_names_what_tells_of_the_start(room: Room, accept: str):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    for route in ("events", "rounds", "preferences"):
        refused = problem(await room.get(nena, f"{path}/{route}", {"Accept": accept}))
        assert refused["code"] == "not_started"
        assert "/v1/lobby/stream tells when it begins" in refused["detail"]
        assert f"GET {path} " in refused["detail"]
