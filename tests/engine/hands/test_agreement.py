"""The tables agree with a search that knows none of them; `pytest -m long` asks 200,000 hands."""

from __future__ import annotations

from random import Random

import pytest

from engine.hands import Discard, reader
from tests.engine.hands import search
from tests.engine.hands.dealt import hands, unseen

pytestmark = pytest.mark.slow

LONG = pytest.mark.long
SEED = 20261


@pytest.mark.parametrize(("number", "seed"), [(9000, SEED), pytest.param(100_000, SEED + 1, marks=LONG)])
def test_a_win_is_a_win_by_search(number: int, seed: int):
    wins = 0
    for hand in hands(number, seed):
        found = reader(hand.shapes).is_win(*hand.given)
        wins += found
        assert found == search.is_win(*hand.searched), hand
    assert number / 5 < wins < number * 4 / 5


@pytest.mark.parametrize(("number", "seed"), [(5000, SEED + 2), pytest.param(50_000, SEED + 3, marks=LONG)])
def test_shanten_is_the_shanten_by_search(number: int, seed: int):
    for missing in (0, 1):
        for hand in hands(number // 2, seed + 100 * missing, missing):
            found = reader(hand.shapes).shanten(*hand.given)
            assert min(found, 3) == search.shanten(*hand.searched, most=3), hand


@pytest.mark.parametrize(("number", "seed"), [(4000, SEED + 4), pytest.param(30_000, SEED + 5, marks=LONG)])
def test_waits_are_the_kinds_that_win_by_search(number: int, seed: int):
    waiting = 0
    for hand in hands(number, seed, missing=1, exchanged=2):
        found = reader(hand.shapes).waits(*hand.given)
        waiting += bool(found)
        assert found == search.waits(*hand.searched), hand
        assert reader(hand.shapes).waits_on_joker(*hand.given) == search.within(
            hand.counts, hand.melds, hand.pairs, hand.jokers + 1, hand.shapes
        )
    assert waiting > number / 4


@pytest.mark.parametrize(("number", "seed"), [(1000, SEED + 6), pytest.param(15_000, SEED + 7, marks=LONG)])
def test_acceptance_is_the_draws_that_lower_shanten_by_search(number: int, seed: int):
    chance = Random(seed)
    for hand in hands(number, seed, missing=1, exchanged=2):
        left = unseen(chance, hand.counts)
        now = reader(hand.shapes).shanten(*hand.given)
        assert reader(hand.shapes).acceptance(*hand.given, left) == search.acceptance(*hand.searched, left, now), hand


@pytest.mark.parametrize(("number", "seed"), [(120, SEED + 8), pytest.param(3_000, SEED + 9, marks=LONG)])
def test_discards_are_what_the_search_finds_after_each(number: int, seed: int):
    chance = Random(seed)
    for hand in hands(number, seed, exchanged=2):
        left = unseen(chance, hand.counts)
        found = reader(hand.shapes).discards(*hand.given, left)
        expected = []
        for kind in (kind for kind in range(27) if hand.counts[kind]):
            rest = [count - (other == kind) for other, count in enumerate(hand.counts)]
            after = search.shanten(rest, *hand.searched[1:])
            mask, count = search.acceptance(rest, *hand.searched[1:], left, after)
            expected.append(Discard(kind, after, count, mask))
        assert found == expected, hand
        if found:
            best = min(found, key=lambda discard: (discard.shanten, -discard.acceptance, discard.kind))
            assert reader(hand.shapes).best_discard(*hand.given, left) == best.kind, hand


@pytest.mark.parametrize(("number", "seed"), [(4000, SEED + 10), pytest.param(30_000, SEED + 11, marks=LONG)])
def test_a_joker_eye_is_a_joker_eye_by_search(number: int, seed: int):
    for hand in hands(number, seed, missing=1, exchanged=1):
        assert reader(hand.shapes).joker_eye(*hand.given) == search.joker_eye(*hand.searched), hand


@pytest.mark.parametrize(("number", "seed"), [(300, SEED + 12), pytest.param(3_000, SEED + 13, marks=LONG)])
def test_putting_jokers_at_every_kind_and_leaving_tiles_out_find_the_same_wins(number: int, seed: int):
    for hand in hands(number, seed):
        if hand.jokers <= 2:
            assert search.is_win(*hand.searched) == search.within(
                hand.counts, hand.melds, hand.pairs, hand.jokers, hand.shapes
            ), hand
