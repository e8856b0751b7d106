"""Win Now at any moment by any seat, the reasons for refusing it, and a win on an own claim (rules 5)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Claim, Discard, EndGame
from tests.engine.flow.hands import EYE_ON_78C, WAITS_5C, WAITS_36C
from tests.engine.scenario import DRAW, PASS, WIN, Table, both, chow, pung, secret, table

FOUR_PUNGS = "11d 22d 33d 44d 55c 99b"


@both
def test_c22_an_incomplete_hand_cannot_win_on_its_turn(rules: str):
    game = table(rules)
    assert game.refused(0, WIN).code == "incomplete"


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_c22_a_seat_cannot_win_in_the_turn_of_another(rules: str, seat: int):
    game = table(rules, {seat: WAITS_5C})
    assert game.refused(seat, WIN).code == "not_your_turn"


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_c22_an_incomplete_hand_cannot_win_on_a_discard(rules: str, seat: int):
    game = table(rules, front="5c", quiet="5c")
    game.throw("5c")
    assert game.refused(seat, WIN).code == "incomplete"


@both
def test_c22_the_discarder_cannot_win_in_its_own_window(rules: str):
    game = table(rules, {0: WAITS_5C}, front="5c", quiet="5c")
    game.throw("5c")
    assert game.refused(0, WIN).code == "not_your_turn"


@pytest.mark.parametrize("seat", range(4))
def test_c22_a_seat_without_three_jokers_cannot_win_in_the_opening_window(seat: int):
    game = table("emay", {2: "99d"}, opening=True)
    assert game.refused(seat, WIN).code == "incomplete"


@both
def test_c22_nobody_can_win_in_a_settlement(rules: str):
    game = table(rules, {2: WAITS_5C}, front="5c", quiet="5c")
    game.throw_to("5c", {2: WIN})
    assert [game.refused(seat, WIN).code for seat in range(4)] == ["not_your_turn"] * 4


@both
def test_c22_nobody_can_win_after_the_game(rules: str):
    game = table(rules, {2: WAITS_5C})
    game.do(None, EndGame("now"))
    assert game.refused(2, WIN).code == "not_your_turn"


@both
def test_c22_after_a_refusal_the_game_goes_on(rules: str):
    game = table(rules, {1: "46c"}, front="5c", quiet="5c")
    game.throw("5c")
    assert game.refused(1, WIN).legal == (chow("46c"), PASS)
    game.answers({1: chow("46c")})
    assert game.on_turn == 1


@both
def test_a_refused_win_is_no_pass(rules: str):
    game = table(rules, {1: "46c"}, front="5c", quiet="5c")
    game.throw("5c")
    game.refused(1, WIN)
    assert game.view(1).decision.your_answer is None


def test_before_its_draw_a_seat_has_no_tile_to_win_with():
    game = table("tsumo", {1: WAITS_5C}, front="9d")
    game.throw("9d")
    game.answers()
    assert game.legal(1) == (DRAW,)
    assert game.refused(1, WIN).code == "no_tile"


@both
def test_a_win_by_draw_is_shown_with_its_tile(rules: str):
    game = table(rules, {1: WAITS_5C}, front="9c 5c", joker="1c")
    game.throw_to("9c")
    game.do(1, WIN)
    won = game.won()
    assert (won.seat, won.source, won.tile, won.discarder) == (1, "draw", "5c", None)


@both
def test_a_win_on_a_discard_names_its_tile_and_discarder(rules: str):
    game = table(rules, {3: WAITS_5C}, front="9c 5c", joker="1c")
    game.throw_to("9c")
    game.throw_to("5c", {3: WIN})
    won = game.won()
    assert (won.seat, won.source, won.tile, won.discarder) == (3, "discard", "5c", 1)


@both
def test_the_winning_discard_leaves_the_pile_for_the_hand(rules: str):
    game = table(rules, {3: WAITS_5C}, front="9c 5c", joker="1c")
    game.throw_to("9c")
    game.throw_to("5c", {3: WIN})
    assert game.pile() == "9c"
    assert (game.view(3).drawn, len(game.view(3).hand)) == ("5c", 17)


# After an own chow or pung


def with_four_melds(rules: str, **options: object) -> Table:
    """Seat 2 has claimed four pungs, holds 55c 99b, and seat 1 throws a 5c."""
    hands = {2: FOUR_PUNGS + " 7b 1c 9c 7d"}
    game = table(rules, hands, front="1d 2d 3d 4d 5c", options=options, joker="1b", quiet="1234d 5c")
    for number, junk in enumerate(("7b", "1c", "9c", "7d"), 1):
        game.throw_to(f"{number}d", {2: pung(f"{number}d")})
        game.throw_to(junk)
    game.throw("5c")
    return game


@both
def test_c23_a_hand_completed_by_its_own_pung_has_no_tile_to_win_with(rules: str):
    game = with_four_melds(rules)
    assert game.offers(2) == [WIN, pung("5c")]
    game.answers({2: pung("5c")})
    assert game.refused(2, WIN).code == "no_tile"
    assert game.legal(2) == (Discard("9b"),)


def test_c23_a_hand_completed_by_its_own_chow_has_no_tile_to_win_with():
    game = table("tsumo", {1: WAITS_5C}, front="5c", quiet="5c")
    game.throw_to("5c", {1: chow("46c")})
    assert game.refused(1, WIN).code == "no_tile"


@both
def test_as_discard_win_lets_an_own_claim_win_at_the_price_of_a_discard(rules: str):
    options = {"win_after_own_claim": "as_discard_win"}
    by_claim = with_four_melds(rules, **options)
    by_claim.answers({2: pung("5c")})
    assert by_claim.legal(2)[0] == WIN
    by_claim.do(2, WIN)
    at_once = with_four_melds(rules, **options)
    at_once.answers({2: WIN})
    left, right = by_claim.won(), at_once.won()
    assert (left.source, left.tile, left.discarder) == ("discard", "5c", 3)
    assert (left.category, left.bonuses, left.multiplier) == (right.category, right.bonuses, right.multiplier)
    assert settled(by_claim) == settled(at_once)


def settled(game: Table) -> tuple[ev.Four, int]:
    settlement = game.view(0).settlement
    assert settlement is not None
    return settlement.pending.changes, settlement.pending.pot_after


def after_own_chow(hand: str, tile: str, claim: Claim, **options: object) -> Table:
    options |= {"win_after_own_claim": "as_discard_win"}
    game = table("emay", {1: hand}, front=tile + " 9b 9b 8b 6c", quiet=tile, options=options)
    game.throw(tile)
    game.answers({1: claim})
    return game


def test_as_discard_win_still_needs_a_complete_hand():
    game = after_own_chow("46c", "5c", chow("46c"))
    assert game.refused(1, WIN).code == "incomplete"


def test_as_discard_win_does_not_help_a_joker_eye_wait():
    game = after_own_chow(EYE_ON_78C, "7c", pung("7c"))
    assert game.refused(1, WIN).code == "joker_eye_is_draw_only"


def test_as_discard_win_does_not_help_a_locked_seat():
    options = {"win_after_own_claim": "as_discard_win", "pass_lock": "rest_of_round"}
    game = table("emay", {1: WAITS_36C}, front="3c 9b 9b 8b 6c", options=options, joker="1c")
    game.throw_to("3c")
    game.idle(3)
    game.throw("6c")
    assert game.offers(1) == [chow("45c")]
    game.answers({1: chow("45c")})
    assert game.refused(1, WIN).code == "locked_after_pass"


def test_as_discard_win_locks_with_the_next_discard():
    game = after_own_chow(WAITS_36C, "3c", chow("45c"))
    assert WIN in game.legal(1)
    assert not game.view(1).locked
    game.throw("8d")
    assert game.view(1).locked


@pytest.mark.parametrize("lock", ["until_draw", "off"])
def test_as_discard_win_keeps_to_the_value_of_the_lock(lock: str):
    game = after_own_chow(WAITS_36C, "3c", chow("45c"), pass_lock=lock)
    game.throw("8d")
    assert game.view(1).locked == (lock != "off")


def test_as_discard_win_locks_with_a_secret_that_lets_the_win_go():
    options = {"win_after_own_claim": "as_discard_win", "pass_lock": "rest_of_round", "kong_after_meld_claim": True}
    game = table("emay", {1: "123b 1111d 23d 456d 88d 45c"}, front="3c", options=options, joker="1c")
    game.throw_to("3c", {1: chow("45c")})
    assert game.legal(1)[:2] == (WIN, secret("1d"))
    game.do(1, secret("1d"))
    assert game.view(1).locked


# The first reason that applies


def test_no_tile_comes_before_incomplete():
    game = table("tsumo", front="9d")
    game.throw("9d")
    game.answers()
    assert game.refused(1, WIN).code == "no_tile"


def test_joker_eye_comes_before_the_lock():
    """Seat 2 lets a 3c go, draws the next one and a joker, and throws its pair: five sets and a joker, still locked."""
    options = {"pass_lock": "rest_of_round"}
    game = table("emay", {2: WAITS_36C}, front="3c 9b 3c 9b 9b 8b 9d 6c", options=options)
    game.throw_to("3c")
    game.idle()
    game.throw_to("8d")
    game.idle(3)
    game.throw_to("8d")
    game.throw("6c")
    assert game.view(2).locked
    assert game.refused(2, WIN).code == "joker_eye_is_draw_only"
