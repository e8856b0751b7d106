"""One command being carried out: a private draft, and the events so far."""

from __future__ import annotations

from engine import events as ev
from engine.evolve import apply
from engine.state import GameState


class Play:
    """Events happen here one by one; each is written to the draft before the next is decided."""

    __slots__ = ("events", "state")

    def __init__(self, draft: GameState) -> None:
        self.state = draft
        self.events: list[ev.Event] = []

    def happen(self, event: ev.Event) -> None:
        """Record one event and write it to the draft."""
        self.events.append(event)
        apply(self.state, event)

    def next_no(self) -> int:
        """The number of the decision that opens next."""
        return self.state.decision.no + 1

    def lock(self, seat: int, locked: bool = True) -> None:
        """Set or lift a seat's pass lock, where that changes anything."""
        if self.state.seats[seat].locked != locked:
            self.happen(ev.LockChanged(seat, locked))
