"""The full decompositions of a winning hand, for scoring and for display, and the Eskalera questions (rules 6).

Without jokers every reading is kept; with jokers one for each worth that scoring can tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations_with_replacement, product
from operator import or_
from typing import Literal

from engine.hands.shape import JOKER_RULES, POWER, Meld, Shapes, keys_of, reader
from engine.hands.tables import Keys

GroupKind = Literal["chow", "pung", "pair"]
# A group inside one suit: its kind, its lowest rank (0-8) and the ranks for which jokers stand.
_Part = tuple[GroupKind, int, tuple[int, ...]]
# The groups of one suit after what scoring can tell of them, as bits.
_Way = tuple[int, tuple[_Part, ...]]

_ESKALERA = (0, 3, 6)
_ESKALERA_BITS = {0: 1, 3: 2, 6: 4}
_CHOW, _PUNG, _JOKER_PAIR = 8, 16, 32
_ANY_RANK = 9  # of a pair of two jokers, until the other pairs of its suit are known


@dataclass(frozen=True, slots=True)
class Group:
    """A concealed set or pair: its lowest kind, and the kinds for which jokers stand in it."""

    kind: GroupKind
    first: int
    jokers_as: tuple[int, ...]

    @property
    def tiles(self) -> tuple[int, ...]:
        """Its kinds, those for which jokers stand included."""
        if self.kind == "chow":
            return (self.first, self.first + 1, self.first + 2)
        return (self.first,) * (3 if self.kind == "pung" else 2)

    @property
    def naturals(self) -> tuple[int, ...]:
        """The kinds that natural tiles give."""
        left = list(self.tiles)
        for kind in self.jokers_as:
            left.remove(kind)
        return tuple(left)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a winning hand: its melds as given, and the groups of its concealed part, sets before pairs."""

    pattern: Literal["regular", "seven_pairs"]
    melds: tuple[Meld, ...]
    groups: tuple[Group, ...]

    @property
    def sets(self) -> tuple[Meld, ...]:
        """Kind and first tile of every set, the melds first."""
        return self.melds + tuple((group.kind, group.first) for group in self.groups if group.kind != "pair")

    @property
    def pairs(self) -> tuple[int, ...]:
        """The kind of each pair."""
        return tuple(group.first for group in self.groups if group.kind == "pair")

    @property
    def eskalera(self) -> bool:
        """Five sets with the chows 123, 456 and 789 of one suit, exposed ones included."""
        chows = {first for kind, first in self.sets if kind == "chow"}
        return self.pattern == "regular" and any(chows >= {suit + low for low in _ESKALERA} for suit in (0, 9, 18))

    @property
    def all_pungs(self) -> bool:
        """Every set is a pung or a kong."""
        return all(kind != "chow" for kind, _ in self.sets)

    @property
    def one_suit(self) -> bool:
        """All tiles, jokers at what they stand for, are of one suit."""
        return len({first // 9 for _, first in self.sets} | {kind // 9 for kind in self.pairs}) == 1

    @property
    def pair_has_joker(self) -> bool:
        """A joker stands in the pair, or in one of the seven."""
        return any(group.kind == "pair" and group.jokers_as for group in self.groups)


def readings(counts: Sequence[int], jokers: int, melds: Sequence[Meld], shapes: Shapes) -> list[Reading]:
    """How 27 counts of naturals, the winning tile included, and jokers complete a hand beside its melds.

    Regular readings first; none when the hand is not complete. A joker stands for any kind, but one that is free to be
    of any suit stays in a suit the hand has.
    """
    keys, made = keys_of(counts), len(melds)
    found: list[Reading] = []
    if reader(shapes).is_win(keys, jokers, made, False):
        split = _splits(counts, jokers, melds, (5 - made, 1), shapes)
        found += [Reading("regular", tuple(melds), _groups(parts)) for parts in split]
    if shapes.pairs_allowed(melds) and reader(shapes).is_seven_pairs(keys, jokers, made):
        split = _splits(counts, jokers, melds, (1 - made, 7), shapes)
        found += [Reading("seven_pairs", tuple(melds), _groups(parts)) for parts in split]
    return found


def eskalera_eye(counts: Sequence[int], jokers: int, melds: Sequence[Meld], shapes: Shapes = JOKER_RULES) -> bool:
    """Whether 16 - 3 * melds tiles are a Joker Eye wait for an Eskalera (rules 6)."""
    return any(
        reader(shapes).joker_eye(keys, left, sets, False)[0]
        for keys, left, sets in _less_eskalera(counts, jokers, melds)
    )


def _less_eskalera(counts: Sequence[int], jokers: int, melds: Sequence[Meld]) -> Iterator[tuple[Keys, int, int]]:
    """For each suit that can give the three chows, the hand without those not exposed: keys, jokers, sets it has."""
    exposed = {first for kind, first in melds if kind == "chow"}
    whole = keys_of(counts)
    for suit in (0, 9, 18):
        chows = [suit + low for low in _ESKALERA if suit + low not in exposed]
        kinds = [low + step for low in chows for step in range(3)]
        held = [kind for kind in kinds if counts[kind]]
        left = jokers - len(kinds) + len(held)
        if left >= 0 and len(melds) + len(chows) <= 5:
            keys = list(whole)
            keys[suit // 9] -= sum(POWER[kind] for kind in held)
            yield (keys[0], keys[1], keys[2]), left, len(melds) + len(chows)


def _splits(
    counts: Sequence[int], jokers: int, melds: Sequence[Meld], wanted: tuple[int, int], shapes: Shapes
) -> list[tuple[tuple[_Part, ...], ...]]:
    """The groups of each suit in every way to make the sets and pairs wanted; with jokers one way for each worth."""
    seven = wanted[1] == 7
    chows, distinct = not seven or shapes.pairs_set == "any", seven and shapes.pairs_distinct
    suits = [tuple(counts[suit : suit + 9]) for suit in (0, 9, 18)]
    exposed = [0, 0, 0]
    used = {suit for suit in range(3) if any(suits[suit])} | {first // 9 for _, first in melds}
    for kind, first in melds:
        if kind == "chow":
            exposed[first // 9] |= _ESKALERA_BITS.get(first % 9, 0)
    found: dict[object, tuple[tuple[_Part, ...], ...]] = {}
    for given in product(*(range(jokers + 1) if suit in used else (0,) for suit in range(3))):
        shares = [_share(sum(suit) + more, seven) for suit, more in zip(suits, given, strict=True)]
        if sum(given) == jokers and tuple(map(sum, zip(*shares, strict=True))) == wanted:
            ways = [_ways(suits[i], given[i], *shares[i], chows, distinct, False) for i in range(3)]
            for each in product(*ways):
                parts = tuple(way[1] for way in each)
                bits = [way[0] | more for way, more in zip(each, exposed, strict=True)]
                found.setdefault(_worth(bits) if jokers else parts, parts)
    return list(found.values())


def _share(tiles: int, seven: bool) -> tuple[int, int]:
    """The sets and pairs that a suit of so many tiles makes; there is one answer, a wrong sum where there is none."""
    if seven:
        return tiles % 2, (tiles - 3 * (tiles % 2)) // 2
    return tiles // 3, (0, 9, 1)[tiles % 3]


def _worth(suits: list[int]) -> tuple[bool, int]:
    """All that scoring asks of a way to read a hand: readings that agree here are worth the same."""
    low, middle, high = suits
    return any(bits & 7 == 7 for bits in suits), (low | middle | high) & ~7


def _groups(suits: tuple[tuple[_Part, ...], ...]) -> tuple[Group, ...]:
    groups = [
        Group(kind, 9 * suit + low, tuple([9 * suit + rank for rank in jokers_as]))
        for suit, parts in enumerate(suits)
        for kind, low, jokers_as in _with_free_pairs(parts)
    ]
    return tuple(sorted(groups, key=lambda group: (group.kind == "pair", group.first)))


def _with_free_pairs(parts: tuple[_Part, ...]) -> Iterator[_Part]:
    """Give pairs of two jokers the lowest ranks that no other pair of the suit has."""
    taken = {low for kind, low, _ in parts if kind == "pair"}
    free = (rank for rank in range(9) if rank not in taken)
    for part in parts:
        if part[1] == _ANY_RANK:
            rank = next(free)
            yield "pair", rank, (rank, rank)
        else:
            yield part


@lru_cache(maxsize=1 << 14)
def _ways(
    counts: tuple[int, ...], jokers: int, sets: int, pairs: int, chows: bool, distinct: bool, paired: bool
) -> tuple[_Way, ...]:
    """The ways to split a suit and jokers exactly; with jokers one for each thing that scoring can tell apart.

    `paired` says that the lowest rank held has given a pair already.
    """
    low = next((rank for rank in range(9) if counts[rank]), None)
    if low is None:
        return _ways_of_jokers(sets, pairs, chows)
    parts = _sets_of(counts, low, jokers, chows) if sets else []
    if pairs and not (distinct and paired):
        parts += [("pair", low, (low,) * missing) for missing in range(2 - min(2, counts[low]), min(1, jokers) + 1)]
    found: dict[object, _Way] = {}
    for part in parts:
        bits, is_pair, rest = _bits_of(part), part[0] == "pair", _without(counts, part)
        still_paired = distinct and rest[low] > 0 and (paired or is_pair)
        left = jokers - len(part[2]), sets - (not is_pair), pairs - is_pair
        for more_bits, more in _ways(rest, *left, chows, distinct, still_paired):
            if jokers:
                found.setdefault(bits | more_bits, (bits | more_bits, (part, *more)))
            else:
                whole = tuple(sorted((part, *more)))
                found[whole] = bits | more_bits, whole
    return tuple(found.values())


def _sets_of(counts: tuple[int, ...], low: int, jokers: int, chows: bool) -> list[_Part]:
    """The sets that take a natural of the lowest rank held, with jokers in any of their other places."""
    parts: list[_Part] = [
        ("pung", low, (low,) * missing) for missing in range(3 - min(3, counts[low]), min(2, jokers) + 1)
    ]
    if chows:
        for first in range(max(0, low - 2), min(6, low) + 1):
            others = [rank for rank in range(first, first + 3) if rank != low]
            places = [((), (rank,)) if counts[rank] else ((rank,),) for rank in others]
            for chosen in product(*places):
                jokers_as = sum(chosen, ())
                if len(jokers_as) <= jokers:
                    parts.append(("chow", first, jokers_as))
    return parts


def _ways_of_jokers(sets: int, pairs: int, chows: bool) -> tuple[_Way, ...]:
    """Sets and pairs of jokers alone: the kinds of set that can matter, and pairs of a rank still to be chosen."""
    free: list[_Part] = [("pung", 0, (0, 0, 0))]
    if chows:
        free += [("chow", low, (low, low + 1, low + 2)) for low in _ESKALERA]
    free_pairs: tuple[_Part, ...] = (("pair", _ANY_RANK, (_ANY_RANK, _ANY_RANK)),) * pairs
    ways = [(*chosen, *free_pairs) for chosen in combinations_with_replacement(free, sets)]
    return tuple((reduce(or_, map(_bits_of, parts), 0), parts) for parts in ways)


def _bits_of(part: _Part) -> int:
    kind, low, jokers_as = part
    if kind == "chow":
        return _CHOW | _ESKALERA_BITS.get(low, 0)
    if kind == "pung":
        return _PUNG
    return _JOKER_PAIR if jokers_as else 0


def _without(counts: tuple[int, ...], part: _Part) -> tuple[int, ...]:
    """The naturals left when a group has taken its own."""
    kind, low, jokers_as = part
    rest = list(counts)
    for rank in (low, low + 1, low + 2) if kind == "chow" else (low,) * (3 if kind == "pung" else 2):
        rest[rank] -= 1
    for rank in jokers_as:
        rest[rank] += 1
    return tuple(rest)
