"""The frame of who is there: what a `seat_changed` says of a seat, for clients that keep no more than that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pydantic_core import to_json

from app.tables.sparse import sparse
from engine.events import SeatChanged


@sparse
@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Who is at a seat now, in the words of the view's `seats`: `stand_in` is the bot that plays, where one does. Comes
    right behind the event `seat_changed` that says so, to everybody; never behind history, which the `hello` knows."""

    type: Literal["presence"] = "presence"
    seat: int
    connected: bool
    away: bool
    stand_in: str | None


def presence(event: SeatChanged) -> bytes:
    """A Presence as JSON."""
    player = event.player
    body: dict[str, Any] = {"type": "presence", "seat": event.seat, "connected": player.connected, "away": player.away}
    if player.stand_in is not None:
        body["stand_in"] = player.stand_in
    return to_json(body)
