"""Whether a hand is complete, how far it is, what it waits on and what to discard, from the tables alone (rules 6).

A hand is three suit keys of its concealed naturals, the number of jokers it holds and the number of its melds. The
concealed part has 17 - 3 * melds tiles on turn, one less at rest; `pairs` says that Seven Pairs is open to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from engine.hands.tables import Rows, Table, regular, seven_pairs, table

Keys = tuple[int, int, int]  # bamboo, characters, dots: sum of count[rank] * 5**rank
Meld = tuple[str, int]  # chow, pung, kong, secret or sagasa, and the kind of its (first) tile

POWER = tuple(5 ** (kind % 9) for kind in range(27))  # what one tile of a kind adds to the key of suit kind // 9

_FIELD = 21  # bits that hold one suit key
_PACKED = tuple(5 ** (kind % 9) << _FIELD * (kind // 9) for kind in range(27))
# By need: the table that marks the draws which lower it. Marks are 27 bytes of 0 or 255, the byte of kind 0 last.
_MARKS = [bytes(256), *(bytes(need) + b"\xff" + bytes(255 - need) for need in range(127))]
_BITS = b"0" + b"1" * 255


class Shapes(NamedTuple):
    """Which hands are complete: the part of the RuleSet that this package reads (rules 6, 14)."""

    jokers: bool = True  # joker rules: a fifth copy of a kind counts
    pairs_distinct: bool = False  # four identical are not two pairs
    pairs_open: bool = True  # the one set of Seven Pairs may be an exposed meld
    pairs_kong: bool = True  # and may be a kong
    pairs_set: Literal["any", "pung"] = "any"

    def pairs_allowed(self, melds: Sequence[Meld]) -> bool:
        """Whether Seven Pairs is possible beside these melds (rules 6): none, or the one set the options allow."""
        if not melds:
            return True
        if len(melds) > 1:
            return False
        kind = melds[0][0]
        return (
            (self.pairs_open or kind == "secret")
            and (self.pairs_kong or kind in ("chow", "pung"))
            and (self.pairs_set == "any" or kind != "chow")
        )


JOKER_RULES = Shapes()


class Discard(NamedTuple):
    """What is left after discarding a kind: shanten, unseen copies that lower it, and the mask of their kinds."""

    kind: int
    shanten: int
    acceptance: int
    mask: int


class _Needs(dict[int, Rows]):
    """Number of melds -> the rows of the hand that is still to be made, built when first asked for."""

    __slots__ = ("_pairs", "_sets", "_table")

    def __init__(self, table: Table, sets: int, pairs: int) -> None:
        self._table, self._sets, self._pairs = table, sets, pairs

    def __missing__(self, melds: int) -> Rows:
        rows = self[melds] = self._table.rows(self._sets - melds, self._pairs)
        return rows


class Reader:
    """Reads hands under one set of shapes; get it from `reader`. Masks have bit k for kind k and mean natural tiles:
    a joker drawn is wild and lowers every shanten, so it stands in no mask.
    """

    __slots__ = ("_eye", "_need", "_pairs", "_pairs_eye", "_pairs_need", "_regular", "shapes")

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._regular = table(regular(shapes.jokers))
        self._pairs = table(seven_pairs(shapes.jokers, shapes.pairs_distinct, shapes.pairs_set == "pung"))
        self._need = _Needs(self._regular, 5, 1)
        self._eye = _Needs(self._regular, 5, 0)
        self._pairs_need = _Needs(self._pairs, 1, 7)
        self._pairs_eye = _Needs(self._pairs, 1, 6)

    def pairs_allowed(self, melds: Sequence[Meld]) -> bool:
        """`Shapes.pairs_allowed` of the shapes read."""
        return self.shapes.pairs_allowed(melds)

    def is_win(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> bool:
        """Whether 17 - 3 * melds tiles, the winning tile included, are a complete hand."""
        a, b, c = keys
        classes = self._regular.classes
        if self._need[melds][classes[a]][classes[b]][classes[c]] <= jokers:
            return True
        if pairs and melds < 2:
            classes = self._pairs.classes
            return self._pairs_need[melds][classes[a]][classes[b]][classes[c]] <= jokers
        return False

    def shanten(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> int:
        """Tiles to exchange before the hand waits: -1 complete, 0 waiting; on turn or at rest."""
        a, b, c = keys
        classes = self._regular.classes
        need = self._need[melds][classes[a]][classes[b]][classes[c]]
        if pairs and melds < 2:
            classes = self._pairs.classes
            need = min(need, self._pairs_need[melds][classes[a]][classes[b]][classes[c]])
        return need - jokers - 1

    def waits(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> int:
        """The mask of kinds that complete a hand of 16 - 3 * melds tiles, copies already held not counted."""
        need = jokers + 1
        if self.shanten(keys, jokers, melds, pairs):
            return 0
        marks = _marks(self._regular, self._need[melds], keys, need)
        if pairs and melds < 2:
            marks |= _marks(self._pairs, self._pairs_need[melds], keys, need)
        return _mask(marks)

    def waits_on_joker(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> bool:
        """Whether one more joker completes a hand of 16 - 3 * melds tiles."""
        return self.shanten(keys, jokers, melds, pairs) == 0

    def acceptance(
        self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]
    ) -> tuple[int, int]:
        """The kinds that lower the shanten of a hand of 16 - 3 * melds tiles, as a mask, and their unseen copies.

        `unseen` is 27 counts by kind, or what `packed` makes of them; 0 for the joker's kind, unless its face counts.
        """
        marks = self._accepted(keys, self.shanten(keys, jokers, melds, pairs) + jokers + 1, melds, pairs)
        return _mask(marks), (marks & (unseen if isinstance(unseen, int) else packed(unseen))) % 255

    def discards(self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]) -> list[Discard]:
        """Each natural kind held in a hand of 17 - 3 * melds tiles, in order, with what its discard leaves."""
        unseen = unseen if isinstance(unseen, int) else packed(unseen)
        kinds, needs = self._discards(keys, melds, pairs)
        result = []
        for kind, need in zip(kinds, needs, strict=True):
            marks = self._accepted(_without(keys, kind), need, melds, pairs)
            result.append(Discard(kind, need - jokers - 1, (marks & unseen) % 255, _mask(marks)))
        return result

    def best_discard(self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]) -> int:
        """The kind whose discard leaves the lowest shanten, then the highest acceptance, then the lowest kind.

        Raises ValueError when no natural tile is held.
        """
        unseen = unseen if isinstance(unseen, int) else packed(unseen)
        kinds, needs = self._discards(keys, melds, pairs)
        if not kinds:
            raise ValueError("the hand holds no natural tile to discard")
        least = min(needs)
        if needs.count(least) == 1:
            return kinds[needs.index(least)]
        best, most = -1, -1
        for kind, need in zip(kinds, needs, strict=True):
            if need == least:
                count = (self._accepted(_without(keys, kind), need, melds, pairs) & unseen) % 255
                if count > most:
                    best, most = kind, count
        return best

    def joker_eye(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> tuple[bool, bool]:
        """Whether 16 - 3 * melds tiles are a Joker Eye wait for Regular, and for Seven Pairs (rules 6)."""
        if not jokers:
            return False, False
        a, b, c = keys
        classes = self._regular.classes
        eye = self._eye[melds][classes[a]][classes[b]][classes[c]] < jokers
        if not (pairs and melds < 2):
            return eye, False
        classes = self._pairs.classes
        return eye, self._pairs_eye[melds][classes[a]][classes[b]][classes[c]] < jokers

    def _accepted(self, keys: Keys, need: int, melds: int, pairs: bool) -> int:
        """Marks of the draws that bring the hand below `need`, which is what it needs now."""
        marks = _marks(self._regular, self._need[melds], keys, need)
        if pairs and melds < 2:
            marks |= _marks(self._pairs, self._pairs_need[melds], keys, need)
        return marks

    def _discards(self, keys: Keys, melds: int, pairs: bool) -> tuple[list[int], bytes]:
        """The kinds held, ascending, and what the hand needs after the discard of each."""
        kinds, needs = _drops(self._regular, self._need[melds], keys)
        if pairs and melds < 2:
            needs = bytes(map(min, needs, _drops(self._pairs, self._pairs_need[melds], keys)[1]))
        return kinds, needs


@cache
def reader(shapes: Shapes) -> Reader:
    """The one reader of these shapes; its tables are read when it is first asked for."""
    return Reader(shapes)


def keys_of(counts: Sequence[int]) -> Keys:
    """The keys of 27 counts by kind, each at most four."""
    return _unpacked(sum(map(int.__mul__, counts, _PACKED)))


def keys_of_tiles(kinds: Sequence[int]) -> Keys:
    """The keys of a list of suited kinds, jokers left out."""
    return _unpacked(sum(map(_PACKED.__getitem__, kinds)))


def packed(unseen: Sequence[int]) -> int:
    """27 counts of unseen copies by kind as one integer, a byte a kind: the fast form that acceptance takes."""
    return int.from_bytes(bytes(unseen), "little")


def kinds_in(mask: int) -> list[int]:
    """The kinds of a mask, ascending."""
    return [kind for kind in range(27) if mask >> kind & 1]


def is_win(
    tiles: Sequence[int], jokers: int = 0, melds: int = 0, shapes: Shapes = JOKER_RULES, pairs: bool = True
) -> bool:
    """`Reader.is_win` of a list of kinds."""
    return reader(shapes).is_win(keys_of_tiles(tiles), jokers, melds, pairs)


def shanten(
    tiles: Sequence[int], jokers: int = 0, melds: int = 0, shapes: Shapes = JOKER_RULES, pairs: bool = True
) -> int:
    """`Reader.shanten` of a list of kinds."""
    return reader(shapes).shanten(keys_of_tiles(tiles), jokers, melds, pairs)


def best_discard(
    tiles: Sequence[int],
    unseen: int | Sequence[int],
    jokers: int = 0,
    melds: int = 0,
    shapes: Shapes = JOKER_RULES,
    pairs: bool = True,
) -> int:
    """`Reader.best_discard` of a list of kinds."""
    return reader(shapes).best_discard(keys_of_tiles(tiles), jokers, melds, pairs, unseen)


def _unpacked(total: int) -> Keys:
    mask = (1 << _FIELD) - 1
    return total & mask, total >> _FIELD & mask, total >> 2 * _FIELD


def _without(keys: Keys, kind: int) -> Keys:
    a, b, c = keys
    if kind < 9:
        return a - POWER[kind], b, c
    if kind < 18:
        return a, b - POWER[kind], c
    return a, b, c - POWER[kind]


def _marks(table: Table, rows: Rows, keys: Keys, need: int) -> int:
    a, b, c = keys
    classes, draws = table.classes, table.draws
    i, j, k = classes[a], classes[b], classes[c]
    from_i = rows[i]
    after = draws[c].translate(from_i[j]) + draws[b].translate(from_i[k]) + draws[a].translate(rows[j][k])
    return int.from_bytes(after.translate(_MARKS[need]), "big")


def _mask(marks: int) -> int:
    return int(marks.to_bytes(27, "big").translate(_BITS), 2)


def _drops(table: Table, rows: Rows, keys: Keys) -> tuple[list[int], bytes]:
    a, b, c = keys
    classes = table.classes
    i, j, k = classes[a], classes[b], classes[c]
    from_i = rows[i]
    (held_a, after_a), (held_b, after_b), (held_c, after_c) = table.drops[a], table.drops[b], table.drops[c]
    kinds = [*held_a, *[9 + rank for rank in held_b], *[18 + rank for rank in held_c]]
    return kinds, after_a.translate(rows[j][k]) + after_b.translate(from_i[k]) + after_c.translate(from_i[j])
