"""Kang, Secret and Sagasa: when each is allowed, what it draws, what it pays (rules 2, 5 and 9)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Action, Discard, Kong
from engine.state import ZERO
from tests.engine.scenario import WIN, Table, both, chow, events_of, kang, pung, sagasa, secret, table, types

PUNG_OF_5C = {2: "55c 9b"}


def kongs(game: Table, seat: int) -> list[Action]:
    return [action for action in game.legal(seat) if isinstance(action, Kong)]


def with_an_exposed_pung(rules: str, front: str = "5c 1d 1d 8b 5c", **options: object) -> Table:
    """Seat 2 has an exposed 555c; it is its turn again, with the tile drawn that `front` names last."""
    game = table(rules, PUNG_OF_5C, front=front, back="7d", quiet="5c 9b", joker="1c", options=options)
    game.throw_to("5c", {2: pung("5c")})
    game.throw_to("9b")
    game.idle(3)
    game.draw_if_due()
    assert game.on_turn == 2
    return game


def test_c27_sagasa_is_offered_when_the_fourth_is_drawn():
    game = with_an_exposed_pung("tsumo")
    wall = game.state.round.wall_count
    assert kongs(game, 2) == [sagasa("5c")]
    caused = game.do(2, sagasa("5c"))
    assert caused[:2] == (
        ev.MeldMade(2, "sagasa", ("5c",) * 4, None, ZERO),
        ev.TileDrawn(2, "7d", "back", wall - 1),
    )
    assert game.on_turn == 2


def test_c27_sagasa_keeps_whom_the_pung_was_claimed_from():
    game = with_an_exposed_pung("tsumo")
    game.do(2, sagasa("5c"))
    [meld] = game.view(0).seats[2].melds
    assert (meld.kind, meld.tiles, meld.claimed, meld.claimed_from) == ("sagasa", ("5c",) * 4, "5c", 0)


def test_c29_melds_are_permanent_in_emay():
    game = with_an_exposed_pung("emay")
    assert kongs(game, 2) == []
    assert game.refused(2, sagasa("5c")).code == "kong_not_allowed"
    assert game.holds(2, "5c") == 1
    assert Discard("5c") in game.legal(2)


def test_added_kong_may_be_switched_on_and_off():
    assert kongs(with_an_exposed_pung("emay", added_kong=True), 2) == [sagasa("5c")]
    assert kongs(with_an_exposed_pung("tsumo", added_kong=False), 2) == []


def test_the_fourth_tile_may_have_been_held_for_long():
    game = table("tsumo", {2: "555c 9b"}, front="5c 1d 1d 8b 1d", quiet="5c 9b")
    game.throw_to("5c", {2: pung("5c")})
    assert game.refused(2, sagasa("5c")).code == "kong_not_allowed"
    game.throw_to("9b")
    game.idle(3)
    game.draw_if_due()
    assert kongs(game, 2) == [sagasa("5c")]


def test_a_chow_is_no_pung_to_add_to():
    game = table("tsumo", {1: "46c 5c 9b"}, front="5c 1d 1d 8b 1d", quiet="5c 9b")
    game.throw_to("5c", {1: chow("46c")})
    game.throw_to("9b")
    game.idle(3)
    game.draw_if_due()
    assert kongs(game, 1) == []
    assert game.refused(1, sagasa("5c")).code == "kong_not_allowed"


def test_c31_a_secret_is_paid_at_once_and_kept_when_the_round_is_drawn():
    game = table("tsumo", {2: "9999b"}, points=(100, 100, 100, 100))
    game.idle(2)
    game.draw_if_due()
    game.do(2, secret("9b"))
    assert [seat.points for seat in game.view(0).seats] == [99, 99, 103, 99]
    game.play_out()
    game.confirm_all()
    [applied] = events_of(game.events, ev.PointsApplied)
    assert applied.points == (99, 99, 103, 99)


def test_c32_a_kang_pays_nothing():
    game = table("tsumo", {2: "555c"}, front="5c", quiet="5c")
    game.throw_to("5c", {2: kang("5c")})
    [meld] = events_of(game.events, ev.MeldMade)
    assert meld.payments == ZERO


def test_kangs_and_secrets_pay_nothing_in_emay():
    game = table("emay", {0: "9999b", 2: "555c"}, front="5c", quiet="5c")
    game.do(0, secret("9b"))
    game.throw_to("5c", {2: kang("5c")})
    assert [meld.payments for meld in events_of(game.events, ev.MeldMade)] == [ZERO, ZERO]


@both
def test_secret_side_unit(rules: str):
    game = table(rules, {0: "9999b"}, options={"secret_side_unit": 5})
    game.do(0, secret("9b"))
    assert [meld.payments for meld in events_of(game.events, ev.MeldMade)] == [(15, -5, -5, -5)]


@both
@pytest.mark.parametrize(("unit", "expected"), [(0, ZERO), (7, (-7, -7, 21, -7))])
def test_kang_side_unit(rules: str, unit: int, expected: ev.Four):
    game = table(rules, {2: "555c"}, front="5c", quiet="5c", options={"kang_side_unit": unit})
    game.throw_to("5c", {2: kang("5c")})
    assert [meld.payments for meld in events_of(game.events, ev.MeldMade)] == [expected]


def test_sagasa_side_unit():
    game = with_an_exposed_pung("tsumo", sagasa_side_unit=3)
    game.do(2, sagasa("5c"))
    assert events_of(game.events, ev.MeldMade)[-1].payments == (-3, -3, 9, -3)


@both
def test_c52_no_secret_before_the_seat_has_drawn(rules: str):
    game = table(rules, {1: "9999b"}, front="1d", options={"auto_draw": False})
    game.throw("1d")
    game.answers()
    assert game.refused(1, secret("9b")).code == "draw_first"


@both
@pytest.mark.parametrize(("held", "claim"), [("55c", pung("5c")), ("46c", chow("46c"))])
def test_c52_no_secret_right_after_an_own_chow_or_pung(rules: str, held: str, claim: Action):
    game = table(rules, {1: held + " 9999b"}, front="5c", quiet="5c")
    game.throw_to("5c", {1: claim})
    assert kongs(game, 1) == []
    assert game.refused(1, secret("9b")).code == "kong_not_allowed"


@both
def test_kong_after_meld_claim_allows_a_secret_right_after_an_own_pung(rules: str):
    options = {"kong_after_meld_claim": True}
    game = table(rules, {1: "55c 9999b"}, front="5c", quiet="5c", options=options)
    game.throw_to("5c", {1: pung("5c")})
    assert kongs(game, 1) == [secret("9b")]
    assert [event.type for event in game.do(1, secret("9b"))][:2] == ["meld_made", "tile_drawn"]


def test_kong_after_meld_claim_allows_a_sagasa_right_after_an_own_pung():
    options = {"kong_after_meld_claim": True}
    game = table("tsumo", {1: "555c"}, front="5c", quiet="5c", options=options)
    game.throw_to("5c", {1: pung("5c")})
    assert kongs(game, 1) == [sagasa("5c")]
    game.do(1, sagasa("5c"))
    assert game.on_turn == 1


@both
def test_after_its_kang_a_seat_may_declare_a_secret(rules: str):
    game = table(rules, {1: "555c 9999b"}, front="5c", quiet="5c")
    game.throw_to("5c", {1: kang("5c")})
    assert kongs(game, 1) == [secret("9b")]


@both
def test_a_kong_is_replaced_from_the_back_even_without_auto_draw(rules: str):
    game = table(rules, {0: "9999b"}, back="7d", options={"auto_draw": False})
    game.draw_if_due()
    wall = game.state.round.wall_count
    caused = game.do(0, secret("9b"))
    assert events_of(caused, ev.TileDrawn) == [ev.TileDrawn(0, "7d", "back", wall - 1)]
    assert game.view(0).drawn == "7d"
    assert game.on_turn == 0


@both
def test_secrets_may_follow_each_other(rules: str):
    game = table(rules, {0: "8888b 9999b"}, back="7d 5d")
    game.do(0, secret("9b"))
    game.do(0, secret("8b"))
    assert [event.tile for event in events_of(game.events, ev.TileDrawn) if event.origin == "back"][-2:] == ["7d", "5d"]
    assert len(game.view(0).hand) == 11


@both
def test_a_seat_keeps_seventeen_less_three_a_meld(rules: str):
    game = table(rules, {0: "9999b", 1: "555c"}, front="5c", quiet="5c")
    game.do(0, secret("9b"))
    game.throw_to("5c", {1: kang("5c")})
    assert [seat.concealed for seat in game.view(2).seats] == [13, 14, 16, 16]


def test_c64_the_dealt_seventeen_may_declare_a_secret_at_once():
    game = table("tsumo", {0: "999b"}, front="9b")
    assert kongs(game, 0) == [secret("9b")]
    assert types(game.do(0, secret("9b"))) == ["meld_made", "tile_drawn"]


@both
def test_only_four_concealed_make_a_secret(rules: str):
    game = table(rules, {0: "888b"}, front="9c")
    assert kongs(game, 0) == []
    assert game.refused(0, secret("8b")).code == "kong_not_allowed"
    assert game.refused(0, secret("1w")).code == "tile_not_held"


@both
def test_an_undeclared_quad_is_never_a_kong(rules: str):
    """17 tiles with a quad win as three and one, not as five sets of which one has four tiles."""
    game = table(rules, {1: "5555b 123c 456c 123d 88d 9d"}, front="5d 9d", joker="1c")
    game.throw_to("5d")
    assert WIN not in game.legal(1)
    game = table(rules, {1: "5555b 67b 123c 456c 123d 9d"}, front="5d 9d", joker="1c")
    game.throw_to("5d")
    assert WIN in game.legal(1)


@both
def test_a_win_has_one_tile_more_for_each_kong(rules: str):
    game = table(rules, {0: "9999b 456b 123d 456d 88d 4c"}, front="6c", back="5c", joker="1c")
    game.do(0, secret("9b"))
    game.do(0, WIN)
    assert len(game.won().hands[0]) + len(game.won().secrets[0]) == 18
