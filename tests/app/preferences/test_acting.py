"""What the service does for a seat because its person said so: at once, late, or only by hiding (rules 5)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from app.store.games import Game
from app.stream import frames
from app.tables import LiveGame, Terms, Wish
from app.tables.orders import default_moves
from app.tables.plan import Plan
from app.tables.terms import dump_terms
from app.tables.view import encode_view, own_actions
from engine.actions import Action, Claim, Pass, SetPreferences, Win
from engine.codec import FORMAT
from engine.events import Preferences, RoundWon
from engine.legal import legal_actions
from engine.state import ClaimWindow, GameState, Turn
from tests.app.tables.workers import Worker
from tests.app.timing.people import GoAway, commands
from tests.engine.scenario import FAST, UNIFORM, Table, chow, pung, table

CALM = Terms("uniform", settlement_seconds=None, bot_delay_ms=3_600_000)
TERMS = {"timing": dump_terms(CALM)}
WAITS = "123b 456b 789b 123d 46d 88c"
"""Wins on 5d."""

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def wanting(ruleset: str, seat: int, hands: dict[int, str], *, fast: bool = False, **wants: Any) -> Table:
    """A game of four people in which one seat has preferences."""
    timing = FAST if fast else UNIFORM
    if ruleset == "emay":
        game = table(ruleset, hands, timing=timing, joker="9c", quiet="5c")
    else:
        game = table(ruleset, hands, timing=timing)
    game.do(seat, SetPreferences(Preferences(**wants)))
    return game


def followed(state: GameState) -> GameState:
    """The state once the service has done what it does by itself."""
    plan = Plan(state)
    plan.run_bots(CALM, lambda: 0.0)
    return plan.state


def shown(state: GameState, seat: int) -> list[str]:
    """What the view offers a seat, and the decision frame alike: kinds of claims, and types of anything else."""
    row = Game("picky", "emay", "nena", "playing", "private", True, FORMAT, TERMS, NOW, None, None, None)
    game = LiveGame(row, dict(enumerate(("nena", "ben", "tess", "lito"))))
    game.begin(state, 1)
    viewed, sent = json.loads(encode_view(game, seat, NOW)), json.loads(frames.decision(game, seat, NOW))
    assert viewed["legal_actions"] == sent["legal_actions"]
    return [action.get("kind", action["type"]) for action in sent["legal_actions"]]


def answers(state: GameState) -> tuple[Action | None, ...]:
    assert isinstance(state.decision, ClaimWindow)
    return state.decision.answers


@pytest.mark.parametrize("kinds", [("pung",), ("chow", "pung", "kong")])
def test_a_single_kind_only_hides_the_offer_which_stays_legal(kinds: tuple[Any, ...]):
    game = wanting("emay", 2, {0: "5c", 2: "55c"}, auto_pass=kinds)
    game.throw("5c")
    state = followed(game.state)
    assert answers(state)[2] is None
    assert (shown(state, 2), pung("5c") in legal_actions(state, 2)) == (["pass"], True)
    game.do(2, pung("5c"))


def test_passing_on_all_answers_at_once_whatever_is_held():
    for held in ("55c", "1b 4d"):
        game = wanting("emay", 2, {0: "5c", 2: held}, auto_pass=("all",))
        game.throw("5c")
        assert answers(followed(game.state)) == (None, None, Pass(), None)
        assert shown(game.state, 2) == ["pass"]


def test_an_answer_of_the_service_may_be_replaced_like_any_other():
    game = wanting("emay", 2, {0: "5c", 2: "55c"}, auto_pass=("all",))
    game.throw("5c")
    game.state = followed(game.state)
    game.do(2, pung("5c"))
    assert answers(followed(game.state))[2] == pung("5c")


def test_a_claim_of_another_kind_is_still_offered():
    game = wanting("emay", 1, {0: "5c", 1: "46c 55c"}, auto_pass=("pung",))
    game.throw("5c")
    claims = [action for action in legal_actions(game.state, 1) if isinstance(action, Claim)]
    assert claims == [pung("5c"), chow("46c")]
    assert shown(game.state, 1) == ["chow", "pass"]


def test_at_the_deadline_a_win_that_was_asked_for_is_taken_of_a_discard():
    game = wanting("tsumo", 2, {0: "5d", 2: WAITS}, auto_win=True)
    game.throw("5d")
    if Win() not in legal_actions(game.state, 2):
        pytest.fail("the hand does not wait on this tile")
    assert answers(followed(game.state))[2] is None
    plan = Plan(game.state)
    default_moves(plan)
    assert plan.state.round.result is not None


def test_on_the_own_turn_a_win_that_was_asked_for_is_taken_at_once():
    for wants in (True, False):
        game = table("tsumo", {0: WAITS}, front="5d")
        game.do(0, SetPreferences(Preferences(auto_win=wants, auto_draw=True)))
        assert Win() in legal_actions(game.state, 0)
        assert isinstance(followed(game.state).round.result, RoundWon) == wants


def test_at_a_fast_table_a_win_that_was_asked_for_is_taken_of_a_discard_at_once():
    for wants in (True, False):
        game = wanting("tsumo", 2, {0: "5d", 2: WAITS}, fast=True, auto_win=wants)
        game.throw("5d")
        assert Win() in legal_actions(game.state, 2)
        assert isinstance(followed(game.state).round.result, RoundWon) == wants


def test_at_a_fast_table_nobody_is_waited_for_who_wants_no_claim_of_the_kind_that_is_offered():
    game = wanting("emay", 2, {0: "5c", 2: "55c"}, fast=True, auto_pass=("pung",))
    game.throw("5c")
    turn = followed(game.state).decision
    assert isinstance(turn, Turn)
    assert turn.seat == 1


def test_at_a_fast_table_who_is_still_offered_another_kind_is_waited_for():
    game = wanting("emay", 1, {0: "5c", 1: "46c 55c"}, fast=True, auto_pass=("pung",))
    game.throw("5c")
    assert answers(followed(game.state))[1] is None
    assert shown(game.state, 1) == ["chow", "pass"]


async def test_a_bot_that_stands_in_asks_no_preferences(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await worker.tables.submit(game_id, Wish(0, SetPreferences(Preferences(auto_win=True, auto_draw=True))))
    await worker.tables.submit(game_id, GoAway(0))
    game = await worker.tables.current(game_id)
    assert game.clock is not None
    assert game.clock.bots_at is not None


async def test_a_turn_begins_with_the_draw_in_the_same_row(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await worker.tables.submit(game_id, Wish(1, SetPreferences(Preferences(auto_draw=True))))
    await worker.tables.submit(game_id, await worker.next_move(game_id, 0))
    for seat in (1, 2, 3):
        await worker.act(game_id, seat, Pass())
    assert (await commands(worker, game_id))[-1] == [(3, "pass"), (1, "draw")]


async def test_setting_them_acts_on_what_is_open(worker: Worker):
    game_id = await worker.new_game("emay", persons=4, terms=CALM)
    await worker.tables.submit(game_id, Wish(1, SetPreferences(Preferences(auto_pass=("all",)))))
    assert (await commands(worker, game_id))[-1] == [(1, "set_preferences"), (1, "pass")]


async def test_a_change_marks_the_own_view_alone(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    before = await worker.tables.current(game_id)
    marks, seq = {seat: before.etag(seat) for seat in (None, 0, 1, 2, 3)}, before.seq
    answer = await worker.tables.submit(game_id, Wish(2, SetPreferences(Preferences(auto_pass=("chow",)))))
    after = await worker.tables.current(game_id)
    changed = {seat for seat in marks if after.etag(seat) != marks[seat]}
    assert (changed, after.seq, answer.events) == ({2}, seq, ())
    assert own_actions(after, None) == ()


async def test_the_same_again_changes_nothing(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    wish = Wish(2, SetPreferences(Preferences(auto_pass=("chow",))))
    for _ in range(2):
        await worker.tables.submit(game_id, wish)
    assert len(await worker.rows(game_id)) == 2


async def test_a_change_does_not_put_a_bot_off(worker: Worker):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    await worker.tables.submit(game_id, GoAway(0))
    due = (await worker.tables.current(game_id)).wake_at
    await worker.tables.submit(game_id, Wish(2, SetPreferences(Preferences(auto_draw=True))))
    assert (await worker.tables.current(game_id)).wake_at == due


async def test_they_outlive_the_worker(worker: Worker, start_worker: Any):
    game_id = await worker.new_game("tsumo", persons=4, terms=CALM)
    wants = Preferences(auto_pass=("chow", "pung"), auto_win=True)
    await worker.tables.submit(game_id, Wish(2, SetPreferences(wants)))
    other = await start_worker()
    assert (await other.state(game_id)).preferences[2] == wants
