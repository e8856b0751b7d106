"""The frame of what is said at a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic_core import to_json

from app.store.talk import Said
from app.tables.sparse import sparse


@sparse
@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Something that was said at the table: no fact of the game. `no` counts from 1 at each table; one of `phrase`,
    `reaction` and `text` is there. What was said before the stream opened is at `GET .../talk`."""

    type: Literal["talk"] = "talk"
    no: int
    at: datetime
    seat: int
    player_id: str
    phrase: str | None
    reaction: str | None
    text: str | None


def talk(said: Said) -> bytes:
    """A Talk as JSON."""
    who = {"no": said.no, "at": said.at, "seat": said.seat, "player_id": said.player_id}
    return to_json({"type": "talk", **who, said.kind: said.content})
