"""What one suit adds to a hand, read from tables.bin at first use: one byte a suit key, and where three bytes meet.

A suit key is nine counts as a base-5 number. Its class stands for a row: the least number of missing tiles to make
s sets and p pairs in that suit. `rows(sets, pairs)[a][b]` maps the third suit's class to what the whole hand needs.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

PATH = __file__.removesuffix("tables.py") + "tables.bin"
MAGIC = b"todas hand tables 1\n"
LEVELS = 9
HEADER = struct.Struct("<11H")  # classes, combined rows, nodes of each level of the diagram, last rank first
MEMO_LIMIT = 1 << 16
UNCAPPED = 17

POWERS: list[int] = [5**rank for rank in range(LEVELS)]
_AHEAD = itemgetter(*POWERS[::-1])  # of a view from a key on: the keys with one more tile of rank 9, 8, ... 1
_THREE_DIGITS = [bytes((code % 5, code // 5 % 5, code // 25)) for code in range(125)]
_HELD = [bytes([low + i for i in range(3) if digits[i]]) for low in (0, 3, 6) for digits in _THREE_DIGITS]
_FOUR = [4 in digits for digits in _THREE_DIGITS]

Keys = tuple[int, int, int]  # bamboo, characters, dots: sum of count[rank] * 5**rank
Rows = list[list[bytes]]


class Form(NamedTuple):
    """One form of a winning hand: how many sets and pairs it has at most, and what one kind may give to them."""

    name: str
    sets: int
    pairs: int
    chows: int  # of one kind of chow
    pungs: int  # of one kind of tile
    pairs_a_kind: int
    cap: int  # copies of a kind that a complete hand may hold

    @property
    def digits(self) -> int:
        """Counts the diagram reads at a rank: with a cap above four it knows the draw of a fifth copy."""
        return 6 if self.cap > 4 else 5

    @property
    def targets(self) -> list[tuple[int, int]]:
        """The sets and pairs that are asked for: a complete hand, and one less its last pair."""
        return [(s, p) for s in range(self.sets + 1) for p in (self.pairs, self.pairs - 1)]


def regular(jokers: bool) -> Form:
    """Five sets and a pair. With jokers a fifth copy counts, so a kind may give two pungs."""
    return Form(f"regular {jokers}", 5, 1, 2, 2 if jokers else 1, 1, UNCAPPED if jokers else 4)


def seven_pairs(jokers: bool, distinct: bool, pung: bool) -> Form:
    """Seven pairs and a set: of seven kinds when `distinct`, the set no chow when `pung`."""
    a_kind = 1 if distinct else 3 if jokers else 2
    return Form(f"pairs {jokers} {distinct} {pung}", 1, 7, 0 if pung else 1, 1, a_kind, UNCAPPED if jokers else 4)


_BOTH = (False, True)
FORMS = [
    *(regular(jokers) for jokers in _BOTH),
    *(seven_pairs(jokers, distinct, pung) for jokers in _BOTH for distinct in _BOTH for pung in _BOTH),
]


class Table:
    """The tables of one form. Every key must hold at most 17 tiles, the hand altogether too."""

    __slots__ = ("_combined", "_form", "_levels", "_pair_ids", "_rows", "classes", "draws", "drops")

    def __init__(self, form: Form, part: bytes) -> None:
        classes, combined, *sizes = HEADER.unpack_from(part)
        offset = HEADER.size
        self._form = form
        self._levels: list[bytes] = []
        for size in sizes:
            end = offset + 2 * size * form.digits
            self._levels.append(part[offset:end])
            offset = end
        width = (form.sets + 1) * (form.pairs + 1)
        rows = [part[offset + i * width : offset + (i + 1) * width] for i in range(classes + combined)]
        offset += len(rows) * width
        self._rows, self._combined = rows[:classes], rows[classes:]
        self._pair_ids = struct.unpack_from(f"<{classes * (classes + 1) // 2}H", part, offset)
        self.classes = self._flat()
        self.draws = Draws(self)
        self.drops = Drops(self)

    def _flat(self) -> bytes:
        """The class of every key: the lower five ranks of a node once, then strung together along the upper four."""
        node = struct.Struct("<5H2x" if self._form.digits == 6 else "<5H")
        lowest, *lower = self._levels[:5]
        blocks = [bytes(classes) for classes in node.iter_unpack(lowest)]
        for level in lower:
            blocks = [
                b"".join((blocks[i], blocks[j], blocks[k], blocks[m], blocks[n]))
                for i, j, k, m, n in node.iter_unpack(level)
            ]
        nodes = [0]
        for level in reversed(self._levels[5:]):
            nodes = [child for i in nodes for child in node.unpack_from(level, i * node.size)]
        return b"".join([blocks[i] for i in nodes])

    def class_of(self, counts: Sequence[int]) -> int:
        """The class of nine counts by rank, one of which may be five where the cap allows it."""
        digits, node = self._form.digits, 0
        for level, count in zip(reversed(self._levels), reversed(counts), strict=True):
            place = 2 * (node * digits + min(count, digits - 1))
            node = int.from_bytes(level[place : place + 2], "little")
        return node

    def rows(self, sets: int, pairs: int) -> Rows:
        """For the classes of two suits, in either order, 256 bytes: what the hand needs by the class of the third."""
        width = self._form.pairs + 1
        ones = int.from_bytes(b"\1" * len(self._rows), "little")
        columns = [int.from_bytes(bytes(column), "little") for column in zip(*self._rows, strict=True)]
        splits = [
            (s * width + p, columns[(sets - s) * width + pairs - p]) for s in range(sets + 1) for p in range(pairs + 1)
        ]
        needs = []
        for row in self._combined:
            least = 0x7F * ones
            for place, column in splits:
                least = _least(least, column + row[place] * ones, ones << 7)
            needs.append(least.to_bytes(256, "little"))
        count = len(self._rows)
        result: Rows = []
        start = 0
        for a in range(count):
            upper = [needs[i] for i in self._pair_ids[start : start + count - a]]
            result.append([row[a] for row in result] + upper)
            start += count - a
        return result


def _least(x: int, y: int, tops: int) -> int:
    """The smaller of each pair of bytes below 128; `tops` holds the top bit of every byte."""
    higher = ((x | tops) - y) & tops
    return x ^ ((x ^ y) & (higher - (higher >> 7)))


class Draws(dict[int, bytes]):
    """Key -> the classes after one more tile of rank 9, 8, ... 1, in this order. A memo of bounded size."""

    __slots__ = ("_table", "_view")

    def __init__(self, table: Table) -> None:
        self._table = table
        self._view = memoryview(table.classes)

    def __missing__(self, key: int) -> bytes:
        if _FOUR[key % 125] or _FOUR[key // 125 % 125] or _FOUR[key // 15625]:
            after = bytes([self._drawn(key, rank) for rank in range(8, -1, -1)])
        else:
            after = bytes(_AHEAD(self._view[key:]))
        if len(self) >= MEMO_LIMIT:
            self.clear()
        self[key] = after
        return after

    def _drawn(self, key: int, rank: int) -> int:
        """The class after one more tile of a rank, which may be the fifth."""
        counts = digits_of(key)
        if counts[rank] < 4:
            return self._table.classes[key + POWERS[rank]]
        return self._table.class_of([count + (place == rank) for place, count in enumerate(counts)])


class Drops(dict[int, tuple[bytes, bytes]]):
    """Key -> the ranks held (0-8, ascending) and the class after one tile less of each. A memo of bounded size."""

    __slots__ = ("_table",)

    def __init__(self, table: Table) -> None:
        self._table = table

    def __missing__(self, key: int) -> tuple[bytes, bytes]:
        classes = self._table.classes
        held = _HELD[key % 125] + _HELD[125 + key // 125 % 125] + _HELD[250 + key // 15625]
        after = held, bytes([classes[key - POWERS[rank]] for rank in held])
        if len(self) >= MEMO_LIMIT:
            self.clear()
        self[key] = after
        return after


def digits_of(key: int) -> bytes:
    """The nine counts of a suit key, rank 1 first."""
    return _THREE_DIGITS[key % 125] + _THREE_DIGITS[key // 125 % 125] + _THREE_DIGITS[key // 15625]


@cache
def table(form: Form) -> Table:
    """The tables of one of the FORMS, read and unpacked once."""
    place = len(MAGIC) + 4 * FORMS.index(form)
    with open(PATH, "rb") as file:  # noqa: PTH123  (pathlib costs 5 ms at import)
        file.seek(place)
        start, end = struct.unpack("<2I", file.read(8))
        file.seek(start)
        return Table(form, zlib.decompress(file.read(end - start)))
