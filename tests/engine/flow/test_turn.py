"""A turn: drawing, discarding, what a timeout does, and the hand as its owner sees it (rules 4)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Claim, Discard, Draw, EndGame, MoveDeadline
from engine.legal import default_action
from engine.state import Turn
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import (
    DRAW,
    PASS,
    WIN,
    Table,
    both,
    chow,
    events_of,
    kang,
    pung,
    sagasa,
    secret,
    table,
    types,
)

auto_draw = pytest.mark.parametrize("auto_draw", [True, False])


@both
def test_with_auto_draw_a_turn_opens_with_its_tile_drawn(rules: str):
    game = table(rules, front="9c 5c", options={"auto_draw": True})
    caused = game.throw_to("9c")
    assert types(caused)[-2:] == ["window_closed", "tile_drawn"]
    assert game.view(1).drawn == "5c"


@both
def test_without_auto_draw_drawing_is_the_only_move(rules: str):
    game = table(rules, front="9c 5c", options={"auto_draw": False})
    game.throw("9c")
    game.answers()
    assert game.state.decision == Turn(game.state.decision.no, 1, "draw")
    assert game.legal(1) == (DRAW,)
    assert game.refused(1, Discard("5c")).code == "draw_first"


@both
def test_without_auto_draw_a_turn_is_two_decisions(rules: str):
    game = table(rules, front="9c 5c", options={"auto_draw": False})
    game.throw("9c")
    game.answers()
    number = game.state.decision.no
    assert types(game.do(1, DRAW)) == ["tile_drawn"]
    assert game.state.decision == Turn(number + 1, 1, "act")


@both
@auto_draw
def test_only_the_seat_on_turn_may_draw(rules: str, auto_draw: bool):
    game = table(rules, front="9c 5c", options={"auto_draw": auto_draw})
    assert [game.refused(seat, DRAW).code for seat in (1, 2, 3)] == ["not_your_turn"] * 3
    assert game.refused(0, DRAW).code == "already_drawn"


@both
def test_only_the_seat_on_turn_may_discard_or_declare(rules: str):
    game = table(rules, {1: "9999b"})
    assert game.refused(1, Discard("9b")).code == "not_your_turn"
    assert game.refused(1, secret("9b")).code == "not_your_turn"


@both
def test_any_held_tile_may_be_discarded_the_drawn_one_included(rules: str):
    game = table(rules, front="5c")
    held = {action.tile for action in game.legal(0) if isinstance(action, Discard)}
    assert held == set(game.view(0).hand)
    assert "5c" in held


@both
@pytest.mark.parametrize("tile", ["9c", "1w", "1f", "back", "", "5", "zz"])
def test_a_tile_that_is_not_held_cannot_be_discarded(rules: str, tile: str):
    game = table(rules, {0: "123456789b 1234567d"}, front="5c", joker="9d")
    assert game.refused(0, Discard(tile)).code == "tile_not_held"


@both
def test_turns_go_round_in_seat_order(rules: str):
    game = table(rules)
    seats = []
    for _ in range(6):
        seats.append(game.on_turn)
        game.idle()
        game.draw_if_due()
    assert seats == [0, 1, 2, 3, 0, 1]


@both
def test_between_turns_a_seat_holds_sixteen(rules: str):
    game = table(rules)
    game.idle(3)
    assert sorted(seat.concealed for seat in game.view(None).seats)[:3] == [16, 16, 16]


@both
def test_the_table_asks_only_what_is_its_own(rules: str):
    game = table(rules)
    assert game.refused(None, DRAW).code == "not_your_turn"
    assert game.refused(0, EndGame("now")).code == "not_your_turn"


# Timeouts


@both
@auto_draw
def test_a_timeout_draws_if_due_and_throws_the_drawn_tile(rules: str, auto_draw: bool):
    game = table(rules, {1: WAITS_5C}, front="9c 9b", joker="1c", options={"auto_draw": auto_draw})
    game.throw("9c")
    game.answers()
    if not auto_draw:
        assert default_action(game.state, 1) == Draw()
        game.do(1, DRAW)
    assert default_action(game.state, 1) == Discard("9b")


def test_a_timeout_never_throws_a_drawn_joker():
    game = table("emay", {1: "123b 9c"}, front="9b 9d", joker="9d", quiet="9b")
    game.throw_to("9b")
    naturals = [code for code in game.view(1).hand if code != "9d"]
    assert default_action(game.state, 1) == Discard(naturals[-1])


@both
@pytest.mark.parametrize(("held", "claim"), [("55c", pung("5c")), ("46c", chow("46c"))])
def test_c65_after_an_own_claim_the_last_natural_of_the_sorted_hand_goes(rules: str, held: str, claim: Claim):
    game = table(rules, {1: held + " 8d 9d"}, front="5c", quiet="5c", joker="9d" if rules == "emay" else "1c")
    game.throw("5c")
    game.answers({1: claim})
    naturals = [code for code in game.view(1).hand if rules == "tsumo" or code != "9d"]
    assert default_action(game.state, 1) == Discard(naturals[-1])
    game.do(1, Discard(naturals[-1]))


@both
def test_a_timeout_throws_the_replacement_after_a_kong(rules: str):
    game = table(rules, {0: "9999b"}, back="1b")
    game.do(0, secret("9b"))
    assert default_action(game.state, 0) == Discard("1b")


def test_a_timeout_throws_a_joker_when_nothing_else_is_held():
    """Five pungs are exposed; what is left are two jokers, which are a pair and are not declared."""
    game = table("emay", {2: "11223344d 55c 9d 7b 1c 9c 7d 7c"}, front="1d 2d 3d 4d 5c 1b 1b 1b 9d")
    for tile, junk in (("1d", "7b"), ("2d", "1c"), ("3d", "9c"), ("4d", "7d"), ("5c", "7c")):
        game.throw_to(tile, {2: pung(tile)})
        game.throw_to(junk)
    game.idle(3)
    assert game.view(2).hand == ("9d", "9d")
    assert game.legal(2) == (WIN, Discard("9d"))
    assert default_action(game.state, 2) == Discard("9d")


@both
def test_a_timeout_never_declares_a_win_or_a_kong(rules: str):
    game = table(rules, {1: "9999b 456b 123d 456d 88d 4c"}, front="9c 5c")
    game.throw_to("9c")
    assert secret("9b") in game.legal(1)
    assert default_action(game.state, 1) == Discard("5c")
    game = table(rules, {1: WAITS_5C}, front="9c 5c", joker="1c")
    game.throw_to("9c")
    assert WIN in game.legal(1)
    assert default_action(game.state, 1) == Discard("5c")


@both
def test_a_seat_that_is_asked_nothing_has_no_default(rules: str):
    game = table(rules, front="5c")
    assert [default_action(game.state, seat) for seat in (1, 2, 3)] == [None] * 3
    game.throw("5c")
    assert [default_action(game.state, seat) for seat in range(4)] == [None, PASS, PASS, PASS]


# The hand as shown


def test_jokers_are_shown_first_then_the_hand_sorted_then_the_drawn_tile():
    game = table("emay", {1: "9c 5d 1b 4d 1c 3d 2b 5d 9b 6d 7d 2c 8c 5c 8d 7b"}, front="9b 4b", joker="5d")
    game.throw_to("9b")
    expected = "5d 5d 1b 2b 7b 9b 1c 2c 5c 8c 9c 3d 4d 6d 7d 8d 4b"
    assert game.view(1).hand == tuple(expected.split())
    assert game.view(1).drawn == "4b"


def test_after_the_discard_no_tile_is_the_drawn_one():
    game = table("emay", {0: "9b"}, front="5c", quiet="9b")
    game.throw("9b")
    assert game.view(0).drawn is None
    assert list(game.view(0).hand) == sorted(game.view(0).hand, key=lambda code: (code[1], code[0]))


def test_a_drawn_joker_is_shown_last():
    game = table("emay", {1: "9d"}, front="9b 9d", joker="9d", quiet="9b")
    game.throw_to("9b")
    assert (game.view(1).hand[0], game.view(1).hand[-1]) == ("9d", "9d")


# The order of legal actions is part of the contract


@both
def test_legal_actions_of_a_window_are_win_kong_pung_chow_pass(rules: str):
    game = table(rules, {1: "555c 46c 88d 123b 456b 123d"}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    assert game.legal(1) == (WIN, kang("5c"), pung("5c"), chow("46c"), PASS)


@both
def test_legal_actions_of_a_turn_are_win_kongs_and_sorted_discards(rules: str):
    hand = "1111b 2222b 3333b 123c 5c"
    game = table(rules, {0: hand}, front="5c")
    kongs = (secret("1b"), secret("2b"), secret("3b"))
    discards = tuple(Discard(tile) for tile in ("1b", "2b", "3b", "1c", "2c", "3c", "5c"))
    assert game.legal(0) == (WIN, *kongs, *discards)


def test_secrets_come_before_sagasas():
    game = table("tsumo", {2: "55c 9999d 9b"}, front="5c 1d 1d 8b 5c", quiet="5c 9b")
    game.throw_to("5c", {2: pung("5c")})
    game.throw_to("9b")
    game.idle(3)
    game.draw_if_due()
    assert game.legal(2)[:2] == (secret("9d"), sagasa("5c"))


def test_a_joker_stands_among_the_discards_at_its_face():
    game = table("emay", {0: "5d 4d 6d"}, joker="5d")
    tiles = [action.tile for action in game.legal(0) if isinstance(action, Discard)]
    assert tiles.index("4d") + 1 == tiles.index("5d") == tiles.index("6d") - 1


# Decision numbers


@both
@auto_draw
def test_the_decision_number_grows_by_one_for_each_that_opens(rules: str, auto_draw: bool):
    game = table(rules, {0: "9999b", 2: "55c"}, front="5c", quiet="5c", opening=True, options={"auto_draw": auto_draw})
    numbers = [game.state.decision.no]
    if game.view(0).decision.kind == "opening_window":
        game.answers()
        numbers.append(game.state.decision.no)
    before = game.state.decision.no
    game.draw_if_due()
    numbers += [game.state.decision.no] if game.state.decision.no > before else []
    game.do(0, secret("9b"))
    numbers.append(game.state.decision.no)
    game.throw("5c")
    numbers.append(game.state.decision.no)
    game.answers({2: pung("5c")})
    numbers.append(game.state.decision.no)
    assert numbers == list(range(1, len(numbers) + 1))


@both
def test_answers_and_refusals_open_no_decision(rules: str):
    game = table(rules, {2: "55c"}, front="5c", quiet="5c")
    game.throw("5c")
    number, seq = game.state.decision.no, game.state.seq
    game.refused(1, pung("5c"))
    game.do(2, pung("5c"))
    game.do(2, PASS)
    assert (game.state.decision.no, game.state.seq) == (number, seq)


def test_a_deadline_that_was_moved_is_a_numbered_event_and_nothing_else():
    game = table("emay")
    before, seq = game.view(0), game.state.seq
    number = game.state.decision.no
    assert game.do(None, MoveDeadline(number, "2026-01-01T00:00:00Z")) == (
        ev.DeadlineMoved(number, "2026-01-01T00:00:00Z"),
    )
    assert game.state.seq == seq + 1
    assert game.view(0).decision == before.decision


def test_the_deadline_of_an_older_decision_is_not_moved():
    game = table("emay")
    assert game.refused(None, MoveDeadline(game.state.decision.no - 1, "2026-01-01T00:00:00Z")).code == "stale_decision"


def seats_in(game: Table) -> list[int]:
    return [event.seat for event in events_of(game.events, ev.TileDiscarded)]


@both
def test_a_claim_jumps_the_turn_to_the_claimant(rules: str):
    game = table(rules, {3: "55c 9b"}, front="5c", quiet="5c 9b")
    game.throw_to("5c", {3: pung("5c")})
    game.throw_to("9b")
    game.idle()
    assert seats_in(game) == [0, 3, 0]
