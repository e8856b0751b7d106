from __future__ import annotations

import pytest

from app.budgets import BUDGETS, Budget, Budgets
from app.errors import Problem

GENEROUS: dict[Budget, str] = dict.fromkeys(BUDGETS, "1000/minute")


class Time:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_budget_is_spent_by_one_caller_for_itself() -> None:
    budgets = Budgets(GENEROUS | {"moves": "2/minute"}, Time())
    budgets.spend("moves", "ana")
    budgets.spend("moves", "ana")

    assert budgets.spend("moves", "ben").left == '"moves";r=1;t=60'
    with pytest.raises(Problem, match="rate_limited"):
        budgets.spend("moves", "ana")


def test_moves_go_on_when_every_other_budget_is_spent() -> None:
    budgets = Budgets(dict.fromkeys(BUDGETS, "1/minute"), Time())
    others = [budget for budget in BUDGETS if budget != "moves"]
    for budget in others:
        budgets.spend(budget, "ana")
        with pytest.raises(Problem):
            budgets.spend(budget, "ana")

    assert budgets.spend("moves", "ana").left == '"moves";r=0;t=60'


def test_a_budget_is_whole_again_when_its_window_ends() -> None:
    time = Time()
    budgets = Budgets(GENEROUS | {"reads": "1/minute"}, time)
    budgets.spend("reads", "ana")
    time.now += 45
    with pytest.raises(Problem) as refused:
        budgets.spend("reads", "ana")
    time.now += 15

    assert refused.value.headers["Retry-After"] == "15"
    assert budgets.spend("reads", "ana").left == '"reads";r=0;t=60'


def test_the_policy_is_told_as_it_was_set() -> None:
    budgets = Budgets(GENEROUS | {"new_games": "30/hour"}, Time())

    assert budgets.spend("new_games", "ana").headers() == [
        (b"ratelimit-policy", b'"new_games";q=30;w=3600'),
        (b"ratelimit", b'"new_games";r=29;t=3600'),
    ]


def test_windows_that_are_over_are_not_kept() -> None:
    time = Time()
    budgets = Budgets(GENEROUS, time)
    for number in range(5000):
        budgets.spend("reads", f"early {number}")
    time.now += 61
    for number in range(5000):
        budgets.spend("reads", f"late {number}")

    assert budgets._counts.reset() < 6000


def test_a_policy_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="lots"):
        Budgets(GENEROUS | {"moves": "lots"}, Time())
