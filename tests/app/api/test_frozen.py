"""Games frozen in a released format are served like any other: seen, proven whole, played on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic_core import from_json

from app.auth import GUEST, token_hash
from app.clock import Clock
from app.database import Database
from app.log_writer import LogWriter
from app.store import games, log, players, snapshots, tokens
from app.store.games import NewGame
from app.store.log import LogRow, NewRow
from app.tables.deadlines import load_clock
from engine.codec import FORMAT
from tests.app.api.conftest import problem
from tests.app.api.served import TODAS
from tests.app.tables.workers import faults
from tests.formats.frozen import Frozen, every_path, read
from tests.formats.seen import as_known

every_game = pytest.mark.parametrize("path", every_path(), ids=lambda path: f"{path.parent.name}-{path.stem}")


@every_game
async def test_everybody_sees_what_was_seen(db: Database, client: httpx.AsyncClient, path: Path):
    game = read(path)
    await restore(db, game)
    for seat, player_id in game.persons.items():
        seen = as_known(path, (await look(client, game, player_id)).json())
        assert timeless(seen) == timeless(from_json(game.views[seat]))


async def test_a_spectator_sees_what_spectators_saw(db: Database, client: httpx.AsyncClient):
    public = [path for path in every_path() if read(path).game.visibility == "public"]
    for path in public:
        await restore(db, read(path))
    await sign_in(db, "somebody")
    for path in public:
        seen = as_known(path, (await look(client, read(path), "somebody")).json())
        assert timeless(seen) == timeless(from_json(read(path).views[None]))


async def test_a_game_that_goes_on_is_played_on_and_stays_whole(db: Database, client: httpx.AsyncClient):
    running = [game for game in map(read, every_path()) if game.game.status == "playing"]
    for game in running:
        await restore(db, game)
        before = (await look(client, game, game.game.creator)).json()["game"]["seq"]
        for player_id in game.persons.values():
            await go_on(client, game, player_id)
        assert (await look(client, game, game.game.creator)).json()["game"]["seq"] > before
    assert await faults(db) == []


async def test_all_are_proven_whole(db: Database, url: str):
    for path in every_path():
        await restore(db, read(path), wakes=True)
    assert todas_verify(url) == f"{len(every_path())} whole, 0 broken\n"


async def test_one_that_is_marked_with_a_newer_format_is_left_alone(db: Database, client: httpx.AsyncClient, url: str):
    game = read(every_path()[0])
    await restore(db, game)
    await games.set_format(db.session, game.game.id, FORMAT + 1)
    assert problem(await look(client, game, game.game.creator))["code"] == "unsupported_format"
    assert f"written in format {FORMAT + 1}, which this version does not read" in todas_verify(url)


async def restore(db: Database, game: Frozen, *, wakes: bool = False) -> None:
    """Puts a game into the store row by row, as it was played; its persons' tokens are their ids. Nothing comes due
    that was due then, unless it `wakes`."""
    own = game.game
    for player_id in game.persons.values():
        await sign_in(db, player_id)
    made = NewGame(own.id, own.ruleset, own.creator, own.visibility, own.seeded, own.format, own.config, game.persons)
    first, *others = (new_row(row, ended=own.last_version == row.version, wakes=wakes) for row in game.rows)
    async with db.transaction() as session:
        await games.create(session, made, first, game.snapshots[0], "frozen")
    writer = LogWriter(db.url, Clock(), "frozen")
    await writer.start()
    for row in others:
        await writer.append(row, lambda _: None)
    await writer.stop()
    for snapshot in game.snapshots[1:]:
        await snapshots.put(db.session, snapshot)
    await log.archive(db.session)


def new_row(row: LogRow, *, ended: bool, wakes: bool) -> NewRow:
    """The row as it was handed to the store, with its deadline where it `wakes`."""
    assert row.clock is not None
    return NewRow(
        row.game_id,
        row.version,
        row.first_seq,
        row.last_seq,
        row.seat,
        row.action_id,
        row.format,
        row.commands,
        row.events,
        row.clock,
        next_wake_at=(load_clock(row.clock).wake_at or row.at) if wakes else None,
        ended=ended,
    )


async def sign_in(db: Database, player_id: str) -> None:
    """A player whose token is its id."""
    await players.create(db.session, player_id, "Nena", player_id.encode())
    await tokens.add(db.session, player_id, player_id, token_hash(player_id), GUEST, None)


async def look(client: httpx.AsyncClient, game: Frozen, player_id: str) -> httpx.Response:
    return await client.get(f"/v1/games/{game.game.id}", headers={"Authorization": f"Bearer {player_id}"})


async def go_on(client: httpx.AsyncClient, game: Frozen, player_id: str) -> None:
    """The player wishes to go on with a paused game; else it does the last of what it may do, if anything."""
    path, headers = f"/v1/games/{game.game.id}", {"Authorization": f"Bearer {player_id}"}
    seen = (await look(client, game, player_id)).json()
    if seen["game"]["paused"]:
        answer = await client.post(f"{path}/resume", headers=headers)
    elif seen["legal_actions"]:
        move = {"action": seen["legal_actions"][-1], "decision_no": seen["decision"]["no"]}
        answer = await client.post(f"{path}/actions", json=move, headers=headers)
    else:
        return
    assert answer.status_code == 200, answer.text


def timeless(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what depends on when it is seen."""
    del view["game"]["server_time"]
    view["decision"].pop("ms_left", None)
    return view


def todas_verify(url: str) -> str:
    environment = {**os.environ, "DATABASE_URL": url}
    done = subprocess.run([TODAS, "verify"], env=environment, capture_output=True, text=True, check=False)
    return done.stdout
