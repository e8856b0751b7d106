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
from tests.app.tables.workers import PATIENCE, Hand, Worker, come_due, wait, working
from tests.app.timing.people import GoAway, first

CALM = Terms("uniform", turn_seconds=60, claim_seconds=60, settlement_seconds=None, bot_delay_ms=60_000)
HASTE = Terms(turn_seconds=0.05, claim_seconds=0.02, settlement_seconds=0)
SOON = Absence(pause_seconds=0.3)


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
async def worker(url: str, hand: Hand) -> AsyncIterator[Worker]:
    """A worker whose clock the test turns."""
    async with working(url, hand.clock(), absence=SOON) as made:
        yield made


async def left_alone(worker: Worker, ruleset: str = "emay") -> str:
    """The id of a game of two that both have just gone from."""
    game_id = await worker.new_game(ruleset, persons=2, terms=CALM)
    for seat in (0, 1):
        await worker.tables.submit(game_id, Vanish(seat))
    return game_id


async def deserted(worker: Worker, hand: Hand, ruleset: str = "emay") -> str:
    """The id of a game of two that has paused because both are gone."""
    game_id = await left_alone(worker, ruleset)
    hand.seconds += SOON.pause_seconds
    await wait(worker, game_id, lambda game: game.state.paused)
    return game_id


async def test_a_table_to_which_nobody_is_connected_pauses_and_never_early(worker: Worker, hand: Hand):
    game_id = await left_alone(worker)
    hand.seconds += SOON.pause_seconds - 0.01
    await asyncio.sleep(2 * SOON.pause_seconds)  # its timer has fired meanwhile, and found that it was early
    assert not (await worker.state(game_id)).paused
    hand.seconds += 0.01
    await wait(worker, game_id, lambda game: game.state.paused)
    assert (await first(worker, game_id, ev.GamePaused)).event == ev.GamePaused("nobody_here")


async def test_it_does_not_pause_while_one_is_there(worker: Worker, hand: Hand):
    game_id = await worker.new_game("emay", persons=2, terms=CALM)
    await worker.tables.submit(game_id, Vanish(0))
    await deserted(worker, hand)
    assert not (await worker.state(game_id)).paused


async def test_it_plays_on_while_all_are_idle_and_one_of_them_is_connected(worker: Worker, hand: Hand):
    game_id = await worker.new_game("tsumo", persons=2, terms=replace(CALM, bot_delay_ms=20))
    await worker.tables.submit(game_id, GoAway(0, connected=True))
    await worker.tables.submit(game_id, Leave(1))
    while len((await worker.state(game_id)).round.pile) <= 20:
        await come_due(worker, hand, game_id)
    assert not (await worker.state(game_id)).paused


async def test_it_goes_on_with_the_time_that_was_left_when_one_is_back(worker: Worker, hand: Hand):
    game_id = await deserted(worker, hand)
    clock = (await worker.tables.current(game_id)).clock
    assert clock is not None
    assert clock.held is not None
    assert clock.deadline_at is None
    left = clock.held.left_ms
    await worker.tables.submit(game_id, Appear(1))
    game = await worker.tables.current(game_id)
    assert not game.state.paused
    assert game.clock is not None
    assert game.clock.deadline_at is not None
    assert left is not None
    assert round(worker.clock.seconds_until(game.clock.deadline_at) * 1000) == left


async def test_a_move_of_one_who_is_back_makes_it_go_on(worker: Worker, hand: Hand):
    game_id = await deserted(worker, hand, "tsumo")
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
        await wait(worker, game_id, lambda game: game.is_over)
        ended, rows = await first(worker, game_id, ev.GameEnded), await worker.rows(game_id)
        (asked,) = [row.at for row in rows if b"set_preferences" in row.commands]
        last = rows[-1]
    assert isinstance(ended.event, ev.GameEnded)
    assert ended.event.reason == "abandoned"
    assert ended.at - asked >= timedelta(seconds=1.5)
    assert load_clock(last.clock or b"").person_at == asked


@pytest.mark.parametrize("terms", [CALM, HASTE], ids=["waits", "plays on by itself"])
async def test_a_game_that_somebody_looks_at_does_not_end(worker: Worker, hand: Hand, terms: Terms):
    watched = await worker.new_game("tsumo", persons=1, terms=terms, length=None)
    (player_id,) = (await worker.tables.current(watched)).persons.values()
    with worker.tables.presence.signs.waiting(watched, player_id):
        for _ in range(3):
            lonely = await worker.new_game("tsumo", persons=1, terms=terms, length=None)
            hand.seconds += 20 * 3600
            await worker.tables.presence.look()
            hand.seconds += 5 * 3600
            await swept(worker, lonely)
            assert not (await worker.tables.current(watched)).is_over
    hand.seconds += 25 * 3600
    await swept(worker, watched)


async def swept(worker: Worker, game_id: str) -> None:
    """Lets sweeps look at every game, as they do by the database's time at those that are overdue, until that one is
    over."""
    async with asyncio.timeout(PATIENCE):
        while not (await worker.tables.current(game_id)).is_over:
            await worker.database.session.execute("UPDATE game_heads SET next_wake_at = now() - interval '1 hour'")
            await asyncio.sleep(0.05)
