"""What was asked for, told from what came of it: an event that begins something names the command it answers.

Where two commands lead to the same events, either will do. Whether the command was allowed is for `step` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from engine import events as ev
from engine.actions import (
    Action,
    Amend,
    AskPause,
    AskResume,
    ChangeSeat,
    CloseSettlement,
    Command,
    Confirm,
    Discard,
    Draw,
    EndGame,
    Kong,
    MoveDeadline,
    PauseGame,
    ResumeGame,
    SeatWish,
    SetPreferences,
    TableCommand,
    Win,
)
from engine.state import GameState


def cause(state: GameState, log: Sequence[ev.Event], place: int) -> tuple[int | None, Command]:
    """Who asked for what, where the log goes on at `place` from this state; seat None is the table.

    Raises ValueError for an event that only ever follows from another.
    """
    event = log[place]
    if isinstance(event, ev.LockChanged) and place + 1 < len(log):
        event = log[place + 1]  # a win on the own claim is let go of by what the seat does then (rules 5)
    match event:
        case ev.Answered() | ev.TileDiscarded() | ev.TileDrawn() | ev.MeldMade() | ev.RoundWon():
            return event.seat, _move(event)
        case ev.PointsConfirmed() | ev.PointsAmended():
            return event.seat, _agreement(event, state.round.number)
        case ev.WindowOpened():
            return event.discarder, Kong("added", event.tile or "")
        case ev.PauseAsked() | ev.PreferenceSet():
            return event.seat, _wish(event)
        case ev.PointsApplied():
            # While the game is paused no time runs out, and only the end of the game settles its round.
            return None, EndGame("now") if state.paused else CloseSettlement()
        case ev.GameEndAsked() | ev.GameEnded() | ev.DeadlineMoved() | ev.SeatChanged():
            return None, _of_table(event)
        case ev.GamePaused():
            return None, PauseGame()
        case ev.GameResumed():
            return None, ResumeGame()
        case ev.GameCreated() | ev.WallBuilt() | ev.RoundDealt() | ev.JokerNamed() | ev.FlowerExposed():
            raise ValueError("nothing is dealt now")
        case ev.TurnOpened() | ev.LockChanged() | ev.WindowClosed() | ev.RoundDrawn() | ev.PointsPending():
            raise ValueError("nothing leads to it")
        case _:
            assert_never(event)


def _move(event: ev.Answered | ev.TileDiscarded | ev.TileDrawn | ev.MeldMade | ev.RoundWon) -> Action:
    match event:
        case ev.Answered():
            return event.action
        case ev.TileDiscarded():
            return Discard(event.tile)
        case ev.TileDrawn():
            return Draw()
        case ev.MeldMade():
            return Kong("secret" if event.kind == "secret" else "added", event.tiles[0])
        case ev.RoundWon():
            return Win()
        case _:
            assert_never(event)


def _agreement(event: ev.PointsConfirmed | ev.PointsAmended, number: int) -> Action:
    if isinstance(event, ev.PointsConfirmed):
        return Confirm(number)
    return Amend(number, event.changes, event.reason)


def _wish(event: ev.PauseAsked | ev.PreferenceSet) -> SeatWish:
    if isinstance(event, ev.PreferenceSet):
        return SetPreferences(event.preferences)
    return AskPause() if event.wish == "pause" else AskResume()


def _of_table(event: ev.GameEndAsked | ev.GameEnded | ev.DeadlineMoved | ev.SeatChanged) -> TableCommand:
    match event:
        case ev.GameEndAsked() | ev.GameEnded():
            if event.reason == "length":
                raise ValueError("nobody asks for it")
            # An end at once is told as two: first it is asked for, then it happens.
            return EndGame("after_round" if isinstance(event, ev.GameEndAsked) else "now", event.reason)
        case ev.DeadlineMoved():
            return MoveDeadline(event.decision_no, event.deadline_at)
        case ev.SeatChanged():
            return ChangeSeat(event.seat, event.player, event.owner)
        case _:
            assert_never(event)
