"""The pass lock: what sets it, what it bars, what lifts it (rules 5)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Action
from engine.legal import default_action
from tests.engine.flow.hands import WAITS_5C_WITH_A_PAIR, WAITS_36C
from tests.engine.scenario import PASS, WIN, Table, chow, events_of, kang, pung, table, types

WAITS_58C_WITH_A_TRIPLE = "123b 456b 123d 88d 555c 67c"


def let_go(rules: str = "emay", answer: Action = PASS, front: str = "9b 9b 8b 6c", **options: object) -> Table:
    """Seat 2 waits on 3c and 6c and lets a 3c go; seat 3 takes it and throws a 6c before seat 2 has drawn."""
    game = table(rules, {2: WAITS_36C, 3: "33c 6c"}, front="3c " + front, quiet="6c", joker="1c", options=options)
    game.throw("3c")
    assert WIN in game.offers(2)
    game.answers({2: answer, 3: pung("3c")})
    game.throw("6c")
    return game


def test_c15_a_seat_that_passed_a_win_is_locked_until_it_draws():
    game = let_go()
    assert game.offers(2) == []
    assert game.refused(2, WIN).code == "locked_after_pass"


def play_to_its_draw_and_a_6c(game: Table) -> None:
    game.answers()
    game.idle(3)
    assert game.on_turn == 3
    game.throw("6c")


def test_c16_its_own_draw_lifts_the_lock():
    game = let_go()
    play_to_its_draw_and_a_6c(game)
    assert game.offers(2) == [WIN]


def took_its_own_pung(front: str = "8c", **options: object) -> Table:
    """Seat 2 waits on 5c and 8c, takes a 5c by pung instead of winning, and throws an 8c; seat 3 has drawn."""
    hands = {2: WAITS_5C_WITH_A_PAIR}
    game = table("emay", hands, front="5c " + front, quiet="58c", joker="1c", options=options)
    game.throw("5c")
    assert game.offers(2) == [WIN, pung("5c")]
    game.answers({2: pung("5c")})
    game.throw_to("8c")
    return game


def test_c17_a_seat_that_took_pung_instead_of_its_win_is_locked():
    game = took_its_own_pung()
    game.throw("8c")
    assert game.offers(2) == []
    assert game.refused(2, WIN).code == "locked_after_pass"


def took_kang(back: str, **options: object) -> Table:
    hands = {2: WAITS_58C_WITH_A_TRIPLE}
    game = table("emay", hands, front="5c 8c", back=back, quiet="58c", joker="1c", options=options)
    game.throw("5c")
    assert game.offers(2) == [WIN, kang("5c"), pung("5c")]
    game.answers({2: kang("5c")})
    return game


def test_c18_the_replacement_of_a_kang_lifts_its_lock():
    game = took_kang(back="9b")
    assert [note.locked for note in events_of(game.events, ev.LockChanged)] == [True, False]
    game.throw_to("9b")
    game.throw("8c")
    assert game.offers(2) == [WIN]


def test_c18_a_replacement_that_completes_the_hand_is_a_win_by_draw():
    game = took_kang(back="8c")
    game.do(2, WIN)
    assert (game.won().category, game.won().source) == ("win_by_draw_before_the_fifth", "replacement")


def test_c19_a_seat_that_does_not_answer_is_locked_like_one_that_passed():
    game = table("emay", {2: WAITS_36C, 3: "33c 6c"}, front="3c", joker="1c")
    game.throw("3c")
    game.do(3, pung("3c"))
    for seat in (1, 2):
        silent = default_action(game.state, seat)
        assert silent is not None
        game.do(seat, silent)
    game.throw("6c")
    assert game.offers(2) == []
    assert game.refused(2, WIN).code == "locked_after_pass"


@pytest.mark.parametrize("lock", ["until_draw", "rest_of_round"])
def test_c20_a_locked_seat_may_always_win_by_draw(lock: str):
    game = let_go(front="9b 9b 3c", pass_lock=lock)
    game.answers()
    game.idle(2)
    game.do(2, WIN)
    assert game.won().source == "draw"


def test_c21_passing_a_pung_sets_no_lock():
    game = table("emay", {2: "33c"}, front="3c", quiet="3c")
    game.throw("3c")
    game.answers()
    assert not game.view(2).locked


def test_c54_without_a_lock_a_passed_seat_is_offered_the_next_win():
    game = let_go("tsumo")
    assert game.offers(2) == [WIN]
    assert not game.view(2).locked


def test_c60_a_beaten_meld_claim_locks_like_a_pass():
    game = table("emay", {2: WAITS_36C, 3: "33c 6c"}, front="9b 3c", joker="1c")
    game.throw_to("9b")
    game.throw("3c")
    assert game.offers(2) == [WIN, chow("45c")]
    game.answers({2: chow("45c"), 3: pung("3c")})
    game.throw("6c")
    assert game.offers(2) == []


def test_a_chow_that_was_carried_out_instead_of_the_win_locks():
    game = table("emay", {2: WAITS_36C + " ", 3: "9b"}, front="9b 3c 6c", joker="1c")
    game.throw_to("9b")
    game.throw("3c")
    game.answers({2: chow("45c")})
    assert game.view(2).locked


def test_a_win_declined_on_an_own_draw_sets_no_lock():
    game = table("emay", {1: WAITS_36C}, front="9b 3c 6c", joker="1c")
    game.throw_to("9b")
    assert WIN in game.legal(1)
    game.throw_to("3c")
    game.throw("6c")
    assert game.offers(1) == [WIN]


def test_a_pass_in_the_opening_window_sets_no_lock():
    game = table("emay", {2: "999d"}, opening=True)
    game.answers({2: PASS})
    assert events_of(game.events, ev.LockChanged) == []


def test_a_locked_seat_keeps_its_meld_claims():
    game = took_kang(back="9b", pass_lock="rest_of_round")
    assert game.view(2).locked
    game = took_its_own_pung(front="4b")
    game.throw("4b")
    assert game.view(2).locked
    assert game.offers(2) == []
    game = let_go(front="9b 6c 4c")
    game.answers()
    game.throw_to("9b")
    game.throw("6c")
    assert game.offers(2) == [chow("45c")]


def test_rest_of_round_outlasts_the_own_draw():
    game = let_go(pass_lock="rest_of_round")
    play_to_its_draw_and_a_6c(game)
    assert game.refused(2, WIN).code == "locked_after_pass"


def test_rest_of_round_outlasts_the_replacement_of_a_kang():
    game = took_kang(back="9b", pass_lock="rest_of_round")
    game.throw_to("9b")
    game.throw("8c")
    assert game.refused(2, WIN).code == "locked_after_pass"


def test_off_locks_nobody():
    game = let_go(pass_lock="off")
    assert game.offers(2) == [WIN]


@pytest.mark.parametrize("lock", ["until_draw", "rest_of_round"])
def test_a_deal_lifts_every_lock(lock: str):
    game = let_go(pass_lock=lock)
    game.answers()
    game.play_out()
    if lock == "rest_of_round":
        assert game.view(2).locked
    game.next_round(dealer=0)
    assert not game.view(2).locked


def test_an_answer_that_was_replaced_by_the_win_sets_no_lock():
    game = table("emay", {2: WAITS_36C}, front="3c", joker="1c")
    game.throw("3c")
    for answer in (PASS, WIN):
        game.do(2, answer)
    game.answers({1: PASS, 2: WIN, 3: PASS})
    assert "round_won" in types(game.events)
    assert events_of(game.events, ev.LockChanged) == []


def test_a_win_taken_back_by_passing_locks():
    game = table("emay", {2: WAITS_36C}, front="3c", joker="1c")
    game.throw("3c")
    game.do(2, WIN)
    game.answers({2: PASS})
    assert game.view(2).locked


def test_the_lock_is_known_to_its_seat_alone():
    game = let_go()
    assert [game.view(seat).locked for seat in (0, 1, 2, 3, None)] == [False, False, True, False, False]


def test_a_locked_seat_is_told_first_that_its_hand_is_incomplete():
    game = let_go(front="9b")
    game.answers()
    game.throw("9b")
    assert game.refused(2, WIN).code == "incomplete"
