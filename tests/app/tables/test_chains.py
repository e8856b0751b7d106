"""Bots that move one after another: a chain stops after 32 commands or 5 ms and goes on as its own row (design 3), and
whoever moved is answered once the bots have (decision 0502).
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable

import pytest

from app.clock import Clock
from app.tables import Terms
from app.tables.plan import Plan
from engine.bots import NAMES, next_move
from engine.decide import new_game
from engine.events import Length, Player
from engine.rules import preset
from engine.state import GameState
from tests.app.tables.workers import working

TERMS = Terms(settlement_seconds=None)
STILL = 0.0


def ticking(seconds: float) -> Callable[[], float]:
    """A clock that goes on by so many seconds each time it is read."""
    readings = itertools.count()
    return lambda: next(readings) * seconds


def of_bots() -> GameState:
    """A game of two rounds that has just been dealt to four bots, who need nobody."""
    players = [Player(name, "greedy") for name in ("Ana", *NAMES)]
    return new_game(preset("emay"), players, "5eed", timing=TERMS.timing, length=Length(rounds=2))[0]


def chain(state: GameState, seconds: float) -> Plan:
    """What bots do in one row, each reading of the clock taking so long."""
    plan = Plan(state)
    plan.run_bots(TERMS, ticking(seconds))
    return plan


def to_the_end(state: GameState, seconds: float) -> GameState:
    """The state after as many rows as bots need."""
    while next_move(state) is not None:
        state = chain(state, seconds).state
    return state


def test_a_chain_of_bots_stops_after_32_commands():
    assert len(chain(of_bots(), STILL).commands) == 32


@pytest.mark.parametrize("seconds", [0.001, 0.0025, 0.005])
def test_a_chain_of_bots_stops_after_5_ms(seconds: float):
    assert len(chain(of_bots(), seconds).commands) <= 0.005 / seconds


def test_a_bot_that_thinks_for_longer_moves_all_the_same():
    assert len(chain(of_bots(), 0.05).commands) == 1


@pytest.mark.parametrize("seconds", [STILL, 0.001, 0.05])
def test_what_a_limit_stopped_goes_on_without_delay(seconds: float):
    assert chain(of_bots(), seconds).bots_in == 0


def test_what_bots_do_does_not_depend_on_where_a_chain_stops():
    assert to_the_end(of_bots(), 0.05) == to_the_end(of_bots(), STILL)


async def test_an_answer_waits_until_the_bots_have_moved(url: str):
    tick = ticking(0.006)
    async with working(url, Clock(lambda: time.monotonic() + tick())) as worker:
        game_id = await worker.new_game("tsumo", terms=TERMS)
        before = len(await worker.rows(game_id))
        answer = await worker.tables.submit(game_id, await worker.next_move(game_id))
        state = answer.game.state
        rows = (await worker.rows(game_id))[before:]
    assert next_move(state) is None
    assert [row.seat for row in rows] == [0, *[None] * (len(rows) - 1)]
    assert len(rows) > 2
