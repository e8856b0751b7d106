"""The end of the wall: the last tile, claims and kongs on an empty one, chains that run out (rules 2 and 5)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Kong
from engine.state import Turn
from tests.engine.flow.hands import ALSO_WAITS_5C, WAITS_5C
from tests.engine.scenario import PASS, WIN, Table, both, chow, events_of, kang, pung, secret, table, types

LAST_SEAT = 3
"""Whose turn the last tile of an idle round is, when seat 0 deals."""


def at_the_last_tile(rules: str, hands: dict[int, str], end: str, wall: int = 0, **options: object) -> Table:
    """Idle turns until so many tiles are left, the last drawn being `end`; 5c only where a hand or `end` says so."""
    game = table(rules, hands, end=end, quiet="5c", joker="1c", options=options)
    game.idle_until(wall=wall)
    return game


@both
def test_c24_on_an_empty_wall_only_a_win_may_be_claimed(rules: str):
    hands = {0: "46c", 1: "55c", 2: WAITS_5C}
    game = at_the_last_tile(rules, hands, "5c")
    assert game.on_turn == LAST_SEAT
    game.throw("5c")
    assert [game.offers(seat) for seat in (0, 1, 2)] == [[], [], [WIN]]
    assert game.legal(0) == (PASS,)
    for seat, claim in ((0, chow("46c")), (1, pung("5c"))):
        assert game.refused(seat, claim).code == "claim_not_offered"


@both
def test_c24_when_it_is_passed_the_round_is_drawn(rules: str):
    game = at_the_last_tile(rules, {2: WAITS_5C}, "5c")
    caused = game.throw_to("5c")
    assert types(caused)[2:] == ["window_closed", "round_drawn", "points_pending"]


@both
def test_c24_the_last_discard_may_be_won(rules: str):
    game = at_the_last_tile(rules, {2: WAITS_5C}, "5c")
    game.throw_to("5c", {2: WIN})
    assert game.won().seat == 2


@both
def test_c25_no_secret_on_an_empty_wall(rules: str):
    game = at_the_last_tile(rules, {LAST_SEAT: "9999b"}, "5c")
    assert [action for action in game.legal(LAST_SEAT) if isinstance(action, Kong)] == []
    assert game.refused(LAST_SEAT, secret("9b")).code == "kong_not_allowed"


@both
def test_c26_with_one_tile_left_a_second_secret_is_refused(rules: str):
    game = at_the_last_tile(rules, {2: "8888b 9999b"}, "5c 5d", wall=1)
    assert game.on_turn == 2
    game.do(2, secret("8b"))
    assert game.state.round.wall_count == 0
    assert game.refused(2, secret("9b")).code == "kong_not_allowed"


@both
def test_the_last_tile_can_be_drawn_and_won_on(rules: str):
    game = at_the_last_tile(rules, {LAST_SEAT: WAITS_5C}, "5c")
    game.do(LAST_SEAT, WIN)
    won = game.won()
    assert (won.seat, won.source) == (LAST_SEAT, "draw")
    assert ("last_tile" in won.bonuses) == (rules == "tsumo")


@both
def test_the_last_tile_may_be_a_replacement(rules: str):
    game = at_the_last_tile(rules, {2: "9999b 456b 123d 456d 88d 4c"}, "6c 5c", wall=1)
    game.do(2, secret("9b"))
    game.do(2, WIN)
    won = game.won()
    assert (won.seat, won.source) == (2, "replacement")
    assert ("last_tile" in won.bonuses) == (rules == "tsumo")


@both
@pytest.mark.parametrize("auto_draw", [True, False])
def test_a_turn_that_opens_on_an_empty_wall_is_an_exhaustive_draw_at_once(rules: str, auto_draw: bool):
    game = at_the_last_tile(rules, {}, "9b", auto_draw=auto_draw)
    caused = game.throw_to("9b")
    assert types(caused)[-2:] == ["round_drawn", "points_pending"]
    assert not isinstance(game.state.decision, Turn)


@both
def test_an_exhaustive_draw_moves_no_points(rules: str):
    game = at_the_last_tile(rules, {}, "9b")
    game.throw_to("9b")
    [pending] = events_of(game.events, ev.PointsPending)
    assert (pending.changes, pending.game, pending.multiplier) == ((0, 0, 0, 0), 0, 0)


@both
def test_meld_on_empty_wall_allows_chow_and_pung_but_no_kang(rules: str):
    game = at_the_last_tile(rules, {0: "46c", 1: "555c"}, "5c", meld_on_empty_wall=True)
    game.throw("5c")
    assert [game.offers(seat) for seat in (0, 1)] == [[chow("46c")], [pung("5c")]]
    game.answers({1: pung("5c")})
    assert game.on_turn == 1
    caused = game.throw_to("5c")
    assert types(caused)[-2:] == ["round_drawn", "points_pending"]


@both
def test_kong_needs_wall_tile_alone_allows_no_kang_on_an_empty_wall(rules: str):
    game = at_the_last_tile(rules, {1: "555c"}, "5c", kong_needs_wall_tile=False)
    game.throw("5c")
    assert game.offers(1) == []


@both
def test_a_kang_without_a_replacement_ends_the_round(rules: str):
    options = {"kong_needs_wall_tile": False, "meld_on_empty_wall": True, "kang_side_unit": 2}
    game = at_the_last_tile(rules, {1: "555c"}, "5c", **options)
    game.throw("5c")
    assert game.offers(1) == [kang("5c"), pung("5c")]
    caused = game.answers({1: kang("5c")})
    assert types(caused) == ["window_closed", "meld_made", "round_drawn", "points_pending"]
    [pending] = events_of(caused, ev.PointsPending)
    assert pending.side_payments == (-2, 6, -2, -2)


@both
def test_a_secret_without_a_replacement_ends_the_round(rules: str):
    options = {"kong_needs_wall_tile": False, "secret_side_unit": 1}
    game = at_the_last_tile(rules, {LAST_SEAT: "9999b"}, "5c", **options)
    caused = game.do(LAST_SEAT, secret("9b"))
    assert types(caused) == ["meld_made", "round_drawn", "points_pending"]
    [pending] = events_of(caused, ev.PointsPending)
    assert pending.side_payments == (-1, -1, -1, 3)


@both
def test_two_seats_that_can_win_on_the_last_discard_are_head_bumped(rules: str):
    game = at_the_last_tile(rules, {0: WAITS_5C, 2: ALSO_WAITS_5C}, "5c")
    game.throw_to("5c", {2: WIN, 0: WIN})
    assert game.won().seat == 0


# Flowers


def test_a_flower_as_the_last_tile_of_the_wall_ends_the_round():
    game = table("tsumo", end="5d 1f")
    game.idle_until(wall=1)
    game.throw("5d")
    game.answers()
    seat = game.on_turn
    game.draw_if_due()
    assert types(game.events)[-4:] == ["tile_drawn", "flower_exposed", "round_drawn", "points_pending"]
    assert game.view(None).seats[seat].flowers[-1] == "1f"
    assert game.view(None).seats[seat].concealed == 16


def test_a_chain_that_runs_out_after_a_kong_leaves_the_kong_and_its_payment():
    game = table("tsumo", {3: "9999b"}, end="5d 1f")
    game.idle_until(wall=1, seat=3)
    caused = game.do(3, secret("9b"))
    assert types(caused) == ["meld_made", "tile_drawn", "flower_exposed", "round_drawn", "points_pending"]
    [pending] = events_of(caused, ev.PointsPending)
    assert (pending.side_payments, pending.changes) == ((-1, -1, -1, 3), (0, 0, 0, 0))
    [meld] = game.view(3).seats[3].melds
    assert meld.kind == "secret"
