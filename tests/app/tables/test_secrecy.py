"""An answer changes nothing another seat can see until its window closes (rules 11, C62)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.tables import LiveGame
from app.tables.view import encode_view
from tests.app.tables.workers import Worker

NOW = datetime(2026, 1, 1, tzinfo=UTC)
OTHERS = (None, 0, 2, 3)


def seen(game: LiveGame, seat: int | None) -> tuple[bytes, str, int]:
    return encode_view(game, seat, NOW), game.etag(seat), game.seq


async def test_an_answer_is_seen_by_its_own_seat_alone(worker: Worker):
    game_id = await worker.new_game("emay", persons=4)
    game = await worker.tables.current(game_id)
    before = {seat: seen(game, seat) for seat in OTHERS}
    answer = await worker.tables.submit(game_id, await worker.next_move(game_id, seat=1))
    after = await worker.tables.current(game_id)
    assert {seat: seen(after, seat) for seat in OTHERS} == before
    assert (answer.events, after.etag(1)) == ((), f'W/"{after.seq}.1"')


@pytest.mark.parametrize("again", [1, 2])
async def test_an_answer_that_is_sent_again_marks_the_own_view_anew(worker: Worker, again: int):
    game_id = await worker.new_game("emay", persons=4)
    for _ in range(again):
        await worker.tables.submit(game_id, await worker.next_move(game_id, seat=1))
    game = await worker.tables.current(game_id)
    assert game.etag(1) == f'W/"{game.seq}.{again}"'
