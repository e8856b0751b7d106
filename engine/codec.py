"""Events, commands and states as plain JSON values, and back: load(dump(x)) == x.

What a state holds twice, for speed, is dumped once.
"""

from __future__ import annotations

from typing import Final

from engine import rules
from engine.actions import Command
from engine.events import Event, TileDrawn
from engine.hands import Keys, keys_of, reader
from engine.records import Plain, Records
from engine.state import GameState, SeatState
from engine.tiles import COPIES, SUITED

FORMAT: Final = 1
"""The shape of everything dumped here; a later one never changes how an earlier one is read."""


def dump_event(event: Event) -> Plain:
    """The event as an object, its `type` first; TileDrawn's `origin` is called `from` (api, Names)."""
    written: Plain = _write_event(event)
    return written


def load_event(given: Plain) -> Event:
    """The event of `dump_event`. Raises ValueError that names the field which does not fit."""
    event: Event = _read_event(given)
    return event


def dump_command(command: Command) -> Plain:
    """The command as an object, its `type` first."""
    written: Plain = _write_command(command)
    return written


def load_command(given: Plain) -> Command:
    """The command of `dump_command`. Raises ValueError that names the field which does not fit."""
    command: Command = _read_command(given)
    return command


def dump_state(state: GameState) -> Plain:
    """The whole state, secrets included: for the store alone, never for a reader. Tiles are kinds."""
    written: Plain = _write_state(state)
    return written


def load_state(given: Plain) -> GameState:
    """The state of `dump_state`. Raises ValueError that names the field which does not fit."""
    state: GameState = _read_state(given)
    return state


def _suits(seat: Plain) -> Keys:
    counts = seat["counts"]
    if len(counts) != SUITED or not all(0 <= count <= COPIES for count in counts):
        raise ValueError(f"counts: must be {SUITED} numbers from 0 to {COPIES}")
    return keys_of(counts)


_RECORDS: Final = Records(
    renamed={(TileDrawn, "origin"): "from"},
    derived={
        GameState: {"reader": lambda game: reader(game["rules"].shapes), "shared": None},
        SeatState: {"suits": _suits, "concealed": lambda seat: sum(seat["counts"]) + seat["jokers"], "waits": None},
    },
    own={rules.RuleSet: (rules.dump, rules.from_dict)},
)

_write_event, _read_event = _RECORDS.codec(Event)
_write_command, _read_command = _RECORDS.codec(Command)
_write_state, _read_state = _RECORDS.codec(GameState)
