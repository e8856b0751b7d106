"""How many sequences of actions are legal from a position, and through which first action each goes.

A position is a line `rules timing bot seed moves depth`: a game from that seed, after so many moves of four such bots;
from there anybody may do anything. Its counts by depth, and the divide of the deepest, are its block in counts.txt.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine import events as ev
from engine.actions import Action
from engine.bots import next_move
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.rules import preset
from engine.state import SEATS, GameState

COUNTS = Path(__file__).with_name("counts.txt")


def blocks() -> dict[str, str]:
    """The recorded blocks by their position."""
    parts = [part.strip() for part in COUNTS.read_text().split("\n\n")]
    return {part.split(":")[0]: part for part in parts}


def block(position: str) -> str:
    """The block of a position, counted now."""
    rules, timing, bot, seed, moves, depth = position.split()
    state = _state(rules, timing, bot, seed, int(moves))
    totals = [str(perft(state, ply)) for ply in range(1, int(depth) + 1)]
    lines = [f"  {first}: {count}" for first, count in divide(state, int(depth)).items()]
    return "\n".join([f"{position}: {' '.join(totals)}", *lines])


def perft(state: GameState, depth: int) -> int:
    """How many sequences of so many actions are legal."""
    if depth == 1:
        return sum(1 for _ in _moves(state))
    return sum(perft(step(state, *move)[0], depth - 1) for move in _moves(state))


def divide(state: GameState, depth: int) -> dict[str, int]:
    """The same, by first action."""
    return {
        f"{seat} {_spelled(action)}": perft(step(state, seat, action)[0], depth - 1) if depth > 1 else 1
        for seat, action in _moves(state)
    }


def _moves(state: GameState) -> Iterator[tuple[int, Action]]:
    return ((seat, action) for seat in SEATS for action in legal_actions(state, seat))


def _state(rules: str, timing: str, bot: str, seed: str, moves: int) -> GameState:
    bots = [ev.Player(f"seat {seat}", bot) for seat in SEATS]
    uniform = ev.Timing("uniform" if timing == "uniform" else "fast")
    state, _ = new_game(preset(rules), bots, seed, timing=uniform)
    for _ in range(moves):
        move = next_move(state)
        assert move is not None
        state, _ = step(state, *move)
    return state


def _spelled(action: Action) -> str:
    words = [str(getattr(action, name)) for name in ("type", "kind", "tile") if hasattr(action, name)]
    return " ".join([*words, *getattr(action, "tiles", ())])
