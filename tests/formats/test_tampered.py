"""Of a frozen game whose rows were tampered with, `todas verify` says which row it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, get_args

import pytest
from pydantic_core import from_json, to_json

from app.store.log import Head, LogRow
from app.tables.verify import Stored, faults_of
from engine import events as ev
from engine.actions import Amend, AskPause, AskResume, Command, Confirm, Discard, MoveDeadline, TableCommand
from engine.codec import dump_command, dump_event, load_command, load_event
from engine.decide import step
from engine.legal import default_action, legal_actions
from engine.replay import BrokenLog, fold, verify
from tests.engine.laws.tampering import left_out, put, variants
from tests.formats.frozen import Frozen, every_path, read

GAMES = {f"{path.parent.name}-{path.stem}": read(path) for path in every_path()}
every_game = pytest.mark.parametrize("game", GAMES)
few_rows = pytest.mark.parametrize("game", ["1-emay_window", "1-tsumo_uniform"])
"""Short games, of which everything is changed."""

MANY_ROWS = GAMES["1-emay_uniform"]
BESIDE_THE_PLAY = (
    ev.PointsAmended
    | ev.PointsConfirmed
    | ev.PointsApplied
    | ev.SeatChanged
    | ev.PauseAsked
    | ev.GamePaused
    | ev.GameResumed
    | ev.GameEndAsked
    | ev.GameEnded
)
"""What happens to the table; one game holds all of it."""

TERMS = ("players", "owner", "points", "timing", "length")


def faults(game: Frozen, rows: Sequence[LogRow]) -> list[str]:
    """What `todas verify` finds of a game with these rows."""
    last = rows[-1]
    head = None if game.game.last_version else Head(game.game.id, last.version, last.last_seq, last.at, False)
    return faults_of(Stored(game.game, head, list(rows), list(game.snapshots)))


def is_found(game: Frozen, place: int, other: LogRow) -> bool:
    """Whether the row is named when another stands in its place; what comes after it is not looked at."""
    return any(fault.startswith(f"version {place + 1}") for fault in faults(game, [*game.rows[:place], other]))


def events_of(row: LogRow) -> list[ev.Event]:
    return [load_event(record) for record in from_json(row.events)]


def entries_of(row: LogRow) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = from_json(row.commands)
    return entries


def holding(row: LogRow, events: Sequence[ev.Event], entries: Sequence[dict[str, Any]] | None = None) -> LogRow:
    """The row with other events, and perhaps other commands."""
    commands = row.commands if entries is None else to_json(entries)
    return replace(row, commands=commands, events=to_json([dump_event(event) for event in events]))


@every_game
def test_a_frozen_game_is_whole(game: str):
    assert faults(GAMES[game], GAMES[game].rows) == []


# One thing of a row


def spoilt_events(row: LogRow) -> Iterator[tuple[ev.Event, str, LogRow]]:
    """The row with any one of its events left out, or changed in any one field."""
    events = events_of(row)
    for place, event in enumerate(events):
        yield event, "left out", holding(row, left_out(events, place))
        for field, other in variants(event):
            yield event, field, holding(row, put(events, place, other))


@few_rows
def test_any_event_left_out_or_changed_is_found_in_its_row(game: str):
    frozen, terms = GAMES[game], set()
    for place, row in enumerate(frozen.rows):
        for event, what, other in spoilt_events(row):
            if isinstance(event, ev.GameCreated) and what in TERMS:
                # They stand for themselves: what follows from them misses them, or a snapshot.
                assert faults(frozen, put(frozen.rows, place, other))
                terms.add(what)
            else:
                assert is_found(frozen, place, other), (event.type, what)
    assert terms >= {"players", "owner", "timing"}


def test_what_happens_to_the_table_is_found_in_its_row():
    kinds = set()
    for place, row in enumerate(MANY_ROWS.rows):
        for event, what, other in spoilt_events(row):
            if isinstance(event, BESIDE_THE_PLAY):
                assert is_found(MANY_ROWS, place, other), (event.type, what)
                kinds.add(type(event))
    assert kinds == set(get_args(BESIDE_THE_PLAY))


def spoilt_commands(row: LogRow) -> Iterator[tuple[Command, LogRow]]:
    """The row with any one of its commands left out, given by another seat, or changed in any one field."""
    entries = entries_of(row)
    for place, entry in enumerate(entries):
        command = load_command(entry["command"])
        others = [{**entry, "command": dump_command(other)} for _, other in variants(command)]
        if entry["seat"] is not None:
            others.append({**entry, "seat": (entry["seat"] + 1) % 4})
        yield command, replace(row, commands=to_json(left_out(entries, place)))
        for other in others:
            yield command, replace(row, commands=to_json(put(entries, place, other)))


@few_rows
def test_any_command_left_out_or_changed_is_found_in_its_row(game: str):
    frozen = GAMES[game]
    for place, row in enumerate(frozen.rows):
        for command, other in spoilt_commands(row):
            assert is_found(frozen, place, other), command


def test_a_command_of_the_table_left_out_or_changed_is_found_in_its_row():
    kinds = set()
    for place, row in enumerate(MANY_ROWS.rows):
        for command, other in spoilt_commands(row):
            if isinstance(command, Amend | Confirm | AskPause | AskResume | TableCommand):
                assert is_found(MANY_ROWS, place, other), command
                kinds.add(type(command))
    assert kinds == {Amend, Confirm, AskPause, AskResume, *get_args(TableCommand)} - {MoveDeadline}


# More than one

INDEPENDENT = {
    ("answered", "pause_asked"),
    ("answered", "seat_changed"),
    ("game_paused", "game_ended"),
    ("game_resumed", "seat_changed"),
    ("pause_asked", "pause_asked"),
    ("seat_changed", "game_paused"),
    ("seat_changed", "seat_changed"),
}
"""How two rows end of which neither depends on the other; so do two answers to one window. Times are not compared."""


def test_two_rows_that_changed_places_are_found_unless_neither_depends_on_the_other():
    missed = set()
    for place, (first, second) in enumerate(pairwise(MANY_ROWS.rows)):
        before = moved(second, first.version, first.first_seq)
        after = moved(first, second.version, before.last_seq + 1)
        if not faults(MANY_ROWS, [*MANY_ROWS.rows[:place], before, after, *MANY_ROWS.rows[place + 2 :]]):
            missed.add((events_of(first)[-1].type, events_of(second)[-1].type))
    assert missed == INDEPENDENT


def moved(row: LogRow, version: int, first_seq: int) -> LogRow:
    """The row as it would be with these numbers."""
    return replace(row, version=version, first_seq=first_seq, last_seq=first_seq + row.last_seq - row.first_seq)


def test_what_happens_at_the_end_of_a_persons_time_is_the_default():
    """Rules 4: the tile drawn is thrown. Any other could have been, but then its person has sent it."""
    frozen = GAMES["1-tsumo_uniform"]
    place, seat = next(
        (place, entry["seat"])
        for place, row in enumerate(frozen.rows)
        for entry in entries_of(row)[:1]
        if entry["command"]["type"] == "discard" and "decision_no" not in entry
    )
    state = fold([event for row in frozen.rows[:place] for event in events_of(row)])
    for action in legal_actions(state, seat):
        if isinstance(action, Discard):
            after, events = step(state, seat, action)
            entries = [{"seat": seat, "command": dump_command(action)}]
            row = holding(replace(frozen.rows[place], last_seq=after.seq), events, entries)
            assert is_found(frozen, place, row) == (action != default_action(state, seat))


# A log alone, as it is told once its game is over

OF_NO_CONSEQUENCE = {
    # Who is there, and whose table it is, is for the table to say; so is that it pauses since nobody is.
    *(("seat_changed", what) for what in ("left out", "seat", "player", "owner")),
    ("game_paused", "left out"),
    # One of several wishes in a pause that another thing ended.
    ("pause_asked", "left out"),
    # Figures that were not applied in the end, and the words for them.
    ("points_amended", "changes"),
    ("points_amended", "reason"),
    # The end of a log, which then is of a game that goes on.
    ("game_ended", "left out"),
}


def test_of_a_log_alone_what_led_to_nothing_is_not_missed():
    log = [event for row in MANY_ROWS.rows for event in events_of(row)]
    missed = set()
    for place, event in enumerate(log):
        if isinstance(event, BESIDE_THE_PLAY):
            changed = [(field, put(log, place, other)) for field, other in variants(event)]
            for what, spoilt in [("left out", left_out(log, place)), *changed]:
                if is_whole(spoilt):
                    missed.add((event.type, what))
    assert missed == OF_NO_CONSEQUENCE


def is_whole(log: list[ev.Event]) -> bool:
    try:
        verify(log)
    except BrokenLog:
        return False
    return True
