"""Whole games of four persons, each at a machine of its own, over `todas serve`: all are told the same, and nobody what
is another's (api, The stream; rules 11).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

import pytest

from tests.app.table.clients import Client, EventSource, Poller, Socket
from tests.app.table.house import House
from tests.app.table.truth import Truth

PATIENCE = 300
POSTING = partial(Socket, posts=True)
CUT = partial(Socket, cut=8)
CUT_POSTING = partial(Socket, posts=True, cut=8)

Seating = tuple[Callable[..., Client], ...]
"""How the four seats follow, and the spectator."""

GAMES: dict[str, tuple[str, str, int, Seating]] = {
    "emay, uniform": ("emay", "uniform", 1, (Socket, CUT, Socket, Socket, Socket)),
    "emay, fast": ("emay", "fast", 2, (POSTING, Poller, CUT_POSTING, EventSource, EventSource)),
    "tsumo, uniform": ("tsumo", "uniform", 1, (EventSource, Poller, POSTING, CUT, CUT)),
    "tsumo, fast": ("tsumo", "fast", 1, (CUT, Socket, Poller, Poller, Poller)),
}


@dataclass(frozen=True)
class Played:
    """A game that is over: what each client has kept, and what the log holds."""

    clients: list[Client]
    truth: Truth


_played: dict[str, Played] = {}


@pytest.fixture(params=GAMES)
async def played(request: pytest.FixtureRequest, house: House) -> Played:
    """A game of each kind."""
    return await game_of(request.param, house)


async def game_of(name: str, house: House) -> Played:
    """The game of that kind, played once for all tests."""
    if name not in _played:
        _played[name] = await play(house, name, *GAMES[name])
    return _played[name]


async def play(house: House, name: str, ruleset: str, claim_timing: str, rounds: int, seating: Seating) -> Played:
    people = await house.sign_up(5)
    timing = {"claim_timing": claim_timing, "turn_seconds": 30, "claim_seconds": 0.3, "settlement_seconds": 3}
    game_id = await house.table(people[:4], ruleset=ruleset, timing=timing, length={"rounds": rounds}, seed="5eed")
    clients = []
    for place, (client, person) in enumerate(zip(seating, people, strict=True)):
        seat = place if place < 4 else None
        clients.append(client(house, person, game_id, seat, Random(f"{name} {place}")))
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(client.play() for client in clients))
    return Played(clients, Truth(await house.rows(game_id)))


def test_every_stream_is_the_log_as_its_reader_may_see_it(played: Played):
    for client in played.clients:
        assert [fact["seq"] for fact in client.stream] == list(range(1, played.truth.state.seq + 1))
        assert client.stream == played.truth.told(client.seat)


def test_every_reader_ends_with_the_points_of_the_replay(played: Played):
    points = [seat.points for seat in played.truth.state.seats]
    for client in played.clients:
        assert client.stream[-1]["event"]["points"] == points
        assert [seat["points"] for seat in client.heard[-1]["seats"]] == points


def test_nobody_is_told_of_anothers_tiles(played: Played):
    for client in played.clients:
        for message in client.heard:
            played.truth.check(client.seat, message)


async def test_the_games_played_hold_cuts_claims_and_moves_that_came_late(house: House):
    games = [await game_of(name, house) for name in GAMES]
    clients = [client for game in games for client in game.clients]
    heard = [message for client in clients for message in client.heard]
    told = {fact["event"]["type"] for game in games for fact in game.truth.told(None)}

    assert sum(client.cuts for client in clients if isinstance(client, Socket)) > 20
    assert told >= {"meld_made", "points_confirmed", "flower_exposed"}
    assert "stale_decision" in {message.get("problem", message).get("code") for message in heard}
