"""Numbered events as they go on the wire: redacted for their reader, encoded once for each kind of reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field
from pydantic_core import to_json

from app.tables.live_game import Numbered
from app.tables.sparse import without_none
from engine.codec import dump_event
from engine.events import NumberedEvent
from engine.views import redact

PublicEvent = Annotated[NumberedEvent, Field(discriminator="type")]


@dataclass(frozen=True, slots=True)
class EventFrame:
    """A public fact: its number, the same for everybody, and when it was committed. What the reader may not know of it
    is `back`."""

    seq: int
    at: datetime
    event: PublicEvent


def frame(fact: Numbered, seat: int | None) -> bytes:
    """The fact as JSON, as the seat may see it; None is a spectator."""
    encoded = fact.frames.get(seat)
    if encoded is None:
        seen = redact(fact.event, seat)
        encoded = fact.frames[seat] = _whole(fact) if seen is fact.event else _encoded(fact, seen)
    return encoded


def frames(facts: Iterable[Numbered], seat: int | None) -> bytes:
    """Several facts as a JSON array."""
    return b"[" + b",".join([frame(fact, seat) for fact in facts]) + b"]"


def _whole(fact: Numbered) -> bytes:
    """The fact as those see it from whom nothing of it is hidden: most facts, and everybody."""
    if fact.whole is None:
        fact.whole = _encoded(fact, fact.event)
    return fact.whole


def _encoded(fact: Numbered, seen: NumberedEvent) -> bytes:
    return to_json({"seq": fact.seq, "at": fact.at, "event": without_none(dump_event(seen))})
