"""Hand vectors: what the rules say of one winning tile, and what this engine finds (format: end of rules 13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from engine.events import MeldKind, WinSource
from engine.hands import keys_of, reader
from engine.rules import RuleSet, override, preset
from engine.scoring import Score, WinContext, score
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES
from engine.scoring.legality import discard_win_refusal, read_wait
from engine.tiles import KINDS, SUITED, Kind, parse_hand

Vector = Mapping[str, Any]
"""One parsed JSON object of a vector file."""

TITLES: Final = {row.id: row.title for row in CATEGORIES} | {row.id: row.title for row in BONUSES}


@dataclass(frozen=True, slots=True)
class Difference:
    """A vector this engine does not agree with; None is no win."""

    id: str
    expected: Mapping[str, object] | None
    found: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The vectors that differ, in order, and how many agree."""

    differences: tuple[Difference, ...]
    agree: int

    @property
    def differ(self) -> int:
        """How many vectors differ."""
        return len(self.differences)


def compare(vectors: Iterable[Any]) -> Comparison:
    """Value each entry of a parsed vector file and compare with what it expects.

    Raises ValueError that names a vector it cannot read.
    """
    differences = []
    agree = 0
    for vector in vectors:
        if not isinstance(vector, Mapping) or not vector.keys() >= {"id", "expect"}:
            raise ValueError(f"a vector is an object with an id and an expect, not {vector!r:.80}")
        found = evaluate(vector)
        expected = vector["expect"]
        if _same(expected, found):
            agree += 1
        else:
            differences.append(Difference(vector["id"], expected, found))
    return Comparison(tuple(differences), agree)


def evaluate(vector: Vector) -> dict[str, object] | None:
    """What this engine finds: `multiplier` with `category` or `bonuses`, under their titles; None is no win.

    Raises ValueError that names a vector it cannot read.
    """
    try:
        rules = override(preset(vector["ruleset"]), vector.get("options", {}))
        win = _context(rules, vector)
        return _titled(score(rules, win)) if _legal(rules, vector, win) else None
    except (LookupError, TypeError, AttributeError, ValueError) as reason:
        raise ValueError(f"vector {vector.get('id')}: {reason!r}") from reason


def _context(rules: RuleSet, vector: Vector) -> WinContext:
    joker = KINDS[vector["joker"]] if rules.has_jokers else None
    wait, wait_jokers = _held(vector["concealed"], joker)
    source: WinSource = _one_of(get_args(WinSource), vector["source"])
    tile = _tile(vector["tile"], joker)
    counts, jokers = wait, wait_jokers
    if tile is not None and tile == joker and (source != "discard" or rules.discarded_joker == "wild"):
        jokers += 1
    elif tile is not None:
        counts = (*wait[:tile], wait[tile] + 1, *wait[tile + 1 :])
    melds = tuple([_meld(meld) for meld in vector["melds"]])
    first_draw = vector.get("first_draw", False)
    discards = vector.get("discards_made", 0 if first_draw or source == "opening" else 1)
    return WinContext(
        counts=counts,
        jokers=jokers,
        wait_counts=wait,
        wait_jokers=wait_jokers,
        melds=melds,
        source=source,
        tile=tile,
        pile_count=vector.get("pile_after", 0),
        first_draw=first_draw and source == "draw",
        triple_joker=discards == 0 and jokers >= 3,
        flowers=vector.get("flowers", 0),
        wall_left=vector.get("wall_left", 1),
    )


def _legal(rules: RuleSet, vector: Vector, win: WinContext) -> bool:
    tiles = sum(win.wait_counts) + win.wait_jokers + 3 * len(win.melds)
    if max(win.counts) > 4 or tiles != 16:
        return False
    hands = reader(rules.shapes)
    pairs = hands.pairs_allowed(win.melds)
    if win.source != "discard":
        complete = hands.is_win(keys_of(win.counts), win.jokers, len(win.melds), pairs)
        return complete or (win.triple_joker and rules.opening_window)
    if win.tile is None:
        raise ValueError("a win by discard has a tile")
    wait = read_wait(hands, keys_of(win.wait_counts), win.wait_jokers, len(win.melds), pairs)
    joker = KINDS[vector["joker"]] if rules.has_jokers else None
    return discard_win_refusal(rules, wait, win.tile, joker, vector.get("locked", False)) is None


def _held(text: str, joker: Kind | None) -> tuple[tuple[int, ...], int]:
    """The naturals by kind and the jokers of a hand string; the joker's face is a joker too."""
    kinds, jokers = parse_hand(text)
    if any(kind >= SUITED for kind in kinds):
        raise ValueError(f"{text!r} holds a flower")
    if jokers and joker is None:
        raise ValueError("there are no jokers in this ruleset")
    naturals = [kind for kind in kinds if kind != joker]
    counts = [0] * SUITED
    for kind in naturals:
        counts[kind] += 1
    return tuple(counts), jokers + len(kinds) - len(naturals)


def _tile(code: str | None, joker: Kind | None) -> Kind | None:
    if code is None:
        return None
    if code == "J" and joker is None:
        raise ValueError("there are no jokers in this ruleset")
    return joker if code == "J" else KINDS[code]


def _meld(meld: Mapping[str, str]) -> tuple[MeldKind, Kind]:
    return _one_of(get_args(MeldKind), meld["kind"]), min(parse_hand(meld["tiles"])[0])


def _one_of(words: tuple[Any, ...], word: str) -> Any:
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return word


def _titled(worth: Score) -> dict[str, object]:
    if worth.category is not None:
        return {"category": TITLES[worth.category], "multiplier": worth.multiplier}
    return {"multiplier": worth.multiplier, "bonuses": [TITLES[bonus] for bonus in worth.bonuses]}


def _same(expected: Mapping[str, Any] | None, found: Mapping[str, Any] | None) -> bool:
    if expected is None or found is None:
        return expected is found
    return all(_comparable(found.get(key)) == _comparable(value) for key, value in expected.items())


def _comparable(value: object) -> object:
    return frozenset(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
