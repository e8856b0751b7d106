"""Workers that share nothing but the database (design 3): whoever moves a game, all of them tell the same."""

from __future__ import annotations

import asyncio

from pydantic_core import from_json

from app.errors import Problem
from engine.actions import Pass
from engine.bots import next_move
from engine.codec import load_event
from engine.replay import verify
from tests.app.tables.conftest import Starter
from tests.app.tables.workers import PATIENCE, Worker, working


async def folds(worker: Worker, game_id: str) -> bool:
    """Whether the log is one that the engine made, with dense versions, and folds to what the worker shows."""
    rows = await worker.rows(game_id)
    state = verify(load_event(record) for row in rows for record in from_json(row.events))
    return [row.version for row in rows] == list(range(1, len(rows) + 1)) and state == await worker.state(game_id)


async def test_a_game_goes_on_at_another_worker(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game()
    for turn in range(6):
        at = (worker, other)[turn % 2]
        await at.tables.submit(game_id, await at.next_move(game_id))
    assert await folds(worker, game_id)


async def test_an_answer_of_one_worker_is_seen_at_the_other(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game()
    await other.tables.current(game_id)
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id))
    assert (await other.tables.current(game_id)).seq >= answer.seq


async def test_what_is_legal_by_now_is_not_refused_from_an_old_state(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game()
    await other.tables.current(game_id)
    await worker.tables.submit(game_id, await worker.next_move(game_id))
    answer = await other.tables.submit(game_id, await worker.next_move(game_id))
    assert answer.events


async def test_of_two_workers_that_move_one_game_at_once_one_wins_and_the_other_is_told_why(
    worker: Worker, start_worker: Starter
):
    other = await start_worker()
    game_id = await worker.new_game("tsumo")
    move = await worker.next_move(game_id)
    await other.tables.current(game_id)
    told = await asyncio.gather(*(at.tables.submit(game_id, move) for at in (worker, other)), return_exceptions=True)
    refused = [one for one in told if isinstance(one, Problem)]
    assert [problem.kind.code for problem in refused] == ["stale_decision"]
    assert await folds(worker, game_id)


async def test_a_repeat_at_another_worker_at_the_same_time_is_told_the_same(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game("tsumo")
    move = await worker.next_move(game_id, action_id="a1")
    await other.tables.current(game_id)
    one, two = await asyncio.gather(*(at.tables.submit(game_id, move) for at in (worker, other)))
    assert [fact.event for fact in one.events] == [fact.event for fact in two.events]
    assert {one.replayed, two.replayed} == {False, True}


async def test_two_answers_to_one_window_at_two_workers_both_count(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game(persons=4)
    await other.tables.current(game_id)
    moves = [await worker.next_move(game_id, seat) for seat in range(4)]
    assert isinstance(moves[0].action, Pass)
    await asyncio.gather(*((worker, other)[seat % 2].tables.submit(game_id, move) for seat, move in enumerate(moves)))
    assert (await other.state(game_id)).decision.no == 2
    assert await folds(worker, game_id)


async def test_workers_that_race_for_a_whole_round_keep_one_log(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game("tsumo")
    await asyncio.gather(*(_race(at, game_id) for at in (worker, other)))
    assert await folds(worker, game_id)


async def test_a_worker_that_is_alone_again_reads_what_it_missed(worker: Worker, start_worker: Starter, url: str):
    game_id = await worker.new_game()
    async with working(url) as other:
        answer = await other.tables.submit(game_id, await other.next_move(game_id))
    async with asyncio.timeout(PATIENCE):
        while True:
            await asyncio.sleep(0.05)
            if worker.heartbeat.alone:
                break
    assert (await worker.tables.current(game_id)).seq >= answer.seq


async def _race(worker: Worker, game_id: str) -> None:
    """Plays the person's default moves until the round ends, whoever else does the same."""
    while True:
        state = await worker.state(game_id)
        if state.round.number > 1 or next_move(state):
            if state.round.number > 1:
                return
            await asyncio.sleep(0.001)
            continue
        try:
            await worker.tables.submit(game_id, await worker.next_move(game_id))
        except Problem as problem:
            if problem.kind.code != "stale_decision":
                raise
