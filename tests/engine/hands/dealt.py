"""Random hands for the tests of engine/hands, most of them complete or a few tiles away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from engine.hands import Keys, Shapes, keys_of

EVERY_SHAPE = [
    Shapes(jokers, distinct, open_, kong, "pung" if pung else "any")
    for jokers, distinct, open_, kong, pung in product((True, False), repeat=5)
]
FORMS = [shapes for shapes in EVERY_SHAPE if shapes.pairs_open and shapes.pairs_kong]  # what tables can tell apart


@dataclass
class Dealt:
    shapes: Shapes
    counts: list[int]
    jokers: int
    melds: int
    pairs: bool

    @property
    def keys(self) -> Keys:
        return keys_of(self.counts)

    @property
    def given(self) -> tuple[Keys, int, int, bool]:
        return self.keys, self.jokers, self.melds, self.pairs

    @property
    def searched(self) -> tuple[list[int], int, int, bool, Shapes]:
        return self.counts, self.jokers, self.melds, self.pairs, self.shapes


def hands(number: int, seed: int, missing: int = 0, exchanged: int = 3) -> Iterator[Dealt]:
    """Hands of 17 - 3 * melds - `missing` tiles with up to `exchanged` tiles of a complete hand exchanged at random."""
    chance = Random(seed)
    for i in range(number):
        shapes = FORMS[i % len(FORMS)]
        melds = chance.choice((0, 0, 0, 1, 1, 2, 3, 4, 5))
        seven = melds < 2 and chance.random() < 0.5
        jokers = min(chance.choice((0, 0, 1, 1, 2, 3, 4)), 16 - 3 * melds) if shapes.jokers else 0
        counts = _complete(chance, melds, seven)
        _exchange(chance, counts, chance.choice((0, 1, exchanged, chance.randint(0, exchanged))))
        if chance.random() < 0.05:
            _exchange(chance, counts, 17)
        for _ in range(jokers + missing):
            counts[chance.choice([kind for kind in range(27) if counts[kind]])] -= 1
        yield Dealt(shapes, counts, jokers, melds, seven or chance.random() < 0.5)


def unseen(chance: Random, counts: list[int]) -> list[int]:
    return [chance.randint(0, 4 - count) for count in counts]


def _complete(chance: Random, melds: int, seven: bool) -> list[int]:
    """A complete hand of naturals, at most four of a kind, often crowded into few suits and ranks."""
    suits = chance.choice(((0, 1, 2), (0, 1, 2), (0, 1), (0, 2), (1,), (2,)))
    kinds = [9 * suit + rank for suit in suits for rank in range(9) if len(suits) == 1 or chance.random() < 0.8]
    sets, pairs = (1 - melds, 7) if seven else (5 - melds, 1)
    while True:
        counts = [0] * 27
        for group in [3] * sets + [2] * pairs:
            kind = chance.choice(kinds)
            if group == 3 and kind % 9 < 7 and chance.random() < 0.6:
                for step in range(3):
                    counts[kind + step] += 1
            else:
                counts[kind] += group
        if max(counts) <= 4:
            return counts
        kinds = list({*kinds, chance.randrange(27)})


def _exchange(chance: Random, counts: list[int], times: int) -> None:
    for _ in range(times):
        counts[chance.choice([kind for kind in range(27) if counts[kind]])] -= 1
        counts[chance.choice([kind for kind in range(27) if counts[kind] < 4])] += 1
