"""What a pause, a bot that takes a turn over, and a stop of the service do to the time that is left (api, `/pause`);
the moment is given, nothing here takes time.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.tables.terms import Terms
from engine.actions import AskPause, AskResume, ChangeSeat, PauseGame, ResumeGame
from engine.state import ClaimWindow, Turn
from tests.app.tables.clocks import FULL, TERMS, Table

SLOW_BOTS = replace(TERMS, bot_delay_ms=800)


def paused_in_a_window(after: float) -> Table:
    """A window of 4 seconds, paused so long after it opened."""
    table = Table()
    table.default(0)
    table.take(None, PauseGame(), after)
    return table


def seat_given_to_a_bot(table: Table, seat: int, after: float = 0) -> None:
    player = replace(table.state.players[seat], stand_in="greedy", away=True)
    table.take(None, ChangeSeat(seat, player, 0), after)


def seat_taken_back(table: Table, seat: int, after: float = 0) -> None:
    player = replace(table.state.players[seat], stand_in=None, away=False)
    table.take(None, ChangeSeat(seat, player, 0), after)


def test_while_a_game_is_paused_no_deadline_runs():
    table = paused_in_a_window(after=1)
    assert (table.left(), table.clock.wake_at) == (None, None)


@pytest.mark.parametrize("pause", [0, 1000])
def test_the_rest_of_the_time_is_given_back(pause: float):
    table = paused_in_a_window(after=1)
    table.take(None, ResumeGame(), after=pause)
    assert table.left() == 3


@pytest.mark.parametrize(("thought", "bank"), [(5, 60_000), (30, 50_000)])
def test_a_turn_that_was_paused_takes_from_the_bank_only_what_ran_outside_the_pause(thought: float, bank: int):
    table = Table()
    table.take(None, PauseGame(), after=thought / 2)
    table.take(None, ResumeGame(), after=1000)
    table.default(0, after=thought / 2)
    assert table.clock.bank_ms[0] == bank


def test_a_pause_in_the_middle_of_the_bank_takes_nothing_more_from_it():
    table = Table()
    table.take(None, PauseGame(), after=30)
    table.take(None, ResumeGame(), after=1000)
    table.default(0)
    assert table.clock.bank_ms[0] == 50_000


def test_a_pause_that_all_have_asked_for_keeps_the_whole_turn_that_it_stops():
    table = Table()
    for seat in range(4):
        table.take(seat, AskPause())
    table.default(0)
    for seat in (1, 2, 3):
        table.default(seat, after=1)
    assert table.state.paused
    for seat in range(4):
        table.take(seat, AskResume(), after=100)
    assert (table.left(), isinstance(table.state.decision, Turn)) == (80, True)


def test_what_happens_while_it_is_paused_leaves_the_time_as_it_is():
    table = paused_in_a_window(after=1)
    seat_given_to_a_bot(table, 2, after=100)
    table.take(None, ResumeGame(), after=100)
    assert table.left() == 3


def test_a_bot_that_takes_a_turn_over_has_no_deadline():
    table = Table(terms=SLOW_BOTS)
    seat_given_to_a_bot(table, 0)
    assert (table.left(), table.until(table.clock.bots_at)) == (None, 0.8)


@pytest.mark.parametrize("terms", [TERMS, SLOW_BOTS])
def test_a_bot_takes_nothing_from_the_bank_of_the_person_it_plays_for(terms: Terms):
    table = Table(terms=terms)
    seat_given_to_a_bot(table, 0, after=30)
    seat_taken_back(table, 0, after=100)
    assert table.clock.bank_ms == (50_000, *FULL[1:])


def test_a_person_who_takes_its_turn_back_begins_it_anew():
    table = Table(terms=SLOW_BOTS)
    seat_given_to_a_bot(table, 0, after=5)
    seat_taken_back(table, 0, after=0.5)
    assert (table.left(), table.clock.bots_at) == (80, None)


def test_what_else_happens_does_not_put_a_bot_off():
    table = Table(terms=SLOW_BOTS)
    seat_given_to_a_bot(table, 0)
    seat_given_to_a_bot(table, 1, after=0.5)
    assert table.until(table.clock.bots_at) == pytest.approx(0.3)


def test_a_bot_that_was_paused_has_its_whole_delay_again():
    table = Table(terms=SLOW_BOTS)
    seat_given_to_a_bot(table, 0)
    table.take(None, PauseGame(), after=0.5)
    table.take(None, ResumeGame(), after=100)
    assert table.until(table.clock.bots_at) == pytest.approx(0.8)


@pytest.mark.parametrize(("since", "bank"), [(-100, 30_000), (20, 50_000), (45, 60_000)])
def test_what_ran_before_the_service_came_back_is_taken_from_no_bank(since: float, bank: int):
    table = Table()
    table.default(0, after=50, since=since)
    assert table.clock.bank_ms[0] == bank


def test_a_window_that_is_paused_is_still_open():
    assert isinstance(paused_in_a_window(after=1).state.decision, ClaimWindow)


def test_without_deadlines_a_pause_gives_none_back():
    table = Table(terms=Terms(settlement_seconds=None))
    table.take(None, PauseGame())
    table.take(None, ResumeGame())
    assert table.left() is None
