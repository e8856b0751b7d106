"""How long the table waits, from one row to the next (design 3, Time); the moment is given, nothing here takes time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.tables.deadlines import GameClock, Held, dump_clock, load_clock, moved
from app.tables.terms import Terms
from engine.actions import Amend, ChangeSeat, Confirm, Draw, Kong
from engine.legal import legal_actions
from engine.state import Settlement, Turn
from tests.app.tables.clocks import FULL, NOW, TERMS, Table


def holds_a_secret() -> Table:
    """The dealer of a tsumo game may declare a Secret at once."""
    for number in range(1000):
        table = Table(seed=f"{number:x}")
        if isinstance(legal_actions(table.state, 0)[0], Kong):
            return table
    raise AssertionError("no such deal")


def given_to_a_bot(table: Table, seat: int) -> None:
    player = replace(table.state.players[seat], stand_in="greedy", away=True)
    table.take(None, ChangeSeat(seat, player, 0))


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
    table = Table(persons=1, terms=replace(TERMS, bot_delay_ms=800))
    table.default(0)
    table.run(Turn)
    assert (table.state.decision.no, table.left()) == (3, None)


@pytest.mark.parametrize(
    ("ruleset", "more", "seconds"),
    [
        ("emay", {}, 4),
        ("emay", {"bot_delay_ms": 5000}, 5),
        ("emay", {"claim_timing": "fast"}, 0.8),
        ("tsumo", {}, 0.8),
    ],
    ids=["time to win with three jokers", "a slow bot", "not uniform", "no such win"],
)
def test_a_bot_that_deals_leaves_the_time_of_a_window_before_its_first_discard(
    ruleset: str, more: dict[str, Any], seconds: float
):
    table = Table(ruleset, replace(TERMS, **{"bot_delay_ms": 800, **more}))
    given_to_a_bot(table, 0)
    table.run(Turn)
    assert table.until(table.clock.bots_at) == seconds


def test_every_later_turn_of_a_bot_has_the_usual_delay():
    table = Table("emay", replace(TERMS, bot_delay_ms=800))
    given_to_a_bot(table, 1)
    table.run(Turn)
    table.default(0)
    table.run(Turn)
    assert isinstance(table.state.decision, Turn)
    assert (table.state.decision.seat, table.until(table.clock.bots_at)) == (1, 0.8)


@pytest.mark.parametrize(("terms", "seconds"), [(TERMS, 10), (Terms(turn_seconds=3), 3)])
def test_a_deadline_nobody_served_moves_by_its_length_or_ten_seconds(terms: Terms, seconds: float):
    later = NOW + timedelta(hours=1)
    assert Table(terms=terms).clock.moved_to(later) == later + timedelta(seconds=seconds)


def test_a_moved_deadline_takes_nothing_from_the_bank():
    table = Table()
    table.clock = moved(table.clock, NOW + timedelta(hours=1))
    table.default(0, after=3590)
    assert table.clock.bank_ms == FULL


@pytest.mark.parametrize(
    "clock",
    [
        GameClock(FULL),
        GameClock(FULL, NOW, 4000, NOW, True, NOW),
        GameClock(FULL, missed=(0, 1, 0, 0), away_at=(None, NOW, None, None), pause_at=NOW),
        GameClock(FULL, held=Held("agreed", 4000, -1000), person_at=NOW),
    ],
)
def test_a_clock_is_read_as_it_was_written(clock: GameClock):
    assert load_clock(dump_clock(clock)) == clock
