"""Hands read by search, without a table: the oracle for engine/hands. It knows groups of tiles and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from engine.hands import Shapes

CHOWS = [kind for kind in range(27) if kind % 9 < 7]


@dataclass
class Search:
    """Looks for sets and pairs that hold all naturals but `spare` of them and miss at most `budget` tiles."""

    counts: list[int]
    shapes: Shapes
    chows: bool = True
    distinct: bool = False
    target: list[int] = field(default_factory=lambda: [0] * 27)
    paired: set[int] = field(default_factory=set)

    def finds(self, sets: int, pairs: int, budget: int, spare: int, kind: int = 0) -> bool:
        while kind < 27 and not self.counts[kind]:
            kind += 1
        if kind == 27:
            return 3 * sets + 2 * pairs <= budget
        if spare:
            self.counts[kind] -= 1
            found = self.finds(sets, pairs, budget, spare - 1, kind)
            self.counts[kind] += 1
            if found:
                return True
        if sets and any(self._takes(group, sets - 1, pairs, budget, spare, kind) for group in self._sets(kind)):
            return True
        if not pairs or (self.distinct and kind in self.paired):
            return False
        self.paired.add(kind)
        found = self._takes((kind, kind), sets, pairs - 1, budget, spare, kind)
        if self.distinct:
            self.paired.remove(kind)
        return found

    def _sets(self, kind: int) -> Iterator[tuple[int, ...]]:
        yield (kind, kind, kind)
        if self.chows:
            yield from ((low, low + 1, low + 2) for low in (kind - 2, kind - 1, kind) if low in CHOWS)

    def _takes(self, group: tuple[int, ...], sets: int, pairs: int, budget: int, spare: int, kind: int) -> bool:
        taken = []
        for tile in group:
            self.target[tile] += 1
            if self.counts[tile]:
                self.counts[tile] -= 1
                taken.append(tile)
        missing = len(group) - len(taken)
        fits = self.shapes.jokers or all(self.target[tile] <= 4 for tile in group)
        found = missing <= budget and fits and self.finds(sets, pairs, budget - missing, spare, kind)
        for tile in group:
            self.target[tile] -= 1
        for tile in taken:
            self.counts[tile] += 1
        return found


def regular_within(counts: list[int], sets: int, pairs: int, budget: int, shapes: Shapes) -> bool:
    """Whether at most `budget` tiles are missing to sets and pairs; the naturals they do not take are dropped."""
    spare = sum(counts) + budget - 3 * sets - 2 * pairs
    return spare >= 0 and Search(counts, shapes).finds(sets, pairs, budget, spare)


def seven_within(counts: list[int], sets: int, pairs: int, budget: int, shapes: Shapes) -> bool:
    spare = sum(counts) + budget - 3 * sets - 2 * pairs
    search = Search(counts, shapes, shapes.pairs_set == "any", shapes.pairs_distinct)
    return spare >= 0 and search.finds(sets, pairs, budget, spare)


def within(counts: list[int], melds: int, pairs: bool, budget: int, shapes: Shapes) -> bool:
    """Whether the hand misses at most `budget` tiles, its jokers counted among them."""
    return regular_within(counts, 5 - melds, 1, budget, shapes) or (
        pairs and melds < 2 and seven_within(counts, 1 - melds, 7, budget, shapes)
    )


def is_win(counts: list[int], jokers: int, melds: int, pairs: bool, shapes: Shapes) -> bool:
    """Whether naturals and jokers are a complete hand; up to two jokers are put at every kind in turn."""
    if jokers > 2:
        return within(counts, melds, pairs, jokers, shapes)
    for kinds in combinations_with_replacement(range(27), jokers):
        replaced = list(counts)
        for kind in kinds:
            replaced[kind] += 1
        if within(replaced, melds, pairs, 0, shapes):
            return True
    return False


def shanten(counts: list[int], jokers: int, melds: int, pairs: bool, shapes: Shapes, most: int = 9) -> int:
    """-1 complete, 0 waiting, ... and `most` for anything that is not nearer than that."""
    return next((n for n in range(-1, most) if within(counts, melds, pairs, n + 1 + jokers, shapes)), most)


def drawn(counts: list[int], kind: int) -> list[int]:
    return [count + (kind == other) for other, count in enumerate(counts)]


def waits(counts: list[int], jokers: int, melds: int, pairs: bool, shapes: Shapes) -> int:
    return sum(1 << kind for kind in range(27) if within(drawn(counts, kind), melds, pairs, jokers, shapes))


def acceptance(
    counts: list[int], jokers: int, melds: int, pairs: bool, shapes: Shapes, unseen: list[int], now: int
) -> tuple[int, int]:
    """The kinds that bring the hand below the shanten it has `now`, and their unseen copies."""
    kinds = [k for k in range(27) if within(drawn(counts, k), melds, pairs, now + jokers, shapes)]
    return sum(1 << kind for kind in kinds), sum(unseen[kind] for kind in kinds)


def joker_eye(counts: list[int], jokers: int, melds: int, pairs: bool, shapes: Shapes) -> tuple[bool, bool]:
    """Whether one joker can be set aside and the rest splits exactly, as Regular and as Seven Pairs (rules 6)."""
    if not jokers:
        return False, False
    return (
        regular_within(counts, 5 - melds, 0, jokers - 1, shapes),
        pairs and melds < 2 and seven_within(counts, 1 - melds, 6, jokers - 1, shapes),
    )
