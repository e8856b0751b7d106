"""Notes: what `evolve` needs and nobody is told. They are in the log, carry no number, and reach no other seat before
the game ends (design 1.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.actions import Action
from engine.terms import Four, Length, Player, Preferences, Timing, TurnStage
from engine.tiles import Code


@dataclass(frozen=True, slots=True)
class GameCreated:
    """The frozen terms of the game, as plain values; `seed` is hexadecimal and stays hidden until the end."""

    rules: dict[str, object]
    players: tuple[Player, ...]
    owner: int
    points: Four
    timing: Timing
    length: Length | None
    seed: str
    type: Literal["game_created"] = "game_created"


@dataclass(frozen=True, slots=True)
class WallBuilt:
    """The whole wall of a round before the deal: codes run together, front first; `last` is drawn after all others."""

    round: int
    tiles: str
    last: Code | None
    type: Literal["wall_built"] = "wall_built"


@dataclass(frozen=True, slots=True)
class TurnOpened:
    """A seat is to draw, or to act on 17 tiles."""

    seat: int
    stage: TurnStage
    decision_no: int
    type: Literal["turn_opened"] = "turn_opened"


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat's answer to the open window; the last one counts."""

    seat: int
    action: Action
    type: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True)
class LockChanged:
    """The pass lock of a seat was set or lifted (rules 5)."""

    seat: int
    locked: bool
    type: Literal["lock_changed"] = "lock_changed"


@dataclass(frozen=True, slots=True)
class PreferenceSet:
    """What the service may do for this seat from now on."""

    seat: int
    preferences: Preferences
    type: Literal["preference_set"] = "preference_set"


Note = GameCreated | WallBuilt | TurnOpened | Answered | LockChanged | PreferenceSet
NOTES: tuple[type[Note], ...] = (GameCreated, WallBuilt, TurnOpened, Answered, LockChanged, PreferenceSet)
