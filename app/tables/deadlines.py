"""How long the table waits: the clock of a game as it stands in each row, and how it follows from one row to the next.
The engine knows no time; all of it is here (design 3, Time).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, assert_never

from pydantic import TypeAdapter

from app.tables.absence import GRACE, NEVER, Moments, next_absence
from app.tables.plan import Plan
from app.tables.terms import Terms
from engine import events as ev
from engine.events import Four
from engine.state import ZERO, ClaimWindow, Dealing, GameOver, GameState, OpeningWindow, Settlement, Turn

AMENDED_SECONDS: Final = 60.0
"""How long an amendment may be confirmed where a settlement has no end of its own (rules 8)."""


@dataclass(frozen=True, slots=True)
class Held:
    """A clock that stands while the game is paused, and why it is: `left_ms` is the time the deadline has left,
    `turn_ms` that before the bank is used, less than 0 where it was used already."""

    reason: Literal["agreed", "nobody_here"]
    left_ms: int | None = None
    turn_ms: int | None = None


@dataclass(frozen=True, slots=True)
class GameClock:
    """Until when the table waits. `bank_ms` is what each seat has left this round; `length_ms` is how long the deadline
    was when it began, `bank_from` when a turn begins to take from the bank, `moved` whether it was moved already.
    `bots_at` is when a bot acts next, where one is due. `missed` counts the turns in a row that each seat let run out;
    `away_at` is when a bot takes a seat over, `pause_at` when the table pauses. `held` while the game is paused.
    `person_at` is when a person last did anything; None in a row that is a person's doing.
    """

    bank_ms: Four
    deadline_at: datetime | None = None
    length_ms: int = 0
    bank_from: datetime | None = None
    moved: bool = False
    bots_at: datetime | None = None
    missed: Four = ZERO
    away_at: Moments = NEVER
    pause_at: datetime | None = None
    held: Held | None = None
    person_at: datetime | None = None

    @property
    def wake_at(self) -> datetime | None:
        """When the table has to be looked at though nobody asked."""
        moments = (self.deadline_at, self.bots_at, self.pause_at, *self.away_at)
        return min((at for at in moments if at is not None), default=None)

    @property
    def is_deserted(self) -> bool:
        """Whether the game is paused because nobody was there."""
        return self.held is not None and self.held.reason == "nobody_here"

    def moved_to(self, now: datetime) -> datetime:
        """Where a deadline that nobody served is moved to."""
        return now + min(timedelta(milliseconds=self.length_ms), GRACE)


_ADAPTER: Final = TypeAdapter(GameClock)


def dump_clock(clock: GameClock) -> bytes:
    """The clock as it stands in a row."""
    return _ADAPTER.dump_json(clock, exclude_defaults=True)


def load_clock(given: bytes) -> GameClock:
    """The clock of a row."""
    return _ADAPTER.validate_json(given)


def following(
    clock: GameClock | None,
    before: GameState | None,
    plan: Plan,
    terms: Terms,
    now: datetime,
    *,
    serving_since: datetime | None = None,
    pause_seconds: float = 60.0,
) -> GameClock:
    """The clock after a row that is decided at `now`, from the clock and state before it: both None for a first row.
    `serving_since`: what came before was perhaps not served, and is charged to nobody."""
    state = plan.state
    was_paused = before is not None and before.paused
    if clock is not None and isinstance(state.decision, GameOver):
        return GameClock(clock.bank_ms)
    if clock is None or before is None:
        after = _begun(_full(terms), state, terms, now)
    elif was_paused and state.paused:
        after = clock
    else:
        after = _following(_resumed(clock, now), before, state, terms, now, serving_since)
    if state.paused and not was_paused:
        after = _held(after, plan, now)
    missed = ZERO if clock is None else _missed(clock.missed, before, plan)
    absent = (NEVER, None) if clock is None else (clock.away_at, clock.pause_at)
    away_at, pause_at = next_absence(absent, state, terms, now, pause_seconds)
    bots_at = _bots_at(clock, before, plan, now)
    if (bots_at, missed, away_at, pause_at) == (after.bots_at, after.missed, after.away_at, after.pause_at):
        return after
    return replace(after, bots_at=bots_at, missed=missed, away_at=away_at, pause_at=pause_at)


def moved(clock: GameClock, deadline_at: datetime) -> GameClock:
    """The clock with its deadline moved, once; the time that nobody served is not taken from a bank."""
    bank_from = None if clock.bank_from is None else deadline_at
    return replace(clock, deadline_at=deadline_at, bank_from=bank_from, moved=True)


def _following(
    clock: GameClock, before: GameState, state: GameState, terms: Terms, now: datetime, since: datetime | None
) -> GameClock:
    if before.round.number != state.round.number:
        return _begun(_full(terms), state, terms, now)
    if state.decision.no == before.decision.no or _is_same_turn(before, state):
        return _fitting(clock, before, state, terms, now, since)
    return _begun(_charged(clock, before, terms, now, since), state, terms, now)


def _begun(bank: Four, state: GameState, terms: Terms, now: datetime) -> GameClock:
    """The clock of a decision that opens now."""
    decision = state.decision
    seconds: float | None = 0.0
    match decision:
        case Turn() if state.level(decision.seat) is None and terms.turn_seconds:
            length = _milliseconds(terms.turn_seconds) + bank[decision.seat]
            bank_from = now + timedelta(seconds=terms.turn_seconds)
            return GameClock(bank, now + timedelta(milliseconds=length), length, bank_from)
        case ClaimWindow() | OpeningWindow():
            seconds = terms.claim_seconds
        case Settlement():
            seconds = terms.settlement_seconds
            if decision.amended is not None:
                seconds = seconds or AMENDED_SECONDS
        case Turn() | Dealing() | GameOver():
            pass
        case _:
            assert_never(decision)
    if not seconds:
        return GameClock(bank)
    return GameClock(bank, now + timedelta(seconds=seconds), _milliseconds(seconds))


def _fitting(
    clock: GameClock, before: GameState, state: GameState, terms: Terms, now: datetime, since: datetime | None
) -> GameClock:
    """The same clock, where the same plays the turn: a bot that takes it over has no deadline and takes nothing more
    from the bank; a person who takes it back begins anew."""
    turn = state.decision
    if isinstance(turn, Turn) and terms.turn_seconds:
        is_persons = state.level(turn.seat) is None
        if is_persons != (clock.deadline_at is not None):
            return _begun(_charged(clock, before, terms, now, since), state, terms, now)
    return clock


def _is_same_turn(before: GameState, state: GameState) -> bool:
    """Whether a seat has drawn and nothing else: one deadline spans the draw and the discard of a turn."""
    was, now = before.decision, state.decision
    if not isinstance(was, Turn) or not isinstance(now, Turn):
        return False
    return was.stage == "draw" and now.stage == "act" and now.seat == was.seat and now.no == was.no + 1


def _charged(clock: GameClock, before: GameState, terms: Terms, now: datetime, since: datetime | None) -> Four:
    """The bank after a turn: what went beyond the turn's own time is taken from it."""
    turn, start = before.decision, clock.bank_from
    if start is None or not isinstance(turn, Turn):
        return clock.bank_ms
    length = timedelta(seconds=terms.turn_seconds)
    if since is not None and since > start - length:
        start = max(start, since + length)  # the service was away meanwhile
    if now <= start:
        return clock.bank_ms
    used = _milliseconds((now - start).total_seconds())
    a, b, c, d = (max(0, left - used) if seat == turn.seat else left for seat, left in enumerate(clock.bank_ms))
    return a, b, c, d


def _held(clock: GameClock, plan: Plan, now: datetime) -> GameClock:
    """The clock of a game that has just been paused."""
    reason: Literal["agreed", "nobody_here"] = "agreed"
    for event in plan.events:
        if isinstance(event, ev.GamePaused):
            reason = event.reason
    left = None if clock.deadline_at is None else max(0, _milliseconds((clock.deadline_at - now).total_seconds()))
    turn = None if clock.bank_from is None else _milliseconds((clock.bank_from - now).total_seconds())
    return replace(clock, deadline_at=None, bank_from=None, held=Held(reason, left, turn))


def _resumed(clock: GameClock, now: datetime) -> GameClock:
    """The clock of a game that goes on, with the time that was left; the same, where it was not paused."""
    held = clock.held
    if held is None:
        return clock
    deadline_at = None if held.left_ms is None else now + timedelta(milliseconds=held.left_ms)
    bank_from = None if held.turn_ms is None else now + timedelta(milliseconds=held.turn_ms)
    return replace(clock, deadline_at=deadline_at, bank_from=bank_from, held=None)


def _bots_at(clock: GameClock | None, before: GameState | None, plan: Plan, now: datetime) -> datetime | None:
    """When a bot is due: what else happens meanwhile does not put it off."""
    if plan.bots_in is None:
        return None
    due = now + timedelta(seconds=plan.bots_in)
    if clock is None or clock.bots_at is None or before is None or before.decision.no != plan.state.decision.no:
        return due
    return min(due, clock.bots_at)


def _missed(missed: Four, before: GameState | None, plan: Plan) -> Four:
    """Turns that ran out, by seat: none for a seat whose person has moved in its own turn, or that a bot plays. An
    answer to a window counts for nothing: when a bot takes over would tell of it (rules 11)."""
    if missed == ZERO and plan.ran_out is None:
        return missed
    turn = None if before is None else before.decision
    moved_in_turn = turn.seat if isinstance(turn, Turn) and turn.seat == plan.acted else None
    players = plan.state.players
    a, b, c, d = (
        0 if seat == moved_in_turn or players[seat].stand_in else count + (seat == plan.ran_out)
        for seat, count in enumerate(missed)
    )
    return a, b, c, d


def _full(terms: Terms) -> Four:
    bank = _milliseconds(terms.bank_seconds)
    return bank, bank, bank, bank


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
