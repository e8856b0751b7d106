"""Games frozen in every format so far are understood as they were when they were played (design 3, Formats)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic_core import from_json, to_json

from app.store.log import LogRow
from app.store.snapshots import Snapshot
from app.tables.done import done_of
from app.tables.live_game import LiveGame
from app.tables.view import encode_view
from engine import events as ev
from engine.actions import Command
from engine.codec import FORMAT, load_command, load_event, load_state
from engine.replay import fold, verify
from engine.rules import PRESETS
from tests.formats.frozen import Frozen, every_path, paths, read, write
from tests.formats.seen import as_known

frozen = cache(read)
every_game = pytest.mark.parametrize("path", every_path(), ids=lambda path: f"{path.parent.name}-{path.stem}")
every_start = pytest.mark.parametrize(
    ("path", "start"),
    [(path, start) for path in every_path() for start in frozen(path).snapshots],
    ids=lambda it: f"{it.parent.name}-{it.stem}" if isinstance(it, Path) else f"round {it.round}",
)


def events_of(rows: Sequence[LogRow]) -> list[ev.Event]:
    return [load_event(record) for row in rows for record in from_json(row.events)]


def loaded(game: Frozen, start: Snapshot | None = None) -> LiveGame:
    """The game as the service loads it: from a snapshot and the rows past it, or from its first row."""
    live = LiveGame(game.game, game.persons)
    if start is not None:
        live.begin(load_state(from_json(start.state)), start.version)
        live.recall(game.rows[start.version - 1])
    for row in game.rows:
        live.fold(row)
    return live


# What is frozen is understood


@every_game
def test_a_log_is_whole(path: Path):
    rows, seq = frozen(path).rows, 0
    for version, row in enumerate(rows, 1):
        seq += sum(not isinstance(event, ev.NOTES) for event in events_of([row]))
        assert (row.version, row.last_seq) == (version, seq)
    assert verify(events_of(rows)).seq == seq


@every_start
def test_a_snapshot_is_what_the_log_folds_to_at_its_place(path: Path, start: Snapshot):
    state = fold(events_of(frozen(path).rows[: start.version]))
    assert load_state(from_json(start.state)) == state
    assert (start.seq, start.round) == (state.seq, state.round.number)


@every_start
def test_from_a_snapshot_on_a_log_leads_where_it_leads_from_its_first_event(path: Path, start: Snapshot):
    game = frozen(path)
    assert loaded(game, start).state == fold(events_of(game.rows))


@every_start
def test_every_reader_sees_what_it_saw(path: Path, start: Snapshot):
    game = frozen(path)
    live = loaded(game, start)
    for seat, seen in game.views.items():
        assert to_json(as_known(path, from_json(encode_view(live, seat, game.seen_at)))) == seen


@every_game
def test_a_repeat_of_an_action_finds_what_was_sent(path: Path):
    for row in frozen(path).rows:
        if row.action_id is not None:
            assert done_of(row).content["action"]["type"] in row.action_id


# What is frozen is enough


def types(union: Any) -> list[str]:
    """The `type` of each class in a union."""
    return [str(field.default) for kind in get_args(union) for field in fields(kind) if field.name == "type"]


def sights(game: Frozen) -> Iterator[tuple[str, str]]:
    """What the files are to hold, wherever it is in this one."""
    window = ""
    for row in game.rows:
        yield from (("command", load_command(entry["command"]).type) for entry in from_json(row.commands))
        for event in events_of([row]):
            yield "note" if isinstance(event, ev.NOTES) else "event", event.type
            match event:
                case ev.GameCreated():
                    yield "preset", str(event.rules["name"])
                case ev.RoundDealt():
                    yield "claim timing", event.claim_timing
                case ev.WindowOpened():
                    window = event.kind
                    yield "window", window
                case ev.WindowClosed():
                    yield window, event.taken
                case ev.MeldMade():
                    yield "meld", event.kind
                case ev.RoundWon(category=str(category)):
                    yield "joker eye", str("joker_eye" in category)
                case ev.GamePaused():
                    yield "pause", event.reason
                case ev.GameEnded():
                    yield "end", f"{event.reason}, void: {event.void_round}"
                case _:
                    pass


@pytest.mark.parametrize(
    "what",
    [
        *(("event", name) for name in types(ev.NumberedEvent)),
        *(("note", name) for name in types(ev.Note)),
        *(("command", name) for name in types(Command)),
        *(("preset", name) for name in PRESETS),
        *(("claim timing", timing) for timing in get_args(ev.ClaimTiming)),
        *(("window", kind) for kind in get_args(ev.WindowKind)),
        *(("claim", taken) for taken in get_args(ev.Taken)),
        *(("meld", kind) for kind in get_args(ev.MeldKind)),
        ("rob", "win"),
        ("joker eye", "True"),
        ("pause", "agreed"),
        ("pause", "nobody_here"),
        ("end", "length, void: False"),
        ("end", "table, void: False"),
        ("end", "abandoned, void: True"),
    ],
    ids=": ".join,
)
def test_the_files_of_the_format_that_is_written_now_hold(what: tuple[str, str]):
    assert any(what in sights(frozen(path)) for path in paths(FORMAT))


def test_they_hold_games_that_ended_and_games_that_go_on():
    assert {frozen(path).game.status for path in paths(FORMAT)} == {"ended", "playing"}


# The files


@pytest.mark.parametrize("path", paths(FORMAT), ids=lambda path: path.stem)
def test_a_file_is_to_the_byte_what_was_stored(path: Path, tmp_path: Path):
    write(tmp_path / "again", frozen(path))
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_file_that_is_there_is_not_written_again(tmp_path: Path):
    game = frozen(paths(FORMAT)[0])
    (tmp_path / "there").write_text("as it is")
    with pytest.raises(FileExistsError):
        write(tmp_path / "there", game)
    assert (tmp_path / "there").read_text() == "as it is"


def test_a_file_of_a_newer_format_is_refused_by_its_name(tmp_path: Path):
    header, *lines = paths(FORMAT)[0].read_bytes().splitlines(keepends=True)
    newer = {**from_json(header), "format": FORMAT + 1}
    (tmp_path / "game.ndjson").write_bytes(to_json(newer) + b"\n" + b"".join(lines))
    with pytest.raises(ValueError, match=rf"^game.ndjson is written in format {FORMAT + 1}; .* up to {FORMAT}$"):
        read(tmp_path / "game.ndjson")
