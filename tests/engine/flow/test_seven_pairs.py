"""The options of Seven Pairs decide what a table offers (rules 6)."""

from __future__ import annotations

import pytest

from engine.actions import Claim
from tests.engine.scenario import WIN, Table, chow, kang, pung, secret, table

SIX_AND_A_HALF = "1133557799b 11d 5d"
"""Six pairs and a single 5d: with one set beside it a Seven Pairs wait on 5d."""


def waiting_beside(held: str, tile: str, claim: Claim, **options: object) -> Table:
    """Seat 1 claims its set and throws a 9c, and the next seat throws a 5d."""
    hands = {1: f"{SIX_AND_A_HALF} {held} 9c"}
    game = table("tsumo", hands, front=f"{tile} 5d", quiet=tile, options=options)
    game.throw_to(tile, {1: claim})
    game.throw_to("9c")
    game.throw("5d")
    return game


@pytest.mark.parametrize(
    ("held", "claim"),
    [("66c", pung("6c")), ("57c", chow("57c"))],
)
def test_the_one_set_may_be_an_exposed_meld(held: str, claim: Claim):
    assert WIN in waiting_beside(held, "6c", claim).offers(1)
    assert waiting_beside(held, "6c", claim, seven_pairs_open=False).refused(1, WIN).code == "incomplete"


def test_the_one_set_may_be_a_chow():
    assert waiting_beside("57c", "6c", chow("57c"), seven_pairs_set="pung").refused(1, WIN).code == "incomplete"
    assert WIN in waiting_beside("66c", "6c", pung("6c"), seven_pairs_set="pung").offers(1)


def with_a_kang(**options: object) -> Table:
    hands = {1: f"{SIX_AND_A_HALF} 666c"}
    game = table("tsumo", hands, front="6c 5d", back="8c", quiet="6c", options=options)
    game.throw_to("6c", {1: kang("6c")})
    game.throw_to("8c")
    game.throw("5d")
    return game


def test_the_one_set_may_be_a_kong():
    assert WIN in with_a_kang().offers(1)
    assert with_a_kang(seven_pairs_kong=False).refused(1, WIN).code == "incomplete"


def with_a_secret(**options: object) -> Table:
    hands = {0: "1133557799b 11d 6666c"}
    game = table("tsumo", hands, front="5d", back="5d", options=options)
    game.do(0, secret("6c"))
    return game


def test_a_secret_is_no_exposed_meld():
    assert WIN in with_a_secret(seven_pairs_open=False).legal(0)
    assert WIN not in with_a_secret(seven_pairs_kong=False).legal(0)


@pytest.mark.parametrize(("distinct", "wins"), [(False, True), (True, False)])
def test_four_identical_may_be_two_pairs(distinct: bool, wins: bool):
    hands = {1: "1111b 335577b 11d 666c 5d"}
    game = table("tsumo", hands, front="9c 5d", options={"seven_pairs_distinct": distinct})
    game.throw_to("9c")
    assert (WIN in game.legal(1)) == wins
