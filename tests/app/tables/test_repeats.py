"""An action id belongs to a seat in a game for the life of the game (api, Conventions)."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.errors import Problem
from app.tables import Answer, LiveGame, Move
from engine.actions import Confirm, Draw, Win
from engine.state import Turn
from tests.app.tables.conftest import Starter
from tests.app.tables.workers import Worker, play


def told(answer: Answer) -> tuple[int, list[int]]:
    return answer.seq, [fact.seq for fact in answer.events]


async def test_a_repeat_is_told_what_the_first_was_told_and_sees_the_game_as_it_is(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    first = await worker.tables.submit(game_id, move)
    await worker.tables.submit(game_id, await worker.next_move(game_id))
    again = await worker.tables.submit(game_id, move)
    assert (told(again), again.replayed) == (told(first), True)
    assert again.game.seq > again.seq


async def test_an_id_with_another_action_is_refused_and_changes_nothing(worker: Worker):
    game_id = await worker.new_game()
    await worker.tables.submit(game_id, await worker.next_move(game_id, action_id="a1"))
    before = len(await worker.rows(game_id))
    with pytest.raises(Problem, match="action_id_reused"):
        await worker.tables.submit(game_id, await worker.next_move(game_id, action_id="a1"))
    assert len(await worker.rows(game_id)) == before


async def test_an_id_with_another_decision_number_is_refused(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    await worker.tables.submit(game_id, move)
    with pytest.raises(Problem, match="action_id_reused"):
        await worker.tables.submit(game_id, replace(move, decision_no=None))


async def test_the_id_of_a_refused_action_may_be_used_again(worker: Worker):
    game_id = await worker.new_game()
    with pytest.raises(Problem, match="incomplete"):
        await worker.act(game_id, 0, Win(), action_id="a1")
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id, action_id="a1"))
    assert not answer.replayed


async def test_an_id_is_known_in_the_next_round_and_to_a_worker_that_never_saw_it(
    worker: Worker, start_worker: Starter
):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    first = await worker.tables.submit(game_id, move)
    await play(worker, game_id, lambda game: game.state.round.number == 2)
    again = await (await start_worker()).tables.submit(game_id, move)
    assert (told(again), again.replayed) == (told(first), True)


def is_to_draw(game: LiveGame) -> bool:
    turn = game.state.decision
    return isinstance(turn, Turn) and turn.seat == 0 and turn.stage == "draw"


async def test_an_id_that_nobody_remembers_is_a_repeat_also_where_its_action_is_legal_again(
    worker: Worker, start_worker: Starter
):
    game_id = await worker.new_game("tsumo")
    await play(worker, game_id, is_to_draw)
    draw = Move(0, Draw(), action_id="d1")
    first = await worker.tables.submit(game_id, draw)
    await play(worker, game_id, lambda game: game.state.round.number == 2 and is_to_draw(game))
    other = await start_worker()
    again = await other.tables.submit(game_id, draw)
    assert (told(again), again.replayed) == (told(first), True)
    assert is_to_draw(await other.tables.current(game_id))


async def test_each_seat_has_its_own_ids(worker: Worker):
    game_id = await worker.new_game(persons=2)
    first = await worker.tables.submit(game_id, await worker.next_move(game_id, 0, "a1"))
    second = await worker.tables.submit(game_id, await worker.next_move(game_id, 1, "a1"))
    assert [first.replayed, second.replayed] == [False, False]


async def test_the_same_action_twice_at_once_is_one_row(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id, action_id="a1")
    answers = await asyncio.gather(*(worker.tables.submit(game_id, move) for _ in range(5)))
    assert len([row for row in await worker.rows(game_id) if row.action_id == "a1"]) == 1
    assert [told(answer) for answer in answers] == [told(answers[0])] * 5


async def test_confirming_a_round_again_changes_nothing(worker: Worker):
    game_id = await worker.new_game()
    await play(worker, game_id, lambda game: game.state.round.number == 2)
    before = await worker.rows(game_id)
    answer = await worker.act(game_id, 0, Confirm(1), decision_no=1)
    assert (answer.events, await worker.rows(game_id)) == ((), before)


async def test_a_game_that_is_made_twice_at_once_is_one(worker: Worker):
    opening = await worker.opening()
    made = await asyncio.gather(*(worker.tables.create(opening) for _ in range(4)))
    assert {game.id for game in made} == {opening.id}
    assert (await worker.rows(opening.id))[0].version == 1
