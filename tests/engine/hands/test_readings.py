"""Readings are whole, each is exact, and they are worth all that a hand with its jokers put at every kind is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from random import Random

import pytest

from engine.hands import Meld, Shapes, keys_of, reader
from engine.hands.readings import Reading, eskalera_eye, readings
from tests.engine.hands import search
from tests.engine.hands.dealt import Dealt, hands
from tests.engine.hands.test_shape import tiles

Worth = tuple[str, bool, bool, bool, bool]
Split = tuple[tuple[Meld, ...], tuple[int, ...]]
LONG = pytest.mark.long


def counts_of(hand: str) -> list[int]:
    held = tiles(hand)
    return [held.count(kind) for kind in range(27)]


def with_melds(hand: Dealt, chance: Random) -> list[Meld]:
    kinds = [("chow", 0), ("chow", 3), ("chow", 6), *((kind, 4) for kind in ("pung", "kong", "secret", "sagasa"))]
    suit = chance.choice([kind // 9 for kind in range(27) if hand.counts[kind]] or [1])
    return [(kind, 9 * suit + low) for kind, low in chance.choices(kinds, k=hand.melds)]


def natural_splits(counts: list[int], sets: int, pairs: int, kind: int = 0) -> Iterator[Split]:
    """Every way to split naturals into sets and pairs, found one group at a time."""
    while kind < 27 and not counts[kind]:
        kind += 1
    if kind == 27:
        if sets == pairs == 0:
            yield (), ()
        return
    options: list[tuple[str, tuple[int, ...]]] = [("pung", (kind,) * 3), ("pair", (kind,) * 2)]
    if kind % 9 < 7:
        options.append(("chow", (kind, kind + 1, kind + 2)))
    for name, group in options:
        rest = [count - group.count(other) for other, count in enumerate(counts)]
        left = (sets, pairs - 1) if name == "pair" else (sets - 1, pairs)
        if min(rest) >= 0 and min(left) >= 0:
            for more_sets, more_pairs in natural_splits(rest, *left, kind):
                if name == "pair":
                    yield more_sets, (kind, *more_pairs)
                else:
                    yield ((name, kind), *more_sets), more_pairs


def allowed_splits(counts: list[int], melds: list[Meld], shapes: Shapes) -> Iterator[tuple[str, Split]]:
    for split in natural_splits(counts, 5 - len(melds), 1):
        yield "regular", split
    if shapes.pairs_allowed(melds):
        for split in natural_splits(counts, 1 - len(melds), 7):
            repeated = shapes.pairs_distinct and len(set(split[1])) < 7
            if not repeated and not (shapes.pairs_set == "pung" and any(kind == "chow" for kind, _ in split[0])):
                yield "seven_pairs", split


def worths(hand: Dealt, melds: list[Meld], substitutions: list[tuple[int, ...]]) -> set[Worth]:
    """What a hand is worth when its jokers are put at these kinds."""
    found = set()
    for kinds in substitutions:
        jokers = Counter(kinds)
        counts = [count + jokers[kind] for kind, count in enumerate(hand.counts)]
        for pattern, (concealed, pairs) in allowed_splits(counts, melds, hand.shapes):
            sets = [*melds, *concealed]
            chows = [first for kind, first in sets if kind == "chow"]
            eskalera = pattern == "regular" and any({s, s + 3, s + 6} <= set(chows) for s in (0, 9, 18))
            one_suit = len({first // 9 for _, first in sets} | {kind // 9 for kind in pairs}) == 1
            in_pairs = Counter(pairs)
            can = any(jokers[kind] for kind in pairs)
            need_not = all(2 * number <= hand.counts[kind] for kind, number in in_pairs.items())
            for eye in {True} & {can} | {False} & {not need_not}:
                found.add((pattern, eskalera, not chows, one_suit, eye))
    return found


def worth(reading: Reading) -> Worth:
    return reading.pattern, reading.eskalera, reading.all_pungs, reading.one_suit, reading.pair_has_joker


def best(found: set[Worth]) -> set[Worth]:
    """Less those that are worth no less in one suit: readings keep free jokers in a suit the hand has."""
    return {each for each in found if each[3] or (*each[:3], True, each[4]) not in found}


def eskalera_by_search(counts: list[int], jokers: int, melds: list[Meld]) -> bool:
    """Lay the chows that are not exposed, jokers for what is missing, and search the rest for sets and a pair."""
    for suit in (0, 9, 18):
        chows = [low for low in (suit, suit + 3, suit + 6) if ("chow", low) not in melds]
        rest, wild, sets = list(counts), jokers, 5 - len(melds) - len(chows)
        for kind in (low + step for low in chows for step in range(3)):
            if rest[kind]:
                rest[kind] -= 1
            else:
                wild -= 1
        if wild >= 0 and sets >= 0 and search.regular_within(rest, sets, 1, wild, Shapes()):
            return True
    return False


def assert_exact(reading: Reading, hand: Dealt, melds: list[Meld]):
    naturals = Counter(kind for group in reading.groups for kind in group.naturals)
    assert [naturals[kind] for kind in range(27)] == hand.counts
    assert sum(len(group.jokers_as) for group in reading.groups) == hand.jokers
    assert reading.sets[: len(melds)] == tuple(melds)
    seven = reading.pattern == "seven_pairs"
    assert (len(reading.sets), len(reading.pairs)) == ((1, 7) if seven else (5, 1))
    if seven and hand.shapes.pairs_distinct:
        assert len(set(reading.pairs)) == 7
    if seven and hand.shapes.pairs_set == "pung":
        assert reading.all_pungs


@pytest.mark.slow
@pytest.mark.parametrize(("number", "seed"), [(600, 1), pytest.param(6000, 2, marks=LONG)])
def test_readings_are_worth_what_jokers_at_every_kind_are_worth(number: int, seed: int):
    chance, complete = Random(seed), 0
    for hand in hands(number, seed, exchanged=1):
        melds = with_melds(hand, chance)
        found = readings(hand.counts, hand.jokers, melds, hand.shapes)
        complete += bool(found)
        for reading in found:
            assert_exact(reading, hand, melds)
        if hand.jokers <= 2:
            everywhere = list(combinations_with_replacement(range(27), hand.jokers))
            assert best(set(map(worth, found))) == best(worths(hand, melds, everywhere)), (hand, melds)
        else:
            anywhere = [tuple(chance.choices(range(27), k=hand.jokers)) for _ in range(100)]
            known = set(map(worth, found))
            assert best(known | worths(hand, melds, anywhere)) == best(known), (hand, melds)
    assert complete > number / 3


def test_three_and_four_jokers_at_every_kind_are_worth_no_more_than_the_readings():
    chance = Random(3)
    for hand in (hand for hand in hands(60, 4, exchanged=0) if hand.jokers > 2 and hand.melds > 2):
        melds = with_melds(hand, chance)
        everywhere = list(combinations_with_replacement(range(27), hand.jokers))[:: 1 if hand.jokers == 3 else 5]
        found = set(map(worth, readings(hand.counts, hand.jokers, melds, hand.shapes)))
        assert best(found | worths(hand, melds, everywhere)) == best(found), (hand, melds)


def test_readings_of_naturals_are_all_the_splits_there_are():
    for hand in (hand for hand in hands(3000, 5, exchanged=0) if not hand.jokers):
        found = readings(hand.counts, 0, [("pung", 4)] * hand.melds, hand.shapes)
        splits = {
            (pattern, tuple(sorted(sets)), tuple(sorted(pairs)))
            for pattern, (sets, pairs) in allowed_splits(hand.counts, [("pung", 4)] * hand.melds, hand.shapes)
        }
        keys = [(each.pattern, tuple(sorted(each.sets[hand.melds :])), each.pairs) for each in found]
        assert len(keys) == len(set(keys))
        assert set(keys) == splits


@pytest.mark.slow
def test_a_hand_has_a_reading_exactly_when_it_is_complete():
    chance = Random(6)
    for hand in hands(3000, 7, exchanged=1):
        melds = with_melds(hand, chance)
        pairs = hand.shapes.pairs_allowed(melds)
        wins = reader(hand.shapes).is_win(hand.keys, hand.jokers, hand.melds, pairs)
        assert bool(readings(hand.counts, hand.jokers, melds, hand.shapes)) == wins, (hand, melds)


@pytest.mark.slow
def test_an_eskalera_is_one_of_the_readings():
    chance, seen = Random(8), 0
    for hand in hands(6000, 9, exchanged=1):
        melds = with_melds(hand, chance)
        found = any(reading.eskalera for reading in readings(hand.counts, hand.jokers, melds, hand.shapes))
        seen += found
        assert found == eskalera_by_search(hand.counts, hand.jokers, melds), (hand, melds)
    assert seen > 100


def test_c55_an_eskalera_joker_eye_wait_makes_an_eskalera_on_each_of_the_27_kinds():
    chance, seen = Random(10), 0
    for hand in (hand for hand in hands(20_000, 11, missing=1, exchanged=0) if hand.jokers):
        melds = with_melds(hand, chance)
        eye = eskalera_eye(hand.counts, hand.jokers, melds)
        seen += eye
        drawn = (search.drawn(hand.counts, kind) for kind in range(27))
        assert eye == all(eskalera_by_search(counts, hand.jokers, melds) for counts in drawn), (hand, melds)
    assert seen > 50


@pytest.mark.parametrize(
    ("hand", "jokers", "melds", "eskalera"),
    [
        ("123b 456b 789b 222d 777c 99d", 0, [], True),
        ("456b 222d 777c 99d", 0, [("chow", 0), ("chow", 6)], True),
        ("123b 456c 789d 222b 777c 99b", 0, [], False),
        ("123b 46b 789b 222d 777c 99d", 1, [], True),
        ("23b 456b 789b 222d 777c 99d", 1, [], True),
        ("123456789b 123b 99d 222d", 0, [], True),
        ("123456789b 1b 2b 3b 4b 55d 66d", 0, [], False),
        ("222d 777c 99d", 0, [("chow", 0), ("chow", 3), ("chow", 6)], True),
        ("222d 99d", 0, [("chow", 0), ("chow", 3), ("chow", 6), ("secret", 9)], True),
        ("77c 99b 11d 22d 33d 44d 55d", 0, [("chow", 0)], False),
    ],
)
def test_an_eskalera_is_three_chows_of_one_suit_among_five_sets(hand, jokers, melds, eskalera):
    found = readings(counts_of(hand), jokers, melds, Shapes())
    assert any(reading.eskalera for reading in found) is eskalera


def test_a_group_tells_what_its_jokers_stand_for():
    (reading,) = readings(counts_of("46b 222d 777c 99d 123c 789c"), 1, [], Shapes())
    first = reading.groups[0]
    assert (first.tiles, first.jokers_as, first.naturals) == ((3, 4, 5), (4,), (3, 5))


def test_a_free_pair_of_jokers_is_a_pair_of_a_suit_the_hand_has():
    (reading,) = readings([0] * 27, 2, [("pung", kind) for kind in range(9, 14)], Shapes())
    assert reading.one_suit
    assert reading.pair_has_joker


def test_the_readings_of_a_hand_of_four_jokers_are_few():
    counts = counts_of("111222333b 5678b")
    assert sum(counts) + 4 == 17
    assert keys_of(counts)[1:] == (0, 0)
    assert len(readings(counts, 4, [], Shapes())) <= 24
