"""Rows P01 to P10 and the arithmetic of C44 (rules 12, 13), and the laws of the ledger."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.events import Four
from engine.ledger import (
    AMEND_LIMIT,
    Pending,
    amend_allowed,
    deal_antes,
    settle_draw,
    settle_win,
    split_pot,
    void_round,
)
from engine.rules import PRESETS, RuleSet, override
from engine.scoring import Score
from engine.scoring.payments import kong_changes, win_changes

EMAY, TSUMO = PRESETS["emay"], PRESETS["tsumo"]


def category(name: str) -> Score:
    return Score(name, (), dict(EMAY.category_multipliers)[name], None)


@pytest.mark.parametrize(
    ("multiplier", "winner", "discarder", "changes"),
    [
        pytest.param(1, 2, 0, (-2, -1, 4, -1), id="P01"),
        pytest.param(1, 2, None, (-2, -2, 6, -2), id="P02"),
        pytest.param(4, 0, 3, (16, -4, -4, -8), id="P03"),
        pytest.param(7, 1, None, (-14, 42, -14, -14), id="P04"),
    ],
)
def test_tsumo_wins_are_paid_as_the_rules_say(multiplier: int, winner: int, discarder: int | None, changes: Four):
    assert win_changes(TSUMO, multiplier, winner, discarder) == changes


def test_p05_each_opponent_pays_one_for_a_secret():
    assert kong_changes(TSUMO, "secret", 3) == (-1, -1, -1, 3)


@pytest.mark.parametrize("kind", ["chow", "pung", "kong", "sagasa"])
def test_other_melds_of_tsumo_cost_nothing(kind):
    assert kong_changes(TSUMO, kind, 3) == (0, 0, 0, 0)


@pytest.mark.parametrize("kind", ["kong", "secret", "sagasa"])
def test_melds_of_emay_cost_nothing(kind):
    assert kong_changes(EMAY, kind, 0) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("kind", "field"), [("kong", "kang_side_unit"), ("secret", "secret_side_unit"), ("sagasa", "sagasa_side_unit")]
)
def test_each_kind_of_kong_has_its_own_side_unit(kind, field: str):
    assert kong_changes(override(EMAY, {field: 7}), kind, 1) == (-7, 21, -7, -7)


def settled(score: Score, winner: int, discarder: int | None, pot: int, **changes: object) -> Pending:
    return settle_win(override(EMAY, changes), score, winner, discarder, pot)


def test_p06_the_winner_by_discard_takes_the_pot():
    assert settled(category("win_by_discard_regular"), 1, 0, 20) == Pending(20, 1, (-10, 40, -5, -5), 20, 0, 0, 0)


def test_p07_joker_eye_by_draw_takes_a_grown_pot():
    score = category("win_by_draw_joker_eye_before_the_fifth_eskalera")

    assert settled(score, 3, None, 24) == Pending(120, 4, (-40, -40, -40, 144), 24, 0, 0, 0)


def test_p08_triple_joker_is_paid_like_a_draw():
    score = category("bisaklat_triple_joker")

    assert settled(score, 2, None, 20) == Pending(300, 10, (-100, -100, 320, -100), 20, 0, 0, 0)


def test_p09_a_drawn_round_leaves_the_pot():
    assert settle_draw(20) == Pending(0, 0, (0, 0, 0, 0), 20, 20, 0, 0)


def test_p10_the_tip_moves_from_the_winner_to_the_house():
    pending = settled(category("win_by_draw_regular"), 0, None, 20, tip_per_win=2)

    assert pending == Pending(30, 1, (48, -10, -10, -10), 20, 0, 2, 2)


def test_c44_an_eskalera_on_a_discard_with_a_pot_of_20():
    pending = settled(category("win_by_discard_eskalera"), 1, 0, 20)

    assert pending.changes == (-20, 60, -10, -10)
    assert sum(pending.changes) == 20 == pending.pot_before - pending.pot_after


def test_c43_a_pot_that_is_carried_grows_and_a_new_one_starts_after_it_is_taken():
    pot = settle_draw(20).pot_after

    grown = deal_antes(EMAY, pot)
    taken = settled(category("win_by_draw_regular"), 0, None, grown[1])
    fresh = deal_antes(EMAY, taken.pot_after)

    assert grown == ((-1, -1, -1, -1), 24)
    assert (taken.pot_before, taken.pot_after, taken.changes[0]) == (24, 0, 30 + 24)
    assert fresh == ((-5, -5, -5, -5), 20)


def test_a_table_without_a_pot_asks_for_no_ante():
    assert deal_antes(override(EMAY, {"pot_claim": "off"}), 0) == ((0, 0, 0, 0), 0)


@pytest.mark.parametrize(
    ("pot_claim", "score", "discarder", "takes"),
    [
        ("any_win", category("win_by_discard_regular"), 0, True),
        ("draw_win", category("win_by_discard_eskalera"), 0, False),
        ("draw_win", category("win_by_draw_regular"), None, True),
        ("draw_win", category("bisaklat_triple_joker"), None, True),
        ("special", category("win_by_discard_regular"), 0, False),
        ("special", category("win_by_draw_regular"), None, False),
        ("special", category("win_by_discard_before_the_fifth"), 0, True),
        ("special", category("win_by_draw_joker_eye"), None, True),
        ("special", category("bisaklat_regular"), None, True),
        ("special", Score(None, (), 1, None), 0, False),
        ("special", Score(None, ("no_flowers",), 2, None), 0, True),
        ("off", category("win_by_draw_regular"), None, False),
    ],
)
def test_the_pot_goes_only_to_the_wins_it_is_for(pot_claim: str, score: Score, discarder: int | None, takes: bool):
    pending = settled(score, 1, discarder, 20, pot_claim=pot_claim)

    assert pending.pot_after == (0 if takes else 20)


def test_the_tip_is_never_more_than_the_winner_receives():
    pending = settled(category("win_by_discard_regular"), 1, 0, 20, tip_per_win=100)

    assert pending == Pending(20, 1, (-10, 0, -5, -5), 20, 0, 40, 40)


@pytest.mark.parametrize(
    ("pot_at_end", "pot", "shares"),
    [("split", 27, ((6, 6, 6, 6), 3)), ("split", 3, ((0, 0, 0, 0), 3)), ("house", 27, ((0, 0, 0, 0), 27))],
)
def test_a_pot_left_at_the_end_is_split_and_the_remainder_goes_to_the_house(pot_at_end, pot, shares):
    assert split_pot(override(EMAY, {"pot_at_end": pot_at_end}), pot) == shares


def test_a_void_round_gives_back_antes_and_side_payments():
    assert void_round((-5, -5, -5, -5), (-1, 3, -1, -1), 44) == ((6, 2, 6, 6), 24)


COMPUTED = Pending(20, 1, (-10, 40, -5, -5), 20, 0, 0, 0)


@pytest.mark.parametrize(
    ("changes", "allowed"),
    [
        ((5, 5, 5, 5), True),
        ((-10, 40, -5, -5), True),
        ((AMEND_LIMIT, 20 - AMEND_LIMIT, 0, 0), True),
        ((-10, 41, -5, -5), False),
        ((10, 10, 0), False),
        ((5, 5, 5, 5, 0), False),
        ((5.0, 5, 5, 5), False),
        (("5", 5, 5, 5), False),
        ((True, 9, 5, 5), False),
        ((AMEND_LIMIT + 1, 19 - AMEND_LIMIT, 0, 0), False),
        ((2**70, 20 - 2**70, 0, 0), False),
    ],
)
def test_an_amendment_is_four_bounded_whole_numbers_of_the_computed_sum(changes, allowed: bool):
    assert amend_allowed(COMPUTED, changes) is allowed


money = st.fixed_dictionaries(
    {
        "unit": st.integers(1, 10_000),
        "discarder_multiplier": st.integers(1, 10),
        "self_draw_multiplier": st.integers(1, 10),
        "pot_claim": st.sampled_from(["any_win", "draw_win", "special", "off"]),
        "pot_ante": st.integers(0, 10_000),
        "pot_growth": st.integers(0, 10_000),
        "pot_at_end": st.sampled_from(["split", "house"]),
        "tip_per_win": st.integers(0, 10_000),
        "kang_side_unit": st.integers(0, 1000),
        "secret_side_unit": st.integers(0, 1000),
        "sagasa_side_unit": st.integers(0, 1000),
    }
).map(lambda changes: override(EMAY, changes))
seats = st.integers(0, 3)
wins = st.tuples(seats, st.none() | seats).filter(lambda pair: pair[0] != pair[1])
scores = st.one_of(
    st.builds(
        Score, st.sampled_from([i for i, _ in EMAY.category_multipliers]), st.just(()), st.integers(0, 1000), st.none()
    ),
    st.builds(Score, st.none(), st.sampled_from([(), ("flush",)]), st.integers(0, 7001), st.none()),
)
kongs = st.lists(st.tuples(st.sampled_from(["kong", "secret", "sagasa"]), seats), max_size=6)


@given(rules=money, carried=st.integers(0, 10**6), win=wins, score=scores, laid=kongs, drawn=st.booleans())
def test_antes_side_payments_changes_pot_and_house_sum_to_zero(rules: RuleSet, carried, win, score, laid, drawn: bool):
    antes, pot = deal_antes(rules, carried)
    side = sum(sum(kong_changes(rules, kind, seat)) for kind, seat in laid)
    pending = settle_draw(pot) if drawn else settle_win(rules, score, win[0], win[1], pot)

    assert sum(antes) + side + sum(pending.changes) + (pending.pot_after - carried) + pending.house_change == 0
    assert pending.pot_after >= 0
    assert pending.house_change >= 0
    assert drawn or pending.changes[win[0]] >= 0


@given(rules=money, pot=st.integers(0, 10**9))
def test_the_end_of_a_game_leaves_no_point_of_the_pot(rules: RuleSet, pot: int):
    shares, to_house = split_pot(rules, pot)

    assert sum(shares) + to_house == pot
    assert to_house >= 0
    assert rules.pot_at_end == "house" or to_house < 4


@given(rules=money, carried=st.integers(0, 10**6), laid=kongs)
def test_a_void_round_leaves_seats_and_pot_as_they_were(rules: RuleSet, carried: int, laid):
    antes, pot = deal_antes(rules, carried)
    points = list(antes)
    side = [0, 0, 0, 0]
    for kind, seat in laid:
        side = [a + b for a, b in zip(side, kong_changes(rules, kind, seat), strict=True)]
    points = [a + b for a, b in zip(points, side, strict=True)]

    returned, left = void_round(antes, (side[0], side[1], side[2], side[3]), pot)

    assert [a + b for a, b in zip(points, returned, strict=True)] == [0, 0, 0, 0]
    assert left == carried
