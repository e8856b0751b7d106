"""Pausing and going on over HTTP, by agreement of all people who play (api, `/pause`)."""

from __future__ import annotations

from typing import Any

from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import PAIR, Room

TIMING = {"turn_seconds": 600, "claim_seconds": 0, "bank_seconds": 0}


async def together(room: Room) -> tuple[str, Guest, Guest]:
    """The path of a game of two, whose dealer is the first of them."""
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = await room.playing(nena, ben, seats=PAIR, ruleset="tsumo", timing=TIMING, seed="5eed")
    return f"/v1/games/{game_id}", nena, ben


async def view(room: Room, who: Guest, path: str) -> dict[str, Any]:
    seen: dict[str, Any] = (await room.get(who, path)).json()
    return seen


async def throw(room: Room, path: str, nena: Guest, ben: Guest) -> None:
    """The dealer throws, and the other passes: the next turn is the other's."""
    tile = (await view(room, nena, path))["hand"][-1]
    assert (await room.post(nena, f"{path}/discard", {"tile": tile})).status_code == 200
    assert (await room.post(ben, f"{path}/pass")).status_code == 200


async def paused(room: Room) -> tuple[str, Guest, Guest]:
    path, nena, ben = await together(room)
    for who in (nena, ben):
        assert (await room.post(who, f"{path}/pause")).status_code == 200
    await throw(room, path, nena, ben)
    return path, nena, ben


async def test_it_pauses_at_the_next_turn_once_everybody_has_asked(room: Room):
    path, nena, ben = await together(room)
    asked = (await room.post(nena, f"{path}/pause")).json()
    assert [fact["event"] for fact in asked["events"]] == [{"type": "pause_asked", "seat": 0, "wish": "pause"}]
    assert (asked["view"]["game"]["asked"], asked["view"]["game"]["paused"]) == ([0], False)
    assert (await room.post(ben, f"{path}/pause")).json()["view"]["game"]["paused"] is False
    await throw(room, path, nena, ben)
    seen = await view(room, ben, path)
    assert (seen["game"]["paused"], seen["game"]["asked"], seen["decision"]["who"]) == (True, [], [1])


async def test_asking_again_changes_nothing(room: Room):
    path, nena, _ = await together(room)
    first = (await room.post(nena, f"{path}/pause")).json()
    again = (await room.post(nena, f"{path}/pause")).json()
    assert (again["events"], again["seq"]) == ([], first["seq"])


async def test_while_it_is_paused_moves_are_refused_and_no_time_runs(room: Room):
    path, _, ben = await paused(room)
    seen = await view(room, ben, path)
    assert (seen["legal_actions"], "deadline_at" in seen["decision"]) == ([], False)
    for route in ("draw", "win"):
        refused = problem(await room.post(ben, f"{path}/{route}"))
        assert (refused["code"], refused["status"], refused["retry"]) == ("paused", 409, "after")


async def test_it_goes_on_once_everybody_has_asked_with_the_whole_turn(room: Room):
    path, nena, ben = await paused(room)
    assert (await room.post(nena, f"{path}/resume")).json()["view"]["game"]["paused"] is True
    events = (await room.post(ben, f"{path}/resume")).json()["events"]
    assert [fact["event"]["type"] for fact in events] == ["pause_asked", "game_resumed"]
    seen = await view(room, ben, path)
    assert [action["type"] for action in seen["legal_actions"]] == ["draw"]
    assert "deadline_at" in seen["decision"]


async def test_nobody_waits_for_the_wish_of_one_who_has_left(room: Room):
    path, nena, ben = await together(room)
    await room.post(ben, f"{path}/leave")
    await room.post(nena, f"{path}/pause")
    tile = (await view(room, nena, path))["hand"][-1]
    await room.post(nena, f"{path}/discard", {"tile": tile})
    assert (await view(room, nena, path))["game"]["paused"] is True


async def test_it_goes_on_when_the_last_who_has_not_asked_leaves(room: Room):
    path, nena, ben = await paused(room)
    await room.post(nena, f"{path}/resume")
    await room.post(ben, f"{path}/leave")
    assert (await view(room, nena, path))["game"]["paused"] is False


async def test_a_game_that_is_over_is_not_paused(room: Room):
    path, nena, _ = await together(room)
    await room.post(nena, f"{path}/end", {"when": "now"})
    for route in ("pause", "resume"):
        assert problem(await room.post(nena, f"{path}/{route}"))["code"] == "game_over"


async def test_a_spectator_may_not_ask(room: Room):
    path, _, _ = await together(room)
    (tess,) = await room.come_in("Tess")
    assert problem(await room.post(tess, f"{path}/pause"))["code"] == "not_seated"


async def test_a_repeat_with_one_key_is_answered_like_the_first(room: Room):
    path, nena, _ = await together(room)
    first, again = [await room.post(nena, f"{path}/pause", **{"Idempotency-Key": "k1"}) for _ in range(2)]
    assert (again.headers["idempotency-replayed"], again.content) == ("true", first.content)
