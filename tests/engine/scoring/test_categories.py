"""The 22 categories: their table as the rules print it, and a hand that reaches each (rules 7)."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from engine.rules import PRESETS
from engine.scoring.categories import CATEGORIES, PLAIN_REGULAR, CategoryContext, How, Pattern, categorize
from engine.vectors import evaluate

RULES = Path(__file__).parents[3] / "docs" / "rules.md"

REGULAR = "123b 456b 678c 222d 777c 9d"
ESKALERA = "123b 456b 789b 222d 777c 9d"
PAIRS = "11b 22b 44c 66c 88d 99d 777b 3c"
REGULAR_EYE = "123b 456b 678c 222d 777c J"
ESKALERA_EYE = "123b 456b 789b 222d 777c J"
PAIRS_EYE = "11b 22b 44c 66c 88d 99d 777b J"
THREE_JOKERS = "JJJ 1b 4b 7b 2c 5c 8c 3d 6d 9d 1c 9b 9c 1d"


def found(concealed: str, tile: str | None, source: str, **more: Any) -> dict[str, object] | None:
    vector: dict[str, Any] = {
        "ruleset": "emay",
        "concealed": concealed,
        "melds": [],
        "tile": tile,
        "source": source,
        "joker": "5d",
    }
    return evaluate(vector | {"pile_after": 10} | more)


def test_there_are_22_categories_with_the_ids_titles_and_multipliers_of_the_rules():
    printed = re.findall(r"^\| (\w+) \| ((?:Win|Bisaklat) [\w ]+) \| (\d+) \|$", RULES.read_text(), re.MULTILINE)

    assert len(CATEGORIES) == 22
    assert [(row.id, row.title, str(row.multiplier)) for row in CATEGORIES] == printed


@pytest.mark.parametrize("context", [*product(get_args(How), (True, False), get_args(Pattern))], ids=str)
def test_every_win_is_of_exactly_one_category(context: tuple[How, bool, Pattern]):
    matching = [row for row in CATEGORIES if row.test(CategoryContext(*context))]

    assert matching == [categorize(CategoryContext(*context))]


def test_plain_regular_names_two_categories():
    assert {row.id for row in CATEGORIES} > PLAIN_REGULAR


EVERY: dict[str, tuple[str, str | None, str, dict[str, Any]]] = {
    "Win by Discard Regular": (REGULAR, "9d", "discard", {}),
    "Win by Discard Eskalera": (ESKALERA, "9d", "discard", {}),
    "Win by Discard Seven Pairs": (PAIRS, "3c", "discard", {}),
    "Win by Discard Before the Fifth": (REGULAR, "9d", "discard", {"pile_after": 4}),
    "Win by Discard Before the Fifth Eskalera": (ESKALERA, "9d", "discard", {"pile_after": 4}),
    "Win by Discard Before the Fifth Seven Pairs": (PAIRS, "3c", "discard", {"pile_after": 0}),
    "Win by Draw Regular": (REGULAR, "9d", "draw", {}),
    "Win by Draw Eskalera": (ESKALERA, "9d", "draw", {}),
    "Win by Draw Seven Pairs": (PAIRS, "3c", "draw", {}),
    "Win by Draw Before the Fifth": (REGULAR, "9d", "draw", {"pile_after": 4}),
    "Win by Draw Before the Fifth Eskalera": (ESKALERA, "9d", "draw", {"pile_after": 4}),
    "Win by Draw Before the Fifth Seven Pairs": (PAIRS, "3c", "draw", {"pile_after": 4}),
    "Win by Draw Joker Eye": (REGULAR_EYE, "1d", "draw", {}),
    "Win by Draw Joker Eye Eskalera": (ESKALERA_EYE, "1d", "draw", {}),
    "Win by Draw Joker Eye Seven Pairs": (PAIRS_EYE, "3c", "draw", {}),
    "Win by Draw Joker Eye Before the Fifth": (REGULAR_EYE, "1d", "draw", {"pile_after": 4}),
    "Win by Draw Joker Eye Before the Fifth Eskalera": (ESKALERA_EYE, "1d", "draw", {"pile_after": 4}),
    "Win by Draw Joker Eye Before the Fifth Seven Pairs": (PAIRS_EYE, "3c", "draw", {"pile_after": 4}),
    "Bisaklat Triple Joker": (THREE_JOKERS, None, "opening", {"pile_after": 0}),
    "Bisaklat Regular": (REGULAR, "9d", "draw", {"pile_after": 0, "first_draw": True}),
    "Bisaklat Eskalera": (ESKALERA, "9d", "draw", {"pile_after": 0, "first_draw": True}),
    "Bisaklat Seven Pairs": (PAIRS, "3c", "draw", {"pile_after": 0, "first_draw": True}),
}


@pytest.mark.parametrize("row", CATEGORIES, ids=lambda row: row.id)
def test_a_hand_reaches_the_category(row):
    concealed, tile, source, more = EVERY[row.title]

    assert found(concealed, tile, source, **more) == {"category": row.title, "multiplier": row.multiplier}


@pytest.mark.parametrize("row", CATEGORIES, ids=lambda row: row.id)
def test_a_game_may_replace_the_multiplier(row):
    concealed, tile, source, more = EVERY[row.title]
    options = {"category_multipliers": {row.id: 77}}

    assert found(concealed, tile, source, **more, options=options) == {"category": row.title, "multiplier": 77}


def category(*args: Any, **more: Any) -> object:
    worth = found(*args, **more)
    return worth and worth["category"]


SECRET = [{"kind": "secret", "tiles": "8888c"}]


def test_c57_a_replacement_that_brings_the_third_joker_is_triple_joker():
    scattered = "JJ 1b 4b 7b 2c 5c 3d 6d 9d 1c 9b 9c"

    won = category(scattered, "J", "replacement", melds=SECRET, discards_made=0, pile_after=0)

    assert won == "Bisaklat Triple Joker"


def test_c58_triple_joker_goes_before_a_win_by_draw_after_a_secret():
    won = category("123b 456b 22d 77c JJJ", "7c", "replacement", melds=SECRET, discards_made=0, pile_after=0)

    assert won == "Bisaklat Triple Joker"


def test_a_complete_first_draw_with_three_jokers_takes_the_name_of_its_pattern():
    won = category("123b 123c 123d 22d 77c JJJ", "7c", "draw", first_draw=True, pile_after=0)

    assert won == "Bisaklat Regular"


def test_c63_the_dealer_with_three_jokers_may_still_declare_after_its_draw():
    assert category(THREE_JOKERS, "4c", "draw", first_draw=True, pile_after=0) == "Bisaklat Triple Joker"


def test_a_secret_ends_the_three_patterns_of_bisaklat():
    won = category("123b 456b 222d 777c 9d", "9d", "replacement", melds=SECRET, discards_made=0, pile_after=0)

    assert won == "Win by Draw Before the Fifth"


def test_three_jokers_after_the_first_discard_are_nothing_by_themselves():
    assert category(THREE_JOKERS, "4c", "draw", discards_made=1) is None


def test_bisaklat_off_leaves_an_ordinary_early_win_and_no_triple_joker():
    off = {"bisaklat": False}

    assert category(REGULAR, "9d", "draw", first_draw=True, pile_after=0, options=off) == "Win by Draw Before the Fifth"
    assert category(THREE_JOKERS, None, "opening", pile_after=0, options=off) is None


def test_triple_joker_needs_jokers_but_the_other_three_do_not():
    off = {"joker_mode": "none"}

    assert category(REGULAR, "9d", "draw", first_draw=True, pile_after=0, options=off) == "Bisaklat Regular"


def test_a_joker_eye_on_the_first_draw_is_bisaklat():
    assert category(ESKALERA_EYE, "1d", "draw", first_draw=True, pile_after=0) == "Bisaklat Eskalera"


@pytest.mark.parametrize(("limit", "pile", "early"), [(None, 0, False), (1, 0, True), (1, 1, False), (40, 39, True)])
def test_the_limit_of_before_the_fifth_is_an_option(limit: int | None, pile: int, early: bool):
    won = category(REGULAR, "9d", "draw", pile_after=pile, options={"before_fifth_limit": limit})

    assert won == ("Win by Draw Before the Fifth" if early else "Win by Draw Regular")


def test_a_replacement_from_a_joker_eye_wait_carries_joker_eye():
    won = category("123b 456b 222d 777c J", "1d", "replacement", melds=SECRET)

    assert won == "Win by Draw Joker Eye"


def test_joker_eye_needs_the_wait_to_be_for_the_pattern_that_was_chosen():
    # Five sets and a joker, no Eskalera among them; the 9b makes one, with the joker beside the 6b that is left over.
    won = category("123b 456b 678b 222d 777c J", "9b", "draw")

    assert won == "Win by Draw Eskalera"


@pytest.mark.parametrize(
    ("definition", "title"), [("reserved_wait", "Win by Draw Regular"), ("pair_has_joker", "Win by Draw Joker Eye")]
)
def test_a_joker_drawn_to_pair_a_single_tile_depends_on_the_definition(definition: str, title: str):
    assert category(REGULAR, "J", "draw", options={"joker_eye_definition": definition}) == title


@pytest.mark.parametrize(
    ("concealed", "tile", "title"),
    [
        (REGULAR_EYE, "1d", "Win by Draw Joker Eye"),
        (ESKALERA, "J", "Win by Draw Joker Eye Eskalera"),
        ("11b 22b 44c 66c 88d 9d J 3c 777b", "3c", "Win by Draw Joker Eye Seven Pairs"),
        ("123b 456b 678c 222d 77c JJ", "1d", "Win by Draw Joker Eye"),
        ("123b 46b J 678c 222d 777c 9d", "9d", "Win by Draw Regular"),
        (REGULAR, "9d", "Win by Draw Regular"),
    ],
)
def test_a_pair_that_has_a_joker_earns_joker_eye_with_that_definition(concealed: str, tile: str, title: str):
    assert category(concealed, tile, "draw", options={"joker_eye_definition": "pair_has_joker"}) == title


def test_pair_has_joker_never_applies_to_a_discard_and_blocks_what_the_reserved_wait_blocks():
    options = {"joker_eye_definition": "pair_has_joker"}

    assert category("123b 456b 678c 222d 77c J 9d", "7c", "discard", options=options) == "Win by Discard Regular"
    assert category(REGULAR_EYE, "1d", "discard", options=options) is None


def test_the_default_multipliers_are_those_of_the_table():
    assert PRESETS["emay"].category_multipliers == tuple((row.id, row.multiplier) for row in CATEGORIES)
