"""What became of the actions that seats sent: what a repeat is compared with and answered by (decision 0503)."""

from __future__ import annotations

from dataclasses import dataclass

from app.store.log import LogRow
from app.tables.stored import commands_of
from engine.records import Plain


@dataclass(frozen=True, slots=True)
class Done:
    """What a seat's action came to: the command as it was sent, and the numbered events of its row."""

    content: Plain
    first_seq: int
    last_seq: int


def content_of(commands: list[Plain]) -> Plain:
    """What was sent, of a row that a seat's action started: what a repeat of it is compared with. What the table did
    before, to make room for it, is on no seat's behalf."""
    entry = next(entry for entry in commands if entry["seat"] is not None)
    return {"action": entry.get("sent", entry["command"]), "decision_no": entry.get("decision_no")}


def done_of(row: LogRow) -> Done:
    """What a row says of the action that started it."""
    return Done(content_of(commands_of(row)), row.first_seq, row.last_seq)
