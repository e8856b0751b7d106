"""`todas verify` finds nothing in what was played, and what is broken in what was tampered with."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import asyncpg
import pytest

from app.database import Session
from app.tables import End, Terms
from app.tables.verify import verify_games
from tests.app.api.served import TODAS
from tests.app.tables.workers import PATIENCE, Worker, faults, play


def todas_verify(url: str) -> tuple[int, str]:
    command = [str(TODAS), "verify"]
    done = subprocess.run(command, env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_games_as_they_were_played_are_whole(worker: Worker, ruleset: str):
    ended = await worker.new_game(ruleset)
    await play(worker, ended, lambda game: game.is_over)
    running = await worker.new_game(ruleset)
    await play(worker, running, lambda game: game.version > 5)
    assert await faults(worker.database) == []


@dataclass
class Unquiet:
    """A way to the database: before a game or its head is read, the games move."""

    session: Session
    move: Callable[[], Awaitable[None]]

    async def execute(self, query: str, *args: Any) -> str:
        return await self.session.execute(query, *args)

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        return await self.session.fetch(query, *args)

    async def fetchrow(self, query: str, *args: Any) -> Any:
        await self.move()
        return await self.session.fetchrow(query, *args)

    async def fetchval(self, query: str, *args: Any) -> Any:
        return await self.session.fetchval(query, *args)


async def test_games_that_move_meanwhile_are_whole(worker: Worker):
    ids = [await worker.new_game(length=None) for _ in range(2)]
    moves = reading = 0

    async def move() -> None:
        nonlocal moves
        moves += 1
        for game_id in ids:
            at = (await worker.tables.current(game_id)).version
            await play(worker, game_id, lambda game, at=at: game.is_over or game.version > at)  # type: ignore[misc]
        if moves == 6:
            await worker.tables.submit(ids[0], End(0, "now"))

    @asynccontextmanager
    async def moment() -> AsyncIterator[Session]:
        nonlocal reading
        async with worker.database.moment() as session:
            reading += 1
            yield Unquiet(session, move)
            reading -= 1

    while moves < 12:
        # Whoever looks at what was found may take as long as they like: nothing is being read meanwhile.
        assert [(verdict.faults, reading) async for verdict in verify_games(moment)] == [((), 0)] * 2


async def test_the_command_ends_with_0_when_all_is_whole_and_with_1_when_not(worker: Worker, url: str):
    game_id = await worker.new_game()
    await play(worker, game_id, lambda game: game.version > 5)
    assert todas_verify(url) == (0, "1 whole, 0 broken\n")
    await worker.database.session.execute("UPDATE game_log SET events = 'xx' WHERE version = 2")
    code, text = todas_verify(url)
    assert (code, text.splitlines()[-1]) == (1, "0 whole, 1 broken")
    assert text.startswith(f"{game_id}  version 2 cannot be read: ")


TAMPERINGS = [
    # the numbers of rows, and where the game stands
    ("UPDATE game_heads SET version = version - 1", "stands at "),
    ("UPDATE game_log SET version = version + 1 WHERE version = (SELECT max(version) FROM game_log)", "stands at "),
    ("DELETE FROM game_log WHERE version = 3", "has version 4 where 3 should be"),
    ("DELETE FROM game_log", "has no rows"),
    ("DELETE FROM game_heads", "has no head, and is not put away"),
    (
        "UPDATE games SET status = 'ended', last_version = (SELECT max(version) FROM game_log)",
        "has a head, and is put away",
    ),
    ("DELETE FROM game_heads; UPDATE games SET status = 'ended', last_version = 2", "stands at 2, its log holds "),
    ("UPDATE games SET status = 'open'", "waits for players, and is dealt"),
    ("DELETE FROM game_seats; DELETE FROM games", "has a log or a head, and no row of its own"),
    # the head, beside what the log comes to
    ("UPDATE game_heads SET last_seq = last_seq + 5", "its head stands at event "),
    ("UPDATE game_heads SET last_seq = last_seq - 1", "its head stands at event "),
    ("UPDATE game_heads SET ended = true", "its head has ended, and its log goes on"),
    (
        "DELETE FROM game_heads; UPDATE games SET status = 'ended', last_version = (SELECT max(version) FROM game_log)",
        "is put away as ended, and its log goes on",
    ),
    ("UPDATE game_heads SET next_wake_at = next_wake_at + interval '1 millisecond'", "its head wakes it at "),
    ("UPDATE game_heads SET next_wake_at = NULL", "its head wakes it at None"),
    # the numbers of events, and what they are
    ("UPDATE game_log SET first_seq = first_seq + 1 WHERE version = 3", "version 3 says events "),
    ("UPDATE game_log SET last_seq = last_seq - 1 WHERE version = 3", "version 3 says events "),
    (
        "UPDATE game_log SET events = (SELECT events FROM game_log WHERE version = 2) WHERE version = 3",
        "version 3: event ",
    ),
    (
        """
        UPDATE game_log SET events = convert_to(
            regexp_replace(convert_from(events, 'UTF8'), '"decision_no":', '"decision_no":9'), 'UTF8'
        ) WHERE version = 3
        """,
        "version 3: event ",
    ),
    # what was asked for
    ("UPDATE game_log SET commands = '[]', seat = NULL, action_id = NULL WHERE version = 3", "version 3: event 0: "),
    ("UPDATE game_log SET seat = 1 WHERE version = 3", "version 3 cannot be read: ValueError: it is a row of seat 1"),
    (
        """
        UPDATE game_log SET commands = convert_to(
            replace(convert_from(commands, 'UTF8'), '"seat":0', '"seat":1'), 'UTF8'
        ) WHERE version = 3
        """,
        "version 3 cannot be read: ValueError: it is a row of seat 0",
    ),
    # what cannot be read
    ("UPDATE game_log SET events = 'xx' WHERE version = 3", "version 3 cannot be read: "),
    ('UPDATE game_log SET events = \'[{"type": "bluff"}]\' WHERE version = 3', "version 3 cannot be read: "),
    ("UPDATE game_log SET events = '5' WHERE version = 3", "version 3 cannot be read: "),
    (r"UPDATE game_log SET events = '\x00ff' WHERE version = 3", "version 3 cannot be read: "),
    ("UPDATE game_log SET commands = '[{}]' WHERE version = 3", "version 3 cannot be read: "),
    ("UPDATE game_log SET commands = '[]', seat = 0, action_id = 'a' WHERE version = 3", "version 3 cannot be read: "),
    ("UPDATE game_log SET clock = '{}' WHERE version = 3", "version 3 cannot be read: "),
    ("UPDATE game_log SET format = 2 WHERE version = 3", "version 3 cannot be read: "),
    ("UPDATE game_log SET format = 0 WHERE version = 3", "version 3 cannot be read: "),
    # snapshots, also those that are not the newest
    ("UPDATE game_snapshots SET state = '{}'", "the snapshot of round 1 cannot be read: "),
    ("UPDATE game_snapshots SET state = 'xx'", "the snapshot of round 1 cannot be read: "),
    ("UPDATE game_snapshots SET format = 2", "the snapshot of round 1 cannot be read: "),
    ("UPDATE game_snapshots SET format = 0", "the snapshot of round 1 cannot be read: "),
    ("UPDATE game_snapshots SET version = 2", "the snapshot of round 1 is not what "),
    ("UPDATE game_snapshots SET version = 0", "the snapshot of round 1 is not what "),
    ("UPDATE game_snapshots SET seq = seq + 1", "the snapshot of round 1 is not what "),
    ("UPDATE game_snapshots SET round = 2", "the snapshot of round 2 is not what "),
    (
        """
        INSERT INTO game_snapshots SELECT game_id, 2, version, seq, format, state FROM game_snapshots;
        UPDATE game_snapshots SET seq = 1 WHERE round = 1
        """,
        "the snapshot of round 1 is not what ",
    ),
    (
        """
        UPDATE game_snapshots SET state = convert_to(
            replace(convert_from(state, 'UTF8'), '"pot":0', '"pot":5'), 'UTF8'
        )
        """,
        "the snapshot of round 1 is not what ",
    ),
]


async def test_of_a_game_that_was_tampered_with_it_is_said_what_is_wrong(worker: Worker):
    # Each in a transaction that is taken back: a game takes longer to play than to be looked at.
    game_id = await worker.new_game("tsumo", terms=Terms(turn_seconds=600))
    await play(worker, game_id, lambda game: game.version > 5 and game.wake_at is not None)
    missed = []
    for tampering, fault in TAMPERINGS:
        found = await tampered(worker, tampering)
        if not any(each.startswith(fault) for each in found):
            missed.append((tampering, fault, found))
    assert missed == []
    assert await faults(worker.database) == []


async def test_a_head_that_goes_on_is_no_head_of_a_log_that_has_ended(worker: Worker):
    game_id = await worker.new_game()
    await worker.tables.submit(game_id, End(0, "now"))
    tampering = """
        DELETE FROM game_heads;
        INSERT INTO game_heads (id, version, last_seq)
            SELECT game_id, version, last_seq FROM game_log ORDER BY version DESC LIMIT 1;
        UPDATE games SET status = 'playing', last_version = NULL
    """
    assert await tampered(worker, tampering) == ["its head goes on, and its log has ended"]


async def test_a_snapshot_is_of_a_version_that_the_log_holds(worker: Worker):
    await worker.new_game(persons=4)
    found = await tampered(worker, "UPDATE game_snapshots SET version = version + 1")
    assert found == ["the snapshot of round 1 is not what its log folds to"]


async def test_a_game_that_cannot_be_read_does_not_hide_the_others(worker: Worker):
    ids = [await worker.new_game() for _ in range(3)]
    await worker.database.session.execute("UPDATE game_log SET events = 'xx' WHERE game_id = $1", ids[0])
    await worker.database.session.execute("UPDATE game_snapshots SET state = '{}' WHERE game_id = $1", ids[1])
    found = {verdict.game_id: len(verdict.faults) async for verdict in verify_games(worker.database.moment)}
    assert found == {ids[0]: 1, ids[1]: 1, ids[2]: 0}


async def test_a_fault_that_quotes_much_is_one_line(worker: Worker):
    await worker.new_game()
    [fault] = await tampered(
        worker, """UPDATE game_snapshots SET state = convert_to('"' || repeat('x ', 9999) || '"', 'UTF8')"""
    )
    assert len(fault) <= 300


async def test_a_fault_does_nothing_to_the_terminal_that_shows_it(worker: Worker):
    await worker.new_game()
    hostile = r"\u001b[2J\u009b2J\u007f\u202e"
    for column, record in (
        ("events", f'{{"type": "game_resumed", "{hostile}": 5}}'),
        ("commands", f'{{"seat": 0, "command": {{"type": "pass", "{hostile}": 5}}}}'),
    ):
        [fault] = await tampered(worker, f"UPDATE game_log SET {column} = convert_to('[{record}]', 'UTF8')")  # noqa: S608
        assert (fault.isprintable(), hostile in fault) == (True, True)


async def test_an_id_does_nothing_to_the_terminal_that_shows_it(worker: Worker, url: str):
    stray = "\x1b[2J\x9b\u202e"
    await worker.database.session.execute("INSERT INTO game_heads (id, version, last_seq) VALUES ($1, 0, 0)", stray)
    shown = todas_verify(url)[1].splitlines()[0]
    await worker.database.session.execute("DELETE FROM game_heads WHERE id = $1", stray)
    assert shown == r"\u001b[2J\u009b\u202e  has a log or a head, and no row of its own"


async def tampered(worker: Worker, tampering: str) -> list[str]:
    """What is found in a database after a change that is then taken back."""
    async with asyncio.timeout(PATIENCE):
        connection = await asyncpg.connect(worker.database.url)
        try:
            await connection.execute("BEGIN; " + tampering)
            return [
                fault async for verdict in verify_games(lambda: nullcontext(connection)) for fault in verdict.faults
            ]
        finally:
            await connection.close()
