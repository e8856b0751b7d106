"""A window: whom it asks, when it closes, how answers are replaced and hidden (rules 5 and 11; api, The stream)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Action, Confirm, Discard
from engine.codec import dump_state, load_state
from engine.evolve import evolve
from engine.state import SEATS, ClaimWindow, GameState, Turn
from engine.views import redact, view
from tests.engine.flow.hands import ALSO_WAITS_5C, WAITS_5C
from tests.engine.scenario import (
    DRAW,
    FAST,
    ONE_PERSON,
    PASS,
    WIN,
    Table,
    both,
    chow,
    either_timing,
    events_of,
    kang,
    numbered,
    pung,
    table,
    types,
)

READERS = (*SEATS, None)


@both
@either_timing
def test_a_discard_opens_one_window_for_the_three_others(rules: str, timing: ev.Timing):
    game = table(rules, {1: "46c", 3: "55c"}, front="5c", quiet="5c", timing=timing)
    number = game.state.decision.no
    caused = game.throw("5c")
    assert caused == (ev.TileDiscarded(0, "5c"), ev.WindowOpened("claim", number + 1, "5c", 0))
    for reader in READERS:
        assert game.view(reader).decision.who == (1, 2, 3)


@both
@pytest.mark.parametrize("hands", [{}, {1: "46c"}, {2: "555c"}, {3: WAITS_5C}, {1: WAITS_5C, 2: ALSO_WAITS_5C}])
def test_at_a_uniform_table_the_window_looks_the_same_whatever_the_others_hold(rules: str, hands: dict[int, str]):
    game = table(rules, hands, front="5c", quiet="5c", joker="1c")
    caused = game.throw("5c")
    assert types(caused) == ["tile_discarded", "window_opened"]
    assert [types(game.do(seat, PASS)) for seat in (3, 1)] == [[], []]
    assert types(game.do(2, PASS))[0] == "window_closed"


@both
def test_a_seat_without_offers_may_only_pass(rules: str):
    game = table(rules, {1: "46c"}, front="5c", quiet="5c")
    game.throw("5c")
    assert (game.legal(2), game.legal(3)) == ((PASS,), (PASS,))


@both
def test_at_a_fast_table_a_window_closes_at_once_when_nobody_has_an_offer(rules: str):
    game = table(rules, front="5c", quiet="5c", timing=FAST)
    caused = game.throw("5c")
    assert types(caused)[:3] == ["tile_discarded", "window_opened", "window_closed"]
    assert game.on_turn == 1


@both
def test_at_a_fast_table_it_waits_only_for_offers_that_could_outrank(rules: str):
    hands = {1: "46c", 2: "55c", 3: WAITS_5C}
    game = table(rules, hands, front="5c", quiet="5c", joker="1c", timing=FAST)
    game.throw("5c")
    assert types(game.do(2, pung("5c"))) == []
    assert types(game.do(3, PASS))[:2] == ["window_closed", "meld_made"]


@both
def test_at_a_fast_table_a_farther_equal_claim_is_not_waited_for(rules: str):
    game = table(rules, {1: WAITS_5C, 3: ALSO_WAITS_5C}, front="5c", quiet="5c", joker="1c", timing=FAST)
    game.throw("5c")
    assert types(game.do(1, WIN))[:2] == ["window_closed", "round_won"]


@both
def test_at_a_fast_table_a_nearer_equal_claim_is_waited_for(rules: str):
    game = table(rules, {1: WAITS_5C, 3: ALSO_WAITS_5C}, front="5c", quiet="5c", joker="1c", timing=FAST)
    game.throw("5c")
    assert types(game.do(3, WIN)) == []
    game.do(1, WIN)
    assert game.won().seat == 1


# Answers


@both
def test_c61_a_win_after_a_pass_counts(rules: str):
    game = table(rules, {2: WAITS_5C}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    game.do(2, PASS)
    game.do(2, WIN)
    game.do(1, PASS)
    game.do(3, PASS)
    assert game.won().seat == 2


@both
@pytest.mark.parametrize(
    ("answers", "carried_out"),
    [
        ((kang("5c"), pung("5c")), "pung"),
        ((pung("5c"), kang("5c")), "kong"),
        ((PASS, pung("5c")), "pung"),
        ((kang("5c"), PASS, pung("5c"), PASS), None),
    ],
)
def test_the_last_answer_of_a_seat_counts(rules: str, answers: tuple[Action, ...], carried_out: str | None):
    game = table(rules, {2: "555c"}, front="5c", quiet="5c")
    game.throw("5c")
    for answer in answers:
        game.do(2, answer)
        assert game.view(2).decision.your_answer == answer
    game.do(1, PASS)
    game.do(3, PASS)
    assert [meld.kind for meld in events_of(game.events, ev.MeldMade)] == ([carried_out] if carried_out else [])


@both
def test_one_chow_may_be_replaced_by_another(rules: str):
    game = table(rules, {1: "2356b"}, front="4b", quiet="4b")
    game.throw("4b")
    game.do(1, chow("23b"))
    game.do(1, chow("56b"))
    game.do(2, PASS)
    game.do(3, PASS)
    assert events_of(game.events, ev.MeldMade)[0].tiles == ("4b", "5b", "6b")


@both
def test_a_refused_answer_leaves_the_earlier_one(rules: str):
    game = table(rules, {2: "555c"}, front="5c", quiet="5c")
    game.throw("5c")
    game.do(2, pung("5c"))
    game.refused(2, chow("46c"))
    assert game.view(2).decision.your_answer == pung("5c")


@both
@pytest.mark.parametrize("action", [DRAW, Discard("9b"), Confirm(1)])
def test_a_window_takes_no_other_move(rules: str, action: Action):
    game = table(rules, {0: "9b", 1: "9b"}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    code = "wrong_round" if isinstance(action, Confirm) else "not_your_turn"
    assert [game.refused(seat, action).code for seat in SEATS] == [code] * 4


@both
def test_only_the_claim_that_was_carried_out_is_told(rules: str):
    game = table(rules, {1: "46c", 3: "55c"}, front="5c", quiet="5c")
    game.throw("5c")
    caused = game.answers({1: chow("46c"), 3: pung("5c")})
    public = [event for event in caused if not isinstance(event, ev.NOTES)]
    assert public == [
        ev.WindowClosed("pung", 3),
        ev.MeldMade(3, "pung", ("5c",) * 3, 0, (0, 0, 0, 0)),
    ]


@both
@pytest.mark.parametrize("answer", [PASS, chow("46c"), WIN])
def test_c62_an_answer_changes_nothing_that_another_can_see(rules: str, answer: Action):
    game = table(rules, {1: WAITS_5C}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    before = {reader: game.view(reader) for reader in (0, 2, 3, None)}
    caused = game.do(1, answer)
    assert types(caused) == []
    assert {reader: game.view(reader) for reader in (0, 2, 3, None)} == before


@both
@pytest.mark.parametrize("answer", [None, PASS, chow("46c")])
def test_c48_who_comes_back_in_a_window_finds_hand_offers_and_answer_again(rules: str, answer: Action | None):
    game = table(rules, {1: WAITS_5C}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    if answer is not None:
        game.do(1, answer)
    left = game.view(1)
    stored = load_state(dump_state(game.state))
    folded: GameState | None = None
    for event in game.events:
        folded = evolve(folded, event)
    assert folded is not None
    assert view(stored, 1) == view(folded, 1) == left
    assert left.legal_actions == (WIN, chow("46c"), PASS)
    assert left.decision.your_answer == answer


# The examples of the contract


def test_the_first_events_of_an_emay_game_with_one_person():
    game = table("emay", front="9c 5c", quiet="59c", timing=FAST, players=ONE_PERSON, opening=True)
    assert types(game.events) == ["round_dealt", "joker_named", "window_opened", "window_closed", "tile_drawn"]
    game.throw("9c")
    assert types(game.events)[5:] == ["tile_discarded", "window_opened", "window_closed", "tile_drawn"]
    game.throw("5c")
    assert types(game.events)[9:] == ["tile_discarded", "window_opened", "window_closed", "tile_drawn"]
    windows = events_of(game.events, ev.WindowOpened)
    assert [(window.kind, window.decision_no) for window in windows] == [("opening", 1), ("claim", 3), ("claim", 5)]
    assert game.state.decision == Turn(6, 2, "act")


def test_a_window_waits_when_the_person_has_an_offer():
    game = table("emay", {0: "55c"}, front="9c 5c", quiet="9c", timing=FAST, players=ONE_PERSON)
    game.throw("9c")
    game.throw("5c")
    assert isinstance(game.state.decision, ClaimWindow)
    assert game.legal(0) == (pung("5c"), PASS)
    assert types(game.events)[9:] == ["tile_discarded", "window_opened"]


def test_the_first_events_of_a_tsumo_game():
    game = table("tsumo", {0: "1f", 1: "2f"}, front="5c 9c", back="1b 2b", quiet="5c", timing=FAST, players=ONE_PERSON)
    assert types(game.events) == ["round_dealt", *["flower_exposed", "tile_drawn"] * 2]
    assert game.state.decision == Turn(1, 0, "act")
    game.throw("5c")
    assert types(game.events)[5:] == ["tile_discarded", "window_opened", "window_closed"]
    assert game.state.decision == Turn(3, 1, "draw")
    game.do(1, DRAW)
    assert types(game.events)[8:] == ["tile_drawn"]
    assert game.state.decision == Turn(4, 1, "act")


@both
def test_seq_counts_the_numbered_events_alone(rules: str):
    game = table(rules, {2: "55c"}, front="5c", quiet="5c")
    game.throw_to("5c", {2: pung("5c")})
    assert game.state.seq == len(types(game.events))
    assert types(game.events)[0] == "round_dealt"


def seen(game: Table, reader: int | None) -> list[ev.NumberedEvent]:
    return [redact(event, reader) for event in numbered(game.events)]


@both
def test_every_reader_gets_the_same_number_of_events(rules: str):
    game = table(rules, {0: "9999b", 2: "55c"}, front="5c", quiet="5c")
    game.do(0, game.legal(0)[0])
    game.throw_to("5c", {2: pung("5c")})
    assert len({tuple(event.type for event in seen(game, reader)) for reader in READERS}) == 1
