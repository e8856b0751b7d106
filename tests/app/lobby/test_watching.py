"""Public games, seen by people who have no seat there."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from app.tables.published import whole
from engine.codec import load_event
from engine.replay import fold
from engine.views import view
from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import Room
from tests.app.lobby.test_replay import lines


async def discard(room: Room, who: Guest, path: str) -> dict[str, Any]:
    """One more turn of a person alone with bots: its view afterwards."""
    seen: dict[str, Any] = (await room.get(who, path)).json()
    while True:
        move = {"action": seen["legal_actions"][-1], "decision_no": seen["decision"]["no"]}
        seen = (await room.post(who, f"{path}/actions", move)).json()["view"]
        if move["action"]["type"] == "discard":
            return seen


async def test_a_spectator_sees_what_all_seats_may_see(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena)}"
    seen = (await room.get(ben, path)).json()
    assert ("seat" in seen, seen["hand"], seen["legal_actions"]) == (False, [], [])
    assert seen["game"]["seq"] == (await room.get(nena, path)).json()["game"]["seq"]


async def test_a_private_game_is_not_there(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, visibility='private')}"
    assert problem(await room.get(ben, path))["code"] == "unknown_game"


async def test_to_watch_takes_the_scope_for_it(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena)}"
    made = await room.post(ben, "/v1/players/me/tokens", {"scopes": ["play"]})
    headers = {"Authorization": f"Bearer {made.json()['token']}"}
    assert problem(await room.client.get(path, headers=headers))["code"] == "scope_missing"


async def test_a_spectator_is_kept_so_many_events_behind(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, spectator_delay=6, seed='5eed')}"
    await discard(room, nena, path)
    own = (await room.get(nena, path)).json()
    seen = await room.get(ben, path)
    last = own["game"]["seq"]
    assert seen.json()["game"]["seq"] == last - 6
    assert seen.headers["etag"] == f'W/"{last - 6}.0"'
    assert "deadline_at" not in seen.json()["decision"]


async def test_its_view_is_that_of_then(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, spectator_delay=3, seed='5eed')}"
    for _ in range(4):
        await discard(room, nena, path)
    seen = (await room.get(ben, path)).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    told = (await lines(room, nena, path))[1:]
    last = next(place for place, each in enumerate(told) if each.get("seq") == seen["game"]["seq"])
    then = view(fold(load_event(whole(each["event"])) for each in told[: last + 1]), None)
    assert (seen["game"]["wall_count"], seen["pile"]) == (then.wall_count, [asdict(tile) for tile in then.pile])
    assert [seat["concealed"] for seat in seen["seats"]] == [seat.concealed for seat in then.seats]


async def test_its_events_end_there_too(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, spectator_delay=4, seed='5eed')}"
    await discard(room, nena, path)
    last = (await room.get(nena, path)).json()["game"]["seq"]
    page = (await room.get(ben, f"{path}/events")).json()
    assert (page["seq"], page["events"][-1]["seq"]) == (last - 4, last - 4)
    empty = (await room.get(ben, f"{path}/events", after=last - 4)).json()
    assert empty == {"seq": last - 4, "next": last - 4, "events": []}


async def test_it_is_told_of_the_rounds_before_the_one_it_sees(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    timing = {"settlement_seconds": None}
    path = f"/v1/games/{await room.playing(nena, spectator_delay=3, timing=timing, seed='5eed')}"
    seen = (await room.get(nena, path)).json()
    while seen["decision"]["kind"] != "settlement":
        move = {"action": seen["legal_actions"][-1], "decision_no": seen["decision"]["no"]}
        seen = (await room.post(nena, f"{path}/actions", move)).json()["view"]
    told = [len((await room.get(who, f"{path}/rounds")).json()["items"]) for who in (nena, ben)]
    assert told == [1, 0]
    assert problem(await room.get(ben, f"{path}/rounds/1"))["code"] == "unknown_round"
    await room.post(nena, f"{path}/end", {"when": "now"})
    assert (await room.get(ben, f"{path}/rounds/1")).status_code == 200


async def test_seats_are_not_kept_behind(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, spectator_delay=100)}"
    seen = (await room.get(nena, path)).json()
    page = (await room.get(nena, f"{path}/events")).json()
    assert page["events"][-1]["seq"] == seen["game"]["seq"]


@pytest.mark.parametrize("delay", [1, 100])
async def test_at_the_end_everything_is_shown(room: Room, delay: int):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, spectator_delay=delay)}"
    early = (await room.get(ben, path)).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    own, seen = [(await room.get(who, path)).json()["game"]["seq"] for who in (nena, ben)]
    assert early["game"]["seq"] >= 1
    assert seen == own == (await room.get(ben, f"{path}/events")).json()["events"][-1]["seq"]


@pytest.mark.parametrize("delay", [-1, 101, "5", 1.5])
async def test_a_delay_is_a_number_of_events_up_to_a_hundred(room: Room, delay: Any):
    (nena,) = await room.come_in("Nena")
    refused = problem(await room.post(nena, "/v1/games", {"spectator_delay": delay}))
    assert [fault["pointer"] for fault in refused["errors"]] == ["/spectator_delay"]
