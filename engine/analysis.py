"""What a hand is and what it could become, outside of any game: completeness, worth, waits, discards (rules 6 to 9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bots.hints import DiscardHint, ranked
from engine.claims import TRIPLE
from engine.events import MeldKind, Tiles, WinReading, WinSource
from engine.hands import Keys, Reader, keys_of, kinds_in, reader
from engine.hands.readings import readings
from engine.ledger import settle_win
from engine.rules import RuleSet
from engine.scoring import Score, WinContext, score, shown_reading
from engine.scoring.legality import WinRefusal, discard_win_refusal, read_wait
from engine.tiles import CODES, COPIES, SUITED, Code, Kind, codes

Tile = Kind | None
"""A kind; None is a joker whose face does not matter."""

_SETS: Final = 5
_AT_REST: Final = 16


class HandError(ValueError):
    """Tiles that are no hand. `place` leads to what is at fault: a field of Held, then an index."""

    def __init__(self, sentence: str, *place: str | int) -> None:
        super().__init__(sentence)
        self.place = place


@dataclass(frozen=True, slots=True)
class Held:
    """A hand: `concealed` in order, a drawn or claimed tile last; the tiles of each meld; `joker`, the kind that is
    wild in this round, if that matters."""

    concealed: tuple[Tile, ...]
    melds: tuple[tuple[MeldKind, tuple[Kind, ...]], ...] = ()
    joker: Kind | None = None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """How a hand wins, if it does: what `WinContext` asks besides the tiles. `pile_count` None is late enough."""

    source: WinSource = "draw"
    pile_count: int | None = None
    first_draw: bool = False
    locked: bool = False
    flowers: int = 0
    wall_left: int = 1


@dataclass(frozen=True, slots=True)
class WaitHint:
    """A kind that completes the hand, and how many of it are unseen."""

    tile: Code
    unseen: int


@dataclass(frozen=True, slots=True)
class Payments:
    """What a win is paid, in points: `game` is what the winner receives from the seats, of which the discarder and each
    of the `others` pay so much; `takes_pot` whether the pot comes on top; `tip` what goes to the house."""

    game: int
    discarder: int | None
    others: int
    takes_pot: bool
    tip: int


@dataclass(frozen=True, slots=True)
class Worth:
    """What the hand wins: a `category` or `bonuses`, as ids; `reading` is the one that earns them, absent for Triple
    Joker."""

    category: str | None
    bonuses: tuple[str, ...]
    multiplier: int
    reading: WinReading | None
    payments: Payments


@dataclass(frozen=True, slots=True)
class Analysis:
    """`shanten` are the tiles to exchange before the hand waits, -1 when it is complete; `readings` how it is read
    then, one for each worth where it holds jokers. Between turns: the kinds it `waits` for and whether as a
    `joker_eye`, and the `accepted` kinds that bring it nearer, of which `acceptance` copies are unseen. On turn:
    `discards`, the best first, and the `win`, or in `refusal` why there is none. A joker brings every hand nearer and
    is not counted."""

    complete: bool
    shanten: int
    readings: tuple[WinReading, ...]
    win: Worth | None
    refusal: WinRefusal | None
    joker_eye: bool | None
    waits: tuple[WaitHint, ...] | None
    accepted: Tiles | None
    acceptance: int | None
    discards: tuple[DiscardHint, ...] | None


def analyze(rules: RuleSet, held: Held, how: Circumstances, unseen: Mapping[Kind, int]) -> Analysis:
    """The analysis of a hand between turns or on turn. `unseen` counts copies by kind, 0 to 4; of a kind that is not in
    it, those that the hand does not hold are unseen.

    Raises HandError for tiles that are no hand.
    """
    _check(rules, held)
    on_turn = len(held.concealed) + 3 * len(held.melds) > _AT_REST
    if on_turn and how.source == "discard" and held.concealed[-1] is None and held.joker is None:
        raise HandError("must name the kind of a joker that is won with as a discard", "joker")
    hand = _Hand(rules, held, face=on_turn and how.source == "discard" and rules.discarded_joker != "wild")
    left = [unseen.get(kind, number) for kind, number in enumerate(hand.unseen)]
    if held.joker is not None:
        left[held.joker] = 0  # it stands for every tile and tells none from another
    wins = on_turn or how.source == "opening"
    found = _worth(rules, held, hand, how, on_turn) if wins else None
    shanten = hand.reader.shanten(*hand.read)
    all_readings = readings(hand.counts, hand.jokers, hand.melds, rules.shapes) if on_turn and shanten < 0 else []
    mask, acceptance = (0, 0) if on_turn else hand.reader.acceptance(*hand.read, left)
    return Analysis(
        complete=on_turn and shanten < 0,
        shanten=shanten,
        readings=tuple([shown_reading(reading) for reading in all_readings]),
        win=found if isinstance(found, Worth) else None,
        refusal=None if isinstance(found, Worth) else found,
        joker_eye=None if on_turn else shanten == 0 and any(hand.reader.joker_eye(*hand.read)),
        waits=None if on_turn else _waits(hand, left),
        accepted=None if on_turn else codes(kinds_in(mask)),
        acceptance=None if on_turn else acceptance,
        discards=ranked(hand.reader.discards(*hand.read, left)) if on_turn else None,
    )


class _Hand:
    """A hand in the numbers that the reader takes. `face`: its last tile, where that is a joker, is what it shows."""

    def __init__(self, rules: RuleSet, held: Held, *, face: bool = False) -> None:
        concealed = held.concealed
        natural = [kind for kind in concealed if kind is not None and kind != held.joker]
        self.jokers = len(concealed) - len(natural)
        if face and concealed[-1] in (None, held.joker) and held.joker is not None:
            natural.append(held.joker)
            self.jokers -= 1
        self.counts = tuple([natural.count(kind) for kind in range(SUITED)])
        self.melds = tuple([(kind, min(tiles)) for kind, tiles in held.melds])
        self.reader: Reader = reader(rules.shapes)
        keys: Keys = keys_of(self.counts)
        self.read = (keys, self.jokers, len(self.melds), self.reader.pairs_allowed(self.melds))
        seen = Counter(natural) + Counter(kind for _, tiles in held.melds for kind in tiles)
        self.unseen = [COPIES - seen[kind] for kind in range(SUITED)]


def _worth(rules: RuleSet, held: Held, hand: _Hand, how: Circumstances, on_turn: bool) -> Worth | WinRefusal:
    """What the hand wins, or why it does not."""
    tile = held.concealed[-1] if on_turn and how.source != "opening" else None
    if on_turn and tile is None and how.source != "opening":
        tile = held.joker
    before = _Hand(rules, Held(held.concealed[:-1], held.melds, held.joker)) if on_turn else hand
    early = how.source == "opening" or (how.first_draw and how.source != "discard")
    triple = early and hand.jokers >= TRIPLE and rules.opening_window
    if how.source == "discard":
        assert tile is not None
        refusal = discard_win_refusal(rules, read_wait(before.reader, *before.read), tile, held.joker, how.locked)
        if refusal is not None:
            return refusal
    elif not triple and (how.source == "opening" or hand.reader.shanten(*hand.read) >= 0):
        return "incomplete"
    context = WinContext(
        counts=hand.counts,
        jokers=hand.jokers,
        wait_counts=before.counts,
        wait_jokers=before.jokers,
        melds=hand.melds,
        source=how.source,
        tile=tile,
        pile_count=(rules.before_fifth_limit or 0) if how.pile_count is None else how.pile_count,
        first_draw=how.first_draw and how.source == "draw",
        triple_joker=triple,
        flowers=how.flowers,
        wall_left=how.wall_left,
    )
    worth = score(rules, context)
    return Worth(worth.category, worth.bonuses, worth.multiplier, worth.reading, _payments(rules, worth, how.source))


def _payments(rules: RuleSet, worth: Score, source: WinSource) -> Payments:
    discarder = 1 if source == "discard" else None
    paid = settle_win(rules, worth, 0, discarder, 0)
    return Payments(
        game=paid.game,
        discarder=None if discarder is None else -paid.changes[discarder],
        others=-paid.changes[2],
        takes_pot=settle_win(rules, worth, 0, discarder, 1).pot_after == 0,
        tip=paid.tips_change,
    )


def _waits(hand: _Hand, left: Sequence[int]) -> tuple[WaitHint, ...]:
    return tuple([WaitHint(CODES[kind], left[kind]) for kind in kinds_in(hand.reader.waits(*hand.read))])


def _check(rules: RuleSet, held: Held) -> None:
    """Refuses what no seat could hold (rules 1, 2, 4, 5)."""
    if not rules.has_jokers and (held.joker is not None or None in held.concealed):
        raise HandError("there are no jokers by these rules", "concealed" if held.joker is None else "joker")
    if held.joker is not None and held.joker >= SUITED:
        raise HandError("must be a suited kind", "joker")
    if any(kind is not None and kind >= SUITED for kind in held.concealed):
        raise HandError("holds a flower, which stands beside the hand", "concealed")
    if len(held.melds) > _SETS:
        raise HandError(f"are more than {_SETS}", "melds")
    for place, (kind, tiles) in enumerate(held.melds):
        if not _is_meld(kind, tiles):
            raise HandError(f"is no {kind}", "melds", place)
        if held.joker in tiles:
            raise HandError("holds a joker, which is in no meld", "melds", place)
    size = _AT_REST - 3 * len(held.melds)
    if len(held.concealed) not in (size, size + 1):
        raise HandError(f"must hold {size} tiles, or {size + 1} on turn, not {len(held.concealed)}", "concealed")
    _check_copies(rules, held)


def _check_copies(rules: RuleSet, held: Held) -> None:
    jokers = COPIES - (rules.joker_mode == "indicator_removed")
    found = Counter(held.joker if kind is None else kind for kind in held.concealed)
    found.update(kind for _, tiles in held.melds for kind in tiles)
    for kind, number in found.items():
        if number > (jokers if kind is None or kind == held.joker else COPIES):
            name = "jokers" if kind is None or kind == held.joker else CODES[kind]
            raise HandError(f"holds too many {name}, melds included", "concealed")


def _is_meld(kind: MeldKind, tiles: Sequence[Kind]) -> bool:
    first = min(tiles, default=SUITED)
    if first >= SUITED:
        return False
    if kind == "chow":
        return sorted(tiles) == [first, first + 1, first + 2] and first % 9 < 7
    return list(tiles) == [first] * (3 if kind == "pung" else COPIES)
