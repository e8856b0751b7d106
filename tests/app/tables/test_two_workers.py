"""Workers that share nothing but the database (design 3): whoever moves a game, all of them tell the same."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest
from pydantic_core import from_json

from app.errors import Problem
from app.log_writer import LogWriter
from app.tables import Answer, Move
from app.tables.live_game import row_of
from app.tables.plan import Plan
from engine.actions import Pass
from engine.codec import load_event
from engine.legal import default_action
from engine.replay import verify
from tests.app.tables.conftest import Starter
from tests.app.tables.workers import PATIENCE, Hand, Worker, forget, working
from tests.app.waiting import until

HOUR = 3600.0


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


async def test_a_repeat_shows_what_another_worker_has_answered_since(worker: Worker, start_worker: Starter):
    other = await start_worker()
    game_id = await worker.new_game("tsumo")
    move = await worker.next_move(game_id, action_id="a1")
    await worker.tables.submit(game_id, move)
    since = await other.tables.submit(game_id, await other.next_move(game_id))
    again = await worker.tables.submit(game_id, move)
    assert (again.replayed, again.game.seq >= since.seq) == (True, True)


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
    await until(lambda: worker.heartbeat.alone)
    assert (await worker.tables.current(game_id)).seq >= answer.seq


async def answered(late: Worker, game_id: str, told: asyncio.Task[Answer]) -> int:
    return (await told).seq


async def seen(late: Worker, game_id: str, told: asyncio.Task[Answer]) -> int:
    while len(await late.rows(game_id)) == 1:
        pass
    return (await late.tables.current(game_id)).seq


@pytest.mark.parametrize("tell", [answered, seen])
async def test_what_goes_in_late_is_told_once_no_other_worker_tells_anything_older(
    url: str, start_worker: Starter, tell: Callable[[Worker, str, asyncio.Task[Answer]], Awaitable[int]]
):
    hand, other = Hand(), await start_worker()
    async with _standing(url, hand) as late:
        game_id = await late.new_game("tsumo")
        move = await late.next_move(game_id)
        async with other.database.transaction() as session:
            await session.execute("SELECT FROM game_heads WHERE id = $1 FOR UPDATE", game_id)
            told = asyncio.create_task(late.tables.submit(game_id, move))
            await until(lambda: late.tables.writer.counts.put_off > 0)
            before = await _trusted(other, late, game_id)
            hand.seconds += HOUR
        seq = await tell(late, game_id, told)
        assert before < seq <= (await other.tables.current(game_id)).seq
        await told


@pytest.mark.parametrize("in_memory", [True, False])
async def test_what_is_read_is_told_once_no_other_worker_tells_anything_older(
    url: str, start_worker: Starter, in_memory: bool
):
    hand, other = Hand(), await start_worker()
    async with _standing(url, hand) as late:
        game_id = await other.new_game("tsumo")
        if in_memory:
            await late.tables.current(game_id)
        before = await _trusted(other, late, game_id)
        hand.seconds += HOUR
        await _write(other, game_id)
        seq = (await late.tables.current(game_id)).seq
        assert before < seq <= (await other.tables.current(game_id)).seq


async def _trusted(worker: Worker, stands: Worker, game_id: str) -> int:
    """The last number of a game that a worker answers from memory by now, since it takes the other one for dead."""
    await forget(stands)
    await until(lambda: worker.heartbeat.alone)
    return (await worker.tables.current(game_id)).seq


async def _write(worker: Worker, game_id: str) -> None:
    """A person's move, by a worker that nobody knows of."""
    game = await worker.tables.current(game_id)
    plan = Plan(game.state)
    (await worker.next_move(game_id)).apply(game, plan)
    assert game.clock is not None
    row = row_of(game_id, (game.version, game.seq), plan, game.clock, worker.clock.now() + timedelta(hours=1), seat=0)
    writer = LogWriter(worker.database.url, worker.clock, "unknown")
    await writer.start()
    await writer.append(row, lambda committed: None)
    await writer.stop()


def _standing(url: str, hand: Hand) -> AbstractAsyncContextManager[Worker]:
    """A worker that does not beat by itself, and whose rows are carried to their end however long that takes."""
    return working(url, hand.clock(), beats=False, patience=2 * HOUR)


async def _race(worker: Worker, game_id: str) -> None:
    """Plays the person's default moves until the round ends, whoever else does the same."""
    while (state := await worker.state(game_id)).round.number == 1:
        action = default_action(state, 0)
        if action is None:  # a bot's move
            await asyncio.sleep(0.001)
            continue
        try:
            await worker.tables.submit(game_id, Move(0, action, state.decision.no))
        except Problem as problem:
            if problem.kind.code != "stale_decision":
                raise


async def test_those_who_come_for_one_game_wait_side_by_side_until_their_worker_is_known(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
):
    game_id = await worker.new_game(persons=4)
    moves = [await worker.next_move(game_id, seat) for seat in range(4)]  # the opening window asks all four
    everybody_waits, waiting = asyncio.Event(), 0

    async def known() -> None:
        nonlocal waiting
        waiting += 1
        if waiting == len(moves):
            everybody_waits.set()
        await everybody_waits.wait()

    monkeypatch.setattr(worker.heartbeat, "known", known)
    async with asyncio.timeout(PATIENCE):
        answers = await asyncio.gather(*(worker.tables.submit(game_id, move) for move in moves))
    assert len(answers) == 4
