"""Writes tables.bin, the compressed tables behind hands/tables.py: `python -m engine.hands.generate` (about 10 s).

Everything follows from the forms of a winning hand below; the same source gives the same file, byte for byte.
"""

from __future__ import annotations

import struct
import sys
import zlib
from itertools import combinations_with_replacement
from pathlib import Path

from engine.hands.tables import FORMS, HEADER, LEVELS, MAGIC, PATH, Form

INFINITE = 99  # decision 0008
HAND = 17

# Missing tiles to make that many sets and pairs of one suit, at sets * (form.pairs + 1) + pairs.
Row = tuple[int, ...]
# Missing tiles by what the ranks read so far leave open: sets, pairs and unfinished chows.
State = tuple[int, ...]
# Places in two rows whose values add up to one way of sharing sets and pairs between two suits.
Split = list[tuple[int, int]]
Moves = list[list[tuple[int, int]]]


def main() -> None:
    """Write the data file to the path given, or in its place."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else PATH)
    content = tables_file()
    path.write_bytes(content)
    sys.stdout.write(f"{path.name}: {len(content)} bytes\n")


def tables_file() -> bytes:
    """The whole data file: a directory of offsets, then one compressed part for each form."""
    parts = [zlib.compress(_part(form), 9) for form in FORMS]
    offset = len(MAGIC) + 4 * (len(parts) + 1)
    offsets = [offset + sum(map(len, parts[:i])) for i in range(len(parts) + 1)]
    return MAGIC + struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(parts)


def _part(form: Form) -> bytes:
    diagram = _Diagram(form)
    rows = diagram.rows
    classes, class_of_row = _merged(form, rows)
    levels = diagram.minimised([class_of_row[row] for row in rows])
    combined, pair_ids = _combined(form, classes)
    return b"".join(
        (
            HEADER.pack(len(classes), len(combined), *map(len, levels)),
            *(struct.pack(f"<{form.digits}H", *node) for level in levels for node in level),
            *map(bytes, classes),
            *map(bytes, combined),
            struct.pack(f"<{len(pair_ids)}H", *pair_ids),
        )
    )


class _Diagram:
    """The decision diagram of a form: read nine counts, rank 9 first, and arrive at the row of the suit.

    Only suits that a hand can hold are followed: at most 17 tiles, and at most one rank drawn to a fifth copy.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self.codes = [
            (sets, pairs, last, before)
            for sets in range(form.sets + 1)
            for pairs in range(form.pairs + 1)
            for last in range(form.chows + 1)
            for before in range(form.chows + 1)
        ]
        self.place = {code: i for i, code in enumerate(self.codes)}
        self.levels: list[list[list[int]]] = []
        start: State = tuple(0 if code == (0, 0, 0, 0) else INFINITE for code in self.codes)
        tiles = {start: (0, INFINITE)}
        for left in reversed(range(LEVELS)):
            tiles = self._level(tiles, self._moves(left))
        closed = [self.place[s, p, 0, 0] for s in range(form.sets + 1) for p in range(form.pairs + 1)]
        self.rows: dict[Row, int] = {}
        for state, least in tiles.items():
            self.rows[tuple(state[i] for i in closed)] = min(least)

    def _moves(self, left: int) -> Moves:
        """For each state code the codes it may lead to with the copies of this rank they use; `left` ranks follow."""
        form = self.form
        return [
            [
                (self.place[sets + chows + pungs, pairs + eyes, chows, last], used)
                for chows in range(form.chows + 1 if left >= 2 else 1)
                for pungs in range(form.pungs + 1)
                for eyes in range(form.pairs_a_kind + 1)
                if sets + chows + pungs <= form.sets and pairs + eyes <= form.pairs
                if (used := before + last + chows + 3 * pungs + 2 * eyes) <= form.cap
            ]
            for sets, pairs, last, before in self.codes
        ]

    def _level(self, tiles: dict[State, tuple[int, int]], moves: Moves) -> dict[State, tuple[int, int]]:
        """Follow each state through each count of a rank; values are the least tiles, without and with a fifth copy."""
        successors: dict[State, tuple[int, int]] = {}
        numbers: dict[State, int] = {}
        level = []
        for state, (plain, fifth) in tiles.items():
            children: list[int] = []
            for count in range(self.form.digits):
                least = (INFINITE, plain + 5) if count == 5 else (plain + count, fifth + count)
                if min(least) > HAND:
                    children.append(children[-1])
                    continue
                successor = _step(state, moves, count)
                known = successors.get(successor, (INFINITE, INFINITE))
                successors[successor] = min(known[0], least[0]), min(known[1], least[1])
                children.append(numbers.setdefault(successor, len(numbers)))
            level.append(children)
        self.levels.append(level)
        return successors

    def minimised(self, leaves: list[int]) -> list[list[tuple[int, ...]]]:
        """The levels, last rank first, with equal nodes made one; children are numbers of the level before."""
        result = []
        for level in reversed(self.levels):
            nodes: dict[tuple[int, ...], int] = {}
            leaves = [nodes.setdefault(tuple(leaves[child] for child in node), len(nodes)) for node in level]
            result.append(list(nodes))
        return result


def _step(state: State, moves: Moves, count: int) -> State:
    missing = [max(0, used - count) for used in range(HAND + 1)]
    successor = [INFINITE] * len(state)
    for code, value in enumerate(state):
        if value < INFINITE:
            for place, used in moves[code]:
                if value + missing[used] < successor[place]:
                    successor[place] = value + missing[used]
    return tuple(successor)


def _splits(form: Form, sets: int, pairs: int) -> Split:
    """The ways to share a number of sets and pairs between two rows, as places in the one and in the other."""
    width = form.pairs + 1
    return [(s * width + p, (sets - s) * width + pairs - p) for s in range(sets + 1) for p in range(pairs + 1)]


def _every_split(form: Form) -> list[Split]:
    return [_splits(form, s, p) for s in range(form.sets + 1) for p in range(form.pairs + 1)]


def _joined(left: Row, right: Row, splits: list[Split]) -> Row:
    return tuple([min([left[i] + right[j] for i, j in split]) for split in splits])


def _merged(form: Form, rows: dict[Row, int]) -> tuple[list[Row], dict[Row, int]]:
    """The rows left when those that no hand of 17 tiles can tell apart are made one, and the class of each row.

    A row seen in suits of at least n tiles meets other suits of at most 17 - n. It may stand back for a row of smaller
    suits that gives the same result with all of those.
    """
    splits = _every_split(form)
    contexts: dict[Row, int] = {}
    for left, right in combinations_with_replacement(rows, 2):
        tiles = rows[left] + rows[right]
        if tiles <= HAND:
            both = _joined(left, right, splits)
            contexts[both] = min(tiles, contexts.get(both, INFINITE))
    by_tiles = sorted(contexts, key=lambda row: (-contexts[row], row))
    targets = [_splits(form, *target) for target in form.targets]
    kept: list[Row] = []
    class_of_row: dict[Row, int] = {}
    for row in sorted(rows, key=lambda row: (rows[row], row)):
        alike = kept
        for context in by_tiles:
            if alike and contexts[context] + rows[row] <= HAND:
                wanted = _joined(row, context, targets)
                alike = [other for other in alike if _joined(other, context, targets) == wanted]
        if alike:
            class_of_row[row] = class_of_row[alike[0]]
        else:
            class_of_row[row] = len(kept)
            kept.append(row)
    assert len(kept) <= 256, f"{form.name}: {len(kept)} classes do not fit a byte"
    return kept, class_of_row


def _combined(form: Form, classes: list[Row]) -> tuple[list[Row], list[int]]:
    """The rows of two suits together, and for each pair of classes a <= b, in order, the number of its row."""
    splits = _every_split(form)
    numbers: dict[Row, int] = {}
    pair_ids = [
        numbers.setdefault(_joined(left, right, splits), len(numbers))
        for left, right in combinations_with_replacement(classes, 2)
    ]
    return list(numbers), pair_ids


if __name__ == "__main__":
    main()
