"""A state that breaks a law is told from those that keep it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine import events as ev
from engine.laws import Twin, broken_law
from engine.state import GameState, Settlement
from engine.tiles import KINDS
from tests.engine.scenario import Table, table


def in_play() -> Table:
    """Seat 0 holds 1d, which it drew, and acts."""
    return table("emay", {0: "123b 456b"}, front="1d")


def _throws_a_tile_twice(state: GameState) -> None:
    state.round.pile += ((KINDS["1b"], 0), (KINDS["1b"], 0))


def _forges_a_flower(state: GameState) -> None:
    state.seats[2].flowers = (KINDS["1f"],)


def _passes_a_tile_on(state: GameState) -> None:
    state.seats[0].add(KINDS["1b"], -1, state.round.joker)
    state.seats[1].add(KINDS["1b"], 1, state.round.joker)


def _miscounts_a_hand(state: GameState) -> None:
    state.seats[3].concealed += 1


def _loses_a_point(state: GameState) -> None:
    state.seats[1].points -= 1


def _forgets_what_it_drew(state: GameState) -> None:
    state.seats[0].drawn = next(kind for kind in range(9) if not state.seats[0].counts[kind])


def _waits_for_a_settlement_that_is_agreed(state: GameState) -> None:
    pending = ev.PointsPending(1, state.decision.no, 0, 0, (0, 0, 0, 0), (0, 0, 0, 0), 20, 20, 0, 0)
    state.decision = Settlement(state.decision.no, pending, confirmed=(True, True, True, True))


@pytest.mark.parametrize(
    ("spoil", "law"),
    [
        (_throws_a_tile_twice, "too many or too few of 1b"),
        (_forges_a_flower, "too many or too few of 1f"),
        (_passes_a_tile_on, "seat 0 does not hold 17"),
        (_miscounts_a_hand, "seat 3 does not hold 16"),
        (_loses_a_point, "seats .* are -1 points, not 0"),
        (_forgets_what_it_drew, "silence of seat 0 stands for .* which is not legal"),
        (_waits_for_a_settlement_that_is_agreed, "waits for nobody"),
    ],
)
def test_a_broken_law_is_named(spoil: Callable[[GameState], None], law: str):
    state = in_play().state.draft()
    assert broken_law(state) is None
    spoil(state)
    assert re.search(law, broken_law(state) or "none")


def test_a_state_that_its_events_do_not_come_to_is_found():
    game = in_play()
    twin = Twin(game.events)
    assert twin.broken_law(game.state) is None
    state = game.state.draft()
    state.seats[0].locked = True
    assert twin.broken_law(state) is not None
