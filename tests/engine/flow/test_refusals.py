"""What a seat is told that moves out of turn: what it is asked instead, and nothing that a hand holds (rules 11)."""

from __future__ import annotations

import pytest

from engine.actions import Action, Confirm, Discard
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import DRAW, WIN, Table, both, secret, table

OUT_OF_TURN: list[Action] = [DRAW, Discard("9b"), secret("9b")]


def told(game: Table, seat: int, *actions: Action) -> set[tuple[str, str]]:
    return {(refusal.code, refusal.detail) for refusal in (game.refused(seat, action) for action in actions)}


@both
def test_in_the_turn_of_another_it_is_told_whose_turn_it_is(rules: str):
    game = table(rules)
    assert told(game, 2, *OUT_OF_TURN, WIN) == {("not_your_turn", "It is the turn of seat 0.")}


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
@pytest.mark.parametrize("hand", [{}, {1: "46c", 2: "55c", 3: WAITS_5C}], ids=["offered nothing", "offered all"])
def test_whoever_a_window_asks_is_told_about_which_tile_whatever_it_holds(rules: str, seat: int, hand: dict[int, str]):
    game = table(rules, hand, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    detail = "You are asked about the 5c that seat 0 threw: claim it, or pass."
    assert told(game, seat, *OUT_OF_TURN) == {("not_your_turn", detail)}


@both
def test_whoever_threw_the_tile_is_told_that_the_others_are_asked(rules: str):
    game = table(rules, front="5c", quiet="5c")
    game.throw("5c")
    detail = "The others are asked about the 5c that you threw: wait for their answers."
    assert told(game, 0, *OUT_OF_TURN, WIN) == {("not_your_turn", detail)}


@pytest.mark.parametrize("hand", ["99b", "99d"])
def test_before_the_first_turn_everybody_is_told_what_it_is_asked_whatever_it_holds(hand: str):
    game = table("emay", {2: hand}, opening=True)
    detail = "It is nobody's turn yet: before the first one you are asked for a Triple Joker. Win with it, or pass."
    assert [told(game, seat, *OUT_OF_TURN) for seat in range(4)] == [{("not_your_turn", detail)}] * 4


@both
def test_after_a_round_it_is_told_to_confirm_and_then_to_wait(rules: str):
    game = table(rules, {2: WAITS_5C}, front="5c", quiet="5c", joker="1c")
    game.throw_to("5c", {2: WIN})
    assert told(game, 1, *OUT_OF_TURN, WIN) == {("not_your_turn", "Round 1 is over: confirm its points.")}
    game.do(1, Confirm(1))
    detail = "Round 1 is over, and you have confirmed its points: wait for the others."
    assert told(game, 1, *OUT_OF_TURN, WIN) == {("not_your_turn", detail)}
