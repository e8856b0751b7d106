"""A game that is over shows everything."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.main import Todas
from engine.codec import load_event
from engine.replay import verify
from tests.app.api.conftest import Guest, problem
from tests.app.lobby.conftest import Room


async def played(room: Room, **body: Any) -> tuple[Guest, str]:
    """A person, and the address of a game that it has played for a round and ended."""
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, length={'rounds': 2}, **body)}"
    seen = (await room.get(nena, path)).json()
    while seen["game"]["round"] == 1 and seen["game"]["status"] == "playing":
        if seen["legal_actions"]:
            move = {"action": seen["legal_actions"][-1], "decision_no": seen["decision"]["no"]}
            seen = (await room.post(nena, f"{path}/actions", move)).json()["view"]
        else:
            seen = (await room.get(nena, path)).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    return nena, path


async def lines(room: Room, who: Guest, path: str, **params: Any) -> list[dict[str, Any]]:
    answer = await room.get(who, f"{path}/replay", **params)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
    return [json.loads(line) for line in answer.text.splitlines()]


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_its_replay_is_the_whole_log_and_folds(room: Room, ruleset: str):
    nena, path = await played(room, ruleset=ruleset)
    header, *told = await lines(room, nena, path)
    seen = (await room.get(nena, path)).json()
    assert (header["type"], header["ruleset"], header["seq"]) == ("header", ruleset, seen["game"]["seq"])
    assert [each["seq"] for each in told if "seq" in each] == list(range(1, header["seq"] + 1))
    state = verify(load_event(whole(each["event"])) for each in told)
    assert (state.seed, [seat.points for seat in state.seats]) == (
        header["seed"],
        [seat["points"] for seat in seen["seats"]],
    )


async def test_for_a_seat_it_is_what_that_seat_was_told(room: Room):
    nena, path = await played(room)
    own = (await room.get(nena, f"{path}/events")).json()["events"]
    header, *told = await lines(room, nena, path, seat=0)
    assert (header["seat"], told) == (0, own)
    other = (await lines(room, nena, path, seat=1))[1:]
    assert [each["seq"] for each in other] == [each["seq"] for each in own]
    assert other[0]["event"]["hands"][0] != own[0]["event"]["hands"][0]


async def test_any_past_view_is_the_one_that_was_seen(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, seed='5eed')}"
    seen = (await room.get(nena, path)).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    past = (await room.get(nena, f"{path}/at/{seen['game']['seq']}")).json()
    del seen["game"]["server_time"], past["game"]["server_time"]
    assert past == seen


async def test_every_moment_has_a_view_for_every_seat(room: Room, app: Todas):
    nena, path = await played(room, ruleset="tsumo")
    game = await app.service.tables.current(path.rpartition("/")[2])
    for seq in range(1, game.seq + 1, 7):
        for seat in range(4):
            past = (await room.get(nena, f"{path}/at/{seq}", seat=seat)).json()
            assert (past["game"]["seq"], past["seat"]) == (seq, seat)


async def test_a_moment_it_never_had_has_no_view(room: Room):
    nena, path = await played(room)
    assert problem(await room.get(nena, f"{path}/at/1000000"))["code"] == "unknown_event"


async def test_before_the_end_it_shows_nothing_of_this(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena)}"
    for what in ("replay", "at/1"):
        assert problem(await room.get(nena, f"{path}/{what}"))["code"] == "not_over"


async def test_a_private_game_shows_it_to_those_who_played(room: Room):
    _, path = await played(room, visibility="private")
    (ben,) = await room.come_in("Ben")
    for what in ("replay", "at/1", "fairness"):
        assert problem(await room.get(ben, f"{path}/{what}"))["code"] == "unknown_game"


def whole(event: dict[str, Any]) -> dict[str, Any]:
    """The event with the fields that did not apply."""
    optional = {
        "game_created": ("length",),
        "window_opened": ("tile", "discarder"),
        "window_closed": ("seat",),
        "meld_made": ("claimed_from",),
        "wall_built": ("last",),
        "round_won": ("category", "tile", "reading", "discarder"),
    }
    return {**dict.fromkeys(optional.get(event["type"], ())), **event}
