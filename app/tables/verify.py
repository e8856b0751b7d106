"""Proving that the log is whole: every game is played again from its commands, to the same events and to where its head
stands (design 8, decision 0009). What cannot be read is a fault of its game like any other, and the other games are
looked at all the same.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.database import Session
from app.printable import one_line
from app.store import games, log, snapshots
from app.store.games import Game
from app.store.log import Head, LogRow
from app.store.snapshots import Snapshot
from app.tables.deadlines import load_clock
from app.tables.done import done_of
from app.tables.stored import commands_of, events_of, state_of
from engine import events as ev
from engine.actions import Command, SeatWish
from engine.codec import FORMAT, load_command
from engine.preferences import late_action, prompt_action
from engine.replay import BrokenLog, begin, follow
from engine.state import GameOver, GameState

Moment = Callable[[], AbstractAsyncContextManager[Session]]
"""Opens a session that sees everything as it is when it is first asked."""

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found of one game; `faults` is empty when it is whole."""

    game_id: str
    rows: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stored:
    """All that the store holds of one game, at one moment."""

    game: Game
    head: Head | None
    rows: list[LogRow]
    snapshots: list[Snapshot]


@dataclass(frozen=True, slots=True)
class _Given:
    """A command in a row; seat None is the table. `sent`: somebody sent it as a move."""

    seat: int | None
    command: Command
    sent: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """What a row says: its commands, their events, and when the game moves by itself after it."""

    commands: list[_Given]
    events: list[ev.Event]
    wake_at: datetime | None


async def verify_games(moment: Moment) -> AsyncIterator[Verdict]:
    """Every game, one after another, each as it is at one `moment`: others may be moving them. Games made meanwhile may
    be left out."""
    after = ""
    while ids := await _ids_after(moment, after):
        for game_id in ids:
            async with moment() as session:
                stored = await _stored(session, game_id)
            # Outside of it: a long game is played again for longer than a transaction may stand idle.
            if stored is not None:
                yield Verdict(game_id, len(stored.rows), tuple(faults_of(stored)))
        after = ids[-1]
    async with moment() as session:
        strays = await log.strays(session)
    for game_id, rows in strays:
        yield Verdict(game_id, rows, ("has a log or a head, and no row of its own",))


async def _ids_after(moment: Moment, after: str) -> list[str]:
    async with moment() as session:
        return await games.ids_after(session, after, _PAGE)


async def _stored(session: Session, game_id: str) -> Stored | None:
    """None for a game that is gone meanwhile."""
    game = await games.find(session, game_id)
    if game is None:
        return None
    rows = await log.rows_after(session, game_id, 0, _PAGE)
    while page := await log.rows_after(session, game_id, rows[-1].version, _PAGE) if rows else []:
        rows += page
    head = await log.head(session, game_id)
    return Stored(game, head, rows, await snapshots.of_game(session, game_id))


def faults_of(stored: Stored) -> list[str]:
    """What is wrong with a game, in words; nothing when it is whole."""
    game, rows = stored.game, stored.rows
    faults = list(_standing(stored))
    if game.format > FORMAT:
        return [*faults, f"is written in format {game.format}, which this version does not read"]
    if not rows:
        never_dealt = game.status == "open" or game.last_version == 0
        return faults if never_dealt else [*faults, "has no rows"]
    read: list[_Read] = []
    for row in rows:
        with _noting(faults, f"version {row.version} cannot be read"):
            read.append(_read(row, game.format))
    if len(read) < len(rows):
        return faults
    faults += _numbering(rows, read)
    states = _played_again(read, {snapshot.version for snapshot in stored.snapshots}, faults)
    if len(rows) in states:
        with _noting(faults, "where it stands cannot be told"):
            faults += _ending(stored, states[len(rows)], read[-1].wake_at)
        _check_snapshots(stored, states, faults)
    return faults


@contextmanager
def _noting(faults: list[str], what: str) -> Iterator[None]:
    """Takes down whatever goes wrong: what was tampered with may fail in any way."""
    try:
        yield
    except BrokenLog as broken:
        faults.append(one_line(f"{what}: {broken}"))
    except Exception as error:
        faults.append(one_line(f"{what}: {type(error).__name__}: {error}"))


def _standing(stored: Stored) -> Iterator[str]:
    """Whether the game stands where its rows end, by their numbers alone."""
    game, head, rows = stored.game, stored.head, stored.rows
    highest, stands_at = rows[-1].version if rows else 0, head.version if head else game.last_version
    if (head is None) == (game.last_version is None):
        yield "has a head, and is put away" if head else "has no head, and is not put away"
    elif not stands_at == highest == len(rows):
        yield f"stands at {stands_at}, its log holds {len(rows)} rows up to {highest}"
    if head is not None and head.last_seq != (rows[-1].last_seq if rows else 0):
        yield f"its head stands at event {head.last_seq}, its log does not"
    if game.status == "open" and rows:
        yield "waits for players, and is dealt"
    for version, row in enumerate(rows, 1):
        if row.version != version:
            yield f"has version {row.version} where {version} should be"


def _read(row: LogRow, highest: int) -> _Read:
    if not 1 <= row.format <= highest:
        raise ValueError(f"its format is {row.format}, and {highest} the highest of its game")
    commands = [
        _Given(entry["seat"], load_command(entry["command"]), "decision_no" in entry) for entry in commands_of(row)
    ]
    senders = [given.seat for given in commands if given.sent]
    if (senders or row.action_id is not None) and senders != [row.seat]:
        raise ValueError(f"it is a row of seat {row.seat}, with moves of {senders}")
    if row.action_id is not None:
        done_of(row)
    return _Read(commands, events_of(row), None if row.clock is None else load_clock(row.clock).wake_at)


def _numbering(rows: list[LogRow], read: list[_Read]) -> Iterator[str]:
    """Whether the rows name the numbers of their events, which have no gaps."""
    seq = 0
    for row, each in zip(rows, read, strict=True):
        first, seq = seq + 1, seq + sum(not isinstance(event, ev.NOTES) for event in each.events)
        if (row.first_seq, row.last_seq) != (first, seq):
            yield f"version {row.version} says events {row.first_seq} to {row.last_seq}, it holds {first} to {seq}"


def _ending(stored: Stored, state: GameState, wake_at: datetime | None) -> Iterator[str]:
    """Whether the game is known to be over, or when it moves by itself, as its log has it."""
    head, is_over = stored.head, isinstance(state.decision, GameOver)
    if stored.game.status == "ended" and not is_over:
        yield "is put away as ended, and its log goes on"
    if head is None:
        return
    if head.ended != is_over:
        yield "its head goes on, and its log has ended" if is_over else "its head has ended, and its log goes on"
    # It may wake before: to look whether anybody comes to it any more.
    if not is_over and (head.next_wake_at is None or (wake_at is not None and head.next_wake_at > wake_at)):
        yield f"its head wakes it at {head.next_wake_at}, its clock at {wake_at}"


def _played_again(read: list[_Read], kept: set[int], faults: list[str]) -> dict[int, GameState]:
    """The states after those of the rows that are `kept` and after the last, by version, as far as the commands come to
    what the rows say."""
    states: dict[int, GameState] = {}
    state, reached = None, 0
    for version, row in enumerate(read, 1):
        with _noting(faults, f"version {version}"):
            state, reached = _after(state, row), version
            if version in kept or version == len(read):
                states[version] = state
        if reached < version:
            break
    return states


def _after(state: GameState | None, row: _Read) -> GameState:
    place = 0
    if state is None:
        state, place = begin(row.events)
    for given in row.commands:
        if not _is_due(state, given):
            raise BrokenLog(place, f"{given.command.type}: seat {given.seat} did not ask for it")
        state, place = follow(state, given.seat, given.command, row.events, place)
    if place < len(row.events):
        raise BrokenLog(place, f"{row.events[place].type}: no command leads to it")
    return state


def _is_due(state: GameState, given: _Given) -> bool:
    """Whether what a person's seat does without having sent it is what it let the service do, or its default."""
    seat, command = given.seat, given.command
    if given.sent or seat is None or state.level(seat) is not None or isinstance(command, SeatWish):
        return True
    return command in (late_action(state, seat), prompt_action(state, seat))


def _check_snapshots(stored: Stored, states: dict[int, GameState], faults: list[str]) -> None:
    """Whether each snapshot is what the log comes to at its version: loading, and looking back, start from them."""
    for snapshot in stored.snapshots:
        with _noting(faults, f"the snapshot of round {snapshot.round} cannot be read"):
            if not 1 <= snapshot.format <= stored.game.format:
                raise ValueError(f"its format is {snapshot.format}, and {stored.game.format} the highest of its game")
            state = states.get(snapshot.version)
            if state is None or not _is(snapshot, state):
                faults.append(f"the snapshot of round {snapshot.round} is not what its log folds to")


def _is(snapshot: Snapshot, state: GameState) -> bool:
    if (snapshot.round, snapshot.seq) != (state.round.number, state.seq):
        return False
    return state_of(snapshot) == state
