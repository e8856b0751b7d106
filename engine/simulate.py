"""Rounds played by bots alone: what was won, how long it took, and whether the engine kept its own laws.

Games are independent of each other, so a long run may be shared out and its reports added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import events as ev
from engine.actions import Command
from engine.bots import BOTS, next_move
from engine.decide import new_game, step
from engine.laws import Twin, broken_law
from engine.rules import RuleSet
from engine.state import SEATS, GameOver, GameState

GAME: Final = 16
"""Rounds in a game of a run: enough for the deal to go round and for a pot to grow."""

_COUNTED: Final = {ev.TileDiscarded, ev.RoundWon, ev.RoundDrawn, ev.PointsApplied}
"""Of a step's events the few that a report counts."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A law that a game broke. Its seed and its commands, from the first, play it again."""

    law: str
    seed: str
    round: int
    commands: tuple[tuple[int, Command], ...]


@dataclass(slots=True)
class Report:
    """What came of a number of rounds. `categories` and `bonuses` count wins by id; `discards` are of all rounds."""

    rounds: int = 0
    draws: int = 0
    steps: int = 0
    discards: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    bonuses: Counter[str] = field(default_factory=Counter)
    violations: list[Violation] = field(default_factory=list)

    @property
    def mean_discards(self) -> float:
        """Discards in a round, on average."""
        return self.discards / self.rounds if self.rounds else 0.0

    def add(self, other: Report) -> None:
        """Count the rounds of another report in this one."""
        self.rounds += other.rounds
        self.draws += other.draws
        self.steps += other.steps
        self.discards += other.discards
        self.categories.update(other.categories)
        self.bonuses.update(other.bonuses)
        self.violations += other.violations

    def count(self, events: Sequence[ev.Event]) -> None:
        """Count what happened in one step."""
        self.steps += 1
        for event in [each for each in events if type(each) in _COUNTED]:
            match event:
                case ev.TileDiscarded():
                    self.discards += 1
                case ev.RoundWon():
                    self.categories.update([event.category] if event.category else [])
                    self.bonuses.update(event.bonuses)
                case ev.RoundDrawn():
                    self.draws += 1
                case ev.PointsApplied():
                    self.rounds += 1
                case _:
                    pass


def games(rounds: int, seed: str | int) -> list[tuple[str, int]]:
    """The games of a run: the seed of each and how many rounds it has, up to GAME."""
    return [(f"{seed}/{game}", min(GAME, rounds - game * GAME)) for game in range(-(-rounds // GAME))]


def play(rules: RuleSet, bots: Sequence[str], rounds: int, seed: str, *, check: bool = False) -> Report:
    """Play one game of so many rounds with these bots in turn around the table.

    `check` holds the laws at every step; the game ends with the first violation.
    Raises ValueError for a bot that does not exist.
    """
    unknown = [bot for bot in bots if bot not in BOTS]
    if unknown or not bots:
        raise ValueError(
            f"the bots are {' and '.join(BOTS)}; there is no {' or '.join(unknown) or 'table without any'}"
        )
    players = [ev.Player(bots[seat % len(bots)], bots[seat % len(bots)]) for seat in SEATS]
    state, events = new_game(rules, players, seed, length=ev.Length(rounds=rounds))
    report = Report()
    watch = _Watch(seed, state, events) if check else None
    while not isinstance(state.decision, GameOver) and not report.violations:
        if watch:
            state, events = watch.step(state, report)
        else:
            seat, action = _next_move(state)
            state, events = step(state, seat, action)
        report.count(events)
    return report


def _next_move(state: GameState) -> tuple[int, Command]:
    move = next_move(state)
    if move is None:
        raise RuntimeError("no bot has anything to do")
    return move


class _Watch:
    """A game whose every step is held against the laws."""

    def __init__(self, seed: str, state: GameState, events: Sequence[ev.Event]) -> None:
        self._seed = seed
        self._commands: list[tuple[int, Command]] = []
        self._twin = Twin(events)

    def step(self, state: GameState, report: Report) -> tuple[GameState, tuple[ev.Event, ...]]:
        """One step, and its violation if there is one: a broken law, or anything the engine raises."""
        try:
            move = _next_move(state)
            self._commands.append(move)
            after, events = step(state, *move)
            broken = broken_law(after)
            self._twin.follow(events)
            if any(isinstance(event, ev.PointsApplied) for event in events):
                broken = broken or self._twin.broken_law(after)
        except Exception as problem:  # a soak test reports whatever went wrong, with the way to it
            after, events, broken = state, (), f"raised {problem!r}"
        if broken:
            report.violations.append(Violation(broken, self._seed, state.round.number, tuple(self._commands)))
        return after, events
