"""The 42 kinds, their codes and names, and hand strings (rules 1)."""

from __future__ import annotations

from collections import Counter
from unicodedata import name

import pytest
from hypothesis import given, strategies as st

from engine.tiles import BACK, CODES, KINDS, SUITED, Kind, codes, describe, format_hand, full_set, parse_hand

FAMILIES = {"b": 9, "c": 9, "d": 9, "w": 4, "x": 3, "f": 4, "s": 4}


def test_there_are_42_kinds_in_seven_families():
    assert len(CODES) == len(set(CODES)) == 42
    assert Counter(code[1] for code in CODES) == FAMILIES


def test_a_code_is_a_rank_and_a_family():
    assert set(CODES) == {f"{rank}{family}" for family, ranks in FAMILIES.items() for rank in range(1, ranks + 1)}
    assert BACK not in KINDS


def test_kinds_and_codes_name_each_other():
    assert [KINDS[code] for code in CODES] == list(range(42))


def test_the_suits_come_first_bamboo_characters_dots_each_by_rank():
    assert CODES[:SUITED] == tuple(f"{rank}{family}" for family in "bcd" for rank in range(1, 10))


def test_the_suited_set_is_four_of_each_of_27():
    assert Counter(full_set("suited108")) == dict.fromkeys(range(27), 4)


def test_the_standard_set_has_36_honours_more():
    counts = Counter(full_set("standard144"))
    assert counts.total() == 144
    honours = {CODES[kind]: number for kind, number in counts.items() if kind >= SUITED}
    assert sum(honours.values()) == 36
    assert all(number == (4 if code[1] in "wx" else 1) for code, number in honours.items())


# Names


@pytest.mark.parametrize(
    ("code", "family", "english", "filipino", "character"),
    [
        ("1b", "bamboo", "1 of bamboo", "1 na kawayan", "MAHJONG TILE ONE OF BAMBOOS"),
        ("5c", "characters", "5 of characters", "5 na karakter", "MAHJONG TILE FIVE OF CHARACTERS"),
        ("9d", "dots", "9 of dots", "9 na bola", "MAHJONG TILE NINE OF CIRCLES"),
        ("1w", "wind", "East wind", "Silangan", "MAHJONG TILE EAST WIND"),
        ("4w", "wind", "North wind", "Hilaga", "MAHJONG TILE NORTH WIND"),
        ("1x", "dragon", "Red dragon", "Pulang dragon", "MAHJONG TILE RED DRAGON"),
        ("3x", "dragon", "White dragon", "Puting dragon", "MAHJONG TILE WHITE DRAGON"),
        ("1f", "flower", "Plum", "Plum", "MAHJONG TILE PLUM"),
        ("3f", "flower", "Chrysanthemum", "Krisantemo", "MAHJONG TILE CHRYSANTHEMUM"),
        ("4f", "flower", "Bamboo flower", "Kawayan", "MAHJONG TILE BAMBOO"),
        ("2s", "season", "Summer", "Tag-init", "MAHJONG TILE SUMMER"),
    ],
)
def test_a_kind_has_its_names_and_character(code: str, family: str, english: str, filipino: str, character: str):
    kind = describe(KINDS[code])
    assert (kind.code, kind.family, kind.rank) == (code, family, int(code[0]))
    assert (kind.english, kind.filipino, name(kind.character)) == (english, filipino, character)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_characters_of_a_family_are_mahjong_tiles_of_their_own(family: str):
    shown = [name(describe(KINDS[code]).character) for code in CODES if code[1] == family]
    assert len(set(shown)) == FAMILIES[family]
    assert all(character.startswith("MAHJONG TILE ") for character in shown)


def test_there_is_no_kind_42():
    with pytest.raises(IndexError):
        describe(42)


# Hand strings


def test_a_hand_string_groups_ranks_by_family():
    kinds, jokers = parse_hand("123b 456c 99d J")
    assert codes(kinds) == ("1b", "2b", "3b", "4c", "5c", "6c", "9d", "9d")
    assert jokers == 1


@pytest.mark.parametrize("text", ["J J", "JJ", "J 1b J", "JJ1b"])
def test_jokers_are_counted_wherever_they_stand(text: str):
    assert parse_hand(text)[1] == 2


@pytest.mark.parametrize("text", ["", " ", "\t\n"])
def test_an_empty_hand_is_no_tiles(text: str):
    assert parse_hand(text) == ([], 0)


def test_reading_keeps_the_order_given():
    assert codes(parse_hand("9d 1f 31b")[0]) == ("9d", "1f", "3b", "1b")


def test_spaces_between_groups_may_be_left_out():
    assert parse_hand("12b3c4d") == parse_hand("12b 3c 4d")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("0b", "0b"),
        ("1z", "1z"),
        ("b", "b"),
        ("12", "12"),
        ("5w", "5w"),
        ("14x", "4x"),
        ("5f", "5f"),
        ("123b 45", "45"),
        ("1B", "1B"),
        ("j", "j"),
        ("1b,2b", "1b,2b"),
        ("back", "back"),
        ("٣b", "٣b"),
        ("1b\x002b", "1b"),
    ],
)
def test_what_is_no_hand_string_is_refused_by_name(text: str, named: str):
    with pytest.raises(ValueError, match=r"is not ranks|there is no tile") as refused:
        parse_hand(text)
    assert named in str(refused.value)


@given(st.lists(st.integers(0, 41), max_size=40), st.integers(0, 4))
def test_what_is_printed_reads_back(kinds: list[Kind], jokers: int):
    assert parse_hand(format_hand(kinds, jokers)) == (sorted(kinds), jokers)


def test_a_hand_is_printed_jokers_first_then_sorted():
    assert format_hand([KINDS[code] for code in ["9d", "1b", "5c", "1b", "1f"]], 2) == "JJ 11b 5c 9d 1f"
    assert format_hand([]) == ""
