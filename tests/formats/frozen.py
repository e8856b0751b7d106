"""A game as it stood in the store, in one file that is never edited: what the readers of its format have to understand
for ever.

One JSON object a line: a header with the game's own row, the rows of its log, the snapshot of each deal, and what each
reader saw at the end. What the store keeps as bytes stands in its line as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from app.store.games import Game
from app.store.log import LogRow
from app.store.snapshots import Snapshot
from engine.codec import FORMAT

FOLDER: Final = Path(__file__).parent
READERS: Final = (0, 1, 2, 3, None)
"""By seat; None is a spectator."""

_GAME: Final = TypeAdapter(Game)
_PERSONS: Final = TypeAdapter(dict[int, str])
_MOMENT: Final = TypeAdapter(datetime)
_ROW: Final = TypeAdapter(LogRow)
_SNAPSHOT: Final = TypeAdapter(Snapshot)
_BYTES: Final = ("commands", "events", "clock", "state")
_FIRST: Final = 1
"""The format of a row whose line names none: these were frozen before rows named one."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A game in a file. `persons` are the players' ids by seat; `views` are what each reader saw at `seen_at`, as
    JSON."""

    game: Game
    persons: dict[int, str]
    rows: tuple[LogRow, ...]
    snapshots: tuple[Snapshot, ...]
    seen_at: datetime
    views: dict[int | None, bytes]


def paths(number: int = FORMAT) -> list[Path]:
    """The files of a format."""
    return sorted((FOLDER / str(number)).glob("*.ndjson"))


def every_path() -> list[Path]:
    """The files of all formats that are read here."""
    return [path for number in range(1, FORMAT + 1) for path in paths(number)]


def read(path: Path) -> Frozen:
    """The game in a file. Raises ValueError for one of a newer format than is read here."""
    header, *lines = map(from_json, path.read_bytes().splitlines())
    if header["format"] > FORMAT:
        raise ValueError(f"{path.name} is written in format {header['format']}; this version reads up to {FORMAT}")
    game = _GAME.validate_python(header["game"])
    return Frozen(
        game,
        _PERSONS.validate_python(header["persons"]),
        tuple(
            _ROW.validate_python({"format": _FIRST, **_stored(line, game.id)})
            for line in lines
            if line["type"] == "row"
        ),
        tuple(_SNAPSHOT.validate_python(_stored(line, game.id)) for line in lines if line["type"] == "snapshot"),
        _MOMENT.validate_python(header["seen_at"]),
        {line["seat"]: to_json(line["view"]) for line in lines if line["type"] == "view"},
    )


def write(path: Path, frozen: Frozen) -> None:
    """Writes a new file. Raises FileExistsError for one that is there."""
    with path.open("xb") as file:
        file.writelines(line + b"\n" for line in _lines(frozen))


def _lines(frozen: Frozen) -> Iterator[bytes]:
    yield to_json(
        {
            "type": "header",
            "format": FORMAT,
            "game": _GAME.dump_python(frozen.game, mode="json"),
            "persons": frozen.persons,
            "seen_at": frozen.seen_at,
        }
    )
    for row in frozen.rows:
        stored = asdict(row)
        if row.format == _FIRST:
            del stored["format"]
        yield _line("row", stored)
    for snapshot in frozen.snapshots:
        yield _line("snapshot", asdict(snapshot))
    for seat, view in frozen.views.items():
        yield to_json({"type": "view", "seat": seat, "view": from_json(view)})


def _line(kind: str, stored: dict[str, Any]) -> bytes:
    """What the store keeps, in one line. Raises ValueError where it would not come back to the byte."""
    del stored["game_id"]
    line = {"type": kind, **stored}
    for name in _BYTES:
        if stored.get(name) is not None:
            line[name] = from_json(stored[name])
            if to_json(line[name]) != stored[name]:
                raise ValueError(f"the {name} of a {kind} would not come back as they stand in the store")
    return to_json(line)


def _stored(line: dict[str, Any], game_id: str) -> dict[str, Any]:
    """What the store keeps, of a line."""
    found = {name: to_json(value) if name in _BYTES and value is not None else value for name, value in line.items()}
    del found["type"]
    return {"game_id": game_id, **found}
