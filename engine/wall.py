"""The seeded, versioned shuffle and what else follows from the seed (rules 2).

Everything drawn here depends on the seed, a label and the round number alone, through SHAKE-256;
the algorithm is fixed by VERSION and never changes under that number.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Final

from engine.rules import RuleSet
from engine.tiles import SUITED, Kind, full_set

VERSION: Final = 1
SEED_BYTES: Final = 32
"""The least entropy of a seed: 256 bits."""

_WORDS: Final = 64
_FIRST: Final = 8
_SPAN: Final = 1 << 32


class Chance:
    """An unbiased stream of numbers that follows from a seed and a label alone."""

    __slots__ = ("_prefix", "_read", "_words")

    def __init__(self, seed: str, label: str) -> None:
        self._prefix = f"todas/{VERSION}/{seed}/{label}/".encode()
        self._read = 0
        self._words: list[int] = []

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely: words past the last whole multiple are rejected."""
        limit = _SPAN - _SPAN % bound
        while True:
            if not self._words:
                self._refill()
            word = self._words.pop()
            if word < limit:
                return word % bound

    def _refill(self) -> None:
        """Read on to the end of a block; of the first block a few words come first, as a decision needs but one."""
        block, taken = divmod(self._read, _WORDS)
        end = _WORDS if self._read else _FIRST
        stream = hashlib.shake_256(self._prefix + str(block).encode()).digest(4 * end)
        self._words = list(struct.unpack_from(f">{end - taken}I", stream, 4 * taken))
        self._words.reverse()
        self._read += end - taken


@dataclass(frozen=True, slots=True)
class Wall:
    """A round's wall: `tiles` front first, the `last` tile drawn after all others, and the joker's kind."""

    tiles: tuple[Kind, ...]
    last: Kind | None
    joker: Kind | None


def build_wall(rules: RuleSet, seed: str, round_number: int) -> Wall:
    """Shuffle the set for a round and name its joker by `joker_mode` (rules 2, 6)."""
    tiles = full_set(rules.tile_set)
    chance = Chance(seed, f"wall/{round_number}")
    for end in range(len(tiles) - 1, 0, -1):
        other = chance.below(end + 1)
        tiles[end], tiles[other] = tiles[other], tiles[end]
    match rules.joker_mode:
        case "none":
            return Wall(tuple(tiles), None, None)
        case "random_kind":
            return Wall(tuple(tiles), None, Chance(seed, f"joker/{round_number}").below(SUITED))
        case "wall_indicator":
            indicator = tiles.pop(_last_suited(tiles))
            return Wall(tuple(tiles), indicator, indicator)
        case "indicator_removed":
            indicator = tiles.pop(_last_suited(tiles))
            return Wall(tuple(tiles), None, indicator)


def first_dealer(rules: RuleSet, seed: str) -> int:
    """The dealer of the first round: seat 0, or drawn from the seed."""
    return Chance(seed, "first_dealer").below(4) if rules.first_dealer == "random" else 0


def _last_suited(tiles: list[Kind]) -> int:
    return next(place for place in range(len(tiles) - 1, -1, -1) if tiles[place] < SUITED)
