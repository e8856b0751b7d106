"""Claims on a discard: what is offered, what outranks what, what a claim does (rules 4 and 5)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Claim, Discard
from engine.state import ClaimWindow, Turn
from tests.engine.flow.hands import ALSO_WAITS_5C, WAITS_5C, WAITS_5C_WITH_A_PAIR
from tests.engine.scenario import (
    DRAW,
    FAST,
    PASS,
    WIN,
    Table,
    both,
    chow,
    either_timing,
    events_of,
    every_order,
    kang,
    pung,
    table,
    types,
)


@both
def test_c01_chow_is_offered_to_the_next_seat_only(rules: str):
    game = table(rules, {1: "46c", 2: "46c", 3: "46c"}, front="5c", quiet="5c")
    game.throw("5c")
    assert [game.offers(seat) for seat in (1, 2, 3)] == [[chow("46c")], [], []]


@both
@either_timing
@pytest.mark.parametrize("order", [(1, 3), (3, 1)])
def test_c02_pung_outranks_chow_from_the_nearer_seat(rules: str, timing: ev.Timing, order: tuple[int, int]):
    game = table(rules, {1: "46c", 3: "55c"}, front="5c", quiet="5c", timing=timing)
    game.throw("5c")
    caused = game.answers({1: chow("46c"), 3: pung("5c")}, order)
    assert types(caused) == ["window_closed", "meld_made"]
    assert game.state.decision == Turn(game.state.decision.no, 3, "act")
    assert set(map(type, game.legal(3))) == {Discard}


@both
def test_c02_the_skipped_seats_lose_that_turn(rules: str):
    game = table(rules, {3: "55c 9b"}, front="5c 1d", quiet="59c 9b")
    game.throw_to("5c", {3: pung("5c")})
    game.throw_to("9b")
    assert game.on_turn == 0


@both
@either_timing
@every_order
def test_c03_win_outranks_pung_from_the_nearer_seat(rules: str, timing: ev.Timing, order: tuple[int, ...]):
    game = table(rules, {1: "55c", 2: WAITS_5C}, front="5c", quiet="5c", joker="1c", timing=timing)
    game.throw("5c")
    game.answers({1: pung("5c"), 2: WIN, 3: PASS}, order)
    assert game.won().seat == 2


@both
@either_timing
@every_order
def test_c04_of_two_winners_the_one_reached_first_takes_the_tile(rules: str, timing: ev.Timing, order: tuple[int, ...]):
    hands = {1: WAITS_5C, 3: ALSO_WAITS_5C}
    game = table(rules, hands, front="5c", quiet="5c", joker="1c", timing=timing)
    game.throw("5c")
    game.answers({1: WIN, 2: PASS, 3: WIN}, order)
    assert game.won().seat == 1


@both
def test_c04_the_first_in_turn_order_is_counted_from_the_discarder(rules: str):
    hands = {0: ALSO_WAITS_5C, 3: WAITS_5C}
    game = table(rules, hands, front="9c 1b 5c", quiet="5c", joker="1c")
    for tile in ("9c", "1b"):
        game.throw_to(tile)
    game.throw("5c")
    assert types(game.answers({0: WIN, 3: WIN}))[:2] == ["window_closed", "round_won"]
    assert game.won().seat == 3


@both
def test_c05_at_a_uniform_table_a_pung_waits_for_every_answer(rules: str):
    game = table(rules, {1: WAITS_5C, 3: "55c"}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    assert [types(game.do(seat, action)) for seat, action in ((3, pung("5c")), (1, PASS), (2, PASS))] == [
        [],
        [],
        ["window_closed", "meld_made"],
    ]


@both
def test_c05_at_a_fast_table_a_pung_waits_for_the_seat_that_could_win(rules: str):
    game = table(rules, {1: WAITS_5C, 3: "55c"}, front="5c", quiet="5c", joker="1c", timing=FAST)
    game.throw("5c")
    assert types(game.do(3, pung("5c"))) == []
    assert types(game.do(1, PASS)) == ["window_closed", "meld_made"]


@both
@either_timing
@every_order
def test_c06_a_seat_that_chose_pung_does_not_win_before_a_farther_win(
    rules: str, timing: ev.Timing, order: tuple[int, ...]
):
    hands = {1: WAITS_5C_WITH_A_PAIR, 2: ALSO_WAITS_5C}
    game = table(rules, hands, front="5c", quiet="5c", joker="1c", timing=timing)
    game.throw("5c")
    assert game.offers(1) == [WIN, pung("5c")]
    game.answers({1: pung("5c"), 2: WIN, 3: PASS}, order)
    assert game.won().seat == 2


@both
def test_c07_three_chow_options_are_offered_and_another_is_refused_with_the_list(rules: str):
    game = table(rules, {1: "2356b"}, front="4b", quiet="4b")
    game.throw("4b")
    options = [chow("23b"), chow("35b"), chow("56b")]
    assert game.offers(1) == options
    refusal = game.refused(1, chow("26b"))
    assert refusal.code == "claim_not_offered"
    assert refusal.legal == (*options, PASS)


@both
def test_c07_the_chow_that_was_named_is_laid(rules: str):
    game = table(rules, {1: "2356b"}, front="4b", quiet="4b")
    caused = game.throw_to("4b", {1: chow("35b")})
    assert events_of(caused, ev.MeldMade) == [ev.MeldMade(1, "chow", ("3b", "4b", "5b"), 0, (0, 0, 0, 0))]
    assert [game.holds(1, tile) for tile in ("2b", "3b", "5b", "6b")] == [1, 0, 0, 1]


@both
def test_c08_pung_and_kang_are_both_offered_and_kang_draws_from_the_back(rules: str):
    game = table(rules, {2: "555c"}, front="5c", back="9b", quiet="5c 9b")
    before = game.state.round.wall_count
    game.throw("5c")
    assert game.offers(2) == [kang("5c"), pung("5c")]
    caused = game.answers({2: kang("5c")})
    assert events_of(caused, ev.TileDrawn) == [ev.TileDrawn(2, "9b", "back", before - 1)]
    assert (game.state.decision, game.on_turn) == (Turn(game.state.decision.no, 2, "act"), 2)
    assert types(game.throw("9b")) == ["tile_discarded", "window_opened"]


@both
@pytest.mark.parametrize("claim", [pung("5c"), kang("5c"), chow("46c")])
def test_c09_an_own_discard_cannot_be_claimed(rules: str, claim: Claim):
    game = table(rules, {0: "555c 46c"}, quiet="5c")
    game.throw("5c")
    assert game.refused(0, claim).code == "claim_not_offered"


@both
@pytest.mark.parametrize(
    ("tile", "claim"),
    [
        ("5c", Claim("chow", ("4c", "6b"))),
        ("9b", Claim("chow", ("1b", "8b"))),
        ("9b", Claim("chow", ("1b", "2b"))),
        ("5c", Claim("chow", ("4c", "4c"))),
        ("5c", Claim("chow", ("5c", "6c"))),
        ("5c", chow("67c")),
        ("5c", Claim("chow", ("6c", "4c"))),
        ("5c", Claim("chow", ("4c",))),
        ("5c", Claim("chow", ())),
        ("5c", Claim("chow", ("4c", "5c", "6c"))),
        ("5c", pung("5c")),
        ("5c", pung("4c")),
        ("5c", kang("5c")),
        ("5c", Claim("chow", ("zz", "4c"))),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{value.kind}-{'-'.join(value.tiles)}",
)
def test_c10_a_claim_that_is_no_option_is_refused_and_the_window_stays_open(rules: str, tile: str, claim: Claim):
    game = table(rules, {0: "5c 9b", 1: "44c 56c 12b 68b"}, quiet="5c 9b")
    game.throw(tile)
    window = game.state.decision
    assert game.refused(1, claim).code == "claim_not_offered"
    assert game.state.decision is window
    assert isinstance(window, ClaimWindow)


@both
def test_c28_a_discarded_fourth_tile_never_extends_the_own_pung(rules: str):
    game = table(rules, {1: "5c", 2: "55c 9b"}, front="5c 1d 1d", quiet="5c 9b 1d")
    game.throw_to("5c", {2: pung("5c")})
    game.throw_to("9b")
    game.throw_to("1d")
    game.throw_to("1d")
    game.throw("5c")
    assert game.offers(2) == []
    assert game.refused(2, kang("5c")).code == "claim_not_offered"


@both
def test_c51_a_claim_is_refused_once_the_next_seat_has_drawn(rules: str):
    game = table(rules, {2: "55c"}, front="5c", quiet="5c")
    game.throw_to("5c")
    assert game.refused(2, pung("5c")).code == "claim_not_offered"
    assert game.refused(2, PASS).code == "nothing_to_pass"


@both
@pytest.mark.parametrize(("held", "claim"), [("46c", chow("46c")), ("55c", pung("5c"))])
def test_c53_a_claimant_may_discard_the_very_tile_it_claimed(rules: str, held: str, claim: Claim):
    # The fourth 5c stays in the hand; with a chow it is the only other one.
    game = table(rules, {1: held + " 5c"}, front="5c", quiet="5c")
    game.throw_to("5c", {1: claim})
    assert types(game.throw("5c")) == ["tile_discarded", "window_opened"]


def offered_once(game: Table, tile: str) -> dict[int, list[object]]:
    game.throw(tile)
    return {seat: list(game.offers(seat)) for seat in (1, 2, 3)}


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_pung_is_offered_to_any_other_seat(rules: str, seat: int):
    game = table(rules, {seat: "55c"}, front="5c", quiet="5c")
    assert offered_once(game, "5c") == {1: [], 2: [], 3: []} | {seat: [pung("5c")]}


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_kang_is_offered_to_any_other_seat(rules: str, seat: int):
    game = table(rules, {seat: "555c"}, front="5c", quiet="5c")
    assert offered_once(game, "5c") == {1: [], 2: [], 3: []} | {seat: [kang("5c"), pung("5c")]}


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_win_is_offered_to_any_other_seat(rules: str, seat: int):
    game = table(rules, {seat: WAITS_5C}, front="5c", quiet="5c")
    assert offered_once(game, "5c")[seat][0] == WIN


RUNS = [[low, low + 1, low + 2] for low in range(1, 8)]


@both
@pytest.mark.parametrize("rank", range(1, 10))
def test_a_chow_is_three_in_a_row_without_wrapping(rules: str, rank: int):
    game = table(rules, {1: "112346789d"}, front=f"{rank}d", joker="1c", quiet="5d")
    game.throw(f"{rank}d")
    held = {1, 2, 3, 4, 6, 7, 8, 9}
    pairs = [(low, high) for low in range(1, 10) for high in range(low + 1, 10) if {low, high} <= held]
    expected = [chow(f"{low}{high}d") for low, high in pairs if sorted((low, high, rank)) in RUNS]
    assert [offer for offer in game.offers(1) if isinstance(offer, Claim) and offer.kind == "chow"] == expected


@both
@either_timing
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_kang_outranks_chow_from_the_nearer_seat(rules: str, timing: ev.Timing, order: tuple[int, int]):
    game = table(rules, {1: "46c", 2: "555c"}, front="5c", quiet="5c", timing=timing)
    game.throw("5c")
    game.answers({1: chow("46c"), 2: kang("5c")}, order)
    assert [(meld.seat, meld.kind) for meld in events_of(game.events, ev.MeldMade)] == [(2, "kong")]


@both
@either_timing
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_win_outranks_kang_from_the_nearer_seat(rules: str, timing: ev.Timing, order: tuple[int, int]):
    game = table(rules, {1: "555c", 2: WAITS_5C}, front="5c", quiet="5c", timing=timing)
    game.throw("5c")
    game.answers({1: kang("5c"), 2: WIN}, order)
    assert game.won().seat == 2


@both
def test_a_discard_nobody_takes_stays_in_the_pile_and_the_next_seat_plays(rules: str):
    game = table(rules, {2: "55c"}, front="5c", quiet="5c")
    caused = game.throw_to("5c")
    assert events_of(caused, ev.WindowClosed) == [ev.WindowClosed("nobody", None)]
    assert game.pile() == "5c"
    assert game.on_turn == 1


@both
@pytest.mark.parametrize(("held", "claim"), [("46c", chow("46c")), ("55c", pung("5c")), ("555c", kang("5c"))])
def test_a_claimed_tile_leaves_the_pile_for_the_meld(rules: str, held: str, claim: Claim):
    game = table(rules, {1: held}, front="5c", quiet="5c")
    game.throw_to("5c", {1: claim})
    melds = game.view(0).seats[1].melds
    assert game.pile() == ""
    assert [(meld.claimed, meld.claimed_from) for meld in melds] == [("5c", 0)]


@both
def test_a_chow_or_pung_does_not_draw(rules: str):
    game = table(rules, {1: "46c"}, front="5c", quiet="5c")
    before = game.state.round.wall_count
    game.throw("5c")
    game.answers({1: chow("46c")})
    assert game.state.round.wall_count == before
    assert game.refused(1, DRAW).code == "already_drawn"


@both
def test_melds_stay_as_they_were_laid(rules: str):
    game = table(rules, {1: "46c 9b", 2: "9b"}, front="5c", quiet="5c 9b")
    game.throw_to("5c", {1: chow("46c")})
    laid = game.state.seats[1].melds
    game.throw_to("9b")
    game.idle(8)
    assert game.state.seats[1].melds == laid
