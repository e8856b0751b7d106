"""Robbing a Sagasa, where `rob_added_kong` is on (rules 5)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Claim
from engine.state import Turn
from tests.engine.flow.hands import ALSO_WAITS_5C, EYE_ON_78C, WAITS_5C
from tests.engine.scenario import (
    DRAW,
    PASS,
    WIN,
    Table,
    both,
    chow,
    events_of,
    every_order,
    pung,
    sagasa,
    secret,
    table,
    types,
)

ROBBING: dict[str, object] = {"added_kong": True, "rob_added_kong": True, "sagasa_side_unit": 3}


def before_the_sagasa(
    rules: str, hands: dict[int, str] | None = None, front: str = "5c 1d 1d 8b 5c", **options: object
) -> Table:
    """Seat 1 has an exposed pung of 5c and has drawn the fourth."""
    given = {1: "55c 9b"} | (hands or {})
    game = table(rules, given, front=front, back="7d", quiet="5c", joker="1c", options=ROBBING | options)
    game.throw_to("5c", {1: pung("5c")})
    game.throw_to("9b")
    game.idle(3)
    game.draw_if_due()
    assert game.on_turn == 1
    return game


def sagasa_declared(rules: str, hands: dict[int, str] | None = None) -> Table:
    game = before_the_sagasa(rules, hands)
    game.do(1, sagasa("5c"))
    return game


@both
def test_c30_the_sagasa_is_robbed(rules: str):
    game = before_the_sagasa(rules, {3: WAITS_5C})
    wall = game.state.round.wall_count
    game.do(1, sagasa("5c"))
    caused = game.answers({3: WIN})
    assert types(caused) == ["window_closed", "round_won", "points_pending"]
    won = game.won()
    assert (won.seat, won.source, won.tile, won.discarder) == (3, "discard", "5c", 1)
    [meld] = game.view(0).seats[1].melds
    assert (meld.kind, meld.tiles) == ("pung", ("5c",) * 3)
    assert game.state.round.wall_count == wall


@both
def test_c30_the_robbed_seat_pays_as_discarder_and_nothing_for_the_kong(rules: str):
    game = sagasa_declared(rules, {3: WAITS_5C})
    game.answers({3: WIN})
    [pending] = events_of(game.events, ev.PointsPending)
    lost = [-change for change in pending.changes]
    assert lost[1] == 2 * lost[0] == 2 * lost[2] > 0
    assert pending.side_payments == (0, 0, 0, 0)


@both
def test_c30_the_robbed_tile_leaves_the_hand_of_its_owner(rules: str):
    game = sagasa_declared(rules, {3: WAITS_5C})
    game.answers({3: WIN})
    assert [seat.concealed for seat in game.view(None).seats] == [16, 13, 16, 17]
    assert game.holds(1, "5c") == 0
    assert game.view(1).drawn is None
    assert game.holds(3, "5c") == 1


@both
def test_c30_the_robbed_tile_is_shown_once(rules: str):
    game = sagasa_declared(rules, {3: WAITS_5C})
    game.answers({3: WIN})
    shown = game.won().hands
    assert [len(hand) for hand in shown] == [16, 13, 16, 17]
    assert [hand.count("5c") for hand in shown] == [0, 0, 0, 1]


@both
def test_a_rob_window_asks_the_three_others_whatever_they_hold(rules: str):
    game = before_the_sagasa(rules)
    number = game.state.decision.no
    caused = game.do(1, sagasa("5c"))
    assert caused == (ev.WindowOpened("rob", number + 1, "5c", 1),)
    assert [game.legal(seat) for seat in range(4)] == [(PASS,), (), (PASS,), (PASS,)]
    assert game.view(0).decision.who == (2, 3, 0)


@both
def test_nothing_changes_before_the_rob_window_closes(rules: str):
    game = before_the_sagasa(rules)
    before = game.view(1)
    game.do(1, sagasa("5c"))
    after = game.view(1)
    assert (after.hand, after.seats, after.wall_count, after.pile) == (
        before.hand,
        before.seats,
        before.wall_count,
        before.pile,
    )


@both
def test_when_nobody_robs_the_sagasa_is_laid_replaced_and_paid(rules: str):
    game = sagasa_declared(rules, {3: WAITS_5C})
    caused = game.answers()
    assert types(caused) == ["window_closed", "meld_made", "tile_drawn"]
    [meld] = events_of(caused, ev.MeldMade)
    assert (meld.seat, meld.kind, meld.payments) == (1, "sagasa", (-3, 9, -3, -3))
    assert game.view(1).drawn == "7d"
    assert isinstance(game.state.decision, Turn)
    assert game.on_turn == 1


@both
@pytest.mark.parametrize("claim", [pung("5c"), chow("46c")])
def test_only_a_win_may_take_the_tile_of_a_sagasa(rules: str, claim: Claim):
    game = sagasa_declared(rules, {2: "46c"})
    assert game.offers(2) == []
    assert game.refused(2, claim).code == "claim_not_offered"


@both
def test_its_owner_is_not_asked(rules: str):
    game = sagasa_declared(rules)
    refused = game.refused(1, WIN)
    assert (refused.code, "5c that you added to your pung" in refused.detail) == ("not_your_turn", True)
    assert game.refused(1, PASS).code == "nothing_to_pass"


@both
def test_the_others_are_told_that_they_may_rob_it_or_pass(rules: str):
    game = sagasa_declared(rules, {3: WAITS_5C})
    detail = "You are asked about the 5c that seat 1 added to its pung: win with it, or pass."
    assert [game.refused(seat, DRAW).detail for seat in (0, 2, 3)] == [detail] * 3


@both
@every_order
def test_of_two_robbers_the_one_reached_first_wins(rules: str, order: tuple[int, ...]):
    game = sagasa_declared(rules, {3: WAITS_5C, 0: ALSO_WAITS_5C})
    game.answers({2: PASS, 3: WIN, 0: WIN}, [(1 + step) % 4 for step in order])
    assert game.won().seat == 3


def test_a_seat_that_lets_a_sagasa_go_is_locked():
    game = sagasa_declared("emay", {3: WAITS_5C})
    game.answers()
    assert game.view(3).locked


def test_a_locked_seat_cannot_rob():
    """Seat 3 waits on 5c and 8c and lets an 8c go."""
    hands = {3: "123b 456b 123d 456d 88d 67c", 0: "8c"}
    game = before_the_sagasa("emay", hands, pass_lock="rest_of_round", front="5c 1d 1d 8c 5c")
    assert game.view(3).locked
    game.do(1, sagasa("5c"))
    assert game.offers(3) == []
    assert game.refused(3, WIN).code == "locked_after_pass"


def test_a_joker_eye_wait_cannot_rob():
    eye = EYE_ON_78C.replace("9d", "1c").replace("678c 678c", "678d 678d")
    game = sagasa_declared("emay", {3: eye})
    assert game.offers(3) == []
    assert game.refused(3, WIN).code == "joker_eye_is_draw_only"
    game.answers()
    assert not game.view(3).locked


@both
def test_the_tile_of_a_sagasa_was_never_in_the_pile(rules: str):
    """Four tiles are in the pile; were the robbed one a fifth, this would not be Before the Fifth."""
    game = sagasa_declared(rules, {3: WAITS_5C})
    assert len(game.view(0).pile) == 4
    game.answers({3: WIN})
    assert len(game.view(0).pile) == 4
    if rules == "emay":
        assert game.won().category == "win_by_discard_before_the_fifth"


@both
def test_a_secret_is_never_robbed(rules: str):
    game = table(rules, {0: "5555c", 2: WAITS_5C.replace("46c", "46d")}, options=ROBBING, joker="1c")
    assert types(game.do(0, secret("5c"))) == ["meld_made", "tile_drawn"]


@both
def test_without_rob_added_kong_no_window_opens(rules: str):
    game = before_the_sagasa(rules, {3: WAITS_5C}, rob_added_kong=False)
    assert types(game.do(1, sagasa("5c"))) == ["meld_made", "tile_drawn"]


def test_a_sagasa_right_after_the_own_pung_may_be_robbed_too():
    options = ROBBING | {"kong_after_meld_claim": True}
    hands = {1: "555c", 3: WAITS_5C}
    game = table("tsumo", hands, front="5c", quiet="5c", options=options)
    game.throw("5c")
    game.answers({1: pung("5c")})
    game.do(1, sagasa("5c"))
    game.answers({3: WIN})
    assert (game.won().seat, game.won().discarder) == (3, 1)
    assert game.holds(1, "5c") == 0
