"""The seeded, versioned shuffle and what else follows from the seed (rules 2).

Everything drawn here depends on the seed, a label and the round number alone, through SHAKE-256;
the algorithm is fixed by VERSION and never changes under that number.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final, assert_never

from engine.rules import RuleSet
from engine.tiles import SUITED, Kind, full_set

VERSION: Final = 1
SEED_BYTES: Final = 32
"""The least entropy of a seed: 256 bits."""

_SPAN: Final = 1 << 32
_BLOCK: Final = struct.Struct(">64I")
_FIRST: Final = struct.Struct(">8I")


class Chance:
    """An unbiased stream of numbers that follows from a seed and a label alone."""

    __slots__ = ("_words",)

    def __init__(self, seed: str, label: str) -> None:
        self._words = _words(f"todas/{VERSION}/{seed}/{label}/")

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely: words past the last whole multiple are rejected."""
        limit = _SPAN - _SPAN % bound
        word = next(self._words)
        while word >= limit:
            word = next(self._words)
        return word % bound


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
        case unknown:
            assert_never(unknown)


def first_dealer(rules: RuleSet, seed: str) -> int:
    """The dealer of the first round: seat 0, or drawn from the seed."""
    return Chance(seed, "first_dealer").below(4) if rules.first_dealer == "random" else 0


def commitment(seed: str) -> str:
    """What may be published before the first deal to fix every wall of a game: SHA-256, in hexadecimal, of the seed
    under a label of its own."""
    return hashlib.sha256(f"todas/{VERSION}/commitment/{seed}".encode()).hexdigest()


def _last_suited(tiles: list[Kind]) -> int:
    return next(place for place in range(len(tiles) - 1, -1, -1) if tiles[place] < SUITED)


def _words(prefix: str) -> Iterator[int]:
    """The stream, block by block; the first words come from a short read, as a bot's decision takes but one."""
    yield from _FIRST.unpack(_shake(prefix, 0, _FIRST.size))
    yield from _BLOCK.unpack(_shake(prefix, 0, _BLOCK.size))[_FIRST.size // 4 :]
    for block in count(1):
        yield from _BLOCK.unpack(_shake(prefix, block, _BLOCK.size))


def _shake(prefix: str, block: int, size: int) -> bytes:
    return hashlib.shake_256(f"{prefix}{block}".encode()).digest(size)
