"""Advice says what a hand leaves, and knows no more than its seat."""

from __future__ import annotations

from random import Random

import pytest

from engine.actions import Claim, Discard
from engine.bots.hints import Hint, hint
from engine.state import SEATS, Settlement
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import PASS, WIN, Table, chow, table
from tests.engine.secrecy.test_hidden import RULES, random_states, spread_otherwise


def advice(game: Table, seat: int) -> Hint:
    found = hint(game.state, seat)
    assert found is not None
    return found


def test_each_natural_tile_held_is_judged_the_best_first():
    game = table("emay", {0: "1c", 1: "46c"}, joker="1c")
    found = advice(game, 0)
    held = {action.tile for action in game.legal(0) if isinstance(action, Discard)}
    order = [(each.shanten, -each.acceptance) for each in found.discards]
    assert {each.tile for each in found.discards} == held - {"1c"}
    assert order == sorted(order)
    assert found.suggestion == Discard(found.discards[0].tile)


def test_a_discard_that_leaves_a_wait_tells_what_it_waits_for():
    game = table("tsumo", {0: "123b 456b 789b 123c 99d 45d"}, front="9c", quiet="9c")
    (best,) = [each for each in advice(game, 0).discards if each.shanten == 0 and each.tile == "9c"]
    assert (best.accepted, best.acceptance) == (("3d", "6d"), 8)


def test_between_turns_it_tells_what_brings_the_hand_nearer():
    game = table("tsumo", {1: WAITS_5C}, front="9d", quiet="9d")
    found = advice(game, 1)
    assert (found.shanten, "5c" in found.accepted, found.discards, found.suggestion) == (0, True, (), None)


def test_a_claim_is_judged_by_what_it_leaves():
    game = table("tsumo", {1: "46c", 2: "55c"}, front="5c", quiet="5c")
    game.throw("5c")
    (chow,), (pung,) = advice(game, 1).claims, advice(game, 2).claims
    assert (chow.action, pung.action) == (Claim("chow", ("4c", "6c")), Claim("pung", ("5c", "5c")))
    assert chow.shanten <= advice(game, 1).shanten + 1


def test_a_claim_that_leaves_jokers_alone_is_judged_after_one_is_thrown():
    front = "3b 89c 6b 89c 9b 89c 3d 89c 5d"
    game = table("emay", {1: "12b 45b 78b 12d 7777c 55d 11c"}, front=front, quiet="789c", joker="1c")
    for thrown, held in [("3b", "12b"), ("6b", "45b"), ("9b", "78b"), ("3d", "12d")]:
        game.throw_to(thrown, {1: chow(held)})
        game.throw_to("7c")
        game.idle(2)
    game.throw("5d")
    (pung,) = advice(game, 1).claims
    assert (pung.action, pung.shanten) == (Claim("pung", ("5d", "5d")), 0)
    assert advice(game, 1).suggestion == PASS


def test_a_win_is_what_is_suggested():
    game = table("tsumo", {1: WAITS_5C}, front="5c", quiet="5c")
    game.throw("5c")
    assert advice(game, 1).suggestion == WIN


def test_after_the_round_there_is_nothing_to_advise():
    game = table("tsumo", {1: WAITS_5C}, front="5c", quiet="5c")
    game.throw_to("5c", {1: WIN})
    assert isinstance(game.state.decision, Settlement)
    assert hint(game.state, 1) is None


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("seat", SEATS)
def test_advice_does_not_depend_on_what_the_seat_has_not_seen(name: str, seat: int):
    chance = Random(f"{name} {seat}")
    compared = 0
    for state in random_states(RULES[name], 11 + seat):
        if chance.random() < 0.2:
            assert hint(spread_otherwise(state, seat, chance), seat) == hint(state, seat)
            compared += 1
    assert compared > 40
