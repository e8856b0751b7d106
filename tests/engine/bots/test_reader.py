"""A bot sees nothing that its seat's view and the rules of the game do not say (rules 11, design 6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import pytest

from engine import events as ev
from engine.actions import Action
from engine.bots.reader import Hand, SeatReader
from engine.decide import new_game, step
from engine.hands import keys_of, packed, reader
from engine.legal import legal_actions
from engine.rules import RuleSet, override, preset
from engine.state import SEATS, GameOver, GameState
from engine.tiles import BACK, COPIES, KINDS, SUITED
from engine.views import SeatView, view


@dataclass
class FromView:
    """The same facts, from a view and the rules alone."""

    seen: SeatView
    rules: RuleSet

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        return self.seen.legal_actions

    @property
    def in_opening_window(self) -> bool:
        return self.seen.decision.kind == "opening_window"

    @property
    def is_asked(self) -> bool:
        return bool(self.legal_actions) and self.seen.decision.your_answer is None

    @property
    def hand(self) -> Hand:
        naturals = [code for code in self.seen.hand if code != self.seen.joker]
        counts = [0] * SUITED
        for code in naturals:
            counts[KINDS[code]] += 1
        own = self.seen.seats[self.seen.seat or 0].melds
        melds = [(meld.kind, KINDS[meld.tiles[0]]) for meld in own]
        pairs = reader(self.rules.shapes).pairs_allowed(melds)
        return Hand(keys_of(counts), len(self.seen.hand) - len(naturals), len(melds), pairs)

    @property
    def unseen(self) -> int:
        seen = Counter(self.seen.hand)
        seen.update(pile.tile for pile in self.seen.pile)
        seen.update(code for seat in self.seen.seats for meld in seat.melds for code in meld.tiles if code != BACK)
        return packed([0 if code == self.seen.joker else COPIES - seen[code] for code in list(KINDS)[:SUITED]])


FACTS = ("legal_actions", "in_opening_window", "is_asked", "hand", "unseen")


def states(rules: RuleSet, seed: str) -> list[GameState]:
    """All states of a round in play, at random, kongs before all else."""
    chance = Random(seed)
    state, _ = new_game(rules, [ev.Player("Ana")] * 4, seed, length=ev.Length(rounds=1))
    passed = []
    while not isinstance(state.decision, GameOver):
        passed.append(state)
        seat = chance.choice([seat for seat in SEATS if legal_actions(state, seat)])
        legal = legal_actions(state, seat)
        action = next((action for action in legal if action.type == "kong"), chance.choice(legal))
        state, _ = step(state, seat, action)
    return passed


@pytest.mark.parametrize("name", ["emay", "tsumo"])
@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_a_bot_knows_what_the_view_of_its_seat_says_and_no_more(name: str, seed: str):
    rules = override(preset(name), {"rob_added_kong": True, "added_kong": True})
    for state in states(rules, seed):
        for seat in SEATS:
            bot, person = SeatReader(state, seat), FromView(view(state, seat), rules)
            assert {fact: getattr(bot, fact) for fact in FACTS} == {fact: getattr(person, fact) for fact in FACTS}


def test_the_rounds_compared_hold_foreign_secrets():
    rules = override(preset("tsumo"), {"rob_added_kong": True})
    melds = [meld for seed in "abcd" for held in states(rules, seed)[-1].seats for meld in held.melds]
    assert "secret" in {meld.kind for meld in melds}


def test_the_facts_compared_are_all_that_a_bot_is_shown():
    bot = SeatReader(states(preset("emay"), "a")[0], 0)
    shown = {name for name in dir(bot) if not name.startswith("_")}
    assert shown == {*FACTS, "hand_reader", "seat"}
