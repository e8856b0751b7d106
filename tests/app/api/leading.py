"""Games that lead to where something may be done: a seed, a seat, and what the person there does on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from app.tables import usual_terms
from engine.actions import Action
from engine.bots import NAMES, greedy, next_move
from engine.bots.reader import SeatReader
from engine.codec import dump_command
from engine.decide import new_game, step
from engine.events import Player
from engine.rules import preset
from engine.state import GameOver, GameState, Settlement
from engine.wall import Chance
from tests.app.api.conftest import Guest

Holds = Callable[[GameState, int], bool]
"""Whether this is the state that is looked for, for the person in that seat."""


@dataclass(frozen=True, slots=True)
class Way:
    """A table with one person, and each action of that person with the number of the decision it is for."""

    ruleset: str
    seed: str
    seat: int
    sent: tuple[tuple[Action, int], ...]


def find(holds: Holds, *, ruleset: str = "emay", first: int = 0) -> Way:
    """The way to a state of some first round; the search begins with a seed that is known to be near it."""
    for number in range(first, first + 5000):
        for seat in (0, 1):
            if way := _in_game(holds, ruleset, f"{number:x}", seat):
                return way
    raise AssertionError("no game leads there")


def _in_game(holds: Holds, ruleset: str, seed: str, seat: int) -> Way | None:
    bots = [Player(name, "greedy") for name in NAMES]
    players = [*bots[:seat], Player("Nena"), *bots[seat:]]
    state, _ = new_game(preset(ruleset), players, seed, timing=usual_terms(ruleset, 1).timing)
    sent: list[tuple[Action, int]] = []
    while state.round.number == 1 and not isinstance(state.decision, GameOver):
        move = next_move(state)
        if move is None:
            if holds(state, seat):
                return Way(ruleset, seed, seat, tuple(sent))
            if isinstance(state.decision, Settlement):
                return None
            action = greedy.choose(SeatReader(state, seat), Chance(seed, "unused"))
            sent.append((action, state.decision.no))
            move = seat, action
        state, _ = step(state, *move)
    return None


async def go(way: Way, client: httpx.AsyncClient, guest: Guest) -> str:
    """Plays a game of the guest's that far: its id."""
    seats: list[Any] = [{"type": "bot"} for _ in NAMES]
    seats.insert(way.seat, {"type": "me"})
    asked = {"ruleset": way.ruleset, "seed": way.seed, "seats": seats}
    made = await client.post("/v1/games", json=asked, headers=guest.headers)
    assert made.status_code == 201, made.text
    game_id: str = made.json()["game"]["id"]
    for action, decision_no in way.sent:
        body = {"action": dump_command(action), "decision_no": decision_no}
        moved = await client.post(f"/v1/games/{game_id}/actions", json=body, headers=guest.headers)
        assert moved.status_code == 200, moved.text
    return game_id
