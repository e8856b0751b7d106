"""What a command would make of a game: the row to be, worked out by the engine and not yet true for anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.tables.terms import Terms
from engine.actions import Command
from engine.bots import next_move
from engine.codec import dump_command
from engine.decide import step
from engine.events import Event
from engine.records import Plain
from engine.state import GameState

MAX_COMMANDS: Final = 32
"""Commands of bots in one row; what is left goes on as a row of its own."""

MAX_SECONDS: Final = 0.005
"""How long bots may think for one row."""


class Plan:
    """The commands of one row, what they lead to, and the state after them.

    `bots_in` are the seconds after which a bot is due that has not moved yet; None where none is.
    """

    __slots__ = ("bots_in", "commands", "events", "state")

    def __init__(self, state: GameState, events: tuple[Event, ...] = ()) -> None:
        self.state = state
        self.commands: list[Plain] = []
        self.events: list[Event] = list(events)
        self.bots_in: float | None = None

    def take(self, seat: int | None, command: Command, **more: Any) -> None:
        """Carries out one command; `more` are members that its entry in the row has besides. Raises Refusal."""
        self.state, events = step(self.state, seat, command)
        self.events += events
        self.commands.append({"seat": seat, "command": dump_command(command), **more})

    def run_bots(self, terms: Terms, read: Callable[[], float], *, waited: bool = False) -> None:
        """Lets the bots move whose move it is, as far as no delay and no limit stops them. `waited`: the first of them
        has waited for its delay already. `read` gives monotonic seconds."""
        until, most = read() + MAX_SECONDS, len(self.commands) + MAX_COMMANDS
        while (move := next_move(self.state)) is not None:
            delay = 0.0 if waited else terms.bot_delay(self.state)
            if delay > 0 or len(self.commands) >= most or read() >= until:
                self.bots_in = delay
                return
            waited = False
            self.take(*move)
