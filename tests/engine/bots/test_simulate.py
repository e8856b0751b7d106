"""Simulated rounds: what a report counts, that it follows from its seed, and that a violation can be played again."""

from __future__ import annotations

import pytest

from engine.actions import Action, Discard, Refusal
from engine.bots import BOTS, greedy
from engine.bots.reader import SeatReader
from engine.decide import new_game, step
from engine.events import Length, Player
from engine.rules import preset
from engine.simulate import GAME, Report, play, run
from engine.state import SEATS
from engine.wall import Chance


@pytest.mark.parametrize("rules", ["emay", "tsumo"])
def test_every_round_is_counted_as_won_or_drawn(rules: str):
    report = run(preset(rules), ["greedy", "random"], GAME + 3, seed=1)
    wins = sum(report.categories.values()) if rules == "emay" else report.rounds - report.draws
    assert report.rounds == GAME + 3 == wins + report.draws
    assert 0 < report.mean_discards < 100


def test_bonuses_are_counted_by_id():
    report = run(preset("tsumo"), ["greedy"], GAME, seed=1)
    assert set(report.bonuses) <= {bonus for bonus, _ in preset("tsumo").bonus_values}
    assert report.bonuses["concealed"] > 0
    assert not report.categories


def test_the_same_seed_gives_the_same_report_and_another_one_another():
    first, again, other = (run(preset("emay"), ["greedy"], 5, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_checking_changes_nothing_that_is_played():
    assert run(preset("emay"), ["greedy"], 5, 1, check=True) == run(preset("emay"), ["greedy"], 5, 1)


def test_games_played_apart_add_up_to_the_run():
    rules, shared = preset("emay"), Report()
    for game, rounds in enumerate((GAME, 4)):
        shared.add(play(rules, ["greedy"], rounds, f"1/{game}"))
    assert shared == run(rules, ["greedy"], GAME + 4, 1)


def test_each_round_is_told_of():
    told = []
    run(preset("emay"), ["greedy"], GAME + 1, 1, on_round=lambda: told.append(1))
    assert len(told) == GAME + 1


@pytest.mark.parametrize("bots", [["wise"], ["greedy", "wise"], []])
def test_bots_that_do_not_exist_cannot_play(bots: list[str]):
    with pytest.raises(ValueError, match="the bots are greedy and random"):
        run(preset("emay"), bots, 1, 1)


def cheating(view: SeatReader, chance: Chance) -> Action:
    """Plays as greedy does until its hand is small, then throws what nobody can hold."""
    action = greedy.choose(view, chance)
    return Discard("1s") if isinstance(action, Discard) and len(view.legal_actions) < 12 else action


def test_a_violation_is_reported_with_all_that_plays_it_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(BOTS, "cheat", cheating)
    rules = preset("emay")
    report = run(rules, ["cheat"], 3, 1, check=True)
    (violation,) = report.violations
    assert "You hold no 1s" in violation.law
    state, _ = new_game(rules, [Player("cheat", "cheat") for _ in SEATS], violation.seed, length=Length(rounds=3))
    *before, last = violation.commands
    for move in before:
        state, _ = step(state, *move)
    assert state.round.number == violation.round
    with pytest.raises(Refusal, match="You hold no 1s"):
        step(state, *last)


def test_without_checking_a_fault_of_a_bot_is_raised(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(BOTS, "cheat", cheating)
    with pytest.raises(Refusal):
        run(preset("emay"), ["cheat"], 3, 1)
