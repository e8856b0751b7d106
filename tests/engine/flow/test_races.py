"""Answers in every order of arrival come to what they come to in sequence (rules 5; design 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from random import Random

import pytest

from engine import events as ev
from engine.actions import Action, Claim, Discard, Pass, Win
from engine.claims import pairs_allowed
from engine.codec import dump_state
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.rules import override, preset
from engine.state import ClaimWindow, GameState, OpeningWindow, Turn
from engine.tiles import CODES
from tests.engine.scenario import FAST, FOUR_PEOPLE, UNIFORM, numbered

WINDOWS = 60
"""For each ruleset, so many windows in which two or more seats have offers."""

RULES = {
    "emay": preset("emay"),
    "tsumo": preset("tsumo"),
    "robbing": override(preset("tsumo"), {"rob_added_kong": True, "pass_lock": "rest_of_round"}),
}


@dataclass(frozen=True)
class Race:
    """An open window, and the answers of its seats in the order in which each seat gives its own."""

    state: GameState
    answers: dict[int, tuple[Action, ...]]


def asked(state: GameState) -> list[int]:
    """The seats of a window, as the table would count them: from the discarder on."""
    window = state.decision
    if isinstance(window, ClaimWindow):
        return [(window.discarder + place) % 4 for place in (1, 2, 3)]
    return [0, 1, 2, 3]


@cache
def races(name: str, timing: ev.Timing) -> list[Race]:
    found: list[Race] = []
    for number in range(400):
        found += _races_of_a_game(name, timing, number)
        if len(found) >= WINDOWS:
            return found
    raise AssertionError("random play opens too few windows that are contended")


def _races_of_a_game(name: str, timing: ev.Timing, number: int) -> Iterator[Race]:
    chance = Random(f"{name} {number}")
    state, _ = new_game(RULES[name], FOUR_PEOPLE, f"{number:064x}", timing=timing)
    while isinstance(state.decision, Turn | ClaimWindow | OpeningWindow):
        if not isinstance(state.decision, Turn) and not any(state.decision.answers):
            contended = [seat for seat in asked(state) if len(legal_actions(state, seat)) > 1]
            if len(contended) > 1 or (contended and chance.random() < 0.02):
                yield Race(state, {seat: _answers(state, seat, chance) for seat in asked(state)})
        state = _random_step(state, chance)


def _answers(state: GameState, seat: int, chance: Random) -> tuple[Action, ...]:
    """Nothing (the deadline passes for the seat), one answer, or one that is replaced."""
    legal = legal_actions(state, seat)
    return tuple(chance.choice(legal) for _ in range(chance.choice((0, 1, 1, 1, 2, 3))))


def _random_step(state: GameState, chance: Random) -> GameState:
    """A random legal move that does not end the round, for the first seat that has not moved."""
    decision = state.decision
    if isinstance(decision, Turn):
        seat = decision.seat
    else:
        assert isinstance(decision, ClaimWindow | OpeningWindow)
        seat = next(seat for seat in asked(state) if decision.answers[seat] is None)
    legal: list[Action] = [action for action in legal_actions(state, seat) if not isinstance(action, Win)]
    if isinstance(decision, Turn) and chance.random() < 0.95:
        legal = [action for action in legal if action.type in ("kong", "draw")] or [_good_discard(state, seat)]
    elif not isinstance(decision, Turn) and chance.random() < 0.9:
        legal = [Pass()]
    return step(state, seat, chance.choice(legal))[0]


def _good_discard(state: GameState, seat: int) -> Action:
    """Hands that come near to winning contest more discards."""
    held = state.seats[seat]
    if not any(held.counts):
        return legal_actions(state, seat)[-1]
    kind = state.reader.best_discard(held.suits, held.jokers, len(held.melds), pairs_allowed(state, held), [1] * 27)
    return Discard(CODES[kind])


def sequential(race: Race) -> tuple[str, int | None]:
    """What the last answers come to by the rules alone: the highest kind, then the nearest seat."""
    rank = {"win": 4, "kong": 3, "pung": 2, "chow": 1}
    claims = []
    for place, seat in enumerate(asked(race.state)):
        last = race.answers[seat][-1] if race.answers[seat] else Pass()
        kind = last.kind if isinstance(last, Claim) else last.type
        if kind in rank:
            claims.append((-rank[kind], place, kind, seat))
    if not claims:
        return "nobody", None
    _, _, kind, seat = min(claims)
    return kind, seat


def arrivals(race: Race, chance: Random) -> Iterator[list[tuple[int, Action]]]:
    """Every order of the seats' answers; an answer that is replaced comes anywhere before the one that replaces it."""
    seats = [seat for seat in asked(race.state) if race.answers[seat]]
    for order in permutations(seats):
        blocks = [(seat, answer) for seat in order for answer in race.answers[seat]]
        yield blocks
        yield _interleaved(race, order, chance)


def _interleaved(race: Race, order: Sequence[int], chance: Random) -> list[tuple[int, Action]]:
    """The last answers in this order, the earlier ones anywhere before them."""
    earlier = {seat: list(race.answers[seat][:-1]) for seat in order}
    arrived: list[tuple[int, Action]] = []
    for seat in order:
        for other in order:
            while earlier[other] and (other == seat or chance.random() < 0.5):
                arrived.append((other, earlier[other].pop(0)))
        arrived.append((seat, race.answers[seat][-1]))
    return arrived


def play(state: GameState, arrived: Sequence[tuple[int, Action]]) -> tuple[GameState, list[ev.NumberedEvent]]:
    """Answers until the window closes by itself, else the deadline passes for the seats that were silent."""
    number = state.decision.no
    public: list[ev.NumberedEvent] = []
    for seat, action in arrived:
        if state.decision.no != number:
            break
        state, caused = step(state, seat, action)
        public += numbered(caused)
    answered = {seat for seat, _ in arrived}
    for seat in asked(state) if state.decision.no == number else ():
        if seat not in answered and state.decision.no == number:
            state, caused = step(state, seat, Pass())
            public += numbered(caused)
    return state, public


@pytest.mark.parametrize("name", RULES)
def test_every_order_of_arrival_gives_the_sequential_result(name: str):
    chance = Random(name)
    for race in races(name, UNIFORM):
        expected = sequential(race)
        outcomes = []
        for arrived in arrivals(race, chance):
            if _closes_early(race, arrived):
                continue
            state, public = play(race.state, arrived)
            assert isinstance(public[0], ev.WindowClosed)
            assert (public[0].taken, public[0].seat) == expected
            outcomes.append((dump_state(state), public))
        assert all(outcome == outcomes[0] for outcome in outcomes)


def _closes_early(race: Race, arrived: Sequence[tuple[int, Action]]) -> bool:
    """Whether every seat has answered before an answer comes that was to replace one: the window is gone by then."""
    return {seat for seat, _ in arrived[:-1]} == set(asked(race.state))


@pytest.mark.parametrize("name", RULES)
def test_at_a_fast_table_every_order_gives_the_sequential_result_too(name: str):
    """There a window closes as soon as nothing could change what comes of it, and each seat answers once."""
    for race in races(name, FAST):
        expected = sequential(race)
        outcomes = []
        for order in permutations([seat for seat in asked(race.state) if race.answers[seat]]):
            state, public = play(race.state, [(seat, race.answers[seat][-1]) for seat in order])
            assert isinstance(public[0], ev.WindowClosed)
            assert (public[0].taken, public[0].seat) == expected
            outcomes.append((dump_state(state), public))
        assert all(outcome == outcomes[0] for outcome in outcomes)


def test_random_play_meets_every_kind_of_contest():
    raced = [race for name in RULES for race in races(name, UNIFORM)]
    assert {sequential(race)[0] for race in raced} == {"nobody", "chow", "pung", "kong", "win"}
    assert {len(answers) for race in raced for answers in race.answers.values()} == {0, 1, 2, 3}
