"""Whole games to measure, ours and the peers': a sample plays one game from its seed.

A peer plays as its documentation shows, a game of about twelve rounds; ours has as many.
"""

from __future__ import annotations

from time import perf_counter_ns

from jansou.core.rules import preset
from jansou.game.agents import EfficiencyAgent
from jansou.game.environment import Environment
from riichienv import RiichiEnv
from riichienv.agents import RandomAgent

from bench.measure import Sample
from engine.actions import Command, Draw
from engine.bots import next_move
from engine.decide import new_game, step
from engine.events import Length, Player
from engine.rules import PRESETS
from engine.simulate import play
from engine.state import GameOver, GameState

ROUNDS = 12


def random_decisions(ruleset: str, seed: int) -> Sample:
    """Four random bots; an operation is a seat asked that has a choice: no draw, as the peer draws by itself."""

    def sample() -> int:
        asked = 0
        state = dealt(ruleset, ["random"] * 4, seed)
        while not isinstance(state.decision, GameOver):
            seat, command = asked_seat(state)
            asked += not isinstance(command, Draw)
            state, _ = step(state, seat, command)
        return asked

    return sample


def riichienv_decisions(seed: int, *, events: bool = True) -> Sample:
    """RiichiEnv with its RandomAgent; an operation is an agent's act. It gives its events unless told not to."""

    def sample() -> int:
        asked = 0
        agent = RandomAgent(seed)
        env = RiichiEnv(game_mode="4p-red-half", skip_mjai_logging=not events, seed=seed)
        observations = env.reset()
        while not env.done():
            asked += len(observations)
            observations = env.step({player: agent.act(seen) for player, seen in observations.items()})
        return asked

    return sample


def greedy_rounds(ruleset: str, seed: int) -> Sample:
    """Four greedy bots, as `todas simulate` plays them; an operation is a round."""
    return lambda: play(PRESETS[ruleset], ["greedy"], ROUNDS, f"greedy/{seed}").rounds


def jansou_rounds(seed: int) -> Sample:
    """Four EfficiencyAgents in jansou's environment; an operation is a round."""

    def sample() -> int:
        environment = Environment(preset("tenhou"), seed=seed)
        environment.run([EfficiencyAgent(4 * seed + place) for place in range(4)])
        return len(environment.records)

    return sample


def step_times(ruleset: str, seed: int) -> list[float]:
    """Seconds of each step in a game of greedy and random bots."""
    times = []
    state = dealt(ruleset, ["greedy", "random"] * 2, seed)
    while not isinstance(state.decision, GameOver):
        seat, command = asked_seat(state)
        begun = perf_counter_ns()
        state, _ = step(state, seat, command)
        times.append((perf_counter_ns() - begun) / 1e9)
    return times


def dealt(ruleset: str, bots: list[str], seed: int) -> GameState:
    """A game of these bots at its first decision."""
    players = [Player(bot, bot) for bot in bots]
    return new_game(PRESETS[ruleset], players, f"bench/{seed}", length=Length(rounds=ROUNDS))[0]


def asked_seat(state: GameState) -> tuple[int, Command]:
    """A seat that is asked, and what its bot does."""
    move = next_move(state)
    if move is None:
        raise RuntimeError("the game asks no bot, yet goes on")
    return move
