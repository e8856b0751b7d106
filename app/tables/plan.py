"""What a command would make of a game: the row to be, worked out by the engine and not yet true for anybody, with what
follows on it by itself: what people let the service do for them, and bots.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from app.tables.terms import Terms
from engine.actions import Action, Command
from engine.bots import next_move
from engine.claims import asked
from engine.codec import dump_command
from engine.decide import step
from engine.events import Event, Preferences
from engine.preferences import prompt_action
from engine.records import Plain
from engine.state import ClaimWindow, GameState, OpeningWindow, Turn

MAX_COMMANDS: Final = 32
"""Commands of bots in one row; what is left goes on as a row of its own."""

MAX_SECONDS: Final = 0.005
"""How long bots may think for one row."""

_NOTHING: Final = Preferences()
_NOBODY: Final = (_NOTHING,) * 4


class Plan:
    """The commands of one row, what they lead to, and the state after them.

    `bots_in` are the seconds after which a bot is due that has not moved yet; None where none is. `acted` is the seat
    whose person moves in it, `ran_out` the one whose turn ended because its time was over. `by_person` tells what
    somebody asked for from what the table does by itself.
    """

    __slots__ = ("acted", "bots_in", "by_person", "commands", "events", "ran_out", "state")

    def __init__(self, state: GameState, events: tuple[Event, ...] = ()) -> None:
        self.state = state
        self.commands: list[Plain] = []
        self.events: list[Event] = list(events)
        self.bots_in: float | None = None
        self.acted: int | None = None
        self.ran_out: int | None = None
        self.by_person = False

    def take(self, seat: int | None, command: Command, **more: Any) -> None:
        """Carries out one command; `more` are members that its entry in the row has besides. Raises Refusal."""
        self.state, events = step(self.state, seat, command)
        self.events += events
        self.commands.append({"seat": seat, "command": dump_command(command), **more})

    def run_bots(self, terms: Terms, read: Callable[[], float], *, waited: bool = False) -> None:
        """Carries out what people let the service do for them, which is not delayed, and lets the bots move whose move
        it is, as far as no delay and no limit stops them. `waited`: the first bot has waited for its delay already.
        `read` gives monotonic seconds. However long it thinks, one command is carried out: the next row would come no
        further."""
        until, first = read() + MAX_SECONDS, len(self.commands)
        while True:
            move, delay = _prompted(self.state), 0.0
            if move is None:
                move = next_move(self.state)
                if move is None:
                    return
                delay = 0.0 if waited else terms.bot_delay(self.state)
                waited = False
            done = len(self.commands) - first
            if delay > 0 or done >= MAX_COMMANDS or (done and read() >= until):
                self.bots_in = delay
                return
            self.take(*move)


def _prompted(state: GameState) -> tuple[int, Action] | None:
    """A seat whose person lets the service act for it now, and how; a bot that plays a seat asks nobody."""
    decision = state.decision
    if state.preferences == _NOBODY:
        return None
    seats: tuple[int, ...] = ()
    if isinstance(decision, Turn):
        seats = (decision.seat,)
    elif isinstance(decision, ClaimWindow | OpeningWindow):
        seats = asked(decision)
    for seat in seats:
        if state.preferences[seat] != _NOTHING and state.level(seat) is None:
            action = prompt_action(state, seat)
            if action is not None:
                return seat, action
    return None
