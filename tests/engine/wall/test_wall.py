"""The seeded shuffle: unbiased, from seed and round alone, and the same for ever under its version (rules 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import shake_256

import pytest

from engine.rules import RuleSet, override, preset
from engine.tiles import CODES, SUITED, codes, full_set
from engine.wall import SEED_BYTES, VERSION, Chance, build_wall, first_dealer

SEED = "00" * SEED_BYTES
EMAY, TSUMO = preset("emay"), preset("tsumo")
SHUFFLES = 1500

FROZEN = {
    "emay": (
        "6c7d3d9d9b5d3b2d5c6d5c4c3c3b4c7b5c2c2b4d8d7d5b2d6d7b4c3b1b2c9c7d5d6b8d5c8b6b5d6b3c7c9d8b3d8d9b9d4d7b2d1c"
        "5b4b9b8d2b8c9c7c6b3b1d2b3c7c1b7b4b8c9b6c8c1b1c3c2c4b6d6d9d2d2b4c8b4d2c1d4d1d7d1b6c3d9c5b1c9c1c8b6c5d7c1d"
        "5b8c4b3d"
    ),
    "tsumo": (
        "7d2d7b5d6d4c7c8b2x2d2c2w9c1f2c9d3w8c4w6c5c4c2b3w1x3c8b2f1c8c8d4d3c1b7c5d6b9d1d9c9b4w1w2x6c3b7b2c3d5b1x3w"
        "6c1x9d2b8d8d6c8b7d3c3d2w5b5d3b4d8c1d5c4d2b4b7d3c9c9d9b1b2b3w5d6d4c4w2w4d4b9c3x2x1c8b4s5b6d3x8c2d4f1b9b6b"
        "3x6b3b6d1s1w3f7c7c3s3x2c4c1w5b7b9b4b7d6b3d1d7b3b1c8d1d2d2w1b1x4b2s1w2x1c5c5c4w3d"
    ),
}
FROZEN_JOKERS = ["7c", "8b", "5b", "4c", "8c", "6b", "2b", "8b"]
FROZEN_DEALERS = [2, 3, 1, 0, 3, 0, 3, 1, 3, 3, 3, 3, 1, 2, 3, 1]


def seeds(number: int) -> list[str]:
    return [f"{seed:064x}" for seed in range(number)]


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


# Version 1, for ever


def test_the_version_is_1():
    assert VERSION == 1


@pytest.mark.parametrize("rules", [EMAY, TSUMO], ids=lambda rules: rules.name)
def test_the_wall_of_a_seed_never_changes(rules: RuleSet):
    assert "".join(codes(build_wall(rules, SEED, 1).tiles)) == FROZEN[rules.name]


def test_the_joker_of_a_seed_and_round_never_changes():
    named = [build_wall(EMAY, SEED, number).joker for number in range(1, 9)]
    assert [CODES[joker] for joker in named if joker is not None] == FROZEN_JOKERS


def test_a_random_first_dealer_never_changes():
    rules = override(EMAY, {"first_dealer": "random"})
    assert [first_dealer(rules, seed) for seed in seeds(16)] == FROZEN_DEALERS


def test_the_stream_is_shake_256_of_version_seed_and_label():
    chance = Chance("ab", "label")
    blocks = [shake_256(f"todas/1/ab/label/{number}".encode()).digest(256) for number in range(2)]
    words = [int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 256, 4)]
    assert [chance.below(1 << 32) for _ in range(128)] == words


# What it depends on


@pytest.mark.parametrize("rules", [EMAY, TSUMO], ids=lambda rules: rules.name)
def test_seeds_and_rounds_have_walls_of_their_own(rules: RuleSet):
    walls = {build_wall(rules, seed, number).tiles for seed in seeds(10) for number in range(1, 11)}
    assert len(walls) == 100


def test_the_wall_depends_on_nothing_but_tiles_seed_and_round():
    other = override(EMAY, {"unit": 7, "pass_lock": "off", "auto_draw": False, "bisaklat": False})
    assert build_wall(other, SEED, 3) == build_wall(EMAY, SEED, 3)


def test_drawing_the_joker_does_not_move_the_wall():
    assert build_wall(override(EMAY, {"joker_mode": "none"}), SEED, 1).tiles == build_wall(EMAY, SEED, 1).tiles


def test_streams_of_different_labels_have_nothing_in_common():
    numbers = {
        label: [Chance(SEED, label).below(1 << 32) for _ in range(8)] for label in ("wall/1", "wall/11", "joker")
    }
    assert len({number for drawn in numbers.values() for number in drawn}) >= 3


def test_seat_0_deals_first_unless_it_is_random():
    assert {first_dealer(EMAY, seed) for seed in seeds(20)} == {0}


# What it holds


@pytest.mark.parametrize(("rules", "size"), [(EMAY, 108), (TSUMO, 144)], ids=["emay", "tsumo"])
def test_a_wall_is_the_whole_set(rules: RuleSet, size: int):
    wall = build_wall(rules, SEED, 1)
    assert len(wall.tiles) == size
    assert sorted(wall.tiles) == full_set(rules.tile_set)
    assert wall.last is None


@pytest.mark.parametrize("tile_set", ["suited108", "standard144"])
@pytest.mark.parametrize("mode", ["wall_indicator", "indicator_removed"])
def test_the_indicator_is_the_last_suited_tile_taken_out_of_its_place(mode: str, tile_set: str):
    plain = override(EMAY, {"joker_mode": "none", "tile_set": tile_set})
    for seed in seeds(20):
        shuffled = list(build_wall(plain, seed, 1).tiles)
        place = max(place for place, kind in enumerate(shuffled) if kind < SUITED)
        indicator = shuffled.pop(place)
        wall = build_wall(override(plain, {"joker_mode": mode}), seed, 1)
        assert wall.tiles == tuple(shuffled)
        assert wall.joker == indicator
        assert wall.last == (indicator if mode == "wall_indicator" else None)


# Bias


@pytest.mark.parametrize("place", [0, 53, 106, 107])
def test_every_kind_is_equally_likely_at_every_place(place: int):
    counts = Counter(build_wall(EMAY, seed, 1).tiles[place] for seed in seeds(SHUFFLES))
    # 26 degrees of freedom: one honest shuffle in ten thousand goes above 62.
    assert chi_square((counts[kind] for kind in range(SUITED)), SHUFFLES / SUITED) < 62


@pytest.mark.parametrize("kind", [0, 26])
def test_a_tile_is_equally_likely_to_lie_anywhere(kind: int):
    places = [
        place for seed in seeds(SHUFFLES) for place, tile in enumerate(build_wall(EMAY, seed, 1).tiles) if tile == kind
    ]
    eighths = Counter(place * 9 // 108 for place in places)
    # 8 degrees of freedom.
    assert chi_square((eighths[part] for part in range(9)), len(places) / 9) < 32


def test_every_kind_is_equally_likely_to_be_the_joker():
    counts = Counter(build_wall(EMAY, SEED, number).joker for number in range(1, SHUFFLES + 1))
    assert chi_square((counts[kind] for kind in range(SUITED)), SHUFFLES / SUITED) < 62


def test_every_seat_is_equally_likely_to_deal_first():
    rules = override(EMAY, {"first_dealer": "random"})
    counts = Counter(first_dealer(rules, seed) for seed in seeds(SHUFFLES))
    # 3 degrees of freedom.
    assert chi_square((counts[seat] for seat in range(4)), SHUFFLES / 4) < 21


def test_every_order_of_three_is_equally_likely():
    """The order in which three tiles that exist once each lie in a wall of tsumo."""
    marks = [CODES.index(code) for code in ("1f", "2f", "3f")]
    counts: Counter[tuple[int, ...]] = Counter()
    for seed in seeds(SHUFFLES):
        tiles = build_wall(TSUMO, seed, 1).tiles
        counts[tuple(sorted(marks, key=tiles.index))] += 1
    # 5 degrees of freedom.
    assert len(counts) == 6
    assert chi_square(counts.values(), SHUFFLES / 6) < 26


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 27, 108, 1 << 32])
def test_a_number_lies_below_its_bound(bound: int):
    chance = Chance(SEED, "bounds")
    drawn = [chance.below(bound) for _ in range(200)]
    assert 0 <= min(drawn) <= max(drawn) < bound
    assert len(set(drawn)) == min(bound, len(set(drawn)))


@pytest.mark.parametrize("bound", [(1 << 31) + 1, 3 << 30, 5])
def test_words_past_the_last_whole_multiple_of_the_bound_are_rejected(bound: int):
    raw, chance = Chance(SEED, "words"), Chance(SEED, "words")
    words = [raw.below(1 << 32) for _ in range(400)]
    kept = [word % bound for word in words if word < (1 << 32) // bound * bound]
    drawn = [chance.below(bound) for _ in range(150)]
    assert drawn == kept[:150]
    assert bound == 5 or len(kept) < 350
