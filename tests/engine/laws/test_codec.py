"""What is dumped is plain JSON, and loads to what it was; what does not fit is refused by name."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given

from engine import events as ev
from engine.actions import (
    Amend,
    AskPause,
    AskResume,
    ChangeSeat,
    Claim,
    CloseSettlement,
    Command,
    Draw,
    EndGame,
    MoveDeadline,
    PauseGame,
    ResumeGame,
    SetPreferences,
)
from engine.codec import dump_command, dump_event, dump_state, load_command, load_event, load_state
from engine.state import GameState
from tests.engine.laws.games import WHOLE_GAMES, Game, games, law, some_states

RARE: tuple[ev.Event, ...] = (
    ev.DeadlineMoved(7, "2026-01-01T00:00:00Z"),
    ev.GameEndAsked("table"),
    ev.PointsAmended(0, 9, (1, 2, -3, 0), "a miscounted kong"),
    ev.LockChanged(2, True),
    ev.FlowerExposed(3, "1f"),
    ev.RoundDrawn(),
    ev.SeatChanged(1, ev.Player("Ben", stand_in="greedy", connected=False, away=True), 0),
    ev.PauseAsked(0, "pause"),
    ev.GamePaused("agreed"),
    ev.GameResumed(),
    ev.PreferenceSet(2, ev.Preferences(("chow", "pung"), auto_draw=True)),
)
COMMANDS: tuple[Command, ...] = (
    Draw(),
    Claim("chow", ("4c", "6c")),
    Amend(3, (1, 2, -3, 0), "a miscounted kong"),
    CloseSettlement(),
    EndGame("now"),
    MoveDeadline(7, "2026-01-01T00:00:00Z"),
    AskPause(),
    AskResume(),
    SetPreferences(ev.Preferences(("all",), auto_win=True)),
    ChangeSeat(1, ev.Player("Ben", bot="random"), 3),
    PauseGame(),
    ResumeGame(),
)


def assert_plain(dumped: object):
    assert json.loads(json.dumps(dumped)) == dumped


def one_of_each() -> list[ev.Event]:
    every = [*RARE, *WHOLE_GAMES["emay"][1], *WHOLE_GAMES["tsumo"][1]]
    return list({type(event): event for event in every}.values())


def test_these_are_all_kinds_of_event():
    assert {type(event) for event in one_of_each()} == set(get_args(ev.Event))


@pytest.mark.parametrize("event", one_of_each(), ids=lambda event: event.type)
def test_an_event_is_plain_begins_with_its_type_and_loads_to_itself(event: ev.Event):
    dumped = dump_event(event)
    assert_plain(dumped)
    assert next(iter(dumped.items())) == ("type", event.type)
    assert load_event(json.loads(json.dumps(dumped))) == event


@law(20)
@given(games())
def test_every_event_and_command_of_a_game_loads_to_itself(game: Game):
    for _ in game.states():
        pass
    assert [load_event(json.loads(json.dumps(dump_event(event)))) for event in game.log] == game.log
    assert [load_command(dump_command(command)) for _, command in game.commands] == [
        command for _, command in game.commands
    ]


@law(20)
@given(games())
def test_every_state_is_plain_and_loads_to_itself(game: Game):
    for state in some_states(game, 0.1):
        dumped = dump_state(state)
        assert_plain(dumped)
        assert load_state(dumped) == state


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.type)
def test_a_command_is_plain_and_loads_to_itself(command: Command):
    dumped = dump_command(command)
    assert_plain(dumped)
    assert load_command(dumped) == command


def test_a_draw_says_where_the_tile_came_from_as_the_contract_does():
    assert dump_event(ev.TileDrawn(1, "5c", "back", 33)) == {
        "type": "tile_drawn",
        "seat": 1,
        "tile": "5c",
        "from": "back",
        "wall_count": 33,
    }


def test_a_field_with_a_default_may_be_absent():
    dumped = dump_event(ev.GameCreated({"name": "emay"}, (ev.Player("Ana"),) * 4, 0, (0,) * 4, ev.Timing(), None, "5"))
    del dumped["players"][0]["bot"], dumped["timing"]["bank_seconds"]
    loaded = load_event(dumped)
    assert isinstance(loaded, ev.GameCreated)
    assert (loaded.players[0], loaded.timing) == (ev.Player("Ana"), ev.Timing())


DRAWN = dump_event(ev.TileDrawn(1, "5c", "front", 33))
ANSWERED = dump_event(ev.Answered(1, Claim("pung", ("5c", "5c"))))
PENDING = dump_event(ev.PointsPending(1, 2, 3, 4, (0, 0, 0, 0), (0, 0, 0, 0), 0, 0, 0, 0))


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "type: must be one of .* not None"),
        ([], "type: must be one of .* not None"),
        ({"type": "no_such_event"}, "type: must be one of .* not 'no_such_event'"),
        ({"type": ["tile_drawn"]}, "type: must be one of"),
        ({**DRAWN, "seat": True}, "tile_drawn: seat: must be a whole number, not True"),
        ({**DRAWN, "seat": 1.0}, "tile_drawn: seat: must be a whole number, not 1.0"),
        ({**DRAWN, "tile": None}, "tile_drawn: tile: must be text, not None"),
        ({**DRAWN, "from": "top"}, "tile_drawn: from: must be 'front' or 'back', not 'top'"),
        ({**DRAWN, "origin": "front"}, "tile_drawn: origin: no such field"),
        ({key: DRAWN[key] for key in ("type", "seat", "tile")}, "tile_drawn: from: is missing"),
        ({**PENDING, "changes": [0, 0, 0]}, "points_pending: changes: must have 4 values, not 3"),
        ({**PENDING, "changes": "0000"}, "points_pending: changes: must be a list, not '0000'"),
        ({**ANSWERED, "action": {"type": "kang"}}, "answered: action: type: must be one of .* not 'kang'"),
        ({**ANSWERED, "action": None}, "answered: action: type: must be one of"),
    ],
)
def test_what_is_no_event_is_refused_by_the_name_of_its_field(given: dict[str, object], problem: str):
    with pytest.raises(ValueError, match=f"^{problem}"):
        load_event(given)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("counts", [0] * 26, "seats: counts: must be 27 numbers from 0 to 4"),
        ("counts", [5] + [0] * 26, "seats: counts: must be 27 numbers from 0 to 4"),
        ("melds", [{"kind": "chow", "tiles": [1, 2, 3], "claimed_from": 0}], "seats: melds: claimed: is missing"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(field: str, value: object, problem: str):
    state: GameState = WHOLE_GAMES["emay"][0]
    dumped = dump_state(state)
    dumped["seats"][0][field] = value
    with pytest.raises(ValueError, match=f"^{problem}"):
        load_state(dumped)


def test_what_a_seat_holds_may_not_be_absent():
    dumped = dump_state(WHOLE_GAMES["emay"][0])
    del dumped["seats"][0]["counts"]
    with pytest.raises(ValueError, match=r"^seats: counts: is missing"):
        load_state(dumped)
