"""How long the service waits for people who are not there, and what each person missing at a table leads to (api, The
stream). At a table of one person nobody is missed (decision 0902).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.tables.terms import Terms
from engine.events import Player
from engine.state import GameOver, GameState

Moments = tuple[datetime | None, datetime | None, datetime | None, datetime | None]
NEVER: Final[Moments] = (None, None, None, None)

TURNS_MISSED: Final = 2
"""Turns in a row that run out before a bot plays for whoever let them."""

USUAL_AWAY_SECONDS: Final = 60.0
"""How long a request counts as being there where a table has no time of its own for that."""


GRACE: Final = timedelta(seconds=10)
"""How long, at most, is made up for what the service did not serve."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Seconds: until a table to which nobody is connected pauses; until one that nobody has come to ends; for which a
    change of presence has to last before it is told; and how far apart two of a seat are told."""

    pause_seconds: float = 60.0
    end_seconds: float = 24 * 3600.0
    settle_seconds: float = 3.0
    apart_seconds: float = 10.0

    def end_at(self, now: datetime) -> datetime:
        """When a game ends to which nobody comes from now on."""
        return now + timedelta(seconds=self.end_seconds)


USUAL_ABSENCE: Final = Absence()


def is_watched(state: GameState) -> bool:
    """Whether it matters at this table who is there: two or more people have a seat, and the game goes on."""
    return len(state.persons()) > 1 and not isinstance(state.decision, GameOver)


def is_here(player: Player) -> bool:
    """Whether a person is connected, though a bot may play for it meanwhile; whoever has left is not."""
    return player.bot is None and player.connected


def may_be_away(player: Player) -> bool:
    """Whether a person who is not connected still has its seat to itself."""
    return player.bot is None and not player.connected and player.stand_in is None


def connected_seconds(terms: Terms) -> float:
    """For how long a request counts as being connected."""
    return terms.away_seconds or USUAL_AWAY_SECONDS


def served(at: datetime | None, seconds: float, since: datetime) -> datetime | None:
    """When somebody's time is over which began `seconds` before `at`: where it began before the service did, whoever
    is missing has a while to come back."""
    if at is None or at - timedelta(seconds=seconds) >= since:
        return at
    return max(at, since + min(timedelta(seconds=seconds), GRACE))


def next_absence(
    before: tuple[Moments, datetime | None], state: GameState, terms: Terms, now: datetime, pause_seconds: float
) -> tuple[Moments, datetime | None]:
    """When each seat is given to a bot, and when the table pauses, after a row decided at `now`; `before` it."""
    if not is_watched(state):
        return NEVER, None
    away_at, pause_at = before
    a, b, c, d = (
        (was or now + timedelta(seconds=terms.away_seconds))
        if terms.away_seconds and may_be_away(player) and _holds_up(state, seat)
        else None
        for seat, (player, was) in enumerate(zip(state.players, away_at, strict=True))
    )
    if state.paused or any(map(is_here, state.players)):
        return (a, b, c, d), None
    return (a, b, c, d), pause_at or now + timedelta(seconds=pause_seconds)


def _holds_up(state: GameState, seat: int) -> bool:
    """Whether a person who is gone keeps others waiting: in a pause only once somebody has asked to go on."""
    return not state.paused or (any(state.asked) and not state.asked[seat])
