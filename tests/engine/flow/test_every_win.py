"""Each of the 22 categories and each bonus is won at a table, by play on a wall that leads to it (rules 7, 9)."""

from __future__ import annotations

import pytest

from engine.events import RoundWon
from engine.rules import PRESETS
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import WIN, table

DULL = "9b 9c 8c 9b 9c 8b"
JOKER = "1c"

WAITS = {
    "": WAITS_5C,
    "_eskalera": "123b 456b 789b 123d 88d 46c",
    "_seven_pairs": "11b 44b 77b 22d 66d 88d 444d 5c",
}
EYES = {
    "": "123b 456b 123d 456d 777c 1c",
    "_eskalera": "123b 456b 789b 123d 777d 1c",
    "_seven_pairs": "11b 44b 77b 22d 66d 88d 444d 1c",
}
EARLY, LATE = 1, 5


def named(stem: str, pattern: str) -> str:
    return stem + (pattern or ("_regular" if stem in ("win_by_discard", "win_by_draw", "bisaklat") else ""))


def by_discard(hand: str, pile: int) -> RoundWon:
    winner = (pile + 2) % 4
    game = table("emay", {winner: hand}, front=" ".join([*DULL.split()[:pile], "5c"]), joker=JOKER)
    game.idle(pile)
    game.throw_to("5c", {winner: WIN})
    return game.won()


def by_draw(hand: str, pile: int, tile: str = "5c") -> RoundWon:
    winner = pile % 4
    game = table("emay", {winner: hand}, front=" ".join([*DULL.split()[:pile], tile]), joker=JOKER)
    game.idle(pile)
    game.do(winner, WIN)
    return game.won()


def by_triple_joker() -> RoundWon:
    game = table("emay", {2: "111c"}, joker=JOKER, opening=True)
    game.answers({2: WIN})
    return game.won()


def every_win() -> dict[str, RoundWon]:
    """By the category that the table leads to, how the round was won."""
    won = {"bisaklat_triple_joker": by_triple_joker()}
    for pattern, hand in WAITS.items():
        won[named("win_by_discard", pattern)] = by_discard(hand, LATE)
        won[named("win_by_discard_before_the_fifth", pattern)] = by_discard(hand, EARLY)
        won[named("win_by_draw", pattern)] = by_draw(hand, LATE)
        won[named("win_by_draw_before_the_fifth", pattern)] = by_draw(hand, EARLY)
        won[named("bisaklat", pattern)] = by_draw(hand, 0)
    for pattern, hand in EYES.items():
        won[named("win_by_draw_joker_eye", pattern)] = by_draw(hand, LATE, "9d")
        won[named("win_by_draw_joker_eye_before_the_fifth", pattern)] = by_draw(hand, EARLY, "9d")
    return won


def test_all_22_categories_are_won_at_a_table():
    won = every_win()
    multipliers = dict(PRESETS["emay"].category_multipliers)

    assert len(won) == 22
    assert set(won) == {row.id for row in CATEGORIES}
    assert {category: round_won.category for category, round_won in won.items()} == {name: name for name in won}
    assert {category: round_won.multiplier for category, round_won in won.items()} == multipliers


def dealt(hand: str, tile: str) -> tuple[str, ...]:
    """The bonuses of a dealer whose dealt 17 tiles are complete."""
    game = table("tsumo", {0: hand}, front=tile)
    game.do(0, WIN)
    return game.won().bonuses


def on_the_last_tile() -> tuple[str, ...]:
    """The bonuses of the seat that draws the last tile of the wall and wins on it."""
    for seat in range(4):
        game = table("tsumo", {seat: WAITS_5C}, end="5c")
        game.idle_until(wall=0)
        if game.on_turn == seat:
            game.do(seat, WIN)
            return game.won().bonuses
    raise AssertionError("the last tile went to nobody")


@pytest.mark.parametrize(
    ("hand", "tile", "bonuses"),
    [
        ("123b 456b 789b 111b 22b 33b", "3b", ("flush", "concealed", "no_flowers", "escalera")),
        ("111b 333b 555c 777c 99d 11d", "9d", ("puro_pong", "concealed", "no_flowers")),
        ("11b 44b 77b 22d 66d 88d 444d 5c", "5c", ("siete_pares", "concealed", "no_flowers")),
        ("123b 456b 789b 123d 88d 46c", "5c", ("concealed", "no_flowers", "escalera")),
    ],
)
def test_a_dealt_win_earns_the_bonuses_of_its_hand(hand: str, tile: str, bonuses: tuple[str, ...]):
    assert dealt(hand, tile) == bonuses


def test_a_win_on_the_last_tile_of_the_wall_earns_last_tile():
    assert "last_tile" in on_the_last_tile()


def test_every_bonus_is_won_at_a_table():
    reached = {
        *dealt("123b 456b 789b 111b 22b 33b", "3b"),
        *dealt("111b 333b 555c 777c 99d 11d", "9d"),
        *dealt("11b 44b 77b 22d 66d 88d 444d 5c", "5c"),
        *on_the_last_tile(),
    }
    assert reached == {row.id for row in BONUSES}
