"""Jokers in claims, thrown jokers, and the Joker Eye wait (rules 5 and 6)."""

from __future__ import annotations

import pytest

from engine.actions import Claim, Discard, Kong
from tests.engine.flow.hands import EYE_ON_78C
from tests.engine.scenario import PASS, WIN, Table, chow, kang, pung, table

WAITS_5D = "123b 456b 123c 456c 88c 46d"
WAITS_5C = "123b 456b 789b 123d 88d 46c"


def test_c11_a_joker_never_stands_in_a_chow():
    game = table("emay", {1: "4b 5d"}, front="5b", quiet="5b", joker="5d")
    game.throw("5b")
    assert game.offers(1) == []
    assert game.refused(1, Claim("chow", ("4b", "5d"))).code == "claim_not_offered"


@pytest.mark.parametrize(("held", "offered"), [("5b 5d", []), ("55b 5d", [pung("5b")])])
def test_c12_a_joker_never_stands_in_a_pung_or_kang(held: str, offered: list[Claim]):
    game = table("emay", {2: held}, front="5b", quiet="5b", joker="5d")
    game.throw("5b")
    assert game.offers(2) == offered
    assert game.refused(2, Claim("pung", ("5b", "5d"))).code == "claim_not_offered"
    assert game.refused(2, Claim("kong", ("5b", "5b", "5d"))).code == "claim_not_offered"


def test_c13_a_thrown_joker_can_be_melded_by_nobody():
    game = table("emay", {1: "46d", 2: "55d"}, front="5d", quiet="5d", joker="5d")
    game.throw("5d")
    assert [game.offers(seat) for seat in (1, 2, 3)] == [[], [], []]
    assert game.refused(1, chow("46d")).code == "claim_not_offered"
    assert game.refused(2, pung("5d")).code == "claim_not_offered"


def test_c13_three_held_jokers_make_no_kang_of_a_thrown_one():
    game = table("emay", {2: "555d"}, front="5d", quiet="5d", joker="5d")
    game.throw("5d")
    assert game.offers(2) == []
    assert game.refused(2, kang("5d")).code == "claim_not_offered"


def in_joker_eye_wait(**options: object) -> Table:
    game = table("emay", {2: EYE_ON_78C}, front="7c", quiet="7c", options=options)
    game.throw("7c")
    return game


def test_c14_a_joker_eye_wait_is_offered_pung_but_no_win():
    game = in_joker_eye_wait()
    assert game.offers(2) == [pung("7c")]
    assert game.refused(2, WIN).code == "joker_eye_is_draw_only"


@pytest.mark.parametrize("answer", [PASS, pung("7c")])
def test_c14_a_joker_eye_wait_sets_no_lock(answer: Claim):
    game = in_joker_eye_wait()
    game.answers({2: answer})
    assert not game.view(2).locked


def test_a_joker_eye_wait_wins_by_draw_on_any_tile():
    game = table("emay", {1: EYE_ON_78C}, front="9b 9c", quiet="9b")
    game.throw_to("9b")
    assert WIN in game.legal(1)


def test_a_joker_eye_wait_is_known_to_its_seat_alone():
    game = table("emay", {2: EYE_ON_78C}, front="7c", quiet="7c")
    assert [game.view(seat).joker_eye for seat in (0, 1, 2, 3, None)] == [False, False, True, False, False]


def test_with_joker_eye_blocks_discard_off_the_discard_may_be_won():
    game = in_joker_eye_wait(joker_eye_blocks_discard=False)
    assert game.offers(2) == [WIN, pung("7c")]
    game.answers({2: WIN})
    assert game.won().category == "win_by_discard_before_the_fifth"


def test_with_joker_eye_blocks_discard_off_letting_the_win_go_locks():
    game = in_joker_eye_wait(joker_eye_blocks_discard=False)
    game.answers()
    assert game.view(2).locked


def thrown_joker(waiting: str, discarded_joker: str) -> Table:
    options = {"discarded_joker": discarded_joker}
    game = table("emay", {2: waiting}, front="5d", quiet="5d", joker="5d", options=options)
    game.throw("5d")
    return game


@pytest.mark.parametrize(
    ("value", "on_its_face", "elsewhere"),
    [("face_for_win", [WIN], []), ("dead", [], []), ("wild", [WIN], [WIN])],
)
def test_a_thrown_joker_wins_as_discarded_joker_says(value: str, on_its_face: list[object], elsewhere: list[object]):
    assert thrown_joker(WAITS_5D, value).offers(2) == on_its_face
    assert thrown_joker(WAITS_5C, value).offers(2) == elsewhere


def test_a_thrown_joker_that_wins_nothing_is_incomplete():
    assert thrown_joker(WAITS_5D, "dead").refused(2, WIN).code == "incomplete"
    assert thrown_joker(WAITS_5C, "face_for_win").refused(2, WIN).code == "incomplete"


@pytest.mark.parametrize(("waiting", "value"), [(WAITS_5D, "face_for_win"), (WAITS_5D, "wild"), (WAITS_5C, "wild")])
def test_a_win_on_a_thrown_joker_shows_it_in_the_winning_hand(waiting: str, value: str):
    game = thrown_joker(waiting, value)
    game.answers({2: WIN})
    assert game.won().tile == "5d"
    assert sorted(game.won().hands[2]) == sorted(game.view(2).hand)
    assert len(game.won().hands[2]) == 17


def test_letting_a_win_on_a_thrown_joker_go_locks():
    game = thrown_joker(WAITS_5D, "face_for_win")
    game.answers()
    assert game.view(2).locked


def test_a_joker_may_be_discarded():
    game = table("emay", {0: "5d"}, joker="5d")
    assert Discard("5d") in game.legal(0)
    game.throw("5d")
    assert game.pile() == "5d"


@pytest.mark.parametrize("held", ["555b 5d", "5555d"])
def test_a_joker_never_stands_in_a_secret(held: str):
    game = table("emay", {0: held}, front="1c", joker="5d")
    assert [action for action in game.legal(0) if isinstance(action, Kong)] == []
    for tile in ("5b", "5d"):
        assert game.refused(0, Kong("secret", tile)).code in ("kong_not_allowed", "tile_not_held")
