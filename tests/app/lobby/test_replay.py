"""A game that is over shows everything."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.main import Todas
from app.tables.published import faults_of_replay, read
from engine.replay import verify
from engine.rules import OPTIONS
from tests.app.api.conftest import Guest, problem
from tests.app.api.served import TODAS
from tests.app.lobby.conftest import Room


async def played(room: Room, **body: Any) -> tuple[Guest, str]:
    """A person, and the address of a game that it has played for a round and ended."""
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, **{'length': {'rounds': 2}, **body})}"
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
    state = verify(read(map(json.dumps, [header, *told])).events)
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


# What was told, proven by whoever was told it


async def text_of(room: Room, who: Guest, path: str) -> list[str]:
    return [json.dumps(line) for line in await lines(room, who, path)]


def with_other(text: list[str], place: int, **changes: Any) -> list[str]:
    """The replay with other members in one line; within an event where there is one."""
    line = json.loads(text[place])
    line |= {"event": line["event"] | changes} if "event" in line else changes
    return [*text[:place], json.dumps(line), *text[place + 1 :]]


def place_of(text: list[str], kind: str) -> int:
    return next(place for place, line in enumerate(text) if json.loads(line).get("event", {}).get("type") == kind)


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_it_is_proven_with_the_commitment_that_was_kept(room: Room, ruleset: str):
    nena, path = await played(room, ruleset=ruleset)
    text, shown = await text_of(room, nena, path), (await room.get(nena, f"{path}/fairness")).json()
    assert faults_of_replay(text, shown["commitment"]) == faults_of_replay(text, shown["commitment"].upper()) == []
    assert faults_of_replay(text, "0" * 64) == ["its seed is not the one that was committed to"]
    for place, line in enumerate(text):
        if "seq" in json.loads(line):
            assert faults_of_replay(text[:place] + text[place + 1 :])


NULLABLE = [option.field for option in OPTIONS if option.nullable]


@pytest.mark.parametrize("length", [None, {"rounds": 2}], ids=["endless", "short"])
@pytest.mark.parametrize("field", NULLABLE)
@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
@pytest.mark.parametrize("value", [None, 3], ids=["null", "3"])
async def test_an_option_that_is_off_is_told_as_null(
    room: Room, ruleset: str, field: str, value: int | None, length: dict[str, int] | None
):
    nena, path = await played(room, ruleset=ruleset, overrides={field: value}, length=length)
    text = await text_of(room, nena, path)
    assert json.loads(text[1])["event"]["rules"][field] == value
    assert faults_of_replay(text) == []


async def test_an_option_that_was_left_out_where_it_is_null_is_the_one_of_the_header(room: Room):
    nena, path = await played(room, overrides=dict.fromkeys(NULLABLE))
    text = await text_of(room, nena, path)
    rules = json.loads(text[1])["event"]["rules"]
    told_before = with_other(text, 1, rules={name: value for name, value in rules.items() if value is not None})
    assert faults_of_replay(told_before) == []
    header = json.loads(text[0])["rules"]
    assert faults_of_replay(with_other(told_before, 0, rules=header | dict.fromkeys(NULLABLE, 3))) != []


async def test_whatever_is_told_otherwise_is_found(room: Room):
    nena, path = await played(room)
    text = await text_of(room, nena, path)
    discard, won = place_of(text, "tile_discarded"), place_of(text, "points_pending")
    header = {
        "seed": "5" * 64,
        "commitment": "5" * 64,
        "ruleset": "tsumo",
        "points": [1, 0, 0, -1],
        "seats": [],
        "seq": 3,
    }
    for name, value in header.items():
        assert faults_of_replay(with_other(text, 0, **{name: value})) == [f"the header says another {name}"]
    assert faults_of_replay(with_other(text, discard, seat=3))[0].startswith(f"event {discard - 1}: tile_discarded: ")
    assert faults_of_replay(with_other(text, won, pot_after=77))[0].startswith(f"event {won - 1}: points_pending: ")
    assert faults_of_replay(text[:won]) != []
    numbered = json.loads(text[discard])
    other = [*text[:discard], json.dumps({**numbered, "seq": numbered["seq"] + 1}), *text[discard + 1 :]]
    assert faults_of_replay(other) == ["its events are numbered otherwise"]


HOSTILE = "\x1b[2J\x9b2J\x7f\u202e\u2028\x00\r\n\U000e0041"


async def test_what_is_quoted_of_a_replay_does_nothing_to_the_terminal_that_shows_it(room: Room):
    nena, path = await played(room)
    text = await text_of(room, nena, path)
    discard = place_of(text, "tile_discarded")
    for spoilt in (
        with_other(text, discard, tile=HOSTILE),
        with_other(text, discard, type=HOSTILE),
        with_other(text, discard, **{HOSTILE: 5}),
        with_other(text, place_of(text, "answered"), action={"type": HOSTILE}),
        with_other(text, 1, rules={"name": HOSTILE}),
        with_other(text, 0, format=HOSTILE),
        with_other(text, 0, type=HOSTILE),
        with_other(text, discard, tile="5c" * 400),
        [HOSTILE],
    ):
        [fault] = faults_of_replay(spoilt)
        assert fault.isprintable()
        assert len(fault) <= 300


async def test_what_one_seat_saw_proves_nothing(room: Room):
    nena, path = await played(room)
    [fault] = faults_of_replay([json.dumps(line) for line in await lines(room, nena, path, seat=0)])
    assert "ask for its replay without a seat" in fault


async def test_the_command_proves_a_replay_without_a_database(room: Room, tmp_path: Path):
    nena, path = await played(room)
    file, commitment = tmp_path / "game.ndjson", (await room.get(nena, f"{path}/fairness")).json()["commitment"]
    text = await text_of(room, nena, path)
    for told, found in ((text, (0, "whole\n")), (text[:-1], (1, "the game does not end\n"))):
        file.write_text("\n".join(told))
        command = [str(TODAS), "verify", str(file), "--commitment", commitment]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout[: len(found[1])]) == found
