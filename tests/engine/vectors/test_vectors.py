"""The given hand vectors all agree, and the reader says which do not and what it cannot read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.vectors import Comparison, Difference, compare, evaluate

GIVEN: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "hands.json").read_text())
BY_ID = {vector["id"]: vector for vector in GIVEN}


@pytest.mark.parametrize("vector", GIVEN, ids=lambda vector: vector["id"])
def test_the_given_vector_agrees(vector):
    assert compare([vector]) == Comparison((), 1)


def test_every_vector_counts_once_and_those_that_differ_are_listed_in_order():
    wrong = BY_ID["E02"] | {"expect": {"category": "Win by Draw Eskalera", "multiplier": 2}}
    none = BY_ID["E35"] | {"expect": {"category": "Win by Discard Regular", "multiplier": 1}}
    won = BY_ID["T03"] | {"expect": None}

    assert compare([BY_ID["E01"], wrong, none, won]) == Comparison(
        (
            Difference("E02", wrong["expect"], {"category": "Win by Draw Regular", "multiplier": 1}),
            Difference("E35", none["expect"], None),
            Difference("T03", None, {"multiplier": 3, "bonuses": ["Concealed", "No Flowers"]}),
        ),
        1,
    )


def test_bonuses_compare_as_a_set_and_completely():
    turned = {"multiplier": 3, "bonuses": ["No Flowers", "Concealed"]}
    fewer = {"multiplier": 3, "bonuses": ["Concealed"]}

    assert compare([BY_ID["T03"] | {"expect": turned}]).differ == 0
    assert compare([BY_ID["T03"] | {"expect": fewer}]).differ == 1


def test_a_category_with_another_multiplier_differs():
    expect = {"category": "Win by Discard Regular", "multiplier": 2}

    assert compare([BY_ID["E01"] | {"expect": expect}]).differ == 1


def test_the_face_of_the_joker_is_a_joker_too():
    by_letter, by_face = BY_ID["E15"], BY_ID["E15"] | {"concealed": "123b 456b 678c 222d 777c 5d"}

    assert evaluate(by_face) == evaluate(by_letter)
    assert evaluate(BY_ID["E44"] | {"tile": "5d"}) == evaluate(BY_ID["E44"])


@pytest.mark.parametrize(
    "concealed", ["123b 456b 678c 222d 777c", "123b 456b 678c 222d 777c 99d", "11111b 456b 678c 9d 222d J"]
)
def test_a_hand_of_the_wrong_size_or_with_five_copies_is_no_win(concealed: str):
    assert evaluate(BY_ID["E02"] | {"concealed": concealed}) is None


@pytest.mark.parametrize(
    "change",
    [
        {"ruleset": "riichi"},
        {"options": {"no_such_option": 1}},
        {"concealed": "123q"},
        {"concealed": "1w 456b 678c 222d 777c 99d"},
        {"concealed": 5},
        {"tile": "0b"},
        {"tile": None},
        {"joker": "9x9"},
        {"melds": [{"kind": "pung"}]},
        {"melds": None},
        {"pile_after": "ten"},
        {"source": "wall"},
        {"tile": "1w"},
        {"melds": [{"kind": "kang", "tiles": "5555c"}]},
    ],
    ids=str,
)
def test_a_vector_that_cannot_be_read_is_named(change):
    with pytest.raises(ValueError, match="vector E01"):
        compare([BY_ID["E01"] | change])


@pytest.mark.parametrize("entry", ["E01", None, 5, {}, {"id": "E01"}, {"expect": None}], ids=repr)
def test_an_entry_that_is_no_vector_is_refused(entry):
    with pytest.raises(ValueError, match="an object with an id and an expect"):
        compare([entry])


def test_without_jokers_there_is_no_joker_to_hold_or_draw():
    with pytest.raises(ValueError, match="vector T02"):
        compare([BY_ID["T02"] | {"tile": "J"}])
    with pytest.raises(ValueError, match="vector T02"):
        compare([BY_ID["T02"] | {"concealed": "J 123b 555b 345d 777c"}])
