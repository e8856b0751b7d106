"""What goes wrong on the way to the log stays with its own game, and nobody hears "no" unless it is so."""

from __future__ import annotations

import pytest

from app.errors import Problem
from app.tables import tables
from engine.codec import FORMAT
from tests.app.tables.conftest import Starter
from tests.app.tables.workers import Worker

POISON = """
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'a row that cannot be written'; END $$;
    CREATE TRIGGER refuse_poison BEFORE INSERT ON game_log
        FOR EACH ROW WHEN (NEW.action_id = 'poison') EXECUTE FUNCTION refuse_poison();
"""
CURE = "DROP TRIGGER refuse_poison ON game_log; DROP FUNCTION refuse_poison"


async def test_a_row_that_cannot_be_written_fails_its_own_command_and_the_game_goes_on(worker: Worker):
    game_id = await worker.new_game()
    before = await worker.rows(game_id)
    await worker.database.session.execute(POISON)
    try:
        with pytest.raises(Problem, match="internal"):
            await worker.tables.submit(game_id, await worker.next_move(game_id, action_id="poison"))
    finally:
        await worker.database.session.execute(CURE)
    assert await worker.rows(game_id) == before
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id))
    assert answer.events


async def test_a_command_that_meets_a_newer_row_each_time_is_told_to_try_again(
    worker: Worker, start_worker: Starter, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tables, "ATTEMPTS", 1)
    other = await start_worker()
    game_id = await worker.new_game(persons=4)
    await other.tables.current(game_id)
    await worker.tables.submit(game_id, await worker.next_move(game_id, seat=0))
    move = await worker.next_move(game_id, seat=1)
    with pytest.raises(Problem, match="busy"):
        await other.tables.submit(game_id, move)
    answer = await other.tables.submit(game_id, move)
    assert not answer.replayed


async def test_a_game_that_a_newer_version_has_written_to_is_left_alone(worker: Worker, start_worker: Starter):
    game_id = await worker.new_game()
    await worker.database.session.execute("UPDATE games SET format = 99 WHERE id = $1", game_id)
    with pytest.raises(Problem, match="unsupported_format"):
        await (await start_worker()).tables.current(game_id)


async def test_a_game_of_an_older_format_is_of_this_one_once_it_is_written_to(worker: Worker, start_worker: Starter):
    game_id = await worker.new_game()
    session = worker.database.session
    await session.execute("UPDATE games SET format = 0 WHERE id = $1", game_id)
    other = await start_worker()
    await other.tables.current(game_id)
    assert await session.fetchval("SELECT format FROM games WHERE id = $1", game_id) == 0
    await other.tables.submit(game_id, await other.next_move(game_id))
    assert await session.fetchval("SELECT format FROM games WHERE id = $1", game_id) == FORMAT


async def test_a_worker_that_is_stopping_takes_no_more_rows(worker: Worker):
    game_id = await worker.new_game()
    move = await worker.next_move(game_id)
    await worker.tables.stop()
    with pytest.raises(Problem, match="overloaded"):
        await worker.tables.submit(game_id, move)
