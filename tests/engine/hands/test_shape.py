"""What the hand reader says of single hands, rule by rule (rules 6)."""

from __future__ import annotations

from random import Random

import pytest

from engine.hands import Shapes, best_discard, is_win, keys_of_tiles, kinds_in, packed, reader, shanten
from engine.hands.tables import MEMO_LIMIT, digits_of
from engine.tiles import KINDS
from tests.engine.hands import search
from tests.engine.hands.dealt import hands

JOKERS, PLAIN = Shapes(), Shapes(jokers=False)
ALL_KINDS = 2**27 - 1
WALL = [4] * 27


def tiles(hand: str) -> list[int]:
    """The kinds of a hand string such as `123b 99d`."""
    return [KINDS[rank + group[-1]] for group in hand.split() for rank in group[:-1]]


def waits(hand: str, jokers: int = 0, melds: int = 0, shapes: Shapes = JOKERS) -> set[int]:
    return set(kinds_in(reader(shapes).waits(keys_of_tiles(tiles(hand)), jokers, melds, melds < 2)))


WINS = [
    ("123b 456b 789b 111c 222c 99d", 0, 0, {}, True),
    ("123b 456b 789b 111c 222c 9d 8d", 0, 0, {}, False),
    ("12b 456b 789b 111c 222c 99d", 1, 0, {}, True),
    ("1b 456b 789b 111c 222c 99d", 2, 0, {}, True),
    ("456b 789b 111c 222c 99d", 3, 0, {}, True),
    ("456b 789b 111c 222c 9d", 4, 0, {}, True),
    ("123b 456b 789b 111c 222c", 2, 0, {}, True),
    ("55d", 0, 5, {}, True),
    ("5d", 1, 5, {}, True),
    ("", 2, 5, {}, True),
    ("11b 33b 55b 77c 99c 11d 88d 999d", 0, 0, {}, True),
    ("11b 33b 55b 77c 99c 11d 88d 456d", 0, 0, {}, True),
    ("11b 33b 55b 77c 99c 11d 88d 456d", 0, 0, {"pairs_set": "pung"}, False),
    ("1111b 44b 55c 66c 77c 88d 999d", 0, 0, {}, True),
    ("1111b 44b 55c 66c 77c 88d 999d", 0, 0, {"pairs_distinct": True}, False),
    ("1111b 9b 44b 55c 66c 77c 88d 99d", 0, 0, {"pairs_distinct": True}, False),
    ("1111b 44b 55c 66c 77c 88d 99d", 1, 0, {"pairs_distinct": True}, True),
    ("111b 33b 44b 55c 66c 77c 8d 9d", 1, 0, {"pairs_distinct": True}, False),
    ("11b 33b 55b 77c 99c 11d 88d", 0, 1, {}, True),
    ("11b 33b 55b 77c 99c 11d", 2, 1, {}, True),
]


@pytest.mark.parametrize(("hand", "jokers", "melds", "options", "expected"), WINS)
def test_a_hand_is_complete_as_the_rules_say(hand, jokers, melds, options, expected):
    assert is_win(tiles(hand), jokers, melds, Shapes(**options)) is expected


def test_seven_pairs_counts_only_where_the_caller_allows_it():
    assert not is_win(tiles("11b 33b 55b 77c 99c 11d 88d 999d"), pairs=False)


@pytest.mark.parametrize(
    ("melds", "options", "allowed"),
    [
        ([], {}, True),
        ([("chow", 0)], {}, True),
        ([("pung", 0)], {}, True),
        ([("kong", 0)], {}, True),
        ([("secret", 0)], {}, True),
        ([("sagasa", 0)], {}, True),
        ([("pung", 0), ("secret", 1)], {}, False),
        ([("chow", 0)], {"pairs_open": False}, False),
        ([("sagasa", 0)], {"pairs_open": False}, False),
        ([("secret", 0)], {"pairs_open": False}, True),
        ([("secret", 0)], {"pairs_kong": False}, False),
        ([("kong", 0)], {"pairs_kong": False}, False),
        ([("pung", 0)], {"pairs_kong": False}, True),
        ([("chow", 0)], {"pairs_set": "pung"}, False),
        ([("kong", 0)], {"pairs_set": "pung"}, True),
    ],
)
def test_one_meld_leaves_seven_pairs_open_as_the_options_say(melds, options, allowed):
    assert reader(Shapes(**options)).pairs_allowed(melds) is allowed


def test_shanten_counts_the_exchanges_before_the_hand_waits():
    assert shanten(tiles("123456789b 111c 22c 99d")) == 0
    assert shanten(tiles("123456789b 111c 22c 9d 5d")) == 1


def test_a_pair_wait_on_a_kind_held_four_times_needs_the_joker_rules():
    hand = "555c 5c 123b 456b 789b 222d"
    assert waits(hand) == {KINDS["5c"]}
    assert waits(hand, shapes=PLAIN) == set()
    assert shanten(tiles(hand), shapes=PLAIN) == 1


def test_waits_name_every_kind_that_completes_the_hand():
    assert waits("23456b 789c 111d 222d 99d") == {KINDS[code] for code in ("1b", "4b", "7b")}


def test_a_hand_that_is_not_waiting_has_no_waits():
    assert waits("23456b 789c 111d 22d 5d 9d 1c") == set()


def test_five_sets_and_a_joker_wait_on_every_kind():
    assert waits("123b 456b 678c 222d 777c", jokers=1) == set(range(27))


def test_acceptance_counts_unseen_copies_in_both_its_forms():
    hand = keys_of_tiles(tiles("23b 456b 789c 111d 222d 99d"))
    unseen = [4 - (kind == 0) for kind in range(27)]
    expected = 1 << KINDS["1b"] | 1 << KINDS["4b"] | 1 << KINDS["7b"], 11
    assert reader(JOKERS).acceptance(hand, 0, 0, True, unseen) == expected
    assert reader(JOKERS).acceptance(hand, 0, 0, True, packed(unseen)) == expected


def test_the_best_discard_keeps_the_wait_with_more_unseen_tiles():
    assert best_discard(tiles("13b 3b 456b 789c 111d 222d 99d"), WALL) == KINDS["1b"]


def test_equal_discards_fall_to_the_lowest_kind():
    assert best_discard(tiles("1b 9b 456b 789c 111d 222d 444d"), WALL) == KINDS["1b"]


def test_a_hand_of_jokers_alone_has_no_best_discard():
    with pytest.raises(ValueError, match="no natural tile"):
        reader(JOKERS).best_discard((0, 0, 0), 2, 5, False, WALL)


@pytest.mark.slow
def test_c55_a_joker_eye_wait_wins_with_its_pattern_on_each_of_the_27_kinds():
    eyes = [0, 0]
    for hand in (hand for hand in hands(40_000, 55, missing=1, exchanged=1) if hand.shapes == JOKERS and hand.jokers):
        regular, seven = reader(JOKERS).joker_eye(*hand.given)
        assert regular == (reader(JOKERS).waits(hand.keys, hand.jokers, hand.melds, False) == ALL_KINDS), hand
        assert seven == (
            hand.pairs
            and hand.melds < 2
            and all(
                search.seven_within(search.drawn(hand.counts, kind), 1 - hand.melds, 7, hand.jokers, JOKERS)
                for kind in range(27)
            )
        ), hand
        eyes[0] += regular
        eyes[1] += seven
    assert min(eyes) > 100


@pytest.mark.slow
def test_a_memo_stays_bounded_and_right_when_it_starts_anew():
    table, chance = reader(JOKERS)._regular, Random(1)
    before = {key: table.draws[key] for key in (0, 1, 5**8)}
    for key in range(2 * MEMO_LIMIT):
        if sum(digits_of(key)) < 16:
            table.draws[key + chance.randrange(2) * 5**8]
    assert len(table.draws) <= MEMO_LIMIT
    assert {key: table.draws[key] for key in before} == before
