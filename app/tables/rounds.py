"""Rounds as they are told once they have been played, gathered from the log."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import Field

from app.database import Session
from app.store import log, snapshots
from app.tables.settlement import Amendment
from app.tables.sparse import sparse
from app.tables.stored import records_of
from engine import events as ev
from engine.codec import load_event
from engine.state import ZERO

Outcome = Literal["won", "drawn", "void"]

_Kind = TypeVar("_Kind")

_PAGE: Final = 500
_TOLD: Final = frozenset(
    {
        "round_dealt",
        "round_won",
        "round_drawn",
        "points_pending",
        "points_amended",
        "points_applied",
        "game_ended",
    }
)


@sparse
@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round that has been played, or that ended `void` with its game. Figures are points, by seat where there are
    four: `game` is what the winner received from seats before the tip, `changes` hold the pot share and are net of the
    tip; they are what was applied once it is `settled`, the owner's where they were amended. `result` shows the hands.
    """

    round: int
    dealer: int
    prevailing_wind: ev.Wind
    outcome: Outcome
    settled: bool
    antes: ev.Four
    winner: int | None
    category: str | None
    bonuses: tuple[str, ...]
    multiplier: int
    game: int
    house: int
    tips: int
    pot_before: int
    pot_after: int
    side_payments: ev.Four
    changes: ev.Four
    amendment: Amendment | None
    result: Annotated[ev.RoundWon | ev.RoundDrawn, Field(discriminator="type")] | None


async def summaries(session: Session, game_id: str, first: int, limit: int) -> list[RoundSummary]:
    """Up to so many rounds from the `first` on, in order; the one in progress is not among them."""
    found: list[RoundSummary] = []
    told: list[ev.NumberedEvent] = []
    async for event in _told(session, game_id, first):
        if isinstance(event, ev.RoundDealt):
            if told:
                found.append(_summary(told))
            if len(found) == limit:
                return found
            told = [event] if event.round >= first else []
        elif told:
            told.append(event)
    if any(not isinstance(event, ev.RoundDealt) for event in told):
        found.append(_summary(told))
    return found


async def _told(session: Session, game_id: str, first: int) -> AsyncIterator[ev.NumberedEvent]:
    """What the summaries of a round and those after it are made of. Nothing else is read from its row."""
    version = await snapshots.version_of(session, game_id, first) - 1
    while True:
        rows = await log.rows_after(session, game_id, version, _PAGE)
        for row in rows:
            for record in records_of(row):
                if record["type"] in _TOLD:
                    event: Any = load_event(record)
                    yield event
        if len(rows) < _PAGE:
            return
        version = rows[-1].version


def _summary(told: list[ev.NumberedEvent]) -> RoundSummary:
    dealt = told[0]
    assert isinstance(dealt, ev.RoundDealt)
    won = _last(told, ev.RoundWon)
    result = won or _last(told, ev.RoundDrawn)
    pending = _last(told, ev.PointsPending)
    amended = _last(told, ev.PointsAmended)
    applied = _last(told, ev.PointsApplied)
    computed = pending or ev.PointsPending(dealt.round, 0, 0, 0, ZERO, ZERO, dealt.pot, dealt.pot, 0, 0)
    changes = (applied or amended or computed).changes
    return RoundSummary(
        round=dealt.round,
        dealer=dealt.dealer,
        prevailing_wind=dealt.prevailing_wind,
        outcome="void" if result is None else "drawn" if won is None else "won",
        settled=applied is not None or pending is None,
        antes=dealt.antes,
        winner=None if won is None else won.seat,
        category=None if won is None else won.category,
        bonuses=() if won is None else won.bonuses,
        multiplier=computed.multiplier,
        game=computed.game,
        house=computed.house_change,
        tips=computed.tips_change,
        pot_before=computed.pot_before,
        pot_after=computed.pot_after,
        side_payments=computed.side_payments,
        changes=changes,
        amendment=None if amended is None else Amendment(amended.seat, amended.changes, amended.reason),
        result=result,
    )


def _last(told: list[ev.NumberedEvent], kind: type[_Kind]) -> _Kind | None:
    return next((event for event in reversed(told) if isinstance(event, kind)), None)
