"""A game whose row may or may not have been committed takes no other command until that is known (design 3)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from app.errors import Problem
from app.tables import Answer, Move
from tests.app.faulty_wire import FaultyWire, faulty_wire
from tests.app.tables.workers import Worker, working


@pytest.fixture
async def wire(url: str) -> AsyncIterator[FaultyWire]:
    async with faulty_wire(url) as opened:
        yield opened


async def answered(worker: Worker, game_id: str, move: Move) -> Answer:
    """Sends a move until its outcome is known."""
    while True:
        try:
            return await worker.tables.submit(game_id, move)
        except Problem as problem:
            if problem.kind.code != "outcome_unknown":
                raise
            await asyncio.sleep(0.02)


@pytest.fixture
async def worker(url: str, wire: FaultyWire) -> AsyncIterator[Worker]:
    """A worker whose moves go over the faulty wire."""
    async with working(url, writer_url=wire.url, patience=0.2) as started:
        yield started


async def test_a_move_whose_answer_is_lost_is_answered_all_the_same(worker: Worker, wire: FaultyWire):
    game_id = await worker.new_game()
    wire.lose_answer()
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id, action_id="a1"))
    assert [row.action_id for row in await worker.rows(game_id)].count("a1") == 1
    assert not answer.replayed


async def test_while_the_outcome_is_unknown_every_command_of_the_game_is_told_so(worker: Worker, wire: FaultyWire):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    wire.lose_answer()
    wire.refusing = True
    for wanted in (move, move, await worker.next_move(game_id)):
        with pytest.raises(Problem, match="outcome_unknown"):
            await worker.tables.submit(game_id, wanted)
    wire.refusing = False


async def test_the_same_id_tells_the_truth_once_the_outcome_is_known(worker: Worker, wire: FaultyWire):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    wire.lose_answer()
    wire.refusing = True
    with pytest.raises(Problem, match="outcome_unknown"):
        await worker.tables.submit(game_id, move)
    wire.refusing = False
    answer = await answered(worker, game_id, move)
    assert answer.replayed
    assert [row.action_id for row in await worker.rows(game_id)].count("a1") == 1


async def test_other_games_go_on_after_one_statement_was_lost(worker: Worker, wire: FaultyWire):
    first, second = await worker.new_game(), await worker.new_game()
    wire.lose_statement()
    moves = [(game_id, await worker.next_move(game_id)) for game_id in (first, second)]
    answers = await asyncio.gather(*(worker.tables.submit(*move) for move in moves))
    assert all(answer.events for answer in answers)
