"""The full decompositions of a winning hand, for scoring and for display, and the Eskalera questions (rules 6).

Without jokers every reading is kept; with jokers one for each combination of what scoring can tell apart (`_worth`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from typing import Literal

from engine.hands.shape import JOKER_RULES, POWER, Keys, Meld, Shapes, keys_of, reader

GroupKind = Literal["chow", "pung", "pair"]
# A group inside one suit: its kind, its lowest rank (0-8) and the ranks for which jokers stand.
_Part = tuple[GroupKind, int, tuple[int, ...]]
_Way = tuple[_Part, ...]

_ESKALERA = (0, 3, 6)
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
    def all_chows(self) -> bool:
        """Every set is a chow."""
        return all(kind == "chow" for kind, _ in self.sets)

    @property
    def one_suit(self) -> bool:
        """All tiles, jokers at what they stand for, are of one suit."""
        return len({first // 9 for _, first in self.sets} | {kind // 9 for kind in self.pairs}) == 1

    @property
    def pair_has_joker(self) -> bool:
        """A joker stands in the pair, or in one of the seven."""
        return any(group.kind == "pair" and group.jokers_as for group in self.groups)


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: Literal["regular", "seven_pairs"]
    pairs: int
    chows: bool
    distinct: bool


def readings(counts: Sequence[int], jokers: int, melds: Sequence[Meld], shapes: Shapes) -> list[Reading]:
    """How 27 counts of naturals, the winning tile included, and jokers complete a hand beside its melds.

    Regular readings first; none when the hand is not complete. A joker stands for any kind, but one that is free to be
    of any suit stays in a suit the hand has.
    """
    forms = [_Form("regular", 1, True, False)]
    if shapes.pairs_allowed(melds):
        forms.append(_Form("seven_pairs", 7, shapes.pairs_set == "any", shapes.pairs_distinct))
    found = [
        Reading(form.pattern, tuple(melds), groups) for form in forms for groups in _splits(form, counts, jokers, melds)
    ]
    if not jokers:
        return found
    kept: dict[tuple[object, ...], Reading] = {}
    for reading in found:
        kept.setdefault(_worth(reading), reading)
    return list(kept.values())


def has_eskalera(counts: Sequence[int], jokers: int, melds: Sequence[Meld], shapes: Shapes = JOKER_RULES) -> bool:
    """Whether a hand of 17 - 3 * melds tiles can be read as an Eskalera; `shapes` only names tables already in use."""
    return any(
        reader(shapes).is_win(keys, left, sets, False) for keys, left, sets in _less_eskalera(counts, jokers, melds)
    )


def eskalera_eye(counts: Sequence[int], jokers: int, melds: Sequence[Meld], shapes: Shapes = JOKER_RULES) -> bool:
    """Whether 16 - 3 * melds tiles are a Joker Eye wait for an Eskalera (rules 6)."""
    return any(
        reader(shapes).joker_eye(keys, left, sets, False)[0]
        for keys, left, sets in _less_eskalera(counts, jokers, melds)
    )


def _less_eskalera(counts: Sequence[int], jokers: int, melds: Sequence[Meld]) -> Iterator[tuple[Keys, int, int]]:
    """For each suit that can give the three chows, the hand without those not exposed: keys, jokers, sets it has."""
    exposed = {first for kind, first in melds if kind == "chow"}
    for suit in (0, 9, 18):
        chows = [suit + low for low in _ESKALERA if suit + low not in exposed]
        kinds = [low + step for low in chows for step in range(3)]
        held = [kind for kind in kinds if counts[kind]]
        left = jokers - len(kinds) + len(held)
        if left >= 0 and len(melds) + len(chows) <= 5:
            keys = list(keys_of(counts))
            keys[suit // 9] -= sum(POWER[kind] for kind in held)
            yield (keys[0], keys[1], keys[2]), left, len(melds) + len(chows)


def _worth(reading: Reading) -> tuple[object, ...]:
    """All that scoring asks of a reading: readings that agree here are worth the same."""
    return (
        reading.pattern,
        reading.eskalera,
        reading.all_pungs,
        reading.all_chows,
        reading.one_suit,
        reading.pair_has_joker,
    )


def _splits(form: _Form, counts: Sequence[int], jokers: int, melds: Sequence[Meld]) -> Iterator[tuple[Group, ...]]:
    """Share jokers and pairs among the suits in every way, and read each suit."""
    suits = [tuple(counts[suit : suit + 9]) for suit in (0, 9, 18)]
    used = {first // 9 for _, first in melds} | {suit for suit in range(3) if any(suits[suit])}
    shares = [range(jokers + 1) if suit in used else range(1) for suit in range(3)]
    for given in product(*shares):
        if sum(given) != jokers:
            continue
        for pairs in product(range(form.pairs + 1), repeat=3):
            if sum(pairs) == form.pairs:
                read = [_suit_ways(form, *suit) for suit in zip(suits, given, pairs, strict=True)]
                for ways in product(*read):
                    yield _groups(ways)


def _groups(ways: tuple[_Way, ...]) -> tuple[Group, ...]:
    groups = [
        Group(kind, 9 * suit + low, tuple(9 * suit + rank for rank in jokers_as))
        for suit, way in enumerate(ways)
        for kind, low, jokers_as in way
    ]
    return tuple(sorted(groups, key=lambda group: (group.kind == "pair", group.first)))


def _suit_ways(form: _Form, counts: tuple[int, ...], jokers: int, pairs: int) -> tuple[_Way, ...]:
    in_sets = sum(counts) + jokers - 2 * pairs
    if in_sets < 0 or in_sets % 3:
        return ()
    ways = _ways(counts, jokers, in_sets // 3, pairs, form.chows, form.distinct, False)
    return tuple(_with_free_pairs(way) for way in ways)


@lru_cache(maxsize=1 << 14)
def _ways(
    counts: tuple[int, ...], jokers: int, sets: int, pairs: int, chows: bool, distinct: bool, paired: bool
) -> tuple[_Way, ...]:
    """The ways to split a suit and jokers exactly; with jokers one for each thing that scoring can tell apart.

    `paired` says that the lowest rank held has given a pair already.
    """
    low = next((rank for rank, count in enumerate(counts) if count), None)
    if low is None:
        return _ways_of_jokers(sets, pairs, chows)
    found: dict[object, _Way] = {}
    for part in _parts(
        counts, low, jokers, bool(sets) and chows, bool(sets), bool(pairs) and not (distinct and paired)
    ):
        kind, first, jokers_as = part
        rest = list(counts)
        for rank in _ranks(kind, first):
            rest[rank] -= 1
        for rank in jokers_as:
            rest[rank] += 1
        is_pair = kind == "pair"
        still_paired = distinct and rest[low] > 0 and (paired or is_pair)
        left = jokers - len(jokers_as), sets - (not is_pair), pairs - is_pair
        for way in _ways(tuple(rest), *left, chows, distinct, still_paired):
            whole = tuple(sorted((part, *way)))
            found.setdefault(_worth_of_way(whole) if jokers else whole, whole)
    return tuple(found.values())


def _parts(counts: tuple[int, ...], low: int, jokers: int, chow: bool, pung: bool, pair: bool) -> Iterator[_Part]:
    """The groups that take a natural of the lowest rank held, jokers in any of their other places."""
    if pung:
        for missing in range(max(0, 3 - counts[low]), min(2, jokers) + 1):
            yield "pung", low, (low,) * missing
    if chow:
        for first in range(max(0, low - 2), min(6, low) + 1):
            others = [rank for rank in range(first, first + 3) if rank != low]
            for wild in product(*((False, True) if counts[rank] else (True,) for rank in others)):
                if sum(wild) <= jokers:
                    yield "chow", first, tuple(rank for rank, joker in zip(others, wild, strict=True) if joker)
    if pair:
        for missing in range(max(0, 2 - counts[low]), min(1, jokers) + 1):
            yield "pair", low, (low,) * missing


def _ways_of_jokers(sets: int, pairs: int, chows: bool) -> tuple[_Way, ...]:
    """Sets and pairs of jokers alone: the kinds of set that can matter, and pairs of a rank still to be chosen."""
    free: list[_Part] = [("pung", 0, (0, 0, 0))]
    if chows:
        free += [("chow", low, (low, low + 1, low + 2)) for low in _ESKALERA]
    free_pairs: _Way = (("pair", _ANY_RANK, ()),) * pairs
    return tuple(tuple(sorted((*chosen, *free_pairs))) for chosen in combinations_with_replacement(free, sets))


def _with_free_pairs(way: _Way) -> _Way:
    """Give pairs of two jokers the lowest ranks that no other pair of the suit has."""
    taken = {low for kind, low, _ in way if kind == "pair"}
    ranks = (rank for rank in range(9) if rank not in taken)
    result: list[_Part] = []
    for part in way:
        if part[1] == _ANY_RANK:
            rank = next(ranks)
            result.append(("pair", rank, (rank, rank)))
        else:
            result.append(part)
    return tuple(result)


def _worth_of_way(way: _Way) -> object:
    """What the groups of one suit can add to `_worth`."""
    chows = {low for kind, low, _ in way if kind == "chow"}
    return (
        tuple(low in chows for low in _ESKALERA),
        bool(chows),
        any(kind == "pung" for kind, _, _ in way),
        any(kind == "pair" and (jokers_as or low == _ANY_RANK) for kind, low, jokers_as in way),
    )


def _ranks(kind: GroupKind, first: int) -> tuple[int, ...]:
    if kind == "chow":
        return (first, first + 1, first + 2)
    return (first,) * (3 if kind == "pung" else 2)
