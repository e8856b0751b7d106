"""`todas verify` finds nothing in what was played, and what is broken in what was tampered with."""

from __future__ import annotations

import os
import subprocess

import pytest

from app.tables.verify import verify_games
from tests.app.api.served import TODAS
from tests.app.tables.workers import Worker, play


def todas_verify(url: str) -> tuple[int, str]:
    command = [str(TODAS), "verify"]
    done = subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


async def faults(worker: Worker) -> list[str]:
    return [fault async for verdict in verify_games(worker.database.session) for fault in verdict.faults]


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_games_as_they_were_played_are_whole(worker: Worker, ruleset: str):
    ended = await worker.new_game(ruleset)
    await play(worker, ended, lambda game: game.is_over)
    running = await worker.new_game(ruleset)
    await play(worker, running, lambda game: game.version > 5)
    assert await faults(worker) == []


async def test_the_command_ends_with_0_when_all_is_whole_and_with_1_when_not(worker: Worker, url: str):
    game_id = await worker.new_game()
    await play(worker, game_id, lambda game: game.version > 5)
    assert todas_verify(url) == (0, "1 whole, 0 broken\n")
    await worker.database.session.execute("UPDATE game_log SET last_seq = last_seq + 1 WHERE version = 2")
    code, text = todas_verify(url)
    assert (code, text.splitlines()[-1]) == (1, "0 whole, 1 broken")
    assert text.startswith(f"{game_id}  version 2 says events")


@pytest.mark.parametrize(
    ("tampering", "fault"),
    [
        ("UPDATE game_log SET first_seq = first_seq + 1 WHERE version = 3", "version 3 says events"),
        ("UPDATE game_log SET events = (SELECT events FROM game_log WHERE version = 2) WHERE version = 3", "event "),
        ("UPDATE game_snapshots SET version = 2", "the snapshot of round 1"),
    ],
)
async def test_a_log_that_was_tampered_with_is_not_whole(worker: Worker, tampering: str, fault: str):
    game_id = await worker.new_game("tsumo")
    await play(worker, game_id, lambda game: game.version > 5)
    await worker.database.session.execute(tampering)
    assert fault in "\n".join(await faults(worker))
