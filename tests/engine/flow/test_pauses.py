"""Pauses, seats that change hands, and what a bot that stands in does (rules 4, 8; api, `/pause`)."""

from __future__ import annotations

from engine import events as ev
from engine.actions import AskPause, AskResume, ChangeSeat, CloseSettlement, EndGame, PauseGame, ResumeGame
from engine.bots import next_move
from engine.evolve import evolve
from engine.legal import default_action, legal_actions
from engine.state import GameState, Settlement, Turn
from engine.views import view
from tests.engine.scenario import WIN, Table, events_of, table

TWO_PEOPLE = (ev.Player("Ana"), ev.Player("Ben"), ev.Player("Angie", "greedy"), ev.Player("Kling", "greedy"))


def asked_by_both() -> Table:
    game = table("emay", players=TWO_PEOPLE)
    game.do(0, AskPause())
    game.do(1, AskPause())
    return game


def paused() -> Table:
    game = asked_by_both()
    game.idle()
    return game


def settling_with_a_stand_in() -> Table:
    game = table("emay", {0: "123b 456b 123d 456d 88d 46c"}, front="5c", players=TWO_PEOPLE, joker="1c")
    game.do(0, WIN)
    game.do(None, ChangeSeat(1, ev.Player("Ben", stand_in="greedy", away=True), 0))
    return game


def test_a_pause_waits_until_every_person_has_asked_and_for_the_next_turn():
    game = table("emay", players=TWO_PEOPLE)
    game.do(0, AskPause())
    game.idle()
    assert not game.view(None).paused
    assert events_of(game.do(1, AskPause()), ev.GamePaused) == []
    game.idle()
    assert game.view(None).paused
    assert isinstance(game.state.decision, Turn)


def test_asking_twice_changes_nothing():
    game = table("emay", players=TWO_PEOPLE)
    game.do(0, AskPause())
    assert game.do(0, AskPause()) == ()


def test_while_paused_every_move_is_refused_and_nothing_is_due():
    game = paused()
    seat = game.on_turn
    assert game.refused(seat, WIN).code == "paused"
    assert legal_actions(game.state, seat) == ()
    assert default_action(game.state, seat) is None
    assert next_move(game.state) is None


def test_the_game_goes_on_when_the_last_person_asks():
    game = paused()
    game.do(1, AskResume())
    assert game.view(None).paused
    assert types_of(game.do(0, AskResume())) == ["pause_asked", "game_resumed"]
    assert legal_actions(game.state, game.on_turn) != ()


def types_of(events: tuple[ev.Event, ...]) -> list[str]:
    return [event.type for event in events]


def test_the_table_pauses_at_once_when_nobody_is_here_and_goes_on_when_somebody_is():
    game = table("emay", players=TWO_PEOPLE)
    game.do(None, PauseGame())
    assert game.view(None).paused
    assert game.refused(None, PauseGame()).code == "paused"
    game.do(None, ResumeGame())
    assert game.refused(None, ResumeGame()).code == "nothing_to_change"


def test_a_stand_in_confirms_the_computed_figures():
    game = settling_with_a_stand_in()
    move = next_move(game.state)
    assert move is not None
    game.do(*move)
    assert isinstance(game.state.decision, Settlement)
    assert game.state.decision.confirmed[1]


def test_a_stand_in_does_nothing_while_the_settlement_is_paused():
    game = settling_with_a_stand_in()
    game.do(None, PauseGame())
    assert next_move(game.state) is None


def test_a_paused_game_may_still_be_ended():
    game = paused()
    game.do(None, EndGame("now", "abandoned"))
    (ended,) = events_of(game.events, ev.GameEnded)
    assert (ended.reason, ended.void_round) == ("abandoned", True)


def test_a_settlement_is_not_closed_by_time_while_the_game_is_paused():
    game = settling_with_a_stand_in()
    game.do(None, PauseGame())
    assert game.refused(None, CloseSettlement()).code == "paused"


def test_before_its_first_decision_a_round_is_being_dealt():
    game = table("emay")
    state: GameState | None = None
    for event in game.events:
        state = evolve(state, event)
        if event.type == "round_dealt":
            break
    assert state is not None
    assert view(state, None).decision.kind == "dealing"
    assert not view(state, None).over
