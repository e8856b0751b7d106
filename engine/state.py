"""The state of a game: data only. Everyone but `evolve` treats it as immutable.

`evolve` works on a private draft, made by `GameState.draft`; nothing else may assign to these objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.actions import Action
from engine.events import (
    ClaimTiming,
    EndReason,
    Four,
    Length,
    MeldKind,
    Player,
    PointsAmended,
    PointsPending,
    Preferences,
    RoundDrawn,
    RoundWon,
    Timing,
    TurnStage,
    WindowKind,
)
from engine.hands import POWER, Keys, Reader
from engine.rules import RuleSet
from engine.tiles import SUITED, Kind

SEATS: Final = range(4)
ZERO: Final[Four] = (0, 0, 0, 0)
NOBODY: Final = (False, False, False, False)
NO_ANSWERS: Final[tuple[Action | None, ...]] = (None, None, None, None)


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid down: its kinds in order, whom it was claimed from, and which tile that was."""

    kind: MeldKind
    tiles: tuple[Kind, ...]
    claimed_from: int | None
    claimed: Kind | None


@dataclass(frozen=True, slots=True)
class Dealing:
    """A round is being dealt; nothing is asked until its first decision opens, in the same command."""

    no: int


@dataclass(frozen=True, slots=True)
class OpeningWindow:
    """All four seats may declare Triple Joker before the dealer draws (rules 7)."""

    no: int
    answers: tuple[Action | None, ...] = NO_ANSWERS


@dataclass(frozen=True, slots=True)
class Turn:
    """`seat` is to draw (`draw`), or holds 17 less 3 per meld and acts (`act`)."""

    no: int
    seat: int
    stage: TurnStage


@dataclass(frozen=True, slots=True)
class ClaimWindow:
    """The three others are asked about `tile`, thrown by `discarder` or (kind `rob`) about to be its Sagasa."""

    no: int
    kind: WindowKind
    tile: Kind
    discarder: int
    answers: tuple[Action | None, ...] = NO_ANSWERS


@dataclass(frozen=True, slots=True)
class Settlement:
    """Pending point changes wait for every person, or for the end of the window (rules 8)."""

    no: int
    pending: PointsPending
    amended: PointsAmended | None = None
    confirmed: tuple[bool, ...] = NOBODY


@dataclass(frozen=True, slots=True)
class GameOver:
    """Nothing more is asked."""

    no: int


Decision = Dealing | OpeningWindow | Turn | ClaimWindow | Settlement | GameOver
WINDOWS: Final = (ClaimWindow, OpeningWindow)


@dataclass(slots=True)
class SeatState:
    """What a seat holds. `counts` and `suits` hold its naturals: 27 counts, and three base-5 keys of the same."""

    points: int
    counts: list[int] = field(default_factory=lambda: [0] * SUITED)
    suits: Keys = (0, 0, 0)
    jokers: int = 0
    concealed: int = 0
    """How many concealed tiles the seat holds, jokers included."""
    drawn: Kind | None = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Kind, ...] = ()
    locked: bool = False
    waits: int | None = field(default=None, compare=False)
    """Memo of the reading between turns: winning kinds as bits 0-26, then the two flags of `legality.py`; None until
    the hand is read."""

    def copy(self) -> SeatState:
        """A private copy for a draft."""
        twin = SeatState.__new__(SeatState)
        twin.points = self.points
        twin.counts = self.counts[:]
        twin.suits = self.suits
        twin.jokers = self.jokers
        twin.concealed = self.concealed
        twin.drawn = self.drawn
        twin.melds = self.melds
        twin.flowers = self.flowers
        twin.locked = self.locked
        twin.waits = self.waits
        return twin

    def add(self, kind: Kind, number: int, joker: Kind | None) -> None:
        """Add tiles of a suited kind to the concealed ones of a draft, or take them away; the joker's kind is wild."""
        self.waits = None
        self.concealed += number
        if kind == joker:
            self.jokers += number
            return
        self.counts[kind] += number
        bamboo, characters, dots = self.suits
        change = number * POWER[kind]
        if kind < 9:
            self.suits = (bamboo + change, characters, dots)
        elif kind < 18:
            self.suits = (bamboo, characters + change, dots)
        else:
            self.suits = (bamboo, characters, dots + change)


@dataclass(slots=True)
class Round:
    """One deal. The wall is a list with a front and a back index that never cross; `last` is drawn after all others."""

    number: int
    dealer: int
    wind: int
    claim_timing: ClaimTiming
    wall: tuple[Kind, ...]
    front: int
    back: int
    last: Kind | None
    antes: Four
    joker: Kind | None = None
    pile: tuple[tuple[Kind, int], ...] = ()
    discards: int = 0
    kong_before_discard: bool = False
    replaced: bool = False
    """The tile that the seat on turn drew came from the back."""
    claimed: Kind | None = None
    """The tile the seat on turn took by chow or pung; None when its turn began with a draw."""
    side: Four = ZERO
    result: RoundWon | RoundDrawn | None = None
    """How the round ended, once it has."""

    def copy(self) -> Round:
        """A private copy for a draft."""
        twin = Round.__new__(Round)
        twin.number = self.number
        twin.dealer = self.dealer
        twin.wind = self.wind
        twin.claim_timing = self.claim_timing
        twin.wall = self.wall
        twin.front = self.front
        twin.back = self.back
        twin.last = self.last
        twin.antes = self.antes
        twin.joker = self.joker
        twin.pile = self.pile
        twin.discards = self.discards
        twin.kong_before_discard = self.kong_before_discard
        twin.replaced = self.replaced
        twin.claimed = self.claimed
        twin.side = self.side
        twin.result = self.result
        return twin

    @property
    def wall_count(self) -> int:
        """Tiles left to draw."""
        return self.back - self.front + (self.last is not None)


@dataclass(slots=True)
class GameState:
    """A whole game. `seq` numbers its public events, `decision.no` its decisions (design 1)."""

    rules: RuleSet
    reader: Reader = field(compare=False, repr=False)
    players: tuple[Player, ...]
    owner: int
    starting_points: Four
    timing: Timing
    length: Length | None
    seed: str
    seats: list[SeatState]
    round: Round
    decision: Decision
    seq: int = 0
    pot: int = 0
    house: int = 0
    tips: int = 0
    dealer_changes: int = 0
    ending: EndReason | None = None
    """Why the game ends after the running settlement, when it does."""
    paused: bool = False
    asked: tuple[bool, ...] = NOBODY
    """Who wishes to pause, or while paused, to go on."""
    preferences: tuple[Preferences, ...] = (Preferences(),) * 4

    shared: list[bool] = field(default_factory=lambda: [False] * 4, compare=False, repr=False)
    """Whose seats are still those of the state this one was forked from."""

    def draft(self) -> GameState:
        """A private copy that `evolve` may write to."""
        twin = self.fork()
        for seat in SEATS:
            twin.own(seat)
        return twin

    def fork(self) -> GameState:
        """As `draft`, for `evolve` alone: a seat is copied only when an event first changes it."""
        twin = GameState.__new__(GameState)
        twin.rules = self.rules
        twin.reader = self.reader
        twin.players = self.players
        twin.owner = self.owner
        twin.starting_points = self.starting_points
        twin.timing = self.timing
        twin.length = self.length
        twin.seed = self.seed
        twin.seats = self.seats[:]
        twin.shared = [True, True, True, True]
        twin.round = self.round.copy()
        twin.decision = self.decision
        twin.seq = self.seq
        twin.pot = self.pot
        twin.house = self.house
        twin.tips = self.tips
        twin.dealer_changes = self.dealer_changes
        twin.ending = self.ending
        twin.paused = self.paused
        twin.asked = self.asked
        twin.preferences = self.preferences
        return twin

    def own(self, seat: int) -> SeatState:
        """The seat of a draft, to write to."""
        if self.shared[seat]:
            self.shared[seat] = False
            self.seats[seat] = self.seats[seat].copy()
        return self.seats[seat]

    def persons(self) -> list[int]:
        """The seats that people have, away or not."""
        return [seat for seat in SEATS if self.players[seat].bot is None]

    def level(self, seat: int) -> str | None:
        """The level of the bot that plays the seat now, on its own or standing in; None while a person plays it."""
        player = self.players[seat]
        return player.bot or player.stand_in
