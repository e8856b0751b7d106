"""A game that is over, told from its first event: a header, then one event a line. Nothing is hidden any more; for one
seat it is told as that seat saw it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from pydantic_core import to_json

from app.database import Session
from app.store import log
from app.store.log import LogRow
from app.tables.frames import frame
from app.tables.live_game import LiveGame, numbered_of
from app.tables.sparse import without_none
from app.tables.stored import events_of
from engine import events as ev, rules, wall
from engine.codec import FORMAT, dump_event

MEDIA_TYPE: Final = "application/x-ndjson"

_PAGE: Final = 200


async def replay(session: Session, game: LiveGame, seat: int | None, service: str) -> AsyncIterator[bytes]:
    """The lines: for a seat the numbered events as it saw them; without one all events, notes among them, whole.
    `service` names what tells them."""
    yield _line(_header(game, seat, service))
    version = 0
    while True:
        rows = await log.rows_after(session, game.id, version, _PAGE)
        for row in rows:
            yield _whole(row) if seat is None else _seen(row, seat)
        if len(rows) < _PAGE:
            return
        version = rows[-1].version


def _header(game: LiveGame, seat: int | None, service: str) -> dict[str, Any]:
    state, own = game.state, game.game
    header = {
        "type": "header",
        "game_id": game.id,
        "seat": seat,
        "service": service,
        "format": FORMAT,
        "wall_version": wall.VERSION,
        "seed": state.seed,
        "seeded": own.seeded,
        "commitment": wall.commitment(state.seed),
        "ruleset": state.rules.name,
        "rules": rules.dump(state.rules),
        "seats": [
            without_none({"seat": place, "name": player.name, "bot": player.bot, "player_id": game.persons.get(place)})
            for place, player in enumerate(state.players)
        ],
        "points": state.starting_points,
        "seq": game.seq,
        "created_at": own.created_at,
    }
    return {name: value for name, value in header.items() if value is not None}


def _whole(row: LogRow) -> bytes:
    lines, seq = [], row.first_seq
    for event in events_of(row):
        told = {"at": row.at, "event": without_none(dump_event(event))}
        if isinstance(event, ev.NOTES):
            lines.append(_line(told))
        else:
            lines.append(_line({"seq": seq, **told}))
            seq += 1
    return b"".join(lines)


def _seen(row: LogRow, seat: int) -> bytes:
    return b"".join([frame(fact, seat) + b"\n" for fact in numbered_of(row)])


def _line(value: dict[str, Any]) -> bytes:
    return to_json(value) + b"\n"
