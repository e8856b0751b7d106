"""How long the table waits: the clock of a game as it stands in each row, and how it follows from one row to the next.
The engine knows no time; all of it is here (design 3, Time).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from pydantic import TypeAdapter

from app.tables.plan import Plan
from app.tables.terms import Terms
from engine.events import Four
from engine.state import ClaimWindow, GameState, OpeningWindow, Settlement, Turn

AMENDED_SECONDS: Final = 60.0
"""How long an amendment may be confirmed where a settlement has no end of its own (rules 8)."""

MOVED_AT_MOST: Final = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class GameClock:
    """Until when the table waits. `bank_ms` is what each seat has left this round; `length_ms` is how long the deadline
    was when it began, `bank_from` when a turn begins to take from the bank, `moved` whether it was moved already.
    `bots_at` is when a bot acts next, where one is due.
    """

    bank_ms: Four
    deadline_at: datetime | None = None
    length_ms: int = 0
    bank_from: datetime | None = None
    moved: bool = False
    bots_at: datetime | None = None

    @property
    def wake_at(self) -> datetime | None:
        """When the table has to be looked at though nobody asked."""
        if self.bots_at is None or self.deadline_at is None:
            return self.bots_at or self.deadline_at
        return min(self.bots_at, self.deadline_at)

    def moved_to(self, now: datetime) -> datetime:
        """Where a deadline that nobody served is moved to."""
        return now + min(timedelta(milliseconds=self.length_ms), MOVED_AT_MOST)


_ADAPTER: Final = TypeAdapter(GameClock)


def dump_clock(clock: GameClock) -> bytes:
    """The clock as it stands in a row."""
    return _ADAPTER.dump_json(clock, exclude_defaults=True)


def load_clock(given: bytes) -> GameClock:
    """The clock of a row."""
    return _ADAPTER.validate_json(given)


def following(clock: GameClock | None, before: GameState | None, plan: Plan, terms: Terms, now: datetime) -> GameClock:
    """The clock after a row that is decided at `now`, from the clock and state before it: both None for a first row."""
    after = _following(clock, before, plan.state, terms, now)
    if plan.bots_in is None:
        return after
    return replace(after, bots_at=now + timedelta(seconds=plan.bots_in))


def _following(
    clock: GameClock | None, before: GameState | None, state: GameState, terms: Terms, now: datetime
) -> GameClock:
    if clock is None or before is None or before.round.number != state.round.number:
        return _begun(_full(terms), state, terms, now)
    if state.decision.no == before.decision.no:
        return clock if clock.bots_at is None else replace(clock, bots_at=None)
    if _is_same_turn(before, state):
        return replace(clock, bots_at=None)
    return _begun(_charged(clock, before, now), state, terms, now)


def moved(clock: GameClock, deadline_at: datetime) -> GameClock:
    """The clock with its deadline moved, once; the time that nobody served is not taken from a bank."""
    bank_from = None if clock.bank_from is None else deadline_at
    return replace(clock, deadline_at=deadline_at, bank_from=bank_from, moved=True)


def _begun(bank: Four, state: GameState, terms: Terms, now: datetime) -> GameClock:
    """The clock of a decision that opens now."""
    decision = state.decision
    seconds: float | None = 0.0
    match decision:
        case Turn() if state.players[decision.seat].bot is None and terms.turn_seconds:
            length = _milliseconds(terms.turn_seconds) + bank[decision.seat]
            bank_from = now + timedelta(seconds=terms.turn_seconds)
            return GameClock(bank, now + timedelta(milliseconds=length), length, bank_from)
        case ClaimWindow() | OpeningWindow():
            seconds = terms.claim_seconds
        case Settlement():
            seconds = terms.settlement_seconds
            if decision.amended is not None:
                seconds = seconds or AMENDED_SECONDS
        case _:
            pass
    if not seconds:
        return GameClock(bank)
    return GameClock(bank, now + timedelta(seconds=seconds), _milliseconds(seconds))


def _is_same_turn(before: GameState, state: GameState) -> bool:
    """Whether a seat has drawn and nothing else: one deadline spans the draw and the discard of a turn."""
    was, now = before.decision, state.decision
    if not isinstance(was, Turn) or not isinstance(now, Turn):
        return False
    return was.stage == "draw" and now.stage == "act" and now.seat == was.seat and now.no == was.no + 1


def _charged(clock: GameClock, before: GameState, now: datetime) -> Four:
    """The bank after a turn: what went beyond the turn's own time is taken from it."""
    turn = before.decision
    if clock.bank_from is None or not isinstance(turn, Turn) or now <= clock.bank_from:
        return clock.bank_ms
    used = _milliseconds((now - clock.bank_from).total_seconds())
    a, b, c, d = (max(0, left - used) if seat == turn.seat else left for seat, left in enumerate(clock.bank_ms))
    return a, b, c, d


def _full(terms: Terms) -> Four:
    bank = _milliseconds(terms.bank_seconds)
    return bank, bank, bank, bank


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
