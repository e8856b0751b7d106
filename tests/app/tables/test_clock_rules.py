"""How long the table waits, from one row to the next (design 3, Time); the moment is given, nothing here takes time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.tables.deadlines import GameClock, dump_clock, following, load_clock, moved
from app.tables.plan import Plan
from app.tables.terms import Terms
from engine.actions import Amend, Command, Confirm, Draw, Kong
from engine.decide import new_game
from engine.events import Player
from engine.legal import default_action, legal_actions
from engine.rules import preset
from engine.state import ClaimWindow, Settlement, Turn

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TERMS = Terms(turn_seconds=20, bank_seconds=60, claim_seconds=4, settlement_seconds=15)
FULL = (60_000,) * 4


class Table:
    """A game of four people whose every row is decided at a moment of the test's choosing."""

    def __init__(self, ruleset: str = "tsumo", terms: Terms = TERMS, seed: str = "5eed", persons: int = 4) -> None:
        players = [Player("Ligaya", None if seat < persons else "greedy") for seat in range(4)]
        state, events = new_game(preset(ruleset), players, seed, timing=terms.timing)
        self.terms, self.seconds = terms, 0.0
        self.state, self.clock = state, following(None, None, Plan(state, events), terms, NOW)

    def take(self, seat: int | None, command: Command, after: float = 0) -> GameClock:
        """A row that is decided so many seconds after the last one."""
        self.seconds += after
        plan = Plan(self.state)
        plan.take(seat, command)
        self.clock = following(self.clock, self.state, plan, self.terms, NOW + timedelta(seconds=self.seconds))
        self.state = plan.state
        return self.clock

    def default(self, seat: int, after: float = 0) -> GameClock:
        """The seat's default action."""
        action = default_action(self.state, seat)
        assert action is not None
        return self.take(seat, action, after)

    def run(self, until: type) -> None:
        """Defaults without delay, until such a decision is open."""
        while not isinstance(self.state.decision, until):
            seat = next(seat for seat in range(4) if self.asks(seat))
            self.default(seat)

    def asks(self, seat: int) -> bool:
        decision = self.state.decision
        answered = isinstance(decision, ClaimWindow) and decision.answers[seat] is not None
        return not answered and default_action(self.state, seat) is not None

    def left(self) -> float | None:
        """Seconds to the deadline."""
        at = self.clock.deadline_at
        return None if at is None else (at - NOW).total_seconds() - self.seconds


def holds_a_secret() -> Table:
    """The dealer of a tsumo game may declare a Secret at once."""
    for number in range(1000):
        table = Table(seed=f"{number:x}")
        if isinstance(legal_actions(table.state, 0)[0], Kong):
            return table
    raise AssertionError("no such deal")


def test_a_turn_lasts_its_own_seconds_and_the_bank():
    assert Table().left() == 80


def test_a_window_lasts_the_claim_seconds_alone():
    table = Table()
    table.default(0)
    assert table.left() == 4


def test_one_deadline_spans_the_draw_and_the_discard_of_a_turn():
    table = Table()
    table.default(0)
    table.run(Turn)
    table.take(1, Draw(), after=5)
    assert table.left() == 75


def test_a_secret_starts_the_turn_anew():
    table = holds_a_secret()
    table.take(0, legal_actions(table.state, 0)[0], after=5)
    assert table.left() == 80


@pytest.mark.parametrize(("after", "left"), [(19, 60_000), (20, 60_000), (25, 55_000), (90, 0)])
def test_only_what_exceeds_the_turn_is_taken_from_the_bank_of_the_seat_on_turn(after: float, left: int):
    table = Table()
    table.default(0, after)
    assert table.clock.bank_ms == (left, 60_000, 60_000, 60_000)


def test_a_secret_takes_from_the_bank_what_the_turn_before_it_took_too_long():
    table = holds_a_secret()
    table.take(0, legal_actions(table.state, 0)[0], after=30)
    assert (table.clock.bank_ms[0], table.left()) == (50_000, 70)


def test_windows_never_use_the_bank():
    table = Table()
    table.default(0)
    for seat in (1, 2, 3):
        table.default(seat, after=3)
    assert table.clock.bank_ms == FULL


def test_an_answer_leaves_the_end_of_its_window_where_it_was():
    table = Table()
    table.default(0)
    table.default(1, after=1)
    assert table.left() == 3


def test_the_banks_are_full_again_at_the_next_deal():
    table = Table()
    table.default(0, after=50)
    table.run(Settlement)
    for seat in range(4):
        table.take(seat, Confirm(1))
    assert (table.state.round.number, table.clock.bank_ms) == (2, FULL)


@pytest.mark.parametrize(("seconds", "left"), [(15, 15), (None, None), (0.5, 0.5)])
def test_a_settlement_lasts_its_own_seconds(seconds: float | None, left: float | None):
    table = Table(terms=Terms(settlement_seconds=seconds))
    table.run(Settlement)
    assert table.left() == left


@pytest.mark.parametrize(("seconds", "left"), [(15, 15), (None, 60)])
def test_an_amendment_starts_the_settlement_anew_and_has_an_end_in_any_case(seconds: float | None, left: float):
    table = Table(terms=Terms(settlement_seconds=seconds))
    table.run(Settlement)
    assert isinstance(table.state.decision, Settlement)
    table.take(0, Amend(1, table.state.decision.pending.changes, "as computed"), after=10)
    assert table.left() == left


def test_without_seconds_nothing_expires():
    table = Table(terms=Terms(settlement_seconds=None), persons=1)
    assert table.clock == GameClock((0, 0, 0, 0))


def test_a_bots_turn_has_no_deadline():
    table = Table(persons=1)
    table.default(0)
    table.run(Turn)
    assert (table.state.decision.no, table.left()) == (3, None)


@pytest.mark.parametrize(("terms", "seconds"), [(TERMS, 10), (Terms(turn_seconds=3), 3)])
def test_a_deadline_nobody_served_moves_by_its_length_or_ten_seconds(terms: Terms, seconds: float):
    later = NOW + timedelta(hours=1)
    assert Table(terms=terms).clock.moved_to(later) == later + timedelta(seconds=seconds)


def test_a_moved_deadline_takes_nothing_from_the_bank():
    table = Table()
    table.clock = moved(table.clock, NOW + timedelta(hours=1))
    table.default(0, after=3590)
    assert table.clock.bank_ms == FULL


@pytest.mark.parametrize("clock", [GameClock(FULL), GameClock(FULL, NOW, 4000, NOW, True, NOW)])
def test_a_clock_is_read_as_it_was_written(clock: GameClock):
    assert load_clock(dump_clock(clock)) == clock
