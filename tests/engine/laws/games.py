"""Games of any kind: rules drawn from the options, tables of people and bots, and play that is part wise, part wild."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from hypothesis import HealthCheck, Phase, note, settings, strategies as st

from engine import events as ev
from engine.actions import (
    Action,
    Amend,
    AskPause,
    AskResume,
    ChangeSeat,
    Claim,
    CloseSettlement,
    Command,
    EndGame,
    Kong,
    PauseGame,
    ResumeGame,
    SetPreferences,
)
from engine.bots import greedy, next_move
from engine.bots.reader import SeatReader
from engine.claims import WIN
from engine.decide import new_game, step
from engine.legal import default_action, legal_actions, may_amend
from engine.rules import OPTIONS, Option, RulesError, RuleSet, dump, override, preset
from engine.state import SEATS, GameOver, GameState, Settlement
from engine.terms import Preferences
from engine.wall import Chance
from tests.engine.scenario import ONE_PERSON

_JOKER_MODES = ["random_kind", "wall_indicator", "indicator_removed", "none"]


def _values(option: Option) -> st.SearchStrategy[object]:
    if option.values:
        return st.sampled_from(option.values)
    low, high = option.low or 0, option.high or 0
    numbers = st.sampled_from(sorted({low, low + 1, min(low + 7, high), high}))
    if option.ids:
        return st.dictionaries(st.sampled_from(option.ids), numbers, max_size=3)
    return st.none() | numbers if option.nullable else numbers


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """A preset with some of its options replaced; what is refused together stays as the preset has it."""
    rules = preset(draw(st.sampled_from(["emay", "tsumo"])))
    changes: dict[str, object] = draw(st.sampled_from([{}, {"added_kong": True, "rob_added_kong": True}]))
    options = draw(st.lists(st.sampled_from(OPTIONS), max_size=12, unique_by=lambda option: option.field))
    changes = {**changes, **{option.field: draw(_values(option)) for option in options}}
    changes["joker_mode"] = draw(st.sampled_from([rules.joker_mode, *_JOKER_MODES]))
    while True:
        try:
            return override(rules, changes)
        except RulesError as refused:
            changes = {name: value for name, value in changes.items() if name not in refused.fields}


@dataclass
class Game:
    """A game in play, and how to play it again."""

    rules: RuleSet
    players: tuple[ev.Player, ...]
    seed: str
    points: ev.Four
    timing: ev.Timing
    length: ev.Length
    random: Random
    wisdom: float
    log: list[ev.Event] = field(default_factory=list)
    commands: list[tuple[int | None, Command]] = field(default_factory=list)

    def states(self) -> Iterator[tuple[GameState, tuple[ev.Event, ...]]]:
        """Play to the end: every state, with the events that led to it."""
        state, events = new_game(
            self.rules, self.players, self.seed, points=self.points, timing=self.timing, length=self.length
        )
        self.log += events
        yield state, events
        while not isinstance(state.decision, GameOver):
            seat, command = self.pick(state)
            self.commands.append((seat, command))
            state, events = step(state, seat, command)
            self.log += events
            yield state, events

    def pick(self, state: GameState) -> tuple[int | None, Command]:
        """Any seat that may act and, more often than not, what a good player would do there."""
        if state.paused:
            return self._go_on(state)
        if self.random.random() < 0.02:
            return self._interrupt(state)
        if isinstance(state.decision, Settlement) and self.random.random() < 0.3:
            return self._settle(state, state.decision)
        seat = self.random.choice([seat for seat in SEATS if legal_actions(state, seat)])
        return seat, self._action(state, seat)

    def _action(self, state: GameState, seat: int) -> Action:
        legal = legal_actions(state, seat)
        kongs = [
            action
            for action in legal
            if isinstance(action, Kong) or (isinstance(action, Claim) and action.kind == "kong")
        ]
        if kongs and self.random.random() < 0.7:
            return self.random.choice(kongs)
        if self.random.random() < self.wisdom and not (WIN in legal and self.random.random() < 0.3):
            return greedy.choose(SeatReader(state, seat), Chance(self.seed, "unused"))
        return self.random.choice(legal)

    def _settle(self, state: GameState, settlement: Settlement) -> tuple[int | None, Command]:
        pending = settlement.pending
        if may_amend(state, state.owner) and self.random.random() < 0.7:
            a, b, c, d = pending.changes
            return state.owner, Amend(pending.round, (a - 7, b, c + 2, d + 5), "a miscounted kong")
        return None, EndGame("after_round") if self.random.random() < 0.1 else CloseSettlement()

    def _interrupt(self, state: GameState) -> tuple[int | None, Command]:
        """What may happen at any time and is no move."""
        seat = self.random.choice(SEATS)
        player = state.players[seat]
        interruptions: list[tuple[int | None, Command]] = [(None, PauseGame())]
        if player.bot is None:
            stand_in = None if player.stand_in else "greedy"
            interruptions += [
                (None, ChangeSeat(seat, replace(player, stand_in=stand_in), state.owner)),
                (seat, AskPause()),
                (seat, SetPreferences(Preferences(("chow",), auto_win=True))),
            ]
        return self.random.choice(interruptions)

    def _go_on(self, state: GameState) -> tuple[int | None, Command]:
        persons = state.persons()
        if persons and self.random.random() < 0.5:
            return self.random.choice(persons), AskResume()
        return None, ResumeGame()


@st.composite
def games(draw: st.DrawFn, *, most_rounds: int = 2) -> Game:
    """Any game of a few rounds."""
    bots = draw(st.lists(st.booleans(), min_size=4, max_size=4))
    game = Game(
        rules=draw(rule_sets()),
        players=tuple(ev.Player(f"seat {seat}", "greedy" if bot else None) for seat, bot in enumerate(bots)),
        seed=f"{draw(st.integers(0, 2**64)):064x}",
        points=draw(st.sampled_from([(0, 0, 0, 0), (1000, 1000, 1000, 1000), (3, -2, 0, 7)])),
        timing=ev.Timing(
            claim_timing=draw(st.sampled_from([None, "fast", "uniform"])),
            settlement_seconds=draw(st.sampled_from([0, 15, None])),
        ),
        length=draw(st.builds(ev.Length, rounds=st.integers(1, most_rounds))),
        random=Random(draw(st.integers(0, 2**32))),
        wisdom=draw(st.sampled_from([0.0, 0.6, 0.9, 1.0])),
    )
    note(f"{dump(game.rules)} {game.players} seed {game.seed} wisdom {game.wisdom}")
    return game


def some_states(game: Game, share: float) -> Iterator[GameState]:
    """A share of the states of a game, and its last."""
    choice = Random(game.seed)
    for state, _ in game.states():
        if choice.random() < share or isinstance(state.decision, GameOver):
            yield state


def whole_game(rules: str) -> tuple[GameState, list[ev.Event]]:
    """Two rounds; the person at the table never does anything but wait."""
    state, events = new_game(preset(rules), ONE_PERSON, "5" * 64, length=ev.Length(rounds=2))
    log = list(events)
    while not isinstance(state.decision, GameOver):
        seat, action = next_move(state) or next(
            (seat, action) for seat in SEATS if (action := default_action(state, seat)) and not state.players[seat].bot
        )
        state, events = step(state, seat, action)
        log += events
    return state, log


WHOLE_GAMES = {rules: whole_game(rules) for rules in ("emay", "tsumo")}


def law(examples: int) -> settings:
    # A game is long, and its own reproduction: seed, table and play are drawn before it begins.
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
    )
