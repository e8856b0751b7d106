"""Whether a hand is complete, how far it is, what it waits on and what to discard, from the tables alone (rules 6).

A hand is three suit keys of its concealed naturals, the number of jokers it holds and the number of its melds. The
concealed part has 17 - 3 * melds tiles on turn, one less at rest; `pairs` says that Seven Pairs is open to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from engine.hands.draws import Discards, accepted_after, discards_of, marks_of, mask_of, packed, turned, turned_mask
from engine.hands.tables import Keys, Rows, Table, regular, seven_pairs, table

Meld = tuple[str, int]  # chow, pung, kong, secret or sagasa, and the kind of its (first) tile

POWER = tuple(5 ** (kind % 9) for kind in range(27))  # what one tile of a kind adds to the key of suit kind // 9

_FIELD = 21  # bits that hold one suit key
_TWO_FIELDS = 2 * _FIELD
_MASK = (1 << _FIELD) - 1
_PACKED = [5 ** (kind % 9) << _FIELD * (kind // 9) for kind in range(27)]
_packed_of = _PACKED.__getitem__  # of a list it is a third faster than of a tuple


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

    __slots__ = (
        "_classes",
        "_eye",
        "_need",
        "_pairs",
        "_pairs_classes",
        "_pairs_eye",
        "_pairs_need",
        "_regular",
        "shapes",
    )

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self._regular = table(regular(shapes.jokers))
        self._pairs = table(seven_pairs(shapes.jokers, shapes.pairs_distinct, shapes.pairs_set == "pung"))
        self._classes, self._pairs_classes = self._regular.classes, self._pairs.classes
        self._need: list[Rows] = [[] for _ in range(6)]
        self._eye = _Needs(self._regular, 5, 0)
        self._pairs_need = [self._pairs.rows(1 - melds, 7) for melds in (0, 1)]
        self._pairs_eye = _Needs(self._pairs, 1, 6)

    def pairs_allowed(self, melds: Sequence[Meld]) -> bool:
        """`Shapes.pairs_allowed` of the shapes read."""
        return self.shapes.pairs_allowed(melds)

    def is_win(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> bool:
        """Whether 17 - 3 * melds tiles, the winning tile included, are a complete hand."""
        a, b, c = keys
        classes = self._classes
        rows = self._need[melds] or self._rows(melds)
        if rows[classes[a]][classes[b]][classes[c]] <= jokers:
            return True
        if pairs and melds < 2:
            classes = self._pairs_classes
            return self._pairs_need[melds][classes[a]][classes[b]][classes[c]] <= jokers
        return False

    def is_seven_pairs(self, keys: Keys, jokers: int, melds: int) -> bool:
        """Whether 17 - 3 * melds tiles are seven pairs and a set, a single meld being that set."""
        a, b, c = keys
        classes = self._pairs_classes
        return melds < 2 and self._pairs_need[melds][classes[a]][classes[b]][classes[c]] <= jokers

    def shanten(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> int:
        """Tiles to exchange before the hand waits: -1 complete, 0 waiting; on turn or at rest."""
        a, b, c = keys
        classes = self._classes
        rows = self._need[melds] or self._rows(melds)
        need = rows[classes[a]][classes[b]][classes[c]]
        if pairs and melds < 2:
            classes = self._pairs_classes
            as_pairs = self._pairs_need[melds][classes[a]][classes[b]][classes[c]]
            if as_pairs < need:
                need = as_pairs
        return need - jokers - 1

    def waits(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> int:
        """The mask of kinds that complete a hand of 16 - 3 * melds tiles, copies already held not counted."""
        if self.shanten(keys, jokers, melds, pairs):
            return 0
        return mask_of(self._accepted(keys, jokers + 1, melds, pairs))

    def waits_on_joker(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> bool:
        """Whether one more joker completes a hand of 16 - 3 * melds tiles."""
        return self.shanten(keys, jokers, melds, pairs) == 0

    def acceptance(
        self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]
    ) -> tuple[int, int]:
        """The kinds that lower the shanten of a hand of 16 - 3 * melds tiles, as a mask, and their unseen copies.

        `unseen` is 27 counts by kind with a sum below 255, or what `packed` makes of them; leave the joker's kind at 0
        unless its face counts.
        """
        marks = self._accepted(keys, self.shanten(keys, jokers, melds, pairs) + jokers + 1, melds, pairs)
        return mask_of(marks), (marks & (unseen if isinstance(unseen, int) else packed(unseen))) % 255

    def discards(self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]) -> list[Discard]:
        """Each natural kind held in a hand of 17 - 3 * melds tiles, in order, with what its discard leaves."""
        by_suit = turned(unseen if isinstance(unseen, int) else packed(unseen))
        forms = self._discards(keys, melds, pairs)
        kinds = [9 * suit + rank for suit, own in enumerate(forms[0].suits) for rank in own[0]]
        needs = [min(each) for each in zip(*(form.needs for form in forms), strict=True)]
        accepted = {need: accepted_after(keys, forms, need) for need in set(needs)}
        result = []
        for kind, need in zip(kinds, needs, strict=True):
            suit, marks = kind // 9, accepted[need][kind]
            result.append(Discard(kind, need - jokers - 1, (marks & by_suit[suit]) % 255, turned_mask(marks, suit)))
        return result

    def best_discard(self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]) -> int:
        """The kind whose discard leaves the lowest shanten, then the highest acceptance, then the lowest kind.

        Raises ValueError when no natural tile is held.
        """
        return self.best(keys, jokers, melds, pairs, unseen)[0]

    def best(
        self, keys: Keys, jokers: int, melds: int, pairs: bool, unseen: int | Sequence[int]
    ) -> tuple[int, int, int]:
        """The best discard with the shanten and the acceptance that it leaves; as `best_discard`."""
        by_suit = turned(unseen if isinstance(unseen, int) else packed(unseen))
        forms = self._discards(keys, melds, pairs)
        if not forms[0].needs:
            raise ValueError("the hand holds no natural tile to discard")
        least = min([min(form.needs) for form in forms])
        accepted = accepted_after(keys, forms, least).items()
        most, kind = max([((marks & by_suit[kind // 9]) % 255, -kind) for kind, marks in accepted])
        return -kind, least - jokers - 1, most

    def joker_eye(self, keys: Keys, jokers: int, melds: int, pairs: bool) -> tuple[bool, bool]:
        """Whether 16 - 3 * melds tiles are a Joker Eye wait for Regular, and for Seven Pairs (rules 6)."""
        if not jokers:
            return False, False
        a, b, c = keys
        classes = self._classes
        eye = self._eye[melds][classes[a]][classes[b]][classes[c]] < jokers
        if not (pairs and melds < 2):
            return eye, False
        classes = self._pairs_classes
        return eye, self._pairs_eye[melds][classes[a]][classes[b]][classes[c]] < jokers

    def _rows(self, melds: int) -> Rows:
        """What a hand with so many melds needs, by its classes; built when such a hand is first read."""
        if not self._need[melds]:
            self._need[melds] = self._regular.rows(5 - melds, 1)
        return self._need[melds]

    def _accepted(self, keys: Keys, need: int, melds: int, pairs: bool) -> int:
        """Marks of the draws that bring the hand below `need`, which is what it needs now."""
        marks = marks_of(self._regular, self._rows(melds), keys, need)
        if pairs and melds < 2:
            marks |= marks_of(self._pairs, self._pairs_need[melds], keys, need)
        return marks

    def _discards(self, keys: Keys, melds: int, pairs: bool) -> list[Discards]:
        regular = discards_of(self._regular, self._rows(melds), keys)
        if pairs and melds < 2:
            return [regular, discards_of(self._pairs, self._pairs_need[melds], keys)]
        return [regular]


class _Readers(dict[Shapes, Reader]):
    """Shapes -> their reader, made when first asked for."""

    __slots__ = ()

    def __missing__(self, shapes: Shapes) -> Reader:
        made = self[shapes] = Reader(shapes)
        return made


_READERS = _Readers()


def reader(shapes: Shapes) -> Reader:
    """The one reader of these shapes; its tables are read when it is first asked for."""
    return _READERS[shapes]


def keys_of(counts: Sequence[int]) -> Keys:
    """The keys of 27 counts by kind, each at most four."""
    total = sum(map(int.__mul__, counts, _PACKED))
    return total & _MASK, total >> _FIELD & _MASK, total >> _TWO_FIELDS


def keys_of_tiles(kinds: Sequence[int]) -> Keys:
    """The keys of a list of suited kinds, jokers left out."""
    total = sum(map(_packed_of, kinds))
    return total & _MASK, total >> _FIELD & _MASK, total >> _TWO_FIELDS


def kinds_in(mask: int) -> list[int]:
    """The kinds of a mask, ascending."""
    return [kind for kind in range(27) if mask >> kind & 1]


def is_win(
    tiles: Sequence[int], jokers: int = 0, melds: int = 0, shapes: Shapes = JOKER_RULES, pairs: bool = True
) -> bool:
    """`Reader.is_win` of a list of kinds."""
    return _READERS[shapes].is_win(keys_of_tiles(tiles), jokers, melds, pairs)


def shanten(
    tiles: Sequence[int], jokers: int = 0, melds: int = 0, shapes: Shapes = JOKER_RULES, pairs: bool = True
) -> int:
    """`Reader.shanten` of a list of kinds."""
    return _READERS[shapes].shanten(keys_of_tiles(tiles), jokers, melds, pairs)


def best_discard(
    tiles: Sequence[int],
    unseen: int | Sequence[int],
    jokers: int = 0,
    melds: int = 0,
    shapes: Shapes = JOKER_RULES,
    pairs: bool = True,
) -> int:
    """`Reader.best_discard` of a list of kinds."""
    return _READERS[shapes].best_discard(keys_of_tiles(tiles), jokers, melds, pairs, unseen)
