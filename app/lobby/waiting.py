"""A table that waits, as its reader may see it: built field by field, in the words of a game's view where they fit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from app.lobby import sitting
from app.lobby.spoken import spoken
from app.store.codes import Code
from app.store.lobby import OpenTable
from app.tables import Terms
from app.tables.sparse import sparse
from app.tables.terms import overrides_of
from engine.events import Four, Length
from engine.views import POSITIONS, Position


@sparse
@dataclass(frozen=True, slots=True)
class WaitingFacts:
    """What will be played. `owner` is the seat that may start it; `overrides` are the options that differ from the
    preset's; `points` what each seat begins with; `rematch_of` the game it follows. `hints` is absent where it depends
    on how many people play."""

    id: str
    ruleset: str
    status: Literal["open"]
    seq: Literal[0]
    owner: int
    visibility: Literal["private", "public"]
    seeded: bool
    overrides: dict[str, Any]
    points: Four
    timing: Terms
    length: Length | None
    spectator_delay: int
    free_text: bool
    hints: bool | None
    rematch_of: str | None
    created_at: datetime
    server_time: datetime


@sparse
@dataclass(frozen=True, slots=True)
class WaitingSeat:
    """A seat: a person's, who is `ready` or not yet; a bot's, of the level `bot`; or `open`."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str | None
    bot: str | None
    player_id: str | None
    ready: bool | None
    position: Position | None


@dataclass(frozen=True, slots=True)
class SpokenCode:
    """What others join with: as it is read out, until when, and how many may still."""

    code: str
    expires_at: datetime
    uses_left: int


@sparse
@dataclass(frozen=True, slots=True)
class WaitingTable:
    """A table that waits for its players. `seat` is the reader's own; `may_start` whether it would be dealt now if the
    reader, whose table it is, started it, with bots in the seats that are open; `code` is told to who sits there."""

    game: WaitingFacts
    seats: tuple[WaitingSeat, WaitingSeat, WaitingSeat, WaitingSeat]
    seat: int | None
    may_start: bool
    code: SpokenCode | None


_ADAPTER: Final = TypeAdapter(WaitingTable)


def encode_waiting(table: OpenTable, reader: str, code: Code | None, now: datetime) -> bytes:
    """The view as JSON."""
    return _ADAPTER.dump_json(waiting_table(table, reader, code, now), exclude_none=True)


def waiting_table(table: OpenTable, reader: str, code: Code | None, now: datetime) -> WaitingTable:
    """The table as that player may see it at `now`."""
    own = sitting.seat_at(table, reader)
    a, b, c, d = _seats(table, own)
    return WaitingTable(
        game=_facts(table, now),
        seats=(a, b, c, d),
        seat=own,
        may_start=table.owner == reader and not sitting.not_ready(table, besides=reader),
        code=None if code is None or own is None else SpokenCode(spoken(code.code), code.expires_at, code.uses_left),
    )


def waiting_etag(table: OpenTable, code: Code | None) -> str:
    """The mark of what those at the table see: all of it changes with the revision, but a code runs out by itself."""
    return f'W/"0.{table.revision}{"" if code is None else ".c"}"'


def _facts(table: OpenTable, now: datetime) -> WaitingFacts:
    asked, game = sitting.asked_of(table), table.game
    return WaitingFacts(
        id=game.id,
        ruleset=game.ruleset,
        status="open",
        seq=0,
        owner=sitting.check_seated(table, table.owner),
        visibility=game.visibility,
        seeded=game.seeded,
        overrides=overrides_of(asked.rules),
        points=asked.points,
        timing=asked.terms(asked.persons),
        length=asked.length,
        spectator_delay=asked.customs.spectator_delay,
        free_text=asked.customs.free_text,
        hints=asked.customs.hints,
        rematch_of=game.rematch_of,
        created_at=game.created_at,
        server_time=now,
    )


def _seats(table: OpenTable, own: int | None) -> list[WaitingSeat]:
    bots, persons = sitting.asked_of(table).bots, {each.seat: each for each in table.sitting}
    seats = []
    for seat, bot in enumerate(bots):
        position = None if own is None else POSITIONS[(seat - own) % 4]
        person = persons.get(seat)
        if person is not None:
            seats.append(WaitingSeat(seat, "person", person.name, None, person.player_id, person.ready, position))
        elif bot is not None:
            seats.append(WaitingSeat(seat, "bot", bot.name, bot.bot, None, None, position))
        else:
            seats.append(WaitingSeat(seat, "open", None, None, None, None, position))
    return seats
