"""Whole games: the same again from the same seed, and nothing lost on the way. tests/engine/laws has more of this."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine import events as ev
from engine.actions import Action
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.rules import preset
from engine.state import SEATS, GameOver, GameState, Turn
from engine.tiles import Kind, full_set
from tests.engine.scenario import FOUR_PEOPLE, UNIFORM, both

Played = tuple[int, Action]


def play(
    rules: str, seed: int, moves: list[Played] | None = None
) -> tuple[list[GameState], list[ev.Event], list[Played]]:
    """A game of two rounds by the given moves, or by random ones: its states, its log and its moves."""
    chance, made = Random(seed), list(moves or ())
    length = ev.Length(rounds=2)
    state, events = new_game(preset(rules), FOUR_PEOPLE, f"{seed:064x}", timing=UNIFORM, length=length)
    states, log = [state], list(events)
    while not isinstance(state.decision, GameOver):
        if moves is None:
            seats = [seat for seat in SEATS if asked_now(state, seat)]
            seat = chance.choice(seats)
            made.append((seat, chance.choice(asked_now(state, seat))))
        seat, action = made[len(states) - 1]
        state, caused = step(state, seat, action)
        states.append(state)
        log += caused
    return states, log, made


def asked_now(state: GameState, seat: int) -> list[Action]:
    """What the seat may do, unless it has answered already."""
    answers = getattr(state.decision, "answers", None)
    return [] if answers and answers[seat] is not None else list(legal_actions(state, seat))


@both
@pytest.mark.parametrize("seed", range(2))
def test_c46_the_same_seed_and_actions_give_the_same_log_and_result(rules: str, seed: int):
    states, log, moves = play(rules, seed)
    again = play(rules, seed, moves)
    assert again == (states, log, moves)


@both
@pytest.mark.parametrize("seed", range(2, 5))
def test_c47_a_random_game_keeps_its_tiles_and_its_points(rules: str, seed: int):
    states, log, _ = play(rules, seed)
    for state in states:
        assert all_tiles(state) == Counter(full_set(state.rules.tile_set))
        assert sum(held.points for held in state.seats) + state.pot + state.house == 0
        for seat, held in enumerate(state.seats):
            turn = state.decision
            on_turn = isinstance(turn, Turn) and turn.seat == seat and turn.stage == "act"
            if state.round.result is None:
                assert held.concealed == sum(held.counts) + held.jokers == 16 + on_turn - 3 * len(held.melds)
    ends = [event for event in log if isinstance(event, ev.RoundWon | ev.RoundDrawn)]
    assert len(ends) == 2
    assert isinstance(log[-1], ev.GameEnded)


def all_tiles(state: GameState) -> Counter[Kind]:
    rnd = state.round
    tiles = Counter(rnd.wall[rnd.front : rnd.back])
    tiles.update(kind for kind, _ in rnd.pile)
    for held in state.seats:
        tiles.update({kind: number for kind, number in enumerate(held.counts) if number})
        tiles.update(held.flowers)
        for meld in held.melds:
            tiles.update(meld.tiles)
        if rnd.joker is not None and held.jokers:
            tiles[rnd.joker] += held.jokers
    return tiles
