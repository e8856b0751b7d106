"""Games for tests of the stores: rows that are well formed, with contents that only the engine would read."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from app.database import Database
from app.store import games, players
from app.store.games import NewGame
from app.store.log import NewRow
from app.store.snapshots import Snapshot

_numbers = itertools.count(1)


async def new_player(db: Database) -> str:
    """The id of a new player."""
    player_id = f"p{next(_numbers)}"
    await players.create(db.session, player_id, "Ligaya", player_id.encode())
    return player_id


async def new_game(db: Database, game_id: str | None = None, **fields: Any) -> str:
    """The id of a new game with one person in it, dealt, at version 1 and seq 3; `fields` are its first row's."""
    game_id = game_id or f"g{next(_numbers)}"
    creator = await new_player(db)
    game = NewGame(game_id, "emay", creator, "private", False, 1, {"points": 0}, {0: creator})
    first = row(game_id, version=1, first_seq=1, last_seq=3, **fields)
    async with db.transaction() as session:
        await games.create(session, game, first, Snapshot(game_id, 1, 1, 3, 1, b"{}"), "test")
    return game_id


def row(game_id: str, version: int = 2, **fields: Any) -> NewRow:
    """A row that takes a game from `version` - 1 to `version`, with two numbered events unless told otherwise."""
    last_seq = 2 * version + 1
    contents = b'[{"type":"draw"}]', b'[{"type":"x"}]'
    made = NewRow(game_id, version, last_seq - 1, last_seq, 0, f"a{version}", 1, *contents)
    return dataclasses.replace(made, **fields)
