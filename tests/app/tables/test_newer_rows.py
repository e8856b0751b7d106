"""A game that a newer version has moved is left alone, though it was in memory before (decision 0109)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.errors import Problem
from app.log_writer import LogWriter
from app.store import log
from app.store.log import NewRow
from app.tables import Move
from app.tables.done import done_of
from app.tables.replay import replay
from app.tables.rounds import summaries
from engine.actions import Draw
from engine.codec import FORMAT
from tests.app.tables.workers import Worker


async def told(worker: Worker, game_id: str) -> None:
    game = await worker.tables.known(game_id)
    _ = [line async for line in replay(worker.database.session, game, None, "todas")]


async def looked_back(worker: Worker, game_id: str) -> None:
    game = await worker.tables.known(game_id)
    await worker.tables.past(game, game.seq)


async def kept(worker: Worker, game_id: str) -> None:
    await worker.database.session.execute("DELETE FROM game_log WHERE action_id = 'newer'")
    await worker.database.session.execute("UPDATE game_heads SET version = version - 1, last_seq = last_seq - 1")
    await worker.database.session.execute("UPDATE game_snapshots SET format = $1", FORMAT + 1)
    await looked_back(worker, game_id)


async def repeated(worker: Worker, game_id: str) -> None:
    row = await log.row_of_action(worker.database.session, game_id, 0, "newer")
    assert row is not None
    done_of(row)


@pytest.mark.parametrize(
    "read",
    [
        lambda worker, game_id: worker.tables.current(game_id),
        lambda worker, game_id: worker.tables.submit(game_id, Move(0, Draw(), action_id="older")),
        lambda worker, game_id: summaries(worker.database.session, game_id, 1, 10),
        told,
        looked_back,
        kept,
        repeated,
    ],
    ids=["looked at", "moved", "its rounds", "told", "looked back at", "looked back at from a snapshot", "repeated"],
)
async def test_a_game_that_a_newer_version_has_moved_is_left_alone(
    worker: Worker, read: Callable[[Worker, str], Awaitable[Any]]
):
    game = await worker.tables.current(await worker.new_game())
    version, seq = game.version + 1, game.seq + 1
    newer = LogWriter(worker.database.url, worker.clock, "newer")
    await newer.start()
    await newer.append(NewRow(game.id, version, seq, seq, 0, "newer", FORMAT + 1, b"?", b"?"), lambda committed: None)
    await newer.stop()
    worker.bus.publish(game.id, version)
    with pytest.raises(Problem) as refused:
        await read(worker, game.id)
    assert refused.value.kind.code == "unsupported_format"
    assert [row.action_id for row in await worker.rows(game.id)].count("older") == 0
