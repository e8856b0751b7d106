"""A game as this worker knows it: the newest committed state it has seen, and what is served from memory with it.
Only committed rows come in here, one after another.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from pydantic_core import to_json

from app.store.games import Game
from app.store.log import LogRow, NewRow
from app.tables.customs import Customs, load_customs
from app.tables.deadlines import GameClock, dump_clock, load_clock
from app.tables.done import Done, content_of, done_of
from app.tables.plan import Plan
from app.tables.stored import events_of
from app.tables.terms import Agreed, Terms, agreed_on, load_terms
from engine import events as ev
from engine.codec import FORMAT, dump_event
from engine.evolve import apply, evolve
from engine.state import GameOver, GameState

TAIL: Final = 256
"""Numbered events kept in memory."""

_ACTIONS: Final = 64
_OPENING: Final = (ev.WindowOpened, ev.TurnOpened, ev.PointsPending, ev.PointsAmended)


@dataclass(slots=True)
class Numbered:
    """A public fact with its number and time; `frames` hold it as bytes, once for each kind of reader that asked, and
    `whole` as it is for those who may know all of it."""

    seq: int
    at: datetime
    event: ev.NumberedEvent
    frames: dict[int | None, bytes] = field(default_factory=dict)
    whole: bytes | None = None


class LiveGame:
    """One game in memory. `lock` is held by whoever decides a command of it, until that is committed or refused."""

    def __init__(self, game: Game, persons: Mapping[int, str]) -> None:
        self.game = game
        self.seat_of = {player: seat for seat, player in persons.items()}
        self.persons = persons
        self.terms: Terms = load_terms(game.config["timing"])
        self.customs: Customs = load_customs(game.config.get("customs", {}))
        self.rematch: str | None = None
        """The game that follows it, once that is known here."""
        self.lock = asyncio.Lock()
        self.version = 0
        self.at: datetime | None = None
        """When it last moved, as far as that is known here."""
        self.decided_at: datetime | None = None
        """When the open decision began."""
        self.changed_at: list[datetime | None] = [None, None, None, None]
        """When it was last told of each seat who plays it or is there; `changed_before` is when before that."""
        self.changed_before: list[datetime | None] = [None, None, None, None]
        self.watched_since: datetime | None = None
        """Since when this worker watches who is there."""
        self.seen_at: datetime | None = None
        """When it was last noted here that somebody looks who does not move."""
        self.clock: GameClock | None = None
        self.tail: deque[Numbered] = deque(maxlen=TAIL)
        self.epoch = 0
        """When it was last known to be current, as the heartbeat counts."""
        self.in_doubt = False
        """A row of it may or may not have been committed: no other command is taken."""
        self.behind = False
        """It has to be caught up before it is trusted."""
        self._state: GameState | None = None
        self._hidden = [0, 0, 0, 0]
        self._actions: OrderedDict[tuple[int, str], Done] = OrderedDict()

    @property
    def id(self) -> str:
        """The game's id, as in every address."""
        return self.game.id

    @property
    def state(self) -> GameState:
        """The state at `version`. Raises RuntimeError for a game that was never dealt."""
        if self._state is None:
            raise RuntimeError(f"game {self.id} has not been dealt")
        return self._state

    @property
    def seq(self) -> int:
        """The last numbered event."""
        return self.state.seq

    @property
    def wake_at(self) -> datetime | None:
        """When it moves by itself."""
        return None if self.clock is None else self.clock.wake_at

    @property
    def person_at(self) -> datetime | None:
        """When a person last did anything here, or was noted to look, as far as that is known; by the game's time."""
        at = self.at if self.clock is None or self.clock.person_at is None else self.clock.person_at
        return at if at is None or self.seen_at is None else max(at, self.seen_at)

    @property
    def is_dealt(self) -> bool:
        """Whether there is a `state`."""
        return self._state is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing more can happen in it. Raises RuntimeError for a game that was never dealt."""
        return isinstance(self.state.decision, GameOver)

    @cached_property
    def agreed(self) -> Agreed:
        """What it was made with, put together once: every view tells it, and it never changes."""
        return agreed_on(self.state, self.terms)

    def seq_for(self, seat: int | None) -> int:
        """The last numbered event that this reader may see: spectators may be kept behind until the game is over."""
        if seat is not None or self.is_over:
            return self.seq
        return max(1, self.seq - self.customs.spectator_delay)

    def etag(self, seat: int | None) -> str:
        """The mark of what this reader may see: the last fact, and what is hidden from others; a rematch is news of a
        game that is over."""
        return f'W/"{self.seq}.{self.hidden(seat) + (self.rematch is not None)}"'

    def hidden(self, seat: int | None) -> int:
        """How often the seat has answered this decision, or asked for other preferences meanwhile, which it alone may
        know; 0 for a spectator."""
        return 0 if seat is None else self._hidden[seat]

    def done(self, seat: int, action_id: str) -> Done | None:
        """What became of a seat's action, where that is in memory."""
        return self._actions.get((seat, action_id))

    def remember(self, seat: int, action_id: str, done: Done) -> None:
        """Keeps what became of a seat's action, for a while."""
        self._actions[seat, action_id] = done
        if len(self._actions) > _ACTIONS:
            self._actions.popitem(last=False)

    def begin(self, state: GameState, version: int) -> None:
        """Starts from a state that was kept at a version."""
        self._state, self.version = state, version

    def advance(self, row: NewRow, plan: Plan, clock: GameClock, at: datetime) -> None:
        """Takes over what this worker has decided and committed; nothing, where the log has been read past it."""
        if row.version != self.version + 1:
            return
        self._state = plan.state
        self.clock = clock
        self._note(row, plan.events, at)
        if row.seat is not None and row.action_id is not None:
            self.remember(row.seat, row.action_id, Done(content_of(plan.commands), row.first_seq, row.last_seq))

    def fold(self, row: LogRow) -> None:
        """Takes over the next row of the log; nothing, where this game is past it. Raises Problem `unsupported_format`
        for a row of a newer version, and stays where it was."""
        if row.version == self.version + 1:
            events = events_of(row)
            self._state = _folded(self._state, events)
            self._read(row, events)

    def recall(self, row: LogRow) -> None:
        """Takes from the row it began at what is in no state: the clock, the tail, the action."""
        self._read(row, events_of(row))

    def _read(self, row: LogRow, events: list[ev.Event]) -> None:
        self.clock = None if row.clock is None else load_clock(row.clock)
        self._note(row, events, row.at)
        if row.seat is not None and row.action_id is not None:
            self.remember(row.seat, row.action_id, done_of(row))

    def _note(self, row: NewRow | LogRow, events: Iterable[ev.Event], at: datetime) -> None:
        self.version, self.at = row.version, at
        self.tail.extend(numbered(row.first_seq, events, at))
        for event in events:
            if isinstance(event, ev.Answered | ev.PreferenceSet):
                self._hidden[event.seat] += 1
            elif isinstance(event, _OPENING):
                self._hidden, self.decided_at = [0, 0, 0, 0], at
            elif isinstance(event, ev.SeatChanged):
                self.changed_before[event.seat], self.changed_at[event.seat] = self.changed_at[event.seat], at


def row_of(
    game_id: str,
    before: tuple[int, int],
    plan: Plan,
    clock: GameClock,
    end_at: datetime,
    seat: int | None = None,
    action_id: str | None = None,
) -> NewRow:
    """The row that makes a plan true; `before` are the version and the last numbered event that it follows, `end_at` is
    when the game ends if nobody comes any more."""
    version, seq = before
    return NewRow(
        game_id,
        version + 1,
        seq + 1,
        plan.state.seq,
        seat,
        action_id,
        FORMAT,
        to_json(plan.commands),
        to_json([dump_event(event) for event in plan.events]),
        dump_clock(clock),
        end_at if clock.wake_at is None else min(clock.wake_at, end_at),
        isinstance(plan.state.decision, GameOver),
    )


def numbered(first_seq: int, events: Iterable[ev.Event], at: datetime) -> list[Numbered]:
    """The numbered ones among a row's events, the first of them being `first_seq`."""
    public: list[Any] = [event for event in events if not isinstance(event, ev.NOTES)]
    return [Numbered(first_seq + place, at, event) for place, event in enumerate(public)]


def numbered_of(row: LogRow) -> list[Numbered]:
    """The numbered events of a row of the log."""
    return numbered(row.first_seq, events_of(row), row.at)


def _folded(state: GameState | None, events: list[ev.Event]) -> GameState:
    """One private draft for the whole row, as when it was decided."""
    if state is None:
        draft = evolve(None, events[0])
        events = events[1:]
    else:
        draft = state.draft()
    for event in events:
        apply(draft, event)
    return draft
