"""The words that events, state and scoring share: seats, winds, kinds of meld, players, timing, length (rules 1, 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.tiles import Code

Four = tuple[int, int, int, int]
Tiles = tuple[Code, ...]
Wind = Literal["east", "south", "west", "north"]
MeldKind = Literal["chow", "pung", "kong", "secret", "sagasa"]
WindowKind = Literal["opening", "claim", "rob"]
Taken = Literal["nobody", "chow", "pung", "kong", "win"]
WinSource = Literal["draw", "replacement", "discard", "opening"]
TurnStage = Literal["draw", "act"]
ClaimTiming = Literal["fast", "uniform"]

WINDS: tuple[Wind, ...] = ("east", "south", "west", "north")


@dataclass(frozen=True, slots=True)
class WinReading:
    """How a winning hand splits: groups as tile codes, the tile a joker stands for in its place."""

    pattern: Literal["regular", "seven_pairs"]
    sets: tuple[Tiles, ...]
    pairs: tuple[Tiles, ...]
    jokers_as: Tiles


EndReason = Literal["length", "table", "abandoned"]
"""Why a game ended: its length was reached, the table wished it, or nobody was there any more."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat: a person, or a bot of a level. `stand_in` is the bot that plays while its person is away."""

    name: str
    bot: str | None = None
    stand_in: str | None = None
    connected: bool = True
    away: bool = False


AutoPass = Literal["chow", "pung", "kong", "all"]


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person lets the service do for its seat: pass on kinds of claim or on all, take a win, draw."""

    auto_pass: tuple[AutoPass, ...] = ()
    auto_win: bool = False
    auto_draw: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds; 0 means no deadline for turns and claims, and at once for the settlement; None only by confirmation."""

    claim_timing: ClaimTiming | None = None
    turn_seconds: float = 0
    bank_seconds: float = 0
    claim_seconds: float = 0
    settlement_seconds: float | None = 0


@dataclass(frozen=True, slots=True)
class Length:
    """`rounds` deals or `winds` prevailing winds; exactly one is given."""

    rounds: int | None = None
    winds: int | None = None
