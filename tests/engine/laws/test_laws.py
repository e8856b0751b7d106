"""Laws of every game, by any valid rules, at any table, however it is played (design 8)."""

from __future__ import annotations

from functools import reduce
from random import Random
from typing import Literal

import pytest
from hypothesis import given, strategies as st

from engine import events as ev
from engine.actions import Amend, EndGame, Refusal
from engine.codec import dump_state, load_state
from engine.decide import decide, new_game, step
from engine.evolve import evolve
from engine.laws import Twin, broken_law
from engine.legal import default_action, legal_actions, may_amend
from engine.replay import verify
from engine.state import SEATS, GameOver, GameState, Settlement
from engine.views import view
from tests.engine.laws.games import Game, games, law, some_states
from tests.engine.laws.universe import every_action


def keeps_the_laws(game: Game, chance: Random) -> None:
    twin: Twin | None = None
    for state, events in game.states():
        assert broken_law(state) is None
        if twin is None:
            twin = Twin(events)
        else:
            twin.follow(events)
        if chance.random() < 0.1 or isinstance(state.decision, GameOver):
            assert twin.broken_law(state) is None


@pytest.mark.slow
@law(25)
@given(games(), st.randoms(use_true_random=False))
def test_every_state_of_a_game_keeps_the_laws_and_its_events_fold_to_it(game: Game, chance: Random):
    keeps_the_laws(game, chance)


@pytest.mark.long
@law(1000)
@given(games(most_rounds=4), st.randoms(use_true_random=False))
def test_every_state_of_many_games_keeps_the_laws(game: Game, chance: Random):
    keeps_the_laws(game, chance)


@law(40)
@given(games(most_rounds=4))
def test_every_round_is_won_or_drawn_and_every_game_ends_with_all_its_points(game: Game):
    """C47, C59."""
    *_, (last, _) = game.states()
    assert isinstance(last.decision, GameOver)
    dealt, results, applied = (
        sum(isinstance(event, kind) for event in game.log)
        for kind in (ev.RoundDealt, ev.RoundWon | ev.RoundDrawn, ev.PointsApplied)
    )
    assert 0 < dealt == results == applied
    assert sum(held.points for held in last.seats) + last.house == sum(game.points)
    assert last.pot == 0


@pytest.mark.slow
@law(40)
@given(games(most_rounds=4))
def test_the_log_of_a_game_follows_from_its_seed_and_balances_round_by_round(game: Game):
    *_, (last, _) = game.states()
    assert verify(game.log) == last


@law(10)
@given(games())
def test_decide_tells_of_the_events_whose_fold_is_the_state_after_the_step(game: Game):
    for state in some_states(game, 0.1):
        if not isinstance(state.decision, GameOver):
            seat, command = game.pick(state)
            after, events = step(state, seat, command)
            assert decide(state, seat, command) == events
            assert reduce(evolve, events, state) == after


def legal_is_what_step_takes(game: Game) -> None:
    for state in some_states(game, 0.03):
        before = dump_state(state)
        for seat in SEATS:
            legal = legal_actions(state, seat)
            taken = [action for action in every_action(state) if _takes(state, seat, action)]
            assert sorted(map(repr, taken)) == sorted(map(repr, legal))
        assert dump_state(state) == before


@pytest.mark.slow
@law(20)
@given(games())
def test_an_action_is_legal_exactly_when_step_takes_it(game: Game):
    legal_is_what_step_takes(game)


@pytest.mark.long
@law(500)
@given(games())
def test_an_action_is_legal_exactly_when_step_takes_it_in_many_games(game: Game):
    legal_is_what_step_takes(game)


@pytest.mark.slow
@law(20)
@given(games())
def test_what_is_legal_does_not_depend_on_what_was_read_before(game: Game):
    for state in some_states(game, 0.2):
        loaded = load_state(dump_state(state))
        assert [legal_actions(loaded, seat) for seat in SEATS] == [legal_actions(state, seat) for seat in SEATS]
        assert [view(loaded, seat) for seat in (None, *SEATS)] == [view(state, seat) for seat in (None, *SEATS)]


@pytest.mark.slow
@law(20)
@given(games(), st.randoms(use_true_random=False))
def test_the_same_seed_and_actions_give_the_same_game_however_often_it_is_loaded(game: Game, chance: Random):
    """C46."""
    *_, (last, _) = game.states()
    state, log = new_game(
        game.rules, game.players, game.seed, points=game.points, timing=game.timing, length=game.length
    )
    for seat, command in game.commands:
        if chance.random() < 0.2:
            state = load_state(dump_state(state))
        state, events = step(state, seat, command)
        log += events
    assert list(log) == game.log
    assert state == last


@law(20)
@given(games(), st.sampled_from(["now", "after_round"]))
def test_a_game_may_be_ended_at_any_moment_and_no_point_is_lost(game: Game, when: Literal["now", "after_round"]):
    """C59."""
    for state in some_states(game, 0.1):
        if isinstance(state.decision, GameOver):
            continue
        ended, _ = step(state, None, EndGame(when))
        assert broken_law(ended) is None
        if when == "now" or isinstance(ended.decision, GameOver):
            assert isinstance(ended.decision, GameOver)
            assert sum(held.points for held in ended.seats) + ended.house == sum(game.points)


@law(20)
@given(games())
def test_silence_at_every_decision_ends_the_round(game: Game):
    state = next(iter(some_states(game, 1.0)))
    number = state.round.number
    for _ in range(1000):
        if state.round.number > number or isinstance(state.decision, GameOver):
            return
        decision = state.decision
        for seat in SEATS:
            action = default_action(state, seat)
            if action and state.decision.no == decision.no:
                state, _ = step(state, seat, action)
    pytest.fail("the round does not end")


@law(40)
@given(games())
def test_the_owner_may_amend_a_settlement_to_any_figures_of_the_same_sum_and_to_no_others(game: Game):
    for state in some_states(game, 1.0):
        settlement = state.decision
        if not isinstance(settlement, Settlement):
            continue
        number, (a, b, c, d) = settlement.pending.round, settlement.pending.changes
        balanced, short = Amend(number, (a + 9, b - 4, c - 4, d - 1), "as agreed"), Amend(number, (a + 1, b, c, d), "")
        for seat in SEATS:
            assert _takes(state, seat, balanced) == may_amend(state, seat)
            assert not _takes(state, seat, short)


def _takes(state: GameState, seat: int, action) -> bool:
    """Whether step does something: confirming again is no refusal, but nothing happens."""
    try:
        return bool(step(state, seat, action)[1])
    except Refusal:
        return False
