"""A whole game of each preset, played move by move through the log."""

from __future__ import annotations

import pytest

from tests.app.tables.workers import Worker, play


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_a_person_plays_a_game_of_two_rounds_against_bots(worker: Worker, ruleset: str):
    game_id = await worker.new_game(ruleset)
    game = await play(worker, game_id, lambda game: game.is_over)
    assert game.state.round.number == 2
