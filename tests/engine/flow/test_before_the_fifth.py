"""Before the Fifth counts the pile as it lies at the win (rules 7)."""

from __future__ import annotations

import pytest

from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import WIN, Table, chow, pung, table

EARLY_DRAW, LATE_DRAW = "win_by_draw_before_the_fifth", "win_by_draw_regular"
EARLY, LATE = "win_by_discard_before_the_fifth", "win_by_discard_regular"
DULL = "9b 9c 8c 9b 9c 8b 9b 8b"


def test_c40_nine_discards_of_which_six_were_claimed_leave_three():
    hands = {
        1: "112233c 1b 57d 9c",
        2: "23b 55d 77d 123c 9b",
        3: "46b 678b 123d 123d 88d 567c",
    }
    game = table("emay", hands, front="9b 9c 8c 5b", joker="4d")
    game.throw_to("9b")
    game.throw_to("9c")
    game.throw_to("1c", {1: pung("1c")})
    game.throw_to("1b", {2: chow("23b")})
    game.throw_to("2c", {1: pung("2c")})
    game.throw_to("5d", {2: pung("5d")})
    game.throw_to("3c", {1: pung("3c")})
    game.throw_to("7d", {2: pung("7d")})
    game.throw_to("9b")
    assert game.state.round.discards == 9
    assert game.pile() == "9b 9c 9b"
    game.do(3, WIN)
    assert game.won().category == EARLY_DRAW


def won_on_discard(pile: int, **options: object) -> Table:
    """So many tiles lie in the pile, then a 5c is thrown to a seat that waits on it."""
    front = " ".join(DULL.split()[:pile]) + " 5c"
    winner = (pile + 2) % 4
    game = table("emay", {winner: WAITS_5C}, front=front, joker="1c", options=options)
    game.idle(pile)
    game.throw_to("5c", {winner: WIN})
    assert len(game.view(0).pile) == pile
    return game


def won_by_draw(pile: int, **options: object) -> Table:
    front = " ".join(DULL.split()[:pile]) + " 5c"
    game = table("emay", {pile % 4: WAITS_5C}, front=front, joker="1c", options=options)
    game.idle(pile)
    game.do(pile % 4, WIN)
    return game


def test_c41_the_winning_fifth_tile_leaves_four():
    assert won_on_discard(4).won().category == EARLY


def test_c42_with_five_in_the_pile_it_is_too_late():
    assert won_on_discard(5).won().category == LATE


@pytest.mark.parametrize(("pile", "category"), [(1, EARLY_DRAW), (4, EARLY_DRAW), (5, LATE_DRAW), (8, LATE_DRAW)])
def test_a_win_by_draw_counts_the_pile_as_it_lies(pile: int, category: str):
    assert won_by_draw(pile).won().category == category


@pytest.mark.parametrize(("limit", "category"), [(None, LATE), (2, LATE), (3, EARLY), (40, EARLY)])
def test_before_fifth_limit_sets_the_number(limit: int | None, category: str):
    assert won_on_discard(2, before_fifth_limit=limit).won().category == category
