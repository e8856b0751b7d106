"""`verify` takes the log of a game and no other, and names the first event at fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import events as ev
from engine.replay import BrokenLog, fold, verify
from tests.engine.laws.games import WHOLE_GAMES

both = pytest.mark.parametrize("rules", WHOLE_GAMES)


@both
def test_a_whole_log_comes_to_the_state_it_was_played_to(rules: str):
    state, log = WHOLE_GAMES[rules]
    assert fold(log) == verify(log) == state


def test_an_empty_log_is_no_game():
    with pytest.raises(ValueError, match="at least one event"):
        fold([])
    with pytest.raises(BrokenLog):
        verify([])


@both
def test_a_log_begins_with_the_creation_of_its_game(rules: str):
    with pytest.raises(BrokenLog) as found:
        verify(WHOLE_GAMES[rules][1][1:])
    assert found.value.place == 0


DENSE = (ev.WallBuilt, ev.RoundDealt, ev.TileDrawn, ev.WindowOpened, ev.TurnOpened, ev.PointsPending, ev.PointsApplied)


@both
@pytest.mark.parametrize("kind", DENSE)
def test_an_event_left_out_is_missed(rules: str, kind: type[ev.Event]):
    log = WHOLE_GAMES[rules][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, kind))
    with pytest.raises(BrokenLog) as found:
        verify(log[:place] + log[place + 1 :])
    assert found.value.place >= place


def _another(event: ev.Event) -> ev.Event:
    """The event with one of its figures changed."""
    match event:
        case ev.WallBuilt():
            return replace(event, tiles=event.tiles[2:] + event.tiles[:2])
        case ev.RoundDealt():
            return replace(event, antes=(0, 0, 0, 1))
        case ev.TileDrawn():
            return replace(event, tile="1b" if event.tile != "1b" else "2b")
        case ev.WindowOpened() | ev.TurnOpened():
            return replace(event, decision_no=event.decision_no + 1)
        case ev.PointsPending():
            return replace(event, changes=(1, *event.changes[1:]))
        case ev.PointsApplied():
            return replace(event, points=(1, *event.points[1:]))
        case ev.GameEnded():
            return replace(event, house=event.house + 1)
        case _:
            raise AssertionError(event)


@both
@pytest.mark.parametrize("kind", [*DENSE, ev.GameEnded])
def test_a_figure_changed_is_found_where_it_stands(rules: str, kind: type[ev.Event]):
    log = WHOLE_GAMES[rules][1]
    place = max(place for place, event in enumerate(log) if isinstance(event, kind))
    with pytest.raises(BrokenLog, match=log[place].type) as found:
        verify([*log[:place], _another(log[place]), *log[place + 1 :]])
    assert found.value.place == place


def test_another_seed_is_not_the_seed_of_this_log():
    log = WHOLE_GAMES["emay"][1]
    created = log[0]
    assert isinstance(created, ev.GameCreated)
    with pytest.raises(BrokenLog, match="wall_built"):
        verify([replace(created, seed="6" * 64), *log[1:]])


def test_a_joker_that_the_seed_does_not_name_is_found():
    log = WHOLE_GAMES["emay"][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.JokerNamed))
    others = [ev.JokerNamed(code) for code in ("1b", "2b") if ev.JokerNamed(code) != log[place]]
    with pytest.raises(BrokenLog, match="the joker"):
        verify([*log[:place], others[0], *log[place + 1 :]])


def test_a_deadline_is_moved_for_the_decision_that_is_open():
    log = WHOLE_GAMES["emay"][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.WindowOpened)) + 1
    moved = [ev.DeadlineMoved(number, "2026-01-01T00:00:00Z") for number in (1, 2)]
    assert verify([*log[:place], moved[0]]) != fold(log)
    with pytest.raises(BrokenLog, match="deadline_moved"):
        verify([*log[:place], moved[1]])
