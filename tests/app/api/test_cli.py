from __future__ import annotations

import asyncio
import json
import os
import subprocess
from pathlib import Path

import asyncpg
import pytest

from tests.app.api.served import TODAS
from tests.app.conftest import at

AGREES = {
    "id": "E01",
    "ruleset": "emay",
    "concealed": "123b 456b 678c 222d 777c 9d",
    "melds": [],
    "tile": "9d",
    "source": "discard",
    "joker": "5d",
    "pile_after": 10,
    "expect": {"category": "Win by Discard Regular", "multiplier": 1},
}


def todas(*arguments: object, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [str(TODAS), *map(str, arguments)]
    return subprocess.run(command, env={**os.environ, **settings}, capture_output=True, text=True, check=False)


def test_hands_that_agree_end_with_0(tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    file.write_text(json.dumps([AGREES]))
    done = todas("hands", file)

    assert (done.returncode, done.stdout) == (0, "1 agree, 0 differ\n")


def test_a_hand_that_differs_is_printed_and_ends_with_1(tmp_path: Path) -> None:
    file = tmp_path / "hands.json"
    file.write_text(json.dumps([AGREES, AGREES | {"id": "X", "expect": None}]))
    done = todas("hands", file)

    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        'X  expected no win  found {"category": "Win by Discard Regular", "multiplier": 1}',
        "1 agree, 1 differ",
    ]


@pytest.mark.parametrize("hand", [AGREES | {"expect": None}, AGREES | {"concealed": "x"}])
def test_hands_of_others_do_nothing_to_the_terminal_that_shows_them(tmp_path: Path, hand: dict[str, object]) -> None:
    file = tmp_path / "hands.json"
    file.write_text(json.dumps([hand | {"id": "\x1b[2J\x9b\u202e", "\x1b[2J": "\x1b[2J"}]))
    done = todas("hands", file)

    assert all(line.isprintable() for line in (done.stdout + done.stderr).splitlines())
    assert r"\u001b[2J\u009b\u202e" in done.stdout + done.stderr


@pytest.mark.parametrize("text", ["[", '[{"id": "X"}]', "[]", "{}", "1"])
def test_a_file_of_hands_that_cannot_be_read_ends_with_2(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hands.json"
    file.write_text(text)
    done = todas("hands", file)

    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert str(file) in done.stderr


def test_simulate_plays_the_same_rounds_however_they_are_shared_out() -> None:
    alone = todas("simulate", "--rounds", 40, "--seed", 7, "--check", "--jobs", 1)
    shared = todas("simulate", "--rounds", 40, "--seed", 7, "--check", "--jobs", 2)

    assert (alone.returncode, shared.returncode) == (0, 0)
    assert alone.stdout.startswith("40 rounds of emay by greedy in ")
    assert alone.stdout.splitlines()[1:] == shared.stdout.splitlines()[1:]


@pytest.mark.parametrize(("ruleset", "lines"), [("emay", 22), ("tsumo", 7)])
def test_simulate_counts_every_way_to_win(ruleset: str, lines: int) -> None:
    done = todas("simulate", "--ruleset", ruleset, "--bots", "greedy,random", "--rounds", 16)

    assert len(done.stdout.splitlines()) == 3 + lines


def test_simulate_refuses_more_bots_than_there_are_seats() -> None:
    done = todas("simulate", "--bots", "greedy,greedy,greedy,random,random", "--rounds", 4)

    assert (done.returncode, done.stdout, done.stderr) == (2, "", "a table has four seats: 5 bots are too many\n")


@pytest.mark.parametrize("option", [("--ruleset", "riichi"), ("--bots", "greedy,genius")])
def test_simulate_names_what_there_is_instead(option: tuple[str, str]) -> None:
    done = todas("simulate", *option)

    assert (done.returncode, option[1].split(",")[-1] in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_openapi_writes_the_committed_contract(tmp_path: Path) -> None:
    file = tmp_path / "openapi.json"
    done = todas("openapi", file)

    assert done.returncode == 0
    assert file.read_bytes() == (Path(__file__).parents[3] / "openapi" / "openapi.json").read_bytes()


def test_a_commitment_is_of_the_game_whose_replay_is_given(tmp_path: Path) -> None:
    done = todas("verify", "--commitment", "0" * 64, TODAS_STATE_DIR=str(tmp_path / "state"))

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "--commitment is of one game: give the file of its replay\n"


@pytest.mark.parametrize("command", [("verify",), ("serve", "--no-migrate")])
async def test_what_needs_the_schema_says_how_it_is_made(blank: str, command: tuple[str, ...]) -> None:
    done = await asyncio.to_thread(todas, *command, DATABASE_URL=blank)

    assert (done.returncode, done.stderr) == (2, "no schema here: run `todas migrate` first\n")


@pytest.mark.parametrize("command", [("verify",), ("reports",), ("db", "dump", "dumped"), ("serve", "--no-migrate")])
def test_what_needs_a_database_says_that_there_is_none_and_makes_none(tmp_path: Path, command: tuple[str, ...]) -> None:
    folder = tmp_path / "state"
    variables = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    done = subprocess.run(
        [str(TODAS), *command],
        env={**variables, "TODAS_STATE_DIR": str(folder)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert done.stderr.startswith(f"no database in {folder}: `todas serve` makes one; ")
    assert list(tmp_path.iterdir()) == []


async def test_a_dump_restores_into_an_empty_database_and_only_there(postgres: str, url: str, tmp_path: Path) -> None:
    name = f"todas_restored_{os.getpid()}"
    await execute(url, "INSERT INTO players (id, display_name) VALUES ('a', 'Nena')")
    await execute(postgres, f"CREATE DATABASE {name}")
    empty, file = at(postgres, name), tmp_path / "dump"
    try:
        dumped = await asyncio.to_thread(todas, "db", "dump", file, DATABASE_URL=url)
        restored = await asyncio.to_thread(todas, "db", "restore", file, DATABASE_URL=empty)
        again = await asyncio.to_thread(todas, "db", "restore", file, DATABASE_URL=empty)
        names = await execute(empty, "SELECT display_name FROM players")
    finally:
        await execute(postgres, f"DROP DATABASE {name} WITH (FORCE)")

    assert [done.returncode for done in (dumped, restored, again)] == [0, 0, 2], (dumped, restored, again)
    assert [row[0] for row in names] == ["Nena"]


async def execute(url: str, statement: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement)
    finally:
        await connection.close()
