"""A round's figures while they are pending, as they stand in a view (rules 8)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.tables.sparse import sparse
from engine import events as ev
from engine.views import SeatView


@sparse
@dataclass(frozen=True, slots=True)
class Amendment:
    """The owner's own figures in place of the computed ones."""

    seat: int
    changes: ev.Four
    reason: str


@sparse
@dataclass(frozen=True, slots=True)
class SettlementFacts:
    """The round's figures while they are pending: `changes` of the four seats hold the pot share and are net of the
    tip; `game` is what the winner received from seats; `confirmed` says who has agreed, by seat."""

    round: int
    category: str | None
    bonuses: tuple[str, ...]
    multiplier: int
    game: int
    house: int
    tips: int
    changes: ev.Four
    side_payments: ev.Four
    pot_before: int
    pot_after: int
    amended: Amendment | None
    confirmed: tuple[bool, ...]
    closes_at: datetime | None


def settlement_facts(seen: SeatView, closes_at: datetime | None) -> SettlementFacts | None:
    """The settlement that the view is about; None where none is pending."""
    if seen.settlement is None:
        return None
    pending, amended = seen.settlement.pending, seen.settlement.amended
    won = seen.result if isinstance(seen.result, ev.RoundWon) else None
    return SettlementFacts(
        round=pending.round,
        category=None if won is None else won.category,
        bonuses=() if won is None else won.bonuses,
        multiplier=pending.multiplier,
        game=pending.game,
        house=pending.house_change,
        tips=pending.tips_change,
        changes=pending.changes,
        side_payments=pending.side_payments,
        pot_before=pending.pot_before,
        pot_after=pending.pot_after,
        amended=None if amended is None else Amendment(amended.seat, amended.changes, amended.reason),
        confirmed=seen.settlement.confirmed,
        closes_at=closes_at,
    )
