"""Triple Joker, the opening window and Bisaklat (rules 7)."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine import events as ev
from engine.actions import Discard, Pass, Win
from engine.state import OpeningWindow, Turn
from tests.engine.scenario import (
    FAST,
    ONE_PERSON,
    PASS,
    WIN,
    Table,
    chow,
    events_of,
    secret,
    table,
    types,
)

TRIPLE = "bisaklat_triple_joker"
COMPLETE = "123b 456b 123c 456c 88c 46d"
"""Complete with a 5d."""


def opening(hands: dict[int, str], **wanted: object) -> Table:
    return table("emay", hands, opening=True, **wanted)  # type: ignore[arg-type]


def test_c39_three_dealt_jokers_are_offered_a_win_before_east_draws():
    game = opening({2: "999d"})
    assert isinstance(game.state.decision, OpeningWindow)
    assert [game.legal(seat) for seat in range(4)] == [(PASS,), (PASS,), (WIN, PASS), (PASS,)]
    caused = game.answers({2: WIN})
    assert types(caused) == ["window_closed", "round_won", "points_pending"]
    assert caused[4] == ev.WindowClosed("win", 2)


def test_c39_a_silent_seat_may_still_win_until_easts_first_discard():
    game = opening({2: "999d"})
    game.answers()
    assert game.on_turn == 0
    assert game.legal(2) == (WIN,)
    game.do(2, WIN)
    assert game.won().category == TRIPLE


def test_c39_after_easts_first_discard_it_is_gone():
    game = opening({2: "999d"}, front="5c", quiet="5c")
    game.answers()
    game.throw("5c")
    assert game.legal(2) == (PASS,)
    assert game.refused(2, WIN).code == "incomplete"
    game.answers()
    assert game.legal(2) == ()
    assert game.refused(2, WIN).code == "not_your_turn"


def test_c57_a_third_joker_as_replacement_of_the_dealers_secret_wins():
    game = table("emay", {0: "9999b 99d"}, back="9d")
    game.do(0, secret("9b"))
    assert game.legal(0)[0] == WIN
    game.do(0, WIN)
    assert_triple_joker(game, 0)


def test_c58_the_same_with_a_complete_hand_is_triple_joker_too():
    game = table("emay", {0: "9999b 99d 123c 456c 78c 88d"}, front="1d", back="9d")
    game.do(0, secret("9b"))
    game.do(0, WIN)
    assert_triple_joker(game, 0)


def test_c58_a_third_joker_before_the_secret_is_triple_joker_too():
    game = table("emay", {0: "9999b 999d 123c 456c 78c"}, front="8d", back="8d")
    game.do(0, secret("9b"))
    game.do(0, WIN)
    assert_triple_joker(game, 0)


def assert_triple_joker(game: Table, seat: int) -> None:
    won = game.won()
    assert (won.seat, won.source, won.category, won.tile, won.reading, won.discarder) == (
        seat,
        "opening",
        TRIPLE,
        None,
        None,
        None,
    )


def test_c63_a_silent_seat_may_declare_while_the_dealer_holds():
    game = opening({2: "999d"})
    game.answers()
    assert game.state.decision == Turn(2, 0, "act")
    game.do(2, WIN)
    assert_triple_joker(game, 2)


def test_it_needs_no_winning_tile_and_is_paid_like_a_draw():
    game = opening({2: "999d"})
    game.answers({2: WIN})
    assert_triple_joker(game, 2)
    assert len(game.won().hands[2]) == 16
    [pending] = events_of(game.events, ev.PointsPending)
    assert (pending.changes, pending.pot_before, pending.pot_after) == ((-100, -100, 320, -100), 20, 0)


def test_four_jokers_are_three_or_more():
    game = opening({1: "9999d"})
    game.answers({1: WIN})
    assert_triple_joker(game, 1)


def test_the_dealer_may_win_on_three_jokers_with_its_first_draw():
    game = table("emay", {0: "99d"}, front="9d")
    assert game.legal(0)[0] == WIN
    game.do(0, WIN)
    assert_triple_joker(game, 0)


@pytest.mark.parametrize("hands", [{}, {2: "999d"}, {0: "9999d"}])
def test_the_opening_window_looks_the_same_whoever_holds_jokers(hands: dict[int, str]):
    game = opening(hands)
    assert game.events[-1] == ev.WindowOpened("opening", 1, None, None)
    assert game.view(None).decision.who == (0, 1, 2, 3)
    caused = game.answers()
    assert types(caused) == ["window_closed", "tile_drawn"]


@pytest.mark.parametrize("order", list(permutations(range(4)))[::5])
def test_at_a_uniform_table_it_closes_when_all_four_have_answered(order: tuple[int, ...]):
    game = opening({2: "999d"})
    for seat in order[:3]:
        assert types(game.do(seat, WIN if seat == 2 else PASS)) == []
    assert types(game.do(order[3], WIN if order[3] == 2 else PASS))[:2] == ["window_closed", "round_won"]


def test_at_a_fast_table_it_closes_at_once_when_nobody_has_three_jokers():
    game = opening({2: "99d"}, timing=FAST, players=ONE_PERSON)
    assert types(game.events) == ["round_dealt", "joker_named", "window_opened", "window_closed", "tile_drawn"]
    assert game.state.decision == Turn(2, 0, "act")


def test_at_a_fast_table_it_waits_for_the_seat_with_three_jokers_alone():
    game = opening({2: "999d"}, timing=FAST)
    assert types(game.do(2, PASS)) == ["window_closed", "tile_drawn"]


def test_an_answer_may_be_replaced_in_the_opening_window():
    game = opening({2: "999d"})
    game.do(2, PASS)
    game.do(2, WIN)
    assert game.view(2).decision.your_answer == Win()
    game.answers({2: PASS})
    assert game.on_turn == 0
    assert game.legal(2) == (WIN,)


def test_only_winning_or_passing_is_asked():
    game = opening({1: "46c"})
    assert game.refused(1, chow("46c")).code == "claim_not_offered"
    assert game.refused(0, Discard("9d")).code == "not_your_turn"


def test_without_auto_draw_it_stays_winnable_before_and_after_the_draw():
    game = table("emay", {0: "999d", 2: ""}, opening=True, options={"auto_draw": False})
    game.answers()
    assert game.state.decision == Turn(2, 0, "draw")
    assert [type(action).__name__ for action in game.legal(0)] == ["Win", "Draw"]
    game.do(0, WIN)
    assert_triple_joker(game, 0)


@pytest.mark.parametrize("options", [{"bisaklat": False}, {"joker_mode": "none"}])
def test_without_bisaklat_or_jokers_there_is_no_opening_window(options: dict[str, object]):
    game = opening({2: "999d"}, options=options)
    assert events_of(game.events, ev.WindowOpened) == []
    assert game.refused(2, WIN).code == "not_your_turn"


def test_every_deal_opens_the_window():
    game = table("emay")
    game.play_out()
    game.next_round({1: "999d"}, dealer=0)
    assert isinstance(game.state.decision, OpeningWindow)
    assert game.legal(1) == (WIN, PASS)


def test_a_claim_by_others_needs_the_window_not_three_jokers():
    game = opening({2: "999d"})
    game.answers()
    assert game.refused(2, Pass()).code == "nothing_to_pass"


# Bisaklat by pattern: the dealer's first wall draw


@pytest.mark.parametrize(
    ("hand", "tile", "category"),
    [
        (COMPLETE, "5d", "bisaklat_regular"),
        ("123b 456b 789b 123c 88c 46d", "5d", "bisaklat_eskalera"),
        ("1133b 5577c 224466d 88d", "8d", "bisaklat_seven_pairs"),
    ],
)
def test_the_dealer_wins_on_its_first_draw_by_its_pattern(hand: str, tile: str, category: str):
    game = table("emay", {0: hand}, front=tile, joker="2c")
    game.do(0, WIN)
    assert game.won().category == category


def test_the_dealer_with_three_jokers_and_a_complete_hand_takes_the_patterns_name():
    game = table("emay", {0: "123b 345b 567c 345c 8c 999d"}, front="8c")
    game.do(0, WIN)
    won = game.won()
    assert (won.category, won.source, won.tile) == ("bisaklat_regular", "draw", "8c")


def test_a_secret_before_the_first_discard_ends_the_patterns():
    game = table("emay", {0: "9999b 456b 123d 456d 88d 4c"}, front="6c", back="5c", joker="1c")
    game.do(0, secret("9b"))
    game.do(0, WIN)
    assert game.won().category == "win_by_draw_before_the_fifth"


def test_without_bisaklat_the_first_draw_is_a_plain_one():
    game = table("emay", {0: COMPLETE}, front="5d", options={"bisaklat": False})
    game.do(0, WIN)
    assert game.won().category == "win_by_draw_before_the_fifth"


def test_a_win_on_the_dealers_first_discard_is_a_win_by_discard():
    game = table("emay", {1: COMPLETE}, front="5d")
    game.throw_to("5d", {1: WIN})
    assert game.won().category == "win_by_discard_before_the_fifth"


def test_another_seats_first_draw_is_a_plain_one():
    game = table("emay", {1: COMPLETE}, front="9b 5d")
    game.throw_to("9b")
    game.do(1, WIN)
    assert game.won().category == "win_by_draw_before_the_fifth"


def test_the_dealers_second_draw_is_a_plain_one():
    game = table("emay", {0: COMPLETE}, front="9b 9b 9b 8b 5d")
    game.idle(4)
    game.do(0, WIN)
    assert game.won().category == "win_by_draw_before_the_fifth"
