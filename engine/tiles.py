"""The 42 kinds of tile, their codes, and reading and printing hands (rules 1).

The only file that knows how kinds are numbered: 0-26 suited (bamboo, characters, dots), 27-41 honours.
Copies of a kind are interchangeable, so a tile is its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = int
Code = str
Family = Literal["bamboo", "characters", "dots", "wind", "dragon", "flower", "season"]
TileSet = Literal["suited108", "standard144"]

SUITED: Final = 27
"""Kinds below this number form sets; the others are bonus flowers wherever they are in play."""

COPIES: Final = 4
BACK: Final[Code] = "back"
"""Stands on the wire for a tile the reader may not see."""

_FAMILIES: Final[tuple[tuple[str, Family, int], ...]] = (
    ("b", "bamboo", 9),
    ("c", "characters", 9),
    ("d", "dots", 9),
    ("w", "wind", 4),
    ("x", "dragon", 3),
    ("f", "flower", 4),
    ("s", "season", 4),
)

CODES: Final[tuple[Code, ...]] = tuple(
    f"{rank}{letter}" for letter, _, ranks in _FAMILIES for rank in range(1, ranks + 1)
)
KINDS: Final[dict[Code, Kind]] = {code: kind for kind, code in enumerate(CODES)}

_NAMES: Final[dict[Family, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "wind": (("East wind", "South wind", "West wind", "North wind"), ("Silangan", "Timog", "Kanluran", "Hilaga")),
    "dragon": (
        ("Red dragon", "Green dragon", "White dragon"),
        ("Pulang dragon", "Berdeng dragon", "Puting dragon"),
    ),
    "flower": (("Plum", "Orchid", "Chrysanthemum", "Bamboo flower"), ("Plum", "Orkidya", "Krisantemo", "Kawayan")),
    "season": (("Spring", "Summer", "Autumn", "Winter"), ("Tagsibol", "Tag-init", "Taglagas", "Taglamig")),
}
_SUIT_NAMES: Final[dict[Family, tuple[str, str]]] = {
    "bamboo": ("{} of bamboo", "{} na kawayan"),
    "characters": ("{} of characters", "{} na karakter"),
    "dots": ("{} of dots", "{} na bola"),
}
_CHARACTERS: Final[dict[Family, Sequence[int]]] = {
    "bamboo": range(0x1F010, 0x1F019),
    "characters": range(0x1F007, 0x1F010),
    "dots": range(0x1F019, 0x1F022),
    "wind": range(0x1F000, 0x1F004),
    "dragon": range(0x1F004, 0x1F007),
    # Unicode has the bamboo flower before the chrysanthemum.
    "flower": (0x1F022, 0x1F023, 0x1F025, 0x1F024),
    "season": range(0x1F026, 0x1F02A),
}


@dataclass(frozen=True, slots=True)
class TileKind:
    """One kind as people see it: code, family, rank from 1, names, and its Unicode character."""

    code: Code
    family: Family
    rank: int
    english: str
    filipino: str
    character: str


def describe(kind: Kind) -> TileKind:
    """The kind's names and character. Raises IndexError for a number outside 0-41."""
    code = CODES[kind]
    rank = int(code[0])
    family = next(family for letter, family, _ in _FAMILIES if letter == code[1])
    if family in _SUIT_NAMES:
        english, filipino = (name.format(rank) for name in _SUIT_NAMES[family])
    else:
        english, filipino = (names[rank - 1] for names in _NAMES[family])
    return TileKind(code, family, rank, english, filipino, chr(_CHARACTERS[family][rank - 1]))


def full_set(tile_set: TileSet) -> list[Kind]:
    """Every tile of the set in kind order: 108 or 144 (rules 2). Flowers and seasons come once each."""
    tiles = [kind for kind in range(SUITED) for _ in range(COPIES)]
    if tile_set == "standard144":
        for kind in range(SUITED, len(CODES)):
            tiles.extend([kind] * (1 if CODES[kind][1] in "fs" else COPIES))
    return tiles


def parse_hand(text: str) -> tuple[list[Kind], int]:
    """Read a hand string such as `123b 456c 99d J` into its kinds, in order, and the number of `J`.

    Raises ValueError that names the part which is not a group of ranks and a family.
    """
    kinds: list[Kind] = []
    jokers = 0
    for group in text.split():
        for ranks, letter, held in _split_group(group):
            if held:
                jokers += len(held)
            else:
                kinds.extend(KINDS[rank + letter] for rank in ranks)
    return kinds, jokers


def format_hand(kinds: Iterable[Kind], jokers: int = 0) -> str:
    """Print kinds as a hand string, sorted and grouped by family, jokers first as `J`."""
    groups = ["J" * jokers] if jokers else []
    ordered = [CODES[kind] for kind in sorted(kinds)]
    for letter, _, _ in _FAMILIES:
        ranks = "".join(code[0] for code in ordered if code[1] == letter)
        if ranks:
            groups.append(ranks + letter)
    return " ".join(groups)


def codes(kinds: Sequence[Kind]) -> tuple[Code, ...]:
    """The codes of some kinds, in the given order."""
    return tuple([CODES[kind] for kind in kinds])


_GROUP: Final = re.compile(r"([1-9]+)([bcdwxfs])|(J+)")


def _split_group(group: str) -> list[tuple[str, str, str]]:
    parts: list[tuple[str, str, str]] = _GROUP.findall(group)
    if "".join("".join(part) for part in parts) != group:
        raise ValueError(f"{group!r} is not ranks followed by a family (b c d w x f s), nor J")
    for ranks, letter, _ in parts:
        for rank in ranks:
            if rank + letter not in KINDS:
                raise ValueError(f"there is no tile {rank + letter!r} (in {group!r})")
    return parts
