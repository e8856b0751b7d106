"""A game written down whole: its commands, every event, and at each step what changed in all five views.

The first line is the event that creates the game; `> seat command` is a step (seat `-` is the table). Under it stand
its events, numbered ones with their seq, and below an event with hidden tiles what other readers are sent; then, after
the readers in brackets (0-3, and `s` for a spectator), the fields of their views that changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from engine import events as ev
from engine.actions import Command
from engine.codec import dump_command, dump_event, load_command, load_event
from engine.decide import new_game, step
from engine.records import Plain, Records
from engine.rules import from_dict
from engine.state import SEATS, GameState
from engine.views import SeatView, redact, view

FILES = sorted(Path(__file__).parent.glob("*.txt"))
READERS = {"0": 0, "1": 1, "2": 2, "3": 3, "s": None}

_dump_view, _ = Records({}, {}, {}).codec(SeatView)


def played_again(text: str) -> str:
    """The playthrough of these terms and commands as the engine plays it now."""
    first, *lines = text.splitlines()
    created = load_event(json.loads(first))
    assert isinstance(created, ev.GameCreated)
    given = [line[2:].split(" ", 1) for line in lines if line.startswith("> ")]
    commands = [(None if seat == "-" else int(seat), load_command(json.loads(command))) for seat, command in given]
    return "".join(f"{line}\n" for line in written(created, commands))


def log_of(text: str) -> list[ev.Event]:
    """Every event of a playthrough, notes among them."""
    first, *lines = text.splitlines()
    told = [line.split(" ", 1)[1] for line in lines if line[0] not in " >"]
    return [load_event(json.loads(record)) for record in (first, *told)]


def written(created: ev.GameCreated, commands: list[tuple[int | None, Command]]) -> Iterator[str]:
    """The lines of a game of these terms in which these commands are given."""
    yield _json(dump_event(created))
    state, (_, *events) = new_game(
        from_dict(created.rules),
        created.players,
        created.seed,
        owner=created.owner,
        points=created.points,
        timing=created.timing,
        length=created.length,
    )
    seen: dict[str, Plain] = {reader: {} for reader in READERS}
    yield from _events(events, 1)
    yield from _changes(state, seen)
    for seat, command in commands:
        yield f"> {'-' if seat is None else seat} {_json(dump_command(command))}"
        number = state.seq + 1
        state, happened = step(state, seat, command)
        yield from _events(happened, number)
        yield from _changes(state, seen)


def _events(events: list[ev.Event] | tuple[ev.Event, ...], number: int) -> Iterator[str]:
    for event in events:
        if isinstance(event, ev.Note):
            yield f"note {_json(dump_event(event))}"
            continue
        yield f"{number} {_json(dump_event(event))}"
        number += 1
        sent = {reader: redact(event, seat) for reader, seat in READERS.items()}
        for readers, other in _grouped({reader: _json(dump_event(as_sent)) for reader, as_sent in sent.items()}):
            if other != _json(dump_event(event)):
                yield f"  [{readers}] is sent {other}"


def _changes(state: GameState, seen: dict[str, Plain]) -> Iterator[str]:
    """What changed in each view since it was last seen, readers to whom it looks alike together."""
    changed: dict[str, dict[str, str]] = {}
    for reader, seat in READERS.items():
        now = _flat(_dump_view(view(state, seat)))
        for path in {**seen[reader], **now}:
            if path not in seen[reader] or path not in now or now[path] != seen[reader][path]:
                changed.setdefault(path, {})[reader] = _json(now[path]) if path in now else "gone"
        seen[reader] = now
    lines: dict[str, list[str]] = {}
    for path, values in changed.items():
        for readers, value in _grouped(values):
            lines.setdefault(readers, []).append(f"{path}={value}")
    for readers in sorted(lines, key=lambda readers: (-len(readers), readers)):
        yield f"  [{readers}] {' '.join(lines[readers])}"


def _grouped(values: dict[str, str]) -> list[tuple[str, str]]:
    """Readers with the same value, together."""
    groups: dict[str, str] = {}
    for reader, value in values.items():
        groups[value] = groups.get(value, "") + reader
    return [(readers, value) for value, readers in groups.items()]


def _flat(seen: Plain) -> Plain:
    """The fields of a view by path, as deep as a seat's and the decision's own."""
    flat: Plain = {}
    for name, value in seen.items():
        if name == "seats":
            flat |= {f"seats.{seat}.{field}": it for seat in SEATS for field, it in value[seat].items()}
        elif name == "decision":
            flat |= {f"decision.{field}": it for field, it in value.items()}
        elif name == "legal_actions":
            flat[name] = [" ".join(map(str, _words(action))) for action in value]
        else:
            flat[name] = value
    return flat


def _words(action: Plain) -> list[object]:
    return [word for value in action.values() for word in (value if isinstance(value, list) else [value])]


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
