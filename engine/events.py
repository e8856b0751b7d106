"""What happened, past tense, complete enough for `evolve` alone (design 1.5).

Numbered events are public facts; a reader who may not see a tile finds BACK in its place.
What stands in the log beside them is in `notes.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.notes import (
    NOTES as NOTES,
    Answered as Answered,
    GameCreated as GameCreated,
    LockChanged as LockChanged,
    Note as Note,
    PreferenceSet as PreferenceSet,
    TurnOpened as TurnOpened,
    WallBuilt as WallBuilt,
)
from engine.terms import (
    WINDS as WINDS,
    ClaimTiming as ClaimTiming,
    EndReason as EndReason,
    Four as Four,
    Length as Length,
    MeldKind as MeldKind,
    Player as Player,
    Preferences as Preferences,
    Taken as Taken,
    Tiles as Tiles,
    Timing as Timing,
    TurnStage as TurnStage,
    Wind as Wind,
    WindowKind as WindowKind,
    WinReading as WinReading,
    WinSource as WinSource,
)
from engine.tiles import Code

# Numbered events


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """A new round. `hands` are the tiles as dealt, by seat; `antes` are changes of points, `pot` stands after them."""

    round: int
    dealer: int
    prevailing_wind: Wind
    winds: tuple[Wind, Wind, Wind, Wind]
    hands: tuple[Tiles, Tiles, Tiles, Tiles]
    antes: Four
    pot: int
    wall_count: int
    claim_timing: ClaimTiming
    type: Literal["round_dealt"] = "round_dealt"


@dataclass(frozen=True, slots=True)
class JokerNamed:
    """All tiles of this kind are jokers for the round."""

    kind: Code
    type: Literal["joker_named"] = "joker_named"


@dataclass(frozen=True, slots=True)
class FlowerExposed:
    """A bonus flower lies open; its replacement follows."""

    seat: int
    tile: Code
    type: Literal["flower_exposed"] = "flower_exposed"


@dataclass(frozen=True, slots=True)
class TileDrawn:
    """A tile from the front or the back of the wall; on the wire `origin` reads `from`."""

    seat: int
    tile: Code
    origin: Literal["front", "back"]
    wall_count: int
    type: Literal["tile_drawn"] = "tile_drawn"


@dataclass(frozen=True, slots=True)
class TileDiscarded:
    """A tile thrown into the pile."""

    seat: int
    tile: Code
    type: Literal["tile_discarded"] = "tile_discarded"


@dataclass(frozen=True, slots=True)
class WindowOpened:
    """The other seats (opening: all four) are asked; `tile` and `discarder` are absent in the opening window."""

    kind: WindowKind
    decision_no: int
    tile: Code | None
    discarder: int | None
    type: Literal["window_opened"] = "window_opened"


@dataclass(frozen=True, slots=True)
class WindowClosed:
    """The claim that was carried out and its seat, or `nobody`."""

    taken: Taken
    seat: int | None
    type: Literal["window_closed"] = "window_closed"


@dataclass(frozen=True, slots=True)
class MeldMade:
    """A meld is laid down; a claimed tile leaves the pile here. `payments` are booked at once."""

    seat: int
    kind: MeldKind
    tiles: Tiles
    claimed_from: int | None
    payments: Four
    type: Literal["meld_made"] = "meld_made"


@dataclass(frozen=True, slots=True)
class RoundWon:
    """A seat won. `hands` and `secrets` hold, by seat, what is shown to all from now on; hands not shown are empty."""

    seat: int
    source: WinSource
    category: str | None
    bonuses: tuple[str, ...]
    multiplier: int
    tile: Code | None
    reading: WinReading | None
    discarder: int | None
    hands: tuple[Tiles, Tiles, Tiles, Tiles]
    secrets: tuple[Tiles, Tiles, Tiles, Tiles]
    type: Literal["round_won"] = "round_won"


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The wall ran out; nothing is shown."""

    type: Literal["round_drawn"] = "round_drawn"


@dataclass(frozen=True, slots=True)
class PointsPending:
    """The round's figures as computed (rules 8): `changes` hold the pot share and are net of the tip."""

    round: int
    decision_no: int
    game: int
    multiplier: int
    changes: Four
    side_payments: Four
    pot_before: int
    pot_after: int
    house_change: int
    tips_change: int
    type: Literal["points_pending"] = "points_pending"


@dataclass(frozen=True, slots=True)
class PointsAmended:
    """The owner proposes other changes for the four seats; all confirmations but the owner's are cleared."""

    seat: int
    decision_no: int
    changes: Four
    reason: str
    type: Literal["points_amended"] = "points_amended"


@dataclass(frozen=True, slots=True)
class PointsConfirmed:
    """A seat agrees to the pending changes."""

    seat: int
    type: Literal["points_confirmed"] = "points_confirmed"


@dataclass(frozen=True, slots=True)
class PointsApplied:
    """The round is settled; `points`, `pot`, `house` and `tips` stand after it."""

    round: int
    changes: Four
    points: Four
    pot: int
    house: int
    tips: int
    type: Literal["points_applied"] = "points_applied"


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """A deadline nobody could serve was moved once."""

    decision_no: int
    deadline_at: str
    type: Literal["deadline_moved"] = "deadline_moved"


@dataclass(frozen=True, slots=True)
class GameEndAsked:
    """The game ends after the running settlement."""

    reason: EndReason
    type: Literal["game_end_asked"] = "game_end_asked"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The end: `returned` is what a void round and the pot give back; `ranking` lists seats, best first."""

    reason: EndReason
    void_round: bool
    returned: Four
    points: Four
    house: int
    tips: int
    ranking: Four
    type: Literal["game_ended"] = "game_ended"


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """Who plays a seat, or is present there, has changed; `owner` is the seat that owns the table from now on."""

    seat: int
    player: Player
    owner: int
    type: Literal["seat_changed"] = "seat_changed"


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """A person wishes to pause, or to go on."""

    seat: int
    wish: Literal["pause", "resume"]
    type: Literal["pause_asked"] = "pause_asked"


@dataclass(frozen=True, slots=True)
class GamePaused:
    """Moves are refused and no time runs: agreed by all persons, or because nobody is here."""

    reason: Literal["agreed", "nobody_here"]
    type: Literal["game_paused"] = "game_paused"


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The game goes on, with the time that was left."""

    type: Literal["game_resumed"] = "game_resumed"


NumberedEvent = (
    RoundDealt
    | JokerNamed
    | FlowerExposed
    | TileDrawn
    | TileDiscarded
    | WindowOpened
    | WindowClosed
    | MeldMade
    | RoundWon
    | RoundDrawn
    | PointsPending
    | PointsAmended
    | PointsConfirmed
    | PointsApplied
    | DeadlineMoved
    | GameEndAsked
    | GameEnded
    | SeatChanged
    | PauseAsked
    | GamePaused
    | GameResumed
)

Event = NumberedEvent | Note
