"""What the store holds of a game, read in the format it names. What a newer version wrote is left alone wherever it is
met: what this one made of it could be wrong without a sign (decision 0109).
"""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json

from app.errors import unavailable
from app.store.log import LogRow
from app.store.snapshots import Snapshot
from engine import events as ev
from engine.codec import FORMAT, load_event, load_state
from engine.records import Plain
from engine.state import GameState


def events_of(row: LogRow) -> list[ev.Event]:
    """All events of a row, notes among them. Raises Problem `unsupported_format`."""
    return [load_event(record) for record in records_of(row)]


def records_of(row: LogRow) -> list[Plain]:
    """Its events as they are stored, for whoever needs few of them. Raises Problem `unsupported_format`."""
    records: list[Plain] = _read(row.format, row.events)
    return records


def commands_of(row: LogRow) -> list[Plain]:
    """The commands it was decided from, as they are stored. Raises Problem `unsupported_format`."""
    commands: list[Plain] = _read(row.format, row.commands)
    return commands


def state_of(snapshot: Snapshot) -> GameState:
    """The state that was kept. Raises Problem `unsupported_format`."""
    return load_state(_read(snapshot.format, snapshot.state))


def _read(written_in: int, stored: bytes) -> Any:
    if written_in > FORMAT:
        raise unavailable("unsupported_format", 30)
    return from_json(stored)
