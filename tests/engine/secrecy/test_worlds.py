"""What reaches a seat does not depend on what is hidden from it: two worlds, the same bytes (rules 11; design 8)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from random import Random

import pytest

from engine import events as ev
from engine.actions import Claim, CloseSettlement, Command, Confirm, Discard, Draw, Kong, Pass, Refusal, Win
from engine.decide import step
from engine.rules import RuleSet, override, preset
from engine.state import SEATS, GameState, Settlement
from engine.tiles import CODES
from engine.wall import build_wall
from tests.engine.scenario import FAST, FOUR_PEOPLE, ONE_PERSON, UNIFORM
from tests.engine.secrecy.worlds import Move, World, dealt_anew, random_moves

RULES = {
    "emay": preset("emay"),
    "tsumo": preset("tsumo"),
    "robbing": override(preset("emay"), {"added_kong": True, "rob_added_kong": True, "auto_draw": False}),
    "jokers and flowers": override(preset("emay"), {"tile_set": "standard144", "pass_lock": "rest_of_round"}),
}
every_rules = pytest.mark.parametrize("name", RULES)


@dataclass(frozen=True)
class Twins:
    """A round as it was played, and its moves; `fresh` and `other` stand at their deals, to play them again."""

    played: World
    moves: list[Move]
    fresh: World
    other: World


def twins(rules: RuleSet, number: int, reader: int, *, fast: bool = False) -> Twins:
    chance = Random(f"{rules} {number} {reader} {fast}")
    table = (rules, ONE_PERSON if fast else FOUR_PEOPLE, FAST if fast else UNIFORM, f"{number:064x}")
    wall = build_wall(rules, table[3], 1)
    played = World.dealt(*table, wall)
    moves = list(random_moves(played, chance, reader, chance.choice((10, 40, 400))))
    other = World.dealt(*table, dealt_anew(played, reader, wall, chance))
    return Twins(played, moves, World.dealt(*table, wall), other)


def same_all_the_way(rules: RuleSet, number: int, reader: int, *, fast: bool = False) -> bool:
    """Play both worlds side by side; whether they differed at all in what is hidden."""
    pair = twins(rules, number, reader, fast=fast)
    one, other = pair.fresh, pair.other
    chance = Random(number)
    assert one.bytes_to(reader) == other.bytes_to(reader)
    for move in pair.moves:
        seen = len(one.events), len(other.events)
        for _ in zip_longest(one.play(move, reader), other.play(move, reader)):
            # The person at a fast table sees nothing before the bots have answered (rules 5).
            if not fast:
                assert one.seen_by(reader, seen[0]) == other.seen_by(reader, seen[1])
        assert one.seen_by(reader, seen[0]) == other.seen_by(reader, seen[1])
        command = any_command(chance)
        assert refusal(one.state, reader, command) == refusal(other.state, reader, command)
    assert one.state == pair.played.state
    assert one.bytes_to(reader) == other.bytes_to(reader)
    different = hidden(one, reader) != hidden(other, reader)
    if isinstance(one.state.decision, Settlement):
        for world in (one, other):
            world.do(None, CloseSettlement())
        assert one.bytes_to(reader) == other.bytes_to(reader)
    return different


def hidden(world: World, reader: int) -> list[object]:
    return [world.state.seats[seat].counts for seat in SEATS if seat != reader]


def any_command(chance: Random) -> Command:
    tile, other = (chance.choice(CODES[:27]) for _ in range(2))
    commands: list[Command] = [
        Draw(),
        Discard(tile),
        Claim("chow", (tile, other)),
        Claim("pung", (tile,) * 2),
        Claim("kong", (tile,) * 3),
        Pass(),
        Kong("secret", tile),
        Kong("added", tile),
        Win(),
        Confirm(1),
    ]
    return chance.choice(commands)


def refusal(state: GameState, seat: int, command: Command) -> object:
    try:
        step(state, seat, command)
    except Refusal as refused:
        return refused.code, refused.detail, refused.legal
    return "taken"


@every_rules
@pytest.mark.parametrize("reader", SEATS)
def test_a_seat_gets_the_same_bytes_in_both_worlds(name: str, reader: int):
    differed = [same_all_the_way(RULES[name], number, reader) for number in range(3)]
    assert any(differed)


@pytest.mark.parametrize("name", ["emay", "tsumo"])
def test_the_person_at_a_fast_table_gets_the_same_bytes_in_both_worlds(name: str):
    differed = [same_all_the_way(RULES[name], number, 0, fast=True) for number in range(8)]
    assert sum(differed) >= 6


def test_the_rounds_compared_hold_claims_kongs_and_exhaustive_draws():
    met: set[str] = set()
    for rules in RULES.values():
        for reader in SEATS:
            events = twins(rules, 0, reader).played.events
            met |= {event.kind if isinstance(event, ev.MeldMade) else event.type for event in events}
    assert met >= {"chow", "pung", "kong", "secret", "round_drawn", "flower_exposed"}
