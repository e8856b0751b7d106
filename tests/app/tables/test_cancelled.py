"""A row that was handed over is carried to its end, whoever still waits for it (design 3)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from app.tables import LiveGame
from engine.legal import default_action
from tests.app.tables.workers import PATIENCE, Worker, wait


def waits_for(game: LiveGame, seat: int) -> bool:
    return default_action(game.state, seat) is not None


@pytest.mark.parametrize("steps", range(6))
async def test_a_move_whose_request_is_cancelled_is_committed_once(worker: Worker, steps: int):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    request = asyncio.create_task(worker.tables.submit(game_id, move))
    for _ in range(steps):
        await asyncio.sleep(0)
    request.cancel()
    with suppress(asyncio.CancelledError):
        await request
    await worker.tables.submit(game_id, move)
    assert [row.action_id for row in await worker.rows(game_id)].count("a1") == 1


async def test_a_move_that_waited_for_its_game_when_its_request_was_cancelled_needs_no_repeat(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    async with (await worker.tables.current(game_id)).lock:
        request = asyncio.create_task(worker.tables.submit(game_id, move))
        await asyncio.sleep(0.01)
        request.cancel()
        with suppress(asyncio.CancelledError):
            await request
    with worker.hub.watching(game_id) as news:
        await asyncio.wait_for(news.wait(), PATIENCE)
    assert [row.action_id for row in await worker.rows(game_id)].count("a1") == 1


async def test_a_game_takes_the_next_move_after_a_cancelled_one(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id)
    request = asyncio.create_task(worker.tables.submit(game_id, move))
    await asyncio.sleep(0)
    request.cancel()
    with suppress(asyncio.CancelledError):
        await request
    await wait(worker, game_id, lambda game: game.state.decision.no != move.decision_no and waits_for(game, 0))
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id))
    assert not answer.replayed
