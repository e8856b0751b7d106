"""A game whose every row is decided at a moment of the test's choosing: how its clock follows, without time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from app.tables.deadlines import GameClock, following
from app.tables.plan import Plan
from app.tables.terms import Terms
from engine.actions import Command
from engine.decide import new_game
from engine.events import Player
from engine.legal import default_action
from engine.rules import preset
from engine.state import ClaimWindow, OpeningWindow

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TERMS = Terms(turn_seconds=20, bank_seconds=60, claim_seconds=4, settlement_seconds=15, away_seconds=60)
PAUSE = 90.0
FULL = (60_000,) * 4


class Table:
    """A game of four people whose every row is decided at a moment of the test's choosing."""

    def __init__(self, ruleset: str = "tsumo", terms: Terms = TERMS, seed: str = "5eed", persons: int = 4) -> None:
        players = [Player("Ligaya", None if seat < persons else "greedy") for seat in range(4)]
        state, events = new_game(preset(ruleset), players, seed, timing=terms.timing)
        self.terms, self.seconds = terms, 0.0
        self.state, self.clock = state, following(None, None, Plan(state, events), terms, NOW)

    @property
    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.seconds)

    def take(self, seat: int | None, command: Command, after: float = 0, since: float | None = None) -> GameClock:
        """A row that is decided so many seconds after the last one; the service serves since `since`."""
        plan = Plan(self.state)
        plan.take(seat, command)
        return self.commit(plan, after, since)

    def commit(self, plan: Plan, after: float = 0, since: float | None = None) -> GameClock:
        """The row of a plan, with what follows by itself."""
        self.seconds += after
        plan.run_bots(self.terms, lambda: 0.0)
        serving_since = None if since is None else NOW + timedelta(seconds=since)
        self.clock = following(
            self.clock, self.state, plan, self.terms, self.now, serving_since=serving_since, pause_seconds=PAUSE
        )
        self.state = plan.state
        return self.clock

    def default(self, seat: int, after: float = 0, since: float | None = None) -> GameClock:
        """The seat's default action."""
        action = default_action(self.state, seat)
        assert action is not None
        return self.take(seat, action, after, since)

    def run(self, until: type) -> None:
        """Defaults without delay, until such a decision is open."""
        while not isinstance(self.state.decision, until):
            seat = next(seat for seat in range(4) if self.asks(seat))
            self.default(seat)

    def asks(self, seat: int) -> bool:
        decision = self.state.decision
        answered = isinstance(decision, ClaimWindow | OpeningWindow) and decision.answers[seat] is not None
        return not answered and default_action(self.state, seat) is not None

    def left(self) -> float | None:
        """Seconds to the deadline."""
        return self.until(self.clock.deadline_at)

    def until(self, moment: datetime | None) -> float | None:
        """Seconds to a moment."""
        return None if moment is None else (moment - self.now).total_seconds()
