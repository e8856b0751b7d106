"""Why a hand may not win: the reasons in their order, discarded jokers, and C55 (rules 5, 6)."""

from __future__ import annotations

import random

import pytest

from engine.hands import keys_of, reader
from engine.hands.readings import eskalera_eye, readings
from engine.rules import PRESETS, RuleSet, override
from engine.scoring.legality import WinRefusal, discard_win_refusal, read_wait
from engine.tiles import KINDS, SUITED, parse_hand

EMAY = PRESETS["emay"]


def on_discard(
    hand: str, tile: str, *, melds: int = 0, joker: str = "5d", locked: bool = False, **options: object
) -> WinRefusal | None:
    rules = override(EMAY, options)
    kinds, jokers = parse_hand(hand)
    keys = keys_of([kinds.count(kind) for kind in range(SUITED)])
    pairs = melds == 0
    wait = read_wait(reader(rules.shapes), keys, jokers, melds, pairs)
    return discard_win_refusal(rules, wait, KINDS[tile], KINDS[joker], locked)


WAITING = "123b 456b 678c 222d 777c 9d"
JOKER_EYE = "123b 456b 678c 222d 777c J"


@pytest.mark.parametrize(
    ("hand", "tile", "locked", "refusal"),
    [
        (WAITING, "9d", False, None),
        (WAITING, "8d", False, "incomplete"),
        (WAITING, "8d", True, "incomplete"),
        (WAITING, "9d", True, "locked_after_pass"),
        (JOKER_EYE, "9d", False, "joker_eye_is_draw_only"),
        (JOKER_EYE, "9d", True, "joker_eye_is_draw_only"),
    ],
)
def test_the_first_reason_that_applies_is_given(hand: str, tile: str, locked: bool, refusal: WinRefusal | None):
    assert on_discard(hand, tile, locked=locked) == refusal


def test_c14_a_joker_eye_wait_cannot_win_on_the_tile_it_could_pung():
    assert on_discard("678c 678c 123b 456b 222d J", "7c") == "joker_eye_is_draw_only"
    assert on_discard("678c 678c 123b 456b 222d J", "7c", joker_eye_blocks_discard=False) is None


@pytest.mark.parametrize(
    ("counts_as", "refusal_at_face", "refusal_as_wild"),
    [
        ("face_for_win", None, "incomplete"),
        ("dead", "incomplete", "incomplete"),
        ("wild", None, None),
    ],
)
def test_a_discarded_joker_counts_as_the_option_says(counts_as: str, refusal_at_face, refusal_as_wild):
    assert on_discard("46d 123b 678c 222b 777c 99b", "5d", discarded_joker=counts_as) == refusal_at_face
    assert on_discard(WAITING, "5d", discarded_joker=counts_as) == refusal_as_wild


def test_a_tile_that_is_no_joker_in_this_round_is_not_touched_by_the_option():
    assert on_discard("46d 123b 678c 222b 777c 99b", "5d", joker="1c", discarded_joker="dead") is None


def waiting_hands(number: int) -> list[tuple[list[int], int, int]]:
    """Hands at rest with one to three jokers: sets or pairs beside a joker, tiles lost to jokers or chance."""
    chance = random.Random(55)
    hands: list[tuple[list[int], int, int]] = []
    while len(hands) < number:
        shape = chance.choice(("sets", "eskalera", "pairs"))
        melds = chance.randint(0, {"sets": 4, "eskalera": 2, "pairs": 1}[shape])
        tiles = [kind for kind in chance.sample(range(SUITED), k=6) for _ in range(2)] if shape == "pairs" else []
        if shape == "eskalera":
            suit = 9 * chance.randrange(3)
            tiles += range(suit, suit + 9)
        while len(tiles) < 15 - 3 * melds:
            first = chance.randrange(SUITED)
            tiles += (first, first + 1, first + 2) if first % 9 < 7 and chance.random() < 0.6 else (first,) * 3
        chance.shuffle(tiles)
        lost = chance.choice((0, 0, 1, 2))
        del tiles[:lost]
        if tiles and chance.random() < 0.5:
            tiles[0] = chance.randrange(SUITED)
        counts = [tiles.count(kind) for kind in range(SUITED)]
        if max(counts) <= 3:  # a fifth copy has no reading; tests/engine/hands looks at those hands without one
            hands.append((counts, 1 + lost, melds))
    return hands


@pytest.mark.slow
def test_c55_a_joker_eye_wait_is_a_wait_on_each_of_the_27_kinds():
    hands = reader(EMAY.shapes)
    seen = set()
    for counts, jokers, melds in waiting_hands(150):
        pairs = melds < 2
        laid = [("pung", kind) for kind in range(melds)]
        keys = keys_of(counts)

        regular, seven = hands.joker_eye(keys, jokers, melds, pairs)
        eyes = (regular, eskalera_eye(counts, jokers, laid), seven)

        assert eyes == wins_on_every_kind(EMAY, counts, jokers, laid)
        seen.add(eyes)
    assert len(seen) >= 4, "the hands do not tell the patterns apart"


def wins_on_every_kind(
    rules: RuleSet, counts: list[int], jokers: int, melds: list[tuple[str, int]]
) -> tuple[bool, bool, bool]:
    """By pattern (Regular, Eskalera, Seven Pairs), held copies not counted; a kind that fails all ends the search."""
    regular = eskalera = seven = True
    for kind in range(SUITED):
        more = [count + (at == kind) for at, count in enumerate(counts)]
        found = readings(more, jokers, melds, rules.shapes)
        regular = regular and any(reading.pattern == "regular" for reading in found)
        seven = seven and any(reading.pattern == "seven_pairs" for reading in found)
        eskalera = eskalera and any(reading.eskalera for reading in found)
        if not (regular or seven or eskalera):
            break
    return regular, eskalera, seven
