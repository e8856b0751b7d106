"""Proving that the log is whole: every game folds, by the engine's own checks, to where its head stands (design 8)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from pydantic_core import from_json

from app.database import Session
from app.store import games, log, snapshots
from app.store.log import LogRow
from engine import events as ev
from engine.codec import FORMAT, load_event, load_state
from engine.replay import BrokenLog, fold, verify
from engine.state import GameOver

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one game; `faults` is empty when it is whole."""

    game_id: str
    rows: int
    faults: tuple[str, ...]


async def verify_games(session: Session) -> AsyncIterator[Verdict]:
    """Every game, one after another. For a database that nobody writes to meanwhile."""
    uneven = {each.game_id: each for each in await log.uneven(session)}
    after = ""
    while ids := await games.ids_after(session, after, _PAGE):
        for game_id in ids:
            rows = await _rows(session, game_id)
            faults = [f"stands at {uneven[game_id].stands_at}, as no log says"] if game_id in uneven else []
            yield Verdict(game_id, len(rows), (*faults, *await _faults(session, game_id, rows)))
        after = ids[-1]


async def _rows(session: Session, game_id: str) -> list[LogRow]:
    rows: list[LogRow] = []
    while True:
        page = await log.rows_after(session, game_id, rows[-1].version if rows else 0, _PAGE)
        rows += page
        if len(page) < _PAGE:
            return rows


async def _faults(session: Session, game_id: str, rows: list[LogRow]) -> list[str]:
    game = await games.find(session, game_id)
    assert game is not None
    if game.format > FORMAT:
        return [f"is written in format {game.format}, which this version does not read"]
    if not rows:
        never_dealt = game.status == "open" or game.last_version == 0
        return [] if never_dealt else ["has no rows"]
    faults, events = _numbering(rows)
    try:
        state = verify(events)
    except BrokenLog as broken:
        return [*faults, str(broken)]
    if state.seq != rows[-1].last_seq:
        faults.append(f"folds to event {state.seq}, its last row ends with {rows[-1].last_seq}")
    if game.status == "ended" and not isinstance(state.decision, GameOver):
        faults.append("is put away as ended, and its log goes on")
    return [*faults, *await _snapshot_faults(session, rows)]


def _numbering(rows: list[LogRow]) -> tuple[list[str], list[ev.Event]]:
    """What is wrong with the numbers of rows and events, and all events in order."""
    faults: list[str] = []
    events: list[ev.Event] = []
    seq = 0
    for version, row in enumerate(rows, 1):
        found = [load_event(record) for record in from_json(row.events)]
        numbered = sum(not isinstance(event, ev.NOTES) for event in found)
        if row.version != version:
            faults.append(f"has version {row.version} where {version} should be")
        if (row.first_seq, row.last_seq) != (seq + 1, seq + numbered):
            faults.append(f"version {row.version} says events {row.first_seq} to {row.last_seq}, not {seq + 1} on")
        seq += numbered
        events += found
    return faults, events


async def _snapshot_faults(session: Session, rows: list[LogRow]) -> list[str]:
    """Whether the newest snapshot is what the log folds to at its version: loading starts there."""
    snapshot = await snapshots.latest(session, rows[0].game_id)
    if snapshot is None:
        return []
    until = [load_event(record) for row in rows[: snapshot.version] for record in from_json(row.events)]
    if fold(until) == load_state(from_json(snapshot.state)):
        return []
    return [f"the snapshot of round {snapshot.round} is not what its log folds to"]
