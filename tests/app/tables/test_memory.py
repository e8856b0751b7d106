"""What is in memory is what the log says: loaded again, a game is the same to everybody."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from app.store import snapshots
from app.tables import Numbered
from app.tables.cache import Cache
from app.tables.view import encode_view
from tests.app.tables.conftest import Starter
from tests.app.tables.workers import PATIENCE, Worker, play

NOW = datetime(2026, 1, 1, tzinfo=UTC)


async def stored_rounds(worker: Worker, game_id: str) -> list[int]:
    found = await worker.database.session.fetch(
        "SELECT round FROM game_snapshots WHERE game_id = $1 ORDER BY round", game_id
    )
    return [row[0] for row in found]


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_a_worker_that_loads_a_game_shows_every_reader_the_same(
    worker: Worker, start_worker: Starter, ruleset: str
):
    game_id = await worker.new_game(ruleset)
    here = await play(worker, game_id, lambda game: game.state.round.number == 2 and len(game.state.round.pile) > 4)
    there = await (await start_worker()).tables.current(game_id)
    for seat in (None, 0, 1, 2, 3):
        assert encode_view(there, seat, NOW) == encode_view(here, seat, NOW)
        assert there.etag(seat) == here.etag(seat)
    assert there.clock == here.clock


async def test_a_game_is_in_memory_from_the_moment_it_is_loaded(worker: Worker):
    game_id = await worker.new_game()
    cache = Cache(worker.database, worker.heartbeat)
    before = asyncio.all_tasks()
    first = asyncio.create_task(cache.get(game_id))
    await asyncio.sleep(0)
    (loading,) = asyncio.all_tasks() - before - {first}
    while True:
        if loading.done():
            break
        await asyncio.sleep(0)
    # Nothing that waits for the loading has run yet: whoever comes now finds the game that all others will find.
    assert cache.holds(await cache.get(game_id))
    assert cache.holds(await first)


async def test_every_deal_leaves_a_snapshot(worker: Worker):
    game_id = await worker.new_game("tsumo")
    await play(worker, game_id, lambda game: game.is_over)
    await worker.tables.stop()
    assert await stored_rounds(worker, game_id) == [1, 2]


async def test_a_snapshot_that_its_worker_did_not_live_to_keep_is_made_good(worker: Worker, start_worker: Starter):
    game_id = await worker.new_game("tsumo")
    await play(worker, game_id, lambda game: game.state.round.number == 2 and len(game.state.round.pile) > 4)
    session = worker.database.session
    async with asyncio.timeout(PATIENCE):  # it is kept a moment after the deal
        while await stored_rounds(worker, game_id) != [1, 2]:
            continue
    kept = await snapshots.latest(session, game_id)
    await session.execute("DELETE FROM game_snapshots WHERE round = 2")
    await (await start_worker()).tables.current(game_id)
    assert await snapshots.latest(session, game_id) == kept


async def test_events_of_any_depth_are_the_ones_that_were_answered(worker: Worker):
    game_id = await worker.new_game("tsumo")
    game = await play(worker, game_id, lambda game: game.is_over)
    whole: list[Numbered] = []
    while page := await worker.tables.events_after(game, len(whole), limit=100):
        whole += page
    assert [fact.seq for fact in whole] == list(range(1, game.seq + 1))
    assert game.seq > len(game.tail)
    assert whole[-len(game.tail) :] == list(game.tail)


async def test_an_ended_game_is_put_away_and_still_shown(worker: Worker, start_worker: Starter):
    game_id = await worker.new_game("tsumo")
    here = await play(worker, game_id, lambda game: game.is_over)
    await worker.tables.stop()
    there = await (await start_worker()).tables.current(game_id)
    status = await worker.database.session.fetchval("SELECT status FROM games WHERE id = $1", game_id)
    assert (status, encode_view(there, 0, NOW)) == ("ended", encode_view(here, 0, NOW))
