"""When a seat goes to a bot and when a table pauses, from who is there and who lets turns run out (api, The stream).
The moment is given, nothing here takes time.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.tables.absence import NEVER, served
from app.tables.orders import default_moves
from app.tables.plan import Plan
from engine.actions import AskPause, AskResume, ChangeSeat, EndGame, Pass, PauseGame, ResumeGame
from engine.events import Four
from engine.state import ClaimWindow, Turn
from tests.app.tables.clocks import NOW, PAUSE, TERMS, Table


def change(table: Table, seat: int, after: float = 0, **fields: Any) -> None:
    table.take(None, ChangeSeat(seat, replace(table.state.players[seat], **fields), 0), after)


def lose(table: Table, *seats: int, after: float = 0) -> None:
    """The connections of these seats are lost one after another."""
    for seat in seats:
        change(table, seat, after, connected=False)


def away_in(table: Table) -> list[float | None]:
    """Seconds until each seat goes to a bot."""
    return [table.until(at) for at in table.clock.away_at]


def pause_in(table: Table) -> float | None:
    """Seconds until the table pauses."""
    return table.until(table.clock.pause_at)


def agreed() -> Table:
    """A game of four that is paused because all of them have asked for it."""
    table = Table()
    for seat in range(4):
        table.take(seat, AskPause())
    table.default(0)
    table.run(Turn)
    assert table.state.paused
    return table


def run_out(table: Table) -> None:
    """Whatever is open ends because its time is over, up to the next turn's discard, and the window after that."""
    before = sum(table.clock.missed)
    while sum(table.clock.missed) == before or not isinstance(table.state.decision, Turn):
        plan = Plan(table.state)
        default_moves(plan)
        table.commit(plan, after=80)


def test_a_seat_goes_to_a_bot_once_its_person_has_not_been_connected_for_so_long():
    table = Table("emay")
    lose(table, 2)
    assert away_in(table) == [None, None, 60, None]


def test_what_happens_meanwhile_does_not_put_that_off():
    table = Table("emay")
    lose(table, 2, 3, after=10)
    assert away_in(table) == [None, None, 50, 60]


@pytest.mark.parametrize(
    "back",
    [{"connected": True}, {"stand_in": "greedy", "away": True}, {"stand_in": "greedy"}],
    ids=["connected", "played for", "left"],
)
def test_nobody_is_waited_for_who_is_back_or_played_for(back: dict[str, Any]):
    table = Table("emay")
    lose(table, 2)
    change(table, 2, after=30, **back)
    assert table.clock.away_at == NEVER


def test_a_pause_counts_for_nothing():
    table = Table("emay")
    lose(table, 2)
    table.take(None, PauseGame(), after=50)
    assert away_in(table) == [None] * 4
    table.take(None, ResumeGame(), after=500)
    assert away_in(table) == [None, None, 60, None]


def test_in_a_pause_that_was_agreed_on_whoever_is_gone_is_waited_for_until_somebody_asks_to_go_on():
    table = agreed()
    lose(table, 2, after=50)
    assert away_in(table) == [None] * 4
    table.take(0, AskResume(), after=500)
    assert away_in(table) == [None, None, 60, None]
    lose(table, 3, after=20)
    assert away_in(table) == [None, None, 40, 60]


def test_whoever_has_asked_to_go_on_holds_nobody_up_and_is_waited_for_again_once_it_goes_on():
    table = agreed()
    table.take(0, AskResume())
    lose(table, 0, 2)
    assert away_in(table) == [None, None, 60, None]
    for seat in (1, 2, 3):
        table.take(seat, AskResume(), after=10)
    assert (away_in(table), table.state.paused) == ([60, None, 60, None], False)


def test_the_time_that_was_left_is_kept_while_people_ask_to_go_on():
    table = agreed()
    held = table.clock.held
    table.take(0, AskResume(), after=500)
    lose(table, 2)
    assert table.clock.held == held


def test_where_nobody_is_ever_away_no_seat_goes_to_a_bot():
    table = Table("emay", terms=replace(TERMS, away_seconds=0))
    lose(table, 2)
    assert table.clock.away_at == NEVER


def test_at_a_table_of_one_person_nobody_is_missed():
    table = Table("emay", persons=1)
    lose(table, 0)
    assert (table.clock.away_at, table.clock.pause_at) == (NEVER, None)


def test_a_table_pauses_once_nobody_has_been_there_for_so_long():
    table = Table("emay")
    lose(table, 0, 1, 2)
    assert pause_in(table) is None
    lose(table, 3)
    assert pause_in(table) == PAUSE
    table.default(0, after=10)
    assert pause_in(table) == PAUSE - 10


def test_a_person_for_whom_a_bot_plays_is_there_while_it_is_connected():
    table = Table("emay", persons=2)
    change(table, 0, stand_in="greedy", away=True)
    lose(table, 1)
    assert pause_in(table) is None
    lose(table, 0)
    assert pause_in(table) == PAUSE


def test_whoever_has_left_is_not_there():
    table = Table("emay", persons=2)
    change(table, 0, stand_in="greedy", connected=False)
    lose(table, 1)
    assert pause_in(table) == PAUSE


def test_it_does_not_pause_once_somebody_is_back():
    table = Table("emay")
    lose(table, 0, 1, 2, 3)
    change(table, 1, after=80, connected=True)
    assert pause_in(table) is None


def test_when_it_goes_on_it_waits_for_somebody_anew():
    table = Table("emay")
    lose(table, 0, 1, 2, 3)
    table.take(None, PauseGame(), after=PAUSE)
    assert pause_in(table) is None
    table.take(None, ResumeGame(), after=500)
    assert pause_in(table) == PAUSE


def test_a_game_that_is_over_waits_for_nobody():
    table = Table("emay")
    lose(table, 0, 1, 2, 3)
    table.take(None, EndGame("now"))
    assert table.clock.wake_at is None


def test_turns_that_run_out_are_counted_and_windows_are_not():
    table = Table("emay")
    table.run(Turn)
    for _ in range(5):
        run_out(table)
    assert table.clock.missed == (2, 1, 1, 1)


def test_a_turn_with_a_draw_of_its_own_counts_once():
    table = Table("tsumo")
    for _ in range(3):
        run_out(table)
    assert table.clock.missed == (1, 1, 1, 0)


@pytest.mark.parametrize(("seat", "missed"), [(0, (0, 1, 1, 1)), (1, (1, 1, 1, 1))], ids=["own", "another's"])
def test_a_person_who_moves_in_its_own_turn_begins_anew(seat: int, missed: Four):
    table = Table("emay")
    table.run(Turn)
    for _ in range(4):
        run_out(table)
    plan = Plan(table.state)
    plan.acted = seat
    table.commit(plan)
    assert table.clock.missed == missed


def test_an_answer_to_a_window_leaves_the_count_as_it_is():
    table = Table("emay")
    table.run(Turn)
    for _ in range(4):
        run_out(table)
    table.run(ClaimWindow)
    plan = Plan(table.state)
    plan.acted = 1
    plan.take(1, Pass())
    table.commit(plan)
    assert table.clock.missed == (1, 1, 1, 1)


def test_a_seat_that_goes_to_a_bot_begins_anew():
    table = Table("emay")
    table.run(Turn)
    for _ in range(4):
        run_out(table)
    change(table, 1, stand_in="greedy", away=True)
    assert table.clock.missed == (1, 0, 1, 1)


@pytest.mark.parametrize(
    ("at", "since", "expected"),
    [(60, 0, 60), (60, -500, 60), (60, 10, 60), (60, 55, 65), (60, 300, 310)],
    ids=["began then", "long ago", "back in good time", "back just before", "back after it"],
)
def test_whoever_could_not_come_back_while_nobody_served_has_some_seconds_to(at: float, since: float, expected: float):
    moment = served(NOW + timedelta(seconds=at), 60, NOW + timedelta(seconds=since))
    assert moment == NOW + timedelta(seconds=expected)


def test_that_is_never_longer_than_the_wait_itself():
    assert served(NOW, 3, NOW + timedelta(seconds=60)) == NOW + timedelta(seconds=63)
