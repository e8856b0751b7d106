"""At a `uniform` table the time for which a window stays open tells nothing of what is held (rules 11; design 8)."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from app.clock import Clock
from app.errors import Problem
from app.tables import LiveGame, Move, Terms
from app.tables.deadlines import following
from app.tables.plan import Plan
from engine import events as ev
from engine.actions import Pass
from engine.legal import default_action, legal_actions
from engine.state import ClaimWindow, SeatState, Turn
from engine.tiles import Kind
from tests.app.tables.clocks import NOW, TERMS
from tests.app.tables.workers import PATIENCE, Worker, working
from tests.app.timing.people import facts
from tests.app.timing.samples import p_value
from tests.engine.scenario import table

OPEN = Terms("uniform", claim_seconds=0.05, settlement_seconds=0)
LEAST_P = 0.001
WINDOWS = 2000


def refuse(*_: object) -> Any:
    raise AssertionError("a hand was read")


READ: Any = refuse


class SealedSeats(list[SeatState]):
    """What must not be read; it is empty, for an engine that reads lists without asking them."""

    __getattribute__ = __getitem__ = __iter__ = __len__ = READ


class SealedWall(tuple[Kind, ...]):
    """The same of the wall."""

    __slots__ = ()
    __getattribute__ = __getitem__ = __iter__ = __len__ = READ


def test_the_end_of_a_window_is_fixed_without_reading_a_hand():
    game = table("emay", {0: "5c", 2: "55c"})
    before = game.state
    game.throw("5c")
    assert isinstance(game.state.decision, ClaimWindow)
    sealed_before, sealed = before.draft(), game.state.draft()
    for state in (sealed_before, sealed):
        state.seats = SealedSeats()
        state.round.wall = SealedWall()
    clock = following(None, None, Plan(before), TERMS, NOW)
    assert following(clock, sealed_before, Plan(sealed), TERMS, NOW).length_ms == 4000


async def test_the_moment_from_which_it_counts_is_read_before_anything_is_decided(url: str):
    """Whatever is thought about hands afterwards takes time; the window ends when it would have ended anyway."""
    thinking = [0.0]

    def read() -> float:
        return time.monotonic() + thinking[0]

    clock = Clock(read)
    seconds = 100.0
    async with working(url, clock) as worker:
        terms = Terms("uniform", claim_seconds=seconds, settlement_seconds=None)
        game_id = await worker.new_game("tsumo", persons=3, terms=terms)
        move = SlowMove(await worker.next_move(game_id, 0), thinking)
        before = clock.now()
        await worker.tables.submit(game_id, move)
        deadline_at = (await worker.tables.current(game_id)).clock.deadline_at  # type: ignore[union-attr]
    assert deadline_at is not None
    assert (deadline_at - before).total_seconds() < seconds + move.took


@dataclass(slots=True)
class SlowMove:
    """A move about which the engine thinks for a long time, by the clock."""

    move: Move
    thinking: list[float]
    took: float = 50.0

    def apply(self, game: LiveGame, plan: Plan) -> None:
        self.move.apply(game, plan)
        self.thinking[0] += self.took


@dataclass(slots=True)
class Times:
    """For how many seconds windows stayed open, in which somebody could claim and in which nobody could."""

    some: list[float] = field(default_factory=list)
    none: list[float] = field(default_factory=list)


@pytest.mark.slow
async def test_open_times_do_not_tell_whether_anybody_could_claim(worker: Worker):
    """Once more with another seed, where the first result is that unlikely."""
    for seed in (1, 2):
        times = await measured(worker, WINDOWS, seed)
        assert min(len(times.some), len(times.none)) > WINDOWS // 20
        if p_value(times.some, times.none) > LEAST_P:
            return
    raise AssertionError("windows in which somebody could claim stay open for another time")


async def measured(worker: Worker, windows: int, seed: int, tables: int = 8) -> Times:
    """The times of so many windows at several tables at once."""
    found = Times()
    await asyncio.gather(
        *(_play(worker, found, windows, f"{seed:x}{number:x}", Random(seed * 100 + number)) for number in range(tables))
    )
    return found


async def _play(worker: Worker, found: Times, windows: int, seed: str, chance: Random) -> None:
    """One table whose seats answer after delays that are drawn before anything is known of the window."""
    while len(found.some) + len(found.none) < windows:
        game_id = await worker.new_game("tsumo", persons=4, terms=OPEN, seed=seed)
        could: dict[int, bool] = {}
        with worker.hub.watching(game_id) as news:
            while len(found.some) + len(found.none) + len(could) < windows:
                game = await worker.tables.current(game_id)
                if game.is_over:
                    break
                await _step(worker, game, could, chance, news)
        await _collect(worker, game_id, could, found)
        seed += "0"


async def _step(worker: Worker, game: LiveGame, could: dict[int, bool], chance: Random, news: asyncio.Event) -> None:
    state, no = game.state, game.state.decision.no
    news.clear()
    if isinstance(state.decision, Turn):
        action = default_action(state, state.decision.seat)
        assert action is not None
        await worker.tables.submit(game.id, Move(state.decision.seat, action, no))
    elif isinstance(state.decision, ClaimWindow):
        delays = [chance.uniform(0, 0.06) for _ in range(3)]
        others = [seat for seat in range(4) if seat != state.decision.discarder]
        could[no] = any(len(legal_actions(state, seat)) > 1 for seat in others)
        await asyncio.gather(
            *(_answer(worker, game.id, seat, no, delay) for seat, delay in zip(others, delays, strict=True))
        )
        while (await worker.tables.current(game.id)).state.decision.no == no:
            await asyncio.wait_for(news.wait(), PATIENCE)
            news.clear()


async def _answer(worker: Worker, game_id: str, seat: int, no: int, delay: float) -> None:
    await asyncio.sleep(delay)
    try:
        await worker.tables.submit(game_id, Move(seat, Pass(), no))
    except Problem as problem:
        if problem.kind.code not in ("stale_decision", "game_over"):  # it came too late, as some are meant to
            raise


async def _collect(worker: Worker, game_id: str, could: dict[int, bool], found: Times) -> None:
    opened: tuple[int, Any] | None = None
    for fact in await facts(worker, game_id):
        if isinstance(fact.event, ev.WindowOpened):
            opened = fact.event.decision_no, fact.at
        elif isinstance(fact.event, ev.WindowClosed) and opened is not None and opened[0] in could:
            seconds = (fact.at - opened[1]).total_seconds()
            (found.some if could[opened[0]] else found.none).append(seconds)


def test_two_samples_of_one_distribution_are_taken_for_that():
    chance = Random(7)
    first, second = ([chance.gauss(0, 1) for _ in range(800)] for _ in range(2))
    assert p_value(first, second) > 0.01


def test_samples_that_lie_apart_are_told_apart():
    chance = Random(7)
    first = [chance.gauss(0, 1) for _ in range(800)]
    assert p_value(first, [chance.gauss(0.3, 1) for _ in range(800)]) < LEAST_P
