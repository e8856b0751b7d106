"""Preferences over HTTP (api, `/preferences`)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import PAIR, Room

NONE = {"auto_pass": [], "auto_win": False, "auto_draw": False}


async def seated(room: Room) -> tuple[str, Guest, Guest]:
    nena, ben = await room.come_in("Nena", "Ben")
    timing = {"turn_seconds": 0, "claim_seconds": 0}
    game_id = await room.playing(nena, ben, seats=PAIR, ruleset="tsumo", timing=timing, seed="5eed")
    return f"/v1/games/{game_id}", nena, ben


async def put(room: Room, who: Guest, path: str, body: Any) -> Any:
    return await room.client.put(f"{path}/preferences", json=body, headers=who.headers)


async def test_at_first_the_service_does_nothing_for_a_seat(room: Room):
    path, nena, _ = await seated(room)
    assert (await room.get(nena, f"{path}/preferences")).json() == NONE


async def test_what_is_put_is_read_again_and_stands_in_the_own_view_alone(room: Room):
    path, nena, ben = await seated(room)
    wants = {"auto_pass": ["pung", "chow", "pung"], "auto_win": True}
    made = await put(room, nena, path, wants)
    kept = {"auto_pass": ["chow", "pung"], "auto_win": True, "auto_draw": False}
    assert (made.status_code, made.json()) == (200, kept)
    assert (await room.get(nena, f"{path}/preferences")).json() == kept
    assert (await room.get(nena, path)).json()["preferences"] == kept
    assert (await room.get(ben, path)).json()["preferences"] == NONE


async def test_what_is_left_out_is_off_again(room: Room):
    path, nena, _ = await seated(room)
    await put(room, nena, path, {"auto_win": True, "auto_draw": True})
    assert (await put(room, nena, path, {"auto_draw": True})).json() == {**NONE, "auto_draw": True}


async def test_others_see_the_same_as_before(room: Room):
    path, nena, ben = await seated(room)
    before = (await room.get(ben, path)).headers["etag"]
    own = (await room.get(nena, path)).headers["etag"]
    changed = await put(room, nena, path, {"auto_pass": ["chow"]})
    assert changed.headers["etag"] == (await room.get(nena, path)).headers["etag"] != own
    assert (await room.get(ben, path, {"If-None-Match": before})).status_code == 304


@pytest.mark.parametrize(
    "body", [{"auto_pass": ["win"]}, {"auto_pass": "all"}, {"auto_win": 1}, {"unknown": True}], ids=str
)
async def test_what_does_not_fit_is_refused(room: Room, body: dict[str, Any]):
    path, nena, _ = await seated(room)
    assert problem(await put(room, nena, path, body))["code"] == "invalid_request"


async def test_only_who_has_a_seat_has_preferences(room: Room):
    path, _, _ = await seated(room)
    (tess,) = await room.come_in("Tess")
    assert problem(await room.get(tess, f"{path}/preferences"))["code"] == "not_seated"
    assert problem(await put(room, tess, path, {}))["code"] == "not_seated"
