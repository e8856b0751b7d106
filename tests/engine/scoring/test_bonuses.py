"""The bonuses of tsumo: titles, values, a hand that reaches each, and the highest total of all readings (rules 9)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.scoring.bonuses import BONUSES
from engine.vectors import evaluate

PUNG = [{"kind": "pung", "tiles": "999d"}]
PLAIN = "123b 555b 345d 777c 2c"


def found(concealed: str, tile: str, source: str = "discard", **more: Any) -> dict[str, object] | None:
    vector = {"ruleset": "tsumo", "concealed": concealed, "melds": [], "tile": tile, "source": source, "flowers": 1}
    return evaluate(vector | more)


def bonuses(concealed: str, tile: str, source: str = "discard", **more: Any) -> object:
    worth = found(concealed, tile, source, **more)
    return worth and worth["bonuses"]


def test_the_bonuses_stand_in_the_order_of_the_rules_with_their_titles():
    assert [(row.id, row.title, row.filipino, row.value) for row in BONUSES] == [
        ("flush", "Flush", "Isa-isa", 1),
        ("puro_pong", "Puro Pong", "Puro Pong", 1),
        ("siete_pares", "Siete Pares", "Siete Pares", 2),
        ("concealed", "Concealed", "Lihim", 1),
        ("no_flowers", "No Flowers", "Walang Bulaklak", 1),
        ("last_tile", "Last Tile", "Huli sa Bunot", 1),
        ("escalera", "Escalera", "Eskalera", 1),
    ]


EVERY: dict[str, tuple[str, str, str, dict[str, Any]]] = {
    "Flush": ("123d 456d 678d 111d 5d", "5d", "discard", {"melds": [{"kind": "pung", "tiles": "999d"}]}),
    "Puro Pong": ("222d 666b 999c 777d 5c", "5c", "discard", {"melds": [{"kind": "kong", "tiles": "3333b"}]}),
    "Siete Pares": ("11d 33d 22b 66b 44c 88c 7d", "7d", "discard", {"melds": [{"kind": "pung", "tiles": "999b"}]}),
    "Concealed": ("123b 555b 345d 777c 999d 2c", "2c", "discard", {}),
    "No Flowers": (PLAIN, "2c", "discard", {"melds": PUNG, "flowers": 0}),
    "Last Tile": (PLAIN, "2c", "replacement", {"melds": PUNG, "wall_left": 0}),
    "Escalera": ("46b 222d 777c 99d 123b", "5b", "draw", {"melds": [{"kind": "chow", "tiles": "789b"}]}),
}


@pytest.mark.parametrize("row", BONUSES, ids=lambda row: row.id)
def test_a_hand_reaches_the_bonus_alone(row):
    concealed, tile, source, more = EVERY[row.title]

    assert found(concealed, tile, source, **more) == {"multiplier": 1 + row.value, "bonuses": [row.title]}


@pytest.mark.parametrize("row", BONUSES, ids=lambda row: row.id)
def test_a_game_may_replace_the_value_of_a_bonus(row):
    concealed, tile, source, more = EVERY[row.title]
    options = {"bonus_values": {row.id: 40}}

    assert found(concealed, tile, source, **more, options=options) == {"multiplier": 41, "bonuses": [row.title]}


def test_all_bonuses_of_one_win_stack_in_their_order():
    worth = found("123456789d 333d 666d 9d", "9d", "draw", flowers=0, wall_left=0)

    assert worth == {"multiplier": 6, "bonuses": ["Flush", "Concealed", "No Flowers", "Last Tile", "Escalera"]}


def test_p04_seven_pairs_of_one_suit_on_the_last_tile():
    worth = found("11d 22d 33d 44d 55d 6d 99d 888d", "6d", "draw", flowers=0, wall_left=0)

    assert worth == {
        "multiplier": 7,
        "bonuses": ["Flush", "Siete Pares", "Concealed", "No Flowers", "Last Tile"],
    }


@pytest.mark.parametrize(
    ("kind", "tiles", "concealed"),
    [
        ("chow", "789d", False),
        ("pung", "999d", False),
        ("kong", "9999d", False),
        ("sagasa", "9999d", False),
        ("secret", "9999d", True),
    ],
)
def test_only_a_meld_taken_from_a_discard_breaks_concealed(kind: str, tiles: str, concealed: bool):
    assert bonuses(PLAIN, "2c", melds=[{"kind": kind, "tiles": tiles}]) == (["Concealed"] if concealed else [])


@pytest.mark.parametrize(("source", "last"), [("draw", True), ("replacement", True), ("discard", False)])
def test_last_tile_is_for_a_self_drawn_win_on_an_empty_wall(source: str, last: bool):
    assert bonuses(PLAIN, "2c", source, melds=PUNG, wall_left=0) == (["Last Tile"] if last else [])


def test_the_highest_total_decides_between_seven_pairs_and_pungs():
    # 123 123 of bamboo, 789 789 of characters, 222d and a pair; or seven pairs and 222d.
    assert bonuses("112233b 778899c 5d 222d", "5d") == ["Siete Pares", "Concealed"]


def test_a_replaced_value_may_turn_the_choice_of_reading():
    # 123 123, 456 456, 789 of bamboo and a pair of dots; or seven pairs and the 789.
    hand = "11223344556b 789b 55d"

    as_given = bonuses(hand, "6b")
    turned = bonuses(hand, "6b", options={"bonus_values": {"siete_pares": 1, "escalera": 3}})

    assert as_given == ["Siete Pares", "Concealed"]
    assert turned == ["Concealed", "Escalera"]


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [("five_sets", ["Siete Pares", "Concealed"]), ("any", ["Puro Pong", "Siete Pares", "Concealed"])],
)
def test_seven_pairs_with_a_pung_is_puro_pong_only_with_the_option(shapes: str, expected: list[str]):
    assert bonuses("11d 33d 22b 66b 44c 88c 7d 999b", "7d", options={"puro_pong_shapes": shapes}) == expected


def test_jokers_stand_for_what_is_worth_most():
    # The jokers complete 111d and 222d; they could make chows with the 333d as well.
    melds = [{"kind": "pung", "tiles": "777d"}, {"kind": "kong", "tiles": "8888d"}]

    won = bonuses("11d 22d 333d 9d JJ", "9d", joker="5c", melds=melds, options={"joker_mode": "random_kind"})

    assert won == ["Flush", "Puro Pong"]


@pytest.mark.parametrize(("single", "expected"), [("8d", ["Flush", "Concealed"]), ("2c", ["Concealed"])])
def test_a_joker_takes_the_suit_of_the_tile_it_pairs(single: str, expected: list[str]):
    jokers = {"joker_mode": "random_kind"}

    won = bonuses(f"123d 345d 567d 111d 888d {single}", "J", "draw", joker="5c", options=jokers)

    assert won == expected
