"""A table that nobody is at pauses, and ends when nobody comes (api, The stream); nothing comes early."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from app.errors import Problem
from app.store import log
from app.tables import Absence, Move, Terms, Wish
from app.tables.deadlines import load_clock
from app.tables.seating import Appear, Leave, Vanish
from engine import events as ev
from engine.actions import AskPause, AskResume, Discard, Pass, SetPreferences
from engine.events import Preferences
from engine.tiles import CODES
from tests.app.stream.streaming import serving
from tests.app.tables.workers import Worker, working
from tests.app.timing.people import GoAway, first, wait

CALM = Terms("uniform", turn_seconds=60, claim_seconds=60, settlement_seconds=None, bot_delay_ms=60_000)
HASTE = Terms(turn_seconds=0.05, claim_seconds=0.02, settlement_seconds=0)
SOON = Absence(pause_seconds=0.3, end_seconds=3600)


@pytest.fixture
async def worker(url: str) -> AsyncIterator[Worker]:
    async with working(url, absence=SOON) as made:
        yield made


async def deserted(worker: Worker, ruleset: str = "emay") -> str:
    """The id of a game of two that has paused because both are gone."""
    game_id = await worker.new_game(ruleset, persons=2, terms=CALM)
    for seat in (0, 1):
        await worker.tables.submit(game_id, Vanish(seat))
    await wait(worker, game_id, lambda game: game.state.paused)
    return game_id


async def test_a_table_to_which_nobody_is_connected_pauses_and_never_early(worker: Worker):
    game_id = await deserted(worker)
    *_, lost, _ = await worker.rows(game_id)
    paused = await first(worker, game_id, ev.GamePaused)
    assert paused.event == ev.GamePaused("nobody_here")
    # The row tells when it was written, a little later than it was decided.
    assert paused.at - lost.at >= timedelta(seconds=0.25)


async def test_it_does_not_pause_while_one_is_there(worker: Worker):
    game_id = await worker.new_game("emay", persons=2, terms=CALM)
    await worker.tables.submit(game_id, Vanish(0))
    await deserted(worker)
    assert not (await worker.state(game_id)).paused


async def test_it_plays_on_while_all_are_idle_and_one_of_them_is_connected(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=2, terms=replace(CALM, bot_delay_ms=20))
    await worker.tables.submit(game_id, GoAway(0, connected=True))
    await worker.tables.submit(game_id, Leave(1))
    await wait(worker, game_id, lambda game: len(game.state.round.pile) > 20)
    assert not (await worker.state(game_id)).paused


async def test_it_goes_on_with_the_time_that_was_left_when_one_is_back(worker: Worker):
    game_id = await deserted(worker)
    clock = (await worker.tables.current(game_id)).clock
    assert clock is not None
    assert clock.held is not None
    assert clock.deadline_at is None
    left = clock.held.left_ms
    await worker.tables.submit(game_id, Appear(1))
    game, resumed = await worker.tables.current(game_id), await first(worker, game_id, ev.GameResumed)
    assert not game.state.paused
    assert game.clock is not None
    assert game.clock.deadline_at is not None
    assert left is not None
    assert abs((game.clock.deadline_at - resumed.at).total_seconds() * 1000 - left) < 1000


async def test_a_move_of_one_who_is_back_makes_it_go_on(worker: Worker):
    game_id = await deserted(worker, "tsumo")
    with pytest.raises(Problem, match="nothing_to_pass"):
        await worker.tables.submit(game_id, Move(0, Pass()))
    assert (await worker.state(game_id)).paused
    held = (await worker.state(game_id)).seats[0].drawn
    assert held is not None
    moved = await worker.tables.submit(game_id, Move(0, Discard(CODES[held])))
    assert [fact.event.type for fact in moved.events][:3] == ["seat_changed", "game_resumed", "tile_discarded"]


async def test_what_was_agreed_on_ends_by_agreement_though_all_were_gone(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=2, terms=CALM)
    for seat in (0, 1):
        await worker.tables.submit(game_id, Wish(seat, AskPause()))
    await pass_to_the_next_turn(worker, game_id)
    for seat in (0, 1):
        await worker.tables.submit(game_id, Vanish(seat))
    await worker.tables.submit(game_id, Appear(0))
    assert (await worker.state(game_id)).paused
    for seat in (0, 1):
        await worker.tables.submit(game_id, Wish(seat, AskResume()))
    assert not (await worker.state(game_id)).paused


async def test_one_who_is_gone_does_not_keep_the_others_in_a_pause_that_was_agreed_on(url: str):
    terms = replace(CALM, away_seconds=0.3)
    async with working(url, absence=SOON) as worker:
        game_id = await worker.new_game("tsumo", persons=2, terms=terms)
        for seat in (0, 1):
            await worker.tables.submit(game_id, Wish(seat, AskPause()))
        await pass_to_the_next_turn(worker, game_id)
        await worker.tables.submit(game_id, Vanish(1))
        await worker.tables.submit(game_id, Wish(0, AskResume()))
        game = await wait(worker, game_id, lambda game: not game.state.paused)
        assert [player.away for player in game.state.players] == [False, True, False, False]


async def pass_to_the_next_turn(worker: Worker, game_id: str) -> None:
    """The dealer throws a tile that nobody wants."""
    await worker.tables.submit(game_id, await worker.next_move(game_id, 0))
    await worker.act(game_id, 1, Pass())


async def test_how_long_a_table_waits_for_somebody_is_set_by_the_operator(url: str):
    async with serving(url, pause_seconds=7200, abandon_hours=36) as site:
        people = [await site.sign_up(), await site.sign_up()]
        tables, session = site.app.service.tables, site.app.service.database.session
        alone, together = await site.game(people[:1]), await site.game(people)
        for seat in (0, 1):
            await tables.submit(together, Vanish(seat))
        clock, now = (await tables.current(together)).clock, site.app.service.clock.now()
        (end_at,) = [at for game_id, _, at in await log.deadlines(session, timedelta(hours=40)) if game_id == alone]
    assert clock is not None
    assert clock.pause_at is not None
    assert round((clock.pause_at - now) / timedelta(hours=1), 1) == 2
    assert round((end_at - now) / timedelta(hours=1), 1) == 36


async def test_a_game_that_nobody_comes_to_ends_as_abandoned_and_never_early(url: str):
    async with working(url, absence=Absence(end_seconds=1.5)) as worker:
        game_id = await worker.new_game("emay", persons=1)
        made = (await worker.rows(game_id))[-1].at
        await wait(worker, game_id, lambda game: game.is_over)
        ended = await first(worker, game_id, ev.GameEnded)
    assert isinstance(ended.event, ev.GameEnded)
    assert (ended.event.reason, ended.event.void_round) == ("abandoned", True)
    assert ended.at - made >= timedelta(seconds=1.5)


async def test_a_game_that_a_worker_left_behind_ends_as_abandoned(url: str):
    async with working(url, absence=Absence(end_seconds=0.5)) as before:
        game_id = await before.new_game("emay", persons=1)
    async with working(url, absence=Absence(end_seconds=0.5)) as after:
        await wait(after, game_id, lambda game: game.is_over)


async def test_a_game_that_plays_on_by_itself_ends_as_abandoned_all_the_same(url: str):
    async with working(url, absence=Absence(end_seconds=1.5)) as worker:
        game_id = await worker.new_game("tsumo", persons=1, terms=HASTE, length=None)
        await worker.tables.submit(game_id, Wish(0, SetPreferences(Preferences(auto_draw=True))))
        asked = (await worker.rows(game_id))[-1].at
        await wait(worker, game_id, lambda game: game.is_over)
        ended = await first(worker, game_id, ev.GameEnded)
        last = (await worker.rows(game_id))[-1]
    assert isinstance(ended.event, ev.GameEnded)
    assert ended.event.reason == "abandoned"
    assert ended.at - asked >= timedelta(seconds=1.5)
    assert load_clock(last.clock or b"").person_at == asked


async def test_it_does_not_end_while_its_person_looks_on(url: str):
    async with working(url, absence=Absence(end_seconds=1)) as worker:
        game_id = await worker.new_game("tsumo", persons=1, terms=HASTE, length=None)
        (player_id,) = (await worker.tables.current(game_id)).persons.values()
        with worker.tables.presence.signs.waiting(game_id, player_id):
            await asyncio.sleep(3.5)
            assert not (await worker.tables.current(game_id)).is_over


async def test_a_game_that_somebody_looks_at_does_not_end(url: str):
    async with working(url, absence=Absence(end_seconds=2)) as worker:
        watched, lonely = await worker.new_game("emay", persons=1), await worker.new_game("emay", persons=1)
        (player_id,) = (await worker.tables.current(watched)).persons.values()
        with worker.tables.presence.signs.waiting(watched, player_id):
            await wait(worker, lonely, lambda game: game.is_over)
            await asyncio.sleep(1.5)
            assert not (await worker.tables.current(watched)).is_over
        await wait(worker, watched, lambda game: game.is_over)
