"""Who plays a seat, what the service may do for it, and pauses (rules 4; api, `/pause`)."""

from __future__ import annotations

from typing import assert_never

from engine import events as ev
from engine.actions import AskPause, AskResume, ChangeSeat, Refusal, SeatWish, SetPreferences
from engine.play import Play
from engine.state import NOBODY, GameOver, Turn


def change(play: Play, command: ChangeSeat) -> None:
    """Write down who plays a seat now, its presence, and who owns the table; refused when nothing would change."""
    state = play.state
    if state.players[command.seat] == command.player and state.owner == command.owner:
        raise Refusal("nothing_to_change", "The seat is as it was.")
    play.happen(ev.SeatChanged(command.seat, command.player, command.owner))
    if state.paused and any(state.asked) and _all_asked(play):
        play.happen(ev.GameResumed())


def wish(play: Play, seat: int, command: SeatWish) -> None:
    """Carry out what a person may ask for at any time; asking again changes nothing."""
    state = play.state
    match command:
        case SetPreferences():
            if command.preferences != state.preferences[seat]:
                play.happen(ev.PreferenceSet(seat, command.preferences))
        case AskPause():
            _ask(play, seat, pause=True)
        case AskResume():
            _ask(play, seat, pause=False)
        case _:
            assert_never(command)


def pause_now(play: Play) -> None:
    """Pause because nobody is here."""
    if play.state.paused:
        raise Refusal("paused", "The game is paused.")
    play.happen(ev.GamePaused("nobody_here"))


def resume_now(play: Play) -> None:
    """Go on because somebody is here again."""
    if not play.state.paused:
        raise Refusal("nothing_to_change", "The game is not paused.")
    play.happen(ev.GameResumed())


def pause_if_due(play: Play, decision_before: int) -> None:
    """Pause at a turn that this command opened, when every person has asked for it."""
    state = play.state
    if state.asked == NOBODY or state.paused:
        return
    opened = isinstance(state.decision, Turn) and state.decision.no != decision_before
    if opened and _all_asked(play):
        play.happen(ev.GamePaused("agreed"))


def _ask(play: Play, seat: int, *, pause: bool) -> None:
    state = play.state
    if isinstance(state.decision, GameOver):
        raise Refusal("game_over", "The game has ended.")
    if state.players[seat].bot is not None or state.paused == pause or state.asked[seat]:
        return
    play.happen(ev.PauseAsked(seat, "pause" if pause else "resume"))
    if not pause and _all_asked(play):
        play.happen(ev.GameResumed())


def _all_asked(play: Play) -> bool:
    """Whether every person who plays wishes it; nobody waits for one whose seat a bot plays meanwhile."""
    state = play.state
    playing = [seat for seat in state.persons() if state.players[seat].stand_in is None]
    return bool(playing) and all(state.asked[seat] for seat in playing)
