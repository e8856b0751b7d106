"""At every step a view is the same however the tiles its reader has not seen are spread (rules 11; design 8)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random

import pytest

from engine import events as ev
from engine.actions import Action, CloseSettlement, Kong, Win
from engine.claims import asked
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.rules import RuleSet, override, preset
from engine.state import SEATS, ClaimWindow, GameOver, GameState, Meld, OpeningWindow, SeatState, Settlement, Turn
from engine.tiles import SUITED, Kind
from engine.views import view
from tests.engine.scenario import FOUR_PEOPLE, UNIFORM

RULES = {
    "emay": preset("emay"),
    "tsumo": preset("tsumo"),
    "robbing": override(preset("emay"), {"added_kong": True, "rob_added_kong": True, "joker_mode": "wall_indicator"}),
}
READERS = (*SEATS, None)


def random_states(rules: RuleSet, number: int, steps: int = 400) -> Iterator[GameState]:
    """The states of random play, wins included when they are the only way on."""
    chance = Random(f"{rules.name} {number}")
    state, _ = new_game(rules, FOUR_PEOPLE, f"{number:064x}", timing=UNIFORM)
    for _ in range(steps):
        yield state
        if isinstance(state.decision, Settlement):
            state, _ = step(state, None, CloseSettlement())
        else:
            seat, action = random_move(state, chance)
            state, _ = step(state, seat, action)


def random_move(state: GameState, chance: Random) -> tuple[int, Action]:
    decision = state.decision
    if isinstance(decision, Turn):
        legal = legal_actions(state, decision.seat)
        wins_now_and_then = [action for action in legal if not isinstance(action, Win) or chance.random() < 0.2]
        kongs: list[Action] = [action for action in legal if isinstance(action, Kong)]
        return decision.seat, chance.choice(kongs or wins_now_and_then)
    assert isinstance(decision, ClaimWindow | OpeningWindow)
    seat = chance.choice([seat for seat in asked(decision) if decision.answers[seat] is None])
    return seat, chance.choice(legal_actions(state, seat))


def spread_otherwise(state: GameState, reader: int | None, chance: Random) -> GameState:
    """The same game to this reader: unseen tiles, Secrets, locks, answers and the seed are others."""
    twin = state.draft()
    rnd, others = twin.round, [seat for seat in SEATS if seat != reader]
    undrawn = rnd.wall[rnd.front : rnd.back]
    pool = [kind for kind in undrawn if kind < SUITED] + [kind for seat in others for kind in concealed(state, seat)]
    if not isinstance(rnd.result, ev.RoundWon) and not isinstance(state.decision, GameOver):
        for seat in others:
            twin.seats[seat].melds = tuple(other_secret(meld, pool, rnd.joker) for meld in twin.seats[seat].melds)
    chance.shuffle(pool)
    for seat in others:
        refill(twin, seat, [pool.pop() for _ in concealed(state, seat)] + named(state, seat))
        twin.seats[seat].locked = chance.random() < 0.5
    spread = tuple(pool.pop() if kind < SUITED else kind for kind in chance.sample(undrawn, len(undrawn)))
    rnd.wall = rnd.wall[: rnd.front] + spread + rnd.wall[rnd.back :]
    twin.seed = "5eed" * 16
    wishes = ev.Preferences(auto_win=True, auto_pass=("all",))
    twin.preferences = tuple([state.preferences[seat] if seat == reader else wishes for seat in SEATS])
    answer_otherwise(twin, reader, chance)
    return twin


def named(state: GameState, seat: int) -> list[Kind]:
    """The held tile that everybody knows: that of a Sagasa that may be robbed."""
    window = state.decision
    if isinstance(window, ClaimWindow) and window.kind == "rob" and window.discarder == seat:
        return [window.tile]
    return []


def concealed(state: GameState, seat: int) -> list[Kind]:
    held, joker = state.seats[seat], state.round.joker
    kinds = [kind for kind in range(SUITED) for _ in range(held.counts[kind])] + [joker or 0] * held.jokers
    for kind in named(state, seat):
        kinds.remove(kind)
    return kinds


def other_secret(meld: Meld, pool: list[Kind], joker: Kind | None) -> Meld:
    """Four of another kind, when nobody has seen any of it."""
    quads = [kind for kind in range(SUITED) if pool.count(kind) == 4 and kind != joker]
    if meld.kind != "secret" or not quads:
        return meld
    for _ in range(4):
        pool.remove(quads[0])
    pool.extend(meld.tiles)
    return Meld("secret", (quads[0],) * 4, None, None)


def refill(twin: GameState, seat: int, kinds: list[Kind]) -> None:
    before = twin.seats[seat]
    held = SeatState(before.points)
    for kind in kinds:
        held.add(kind, 1, twin.round.joker)
    held.melds, held.flowers = before.melds, before.flowers
    held.drawn = None if before.drawn is None else kinds[0]
    twin.seats[seat] = held


def answer_otherwise(twin: GameState, reader: int | None, chance: Random) -> None:
    """Other answers of the others, short of closing the window."""
    window = twin.decision
    if isinstance(window, ClaimWindow | OpeningWindow):
        given: list[Action | None] = [None] * 4
        for seat in asked(window)[:-1]:
            given[seat] = chance.choice((None, *legal_actions(twin, seat)))
        if reader is not None:
            given[reader] = window.answers[reader]
        match window:
            case OpeningWindow():
                twin.decision = OpeningWindow(window.no, tuple(given))
            case ClaimWindow():
                twin.decision = ClaimWindow(window.no, window.kind, window.tile, window.discarder, tuple(given))


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("reader", READERS)
def test_a_view_does_not_depend_on_how_unseen_tiles_are_spread(name: str, reader: int | None):
    chance = Random(f"{name} {reader}")
    compared = 0
    for state in random_states(RULES[name], 1 + READERS.index(reader)):
        if chance.random() < 0.2:
            twin = spread_otherwise(state, reader, chance)
            assert view(twin, reader) == view(state, reader)
            assert json.dumps(asdict(view(twin, reader))) == json.dumps(asdict(view(state, reader)))
            compared += twin.seats != state.seats
    assert compared > 40
