"""A bot plays for whoever lets its turns run out or is not there, until that person is back (api, The stream); in real
time with short seconds, and no test says how long anything took, only that nothing came early.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest

from app.errors import Problem
from app.tables import LiveGame, Move, Terms, Wish
from app.tables.seating import Appear, Leave, Return, Vanish
from engine.actions import Action, AskPause, Confirm, Pass, SetPreferences
from engine.events import Preferences, SeatChanged
from engine.legal import default_action
from engine.state import ClaimWindow, GameState, Settlement, Turn
from tests.app.tables.workers import Hand, Worker, come_due, play, wait, working
from tests.app.timing.people import GoAway, Told, commands, facts, told

HASTE = Terms(turn_seconds=0.1, claim_seconds=0.1, settlement_seconds=None, away_seconds=60)
CALM = Terms(settlement_seconds=None, away_seconds=60, bot_delay_ms=30_000)


async def given_to_a_bot(worker: Worker, ruleset: str, seat: int) -> str:
    """The id of a game in which a bot plays for a person who is gone, and takes its time."""
    game_id = await worker.new_game(ruleset, persons=4, terms=CALM)
    await worker.tables.submit(game_id, GoAway(seat))
    return game_id


def is_turn_of(game: LiveGame, seat: int) -> bool:
    return isinstance(game.state.decision, Turn) and game.state.decision.seat == seat


async def pass_every_window(worker: Worker, game_id: str, seat: int) -> None:
    """Lets a seat pass as soon as a window is open, until a bot plays for it."""
    answered = 0
    while not (state := await worker.state(game_id)).players[seat].away:
        if isinstance(state.decision, ClaimWindow) and state.decision.no > answered:
            answered = state.decision.no
            with suppress(Problem):  # its own tile, or late
                await worker.tables.submit(game_id, Move(seat, Pass(), answered))
        await asyncio.sleep(0.01)


async def test_after_two_turns_in_a_row_that_ran_out_a_bot_plays(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=HASTE)
    await wait(worker, game_id, lambda game: game.state.players[0].away)
    (gone, *_) = await told(worker, game_id)
    assert gone == Told(0, connected=True, away=True, bot=True, at=gone.at)
    rows = await commands(worker, game_id)
    turns = [row for row in rows[1:] if (0, "discard") in row]
    assert turns[:2] == [[(0, "discard")], [(0, "discard"), (None, "change_seat")]]


async def test_windows_that_run_out_count_for_nothing(worker: Worker):
    def only_turns(state: GameState, seat: int) -> Action | None:
        return default_action(state, seat) if isinstance(state.decision, Turn) else None

    game_id = await worker.new_game("tsumo", persons=4, terms=Terms(claim_seconds=0.05, away_seconds=60))
    await play(worker, game_id, lambda game: len(game.state.round.pile) > 9, only_turns)
    assert await told(worker, game_id) == []


async def test_a_move_in_a_turn_between_begins_anew(url: str):
    hand = Hand()
    async with working(url, hand.clock()) as worker:
        game_id = await worker.new_game("tsumo", persons=4, terms=HASTE)
        game = await worker.tables.current(game_id)
        while game.state.round.discards < 4 or not is_turn_of(game, 0):
            game = await come_due(worker, hand, game_id)
        await worker.tables.submit(game_id, await worker.next_move(game_id, 0))
        while not game.state.players[1].away:
            game = await come_due(worker, hand, game_id)
        assert 0 not in [each.seat for each in await told(worker, game_id)]


async def test_whoever_answers_windows_and_lets_its_turns_run_out_is_seen_to_go_like_one_who_does_nothing(
    worker: Worker,
):
    """Two games that differ in what a seat answers, which stays hidden (rules 11)."""
    silent, answered = [await worker.new_game("tsumo", persons=4, terms=HASTE) for _ in range(2)]
    passing = asyncio.create_task(pass_every_window(worker, answered, 0))
    for game_id in (silent, answered):
        await wait(worker, game_id, lambda game: game.state.players[0].away)
    await passing
    worlds = [[fact.event for fact in await facts(worker, game_id)] for game_id in (silent, answered)]
    length = min(map(len, worlds))
    assert worlds[0][:length] == worlds[1][:length]
    assert SeatChanged in [type(event) for event in worlds[0][:length]]


async def test_where_nobody_is_ever_away_turns_run_out_for_ever(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=Terms(turn_seconds=0.05, claim_seconds=0.01))
    await wait(worker, game_id, lambda game: len(game.state.round.pile) > 8)
    assert await told(worker, game_id) == []


async def test_who_is_not_connected_for_so_long_is_played_for_and_never_early(worker: Worker):
    terms = Terms(settlement_seconds=None, away_seconds=0.3)
    game_id = await worker.new_game("tsumo", persons=4, terms=terms)
    before = worker.clock.now()
    await worker.tables.submit(game_id, Vanish(2))
    await wait(worker, game_id, lambda game: game.state.players[2].away)
    assert worker.clock.now() - before >= timedelta(seconds=0.3)
    _, away = await told(worker, game_id)
    assert (away.connected, away.bot) == (False, True)


async def test_a_seat_that_nobody_could_come_back_to_is_kept_for_a_while_when_the_service_is_back(url: str):
    terms = Terms(settlement_seconds=None, away_seconds=0.5)
    async with working(url, Hand().clock()) as before:  # where nothing comes due
        game_id = await before.new_game("tsumo", persons=4, terms=terms)
        await before.tables.submit(game_id, Vanish(2))
    await asyncio.sleep(0.6)
    async with working(url) as after:
        await wait(after, game_id, lambda game: game.state.players[2].away)
        assert after.clock.now() - after.heartbeat.serving_since >= timedelta(seconds=0.5)


async def test_a_move_gives_the_seat_back_first_and_is_repeated_like_any_other(worker: Worker):
    game_id = await given_to_a_bot(worker, "tsumo", 0)
    move = await worker.next_move(game_id, action_id="a1")
    answer = await worker.tables.submit(game_id, move)
    assert [fact.event.type for fact in answer.events] == ["seat_changed", "tile_discarded", "window_opened"]
    assert (await commands(worker, game_id))[-1] == [(None, "change_seat"), (0, "discard")]
    again = await worker.tables.submit(game_id, move)
    assert (again.replayed, again.events) == (True, answer.events)


async def test_it_is_repeated_like_any_other_by_a_worker_that_has_only_the_log(worker: Worker, url: str):
    game_id = await given_to_a_bot(worker, "tsumo", 0)
    move = await worker.next_move(game_id, action_id="a1")
    answer = await worker.tables.submit(game_id, move)
    async with working(url) as other:
        again = await other.tables.submit(game_id, move)
    assert [fact.seq for fact in again.events] == [fact.seq for fact in answer.events]


async def test_a_move_that_is_refused_gives_nothing_back(worker: Worker):
    game_id = await given_to_a_bot(worker, "tsumo", 0)
    with pytest.raises(Exception, match="nothing_to_pass"):
        await worker.tables.submit(game_id, Move(0, Pass()))
    assert (await worker.state(game_id)).players[0].away


async def test_an_answer_stands_and_leaves_the_seat_to_the_bot_until_the_window_has_closed(worker: Worker):
    game_id = await given_to_a_bot(worker, "emay", 1)
    seq = (await worker.tables.current(game_id)).seq
    answer = await worker.tables.submit(game_id, Move(1, Pass()))
    assert (answer.events, (await worker.tables.current(game_id)).seq) == ((), seq)
    assert (await worker.state(game_id)).players[1].away


async def test_whoever_is_connected_again_has_its_seat_back_with_the_time_of_a_turn(worker: Worker):
    terms = Terms(turn_seconds=20, bank_seconds=60, settlement_seconds=None, away_seconds=60, bot_delay_ms=30_000)
    game_id = await worker.new_game("tsumo", persons=4, terms=terms)
    await worker.tables.submit(game_id, GoAway(0))
    await worker.tables.submit(game_id, Appear(0))
    clock = (await worker.tables.current(game_id)).clock
    assert clock is not None
    assert (clock.bots_at, clock.bank_ms, clock.length_ms) == (None, (60_000,) * 4, 80_000)


async def test_a_confirmation_gives_the_seat_back_to_whoever_was_away(worker: Worker):
    def once(state: GameState, seat: int) -> Action | None:
        answered = isinstance(state.decision, ClaimWindow) and state.decision.answers[seat] is not None
        return None if answered else default_action(state, seat)

    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await play(worker, game_id, lambda game: isinstance(game.state.decision, Settlement), once)
    await worker.tables.submit(game_id, GoAway(1))
    answer = await worker.tables.submit(game_id, Move(1, Confirm(1)))
    assert [fact.event.type for fact in answer.events] == ["seat_changed"]  # the bot has confirmed already
    assert not (await worker.state(game_id)).players[1].away


async def test_whoever_has_left_comes_back_by_joining_alone(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await worker.tables.submit(game_id, Leave(2))
    await worker.tables.submit(game_id, Appear(2))
    for order in (Move(2, Pass()), Wish(2, AskPause())):
        with pytest.raises(Problem, match=f"seat_left: .* POST /v1/games/{game_id}/join"):
            await worker.tables.submit(game_id, order)
    assert (await worker.state(game_id)).players[2].stand_in == "greedy"
    await worker.tables.submit(game_id, Return(2))
    assert (await worker.state(game_id)).players[2].stand_in is None


async def test_whoever_has_left_may_wish_for_other_preferences(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await worker.tables.submit(game_id, Leave(2))
    await worker.tables.submit(game_id, Wish(2, SetPreferences(Preferences(auto_win=True))))
    state = await worker.state(game_id)
    assert (state.preferences[2].auto_win, state.players[2].stand_in) == (True, "greedy")


async def test_a_seat_that_has_just_changed_twice_is_not_left_but_taken_back_at_once(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    for order in (Leave(0), Return(0)):
        await worker.tables.submit(game_id, order)
    with pytest.raises(Problem, match="rate_limited"):
        await worker.tables.submit(game_id, Leave(0, worker.clock.now()))
    await worker.tables.submit(game_id, Leave(0))
    answer = await worker.tables.submit(game_id, Return(0))
    assert [fact.event.type for fact in answer.events] == ["seat_changed"]
