"""Simulated rounds: what a report counts, that it follows from its seed, and that a violation can be played again."""

from __future__ import annotations

import pytest

from engine.actions import Action, Discard, Refusal
from engine.bots import BOTS, greedy
from engine.bots.reader import SeatReader
from engine.decide import new_game, step
from engine.events import Length, Player
from engine.rules import preset
from engine.simulate import GAME, Report, games, play
from engine.state import SEATS
from engine.wall import Chance


def run(rules: str, bots: list[str], rounds: int, seed: int, *, check: bool = False) -> Report:
    report = Report()
    for name, length in games(rounds, seed):
        report.add(play(preset(rules), bots, length, name, check=check))
    return report


@pytest.mark.parametrize("rules", ["emay", "tsumo"])
def test_every_round_is_counted_as_won_or_drawn(rules: str):
    report = run(rules, ["greedy", "random"], GAME + 3, seed=1)
    wins = sum(report.categories.values()) if rules == "emay" else report.rounds - report.draws
    assert report.rounds == GAME + 3 == wins + report.draws
    assert 0 < report.mean_discards < 100


def test_bonuses_are_counted_by_id():
    report = run("tsumo", ["greedy"], GAME, seed=1)
    assert set(report.bonuses) <= {bonus for bonus, _ in preset("tsumo").bonus_values}
    assert report.bonuses["concealed"] > 0
    assert not report.categories


def test_the_same_seed_gives_the_same_report_and_another_one_another():
    first, again, other = (run("emay", ["greedy"], 5, seed) for seed in (1, 1, 2))
    assert first == again != other


def test_checking_changes_nothing_that_is_played():
    assert run("emay", ["greedy"], 5, 1, check=True) == run("emay", ["greedy"], 5, 1)


@pytest.mark.parametrize(("rounds", "lengths"), [(0, []), (1, [1]), (GAME, [GAME]), (2 * GAME + 4, [GAME, GAME, 4])])
def test_a_run_is_games_of_sixteen_rounds_each_with_a_seed_of_its_own(rounds: int, lengths: list[int]):
    found = games(rounds, 1)
    assert [length for _, length in found] == lengths
    assert [seed for seed, _ in found] == [f"1/{game}" for game in range(len(lengths))]


@pytest.mark.parametrize("bots", [["wise"], ["greedy", "wise"], []])
def test_bots_that_do_not_exist_cannot_play(bots: list[str]):
    with pytest.raises(ValueError, match="the bots are greedy and random"):
        run("emay", bots, 1, 1)


def cheating(view: SeatReader, chance: Chance) -> Action:
    """Plays as greedy does until its hand is small, then throws what nobody can hold."""
    action = greedy.choose(view, chance)
    return Discard("1s") if isinstance(action, Discard) and len(view.legal_actions) < 12 else action


def test_a_violation_is_reported_with_all_that_plays_it_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(BOTS, "cheat", cheating)
    report = run("emay", ["cheat"], 3, 1, check=True)
    (violation,) = report.violations
    assert "You hold no 1s" in violation.law
    state, _ = new_game(
        preset("emay"), [Player("cheat", "cheat") for _ in SEATS], violation.seed, length=Length(rounds=3)
    )
    *before, last = violation.commands
    for move in before:
        state, _ = step(state, *move)
    assert state.round.number == violation.round
    with pytest.raises(Refusal, match="You hold no 1s"):
        step(state, *last)


def test_without_checking_a_fault_of_a_bot_is_raised(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(BOTS, "cheat", cheating)
    with pytest.raises(Refusal):
        run("emay", ["cheat"], 3, 1)
