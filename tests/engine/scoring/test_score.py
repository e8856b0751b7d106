"""What a score says beside its category: ids, the reading as people see it, and what is no win at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.events import MeldKind, WinReading
from engine.rules import PRESETS, override
from engine.scoring import Score, WinContext, score
from engine.tiles import KINDS, SUITED, parse_hand

EMAY, TSUMO = PRESETS["emay"], PRESETS["tsumo"]
NO_MELDS: tuple[tuple[MeldKind, int], ...] = ()


def drawn(wait: str, tile: str, melds: tuple[tuple[MeldKind, int], ...] = NO_MELDS) -> WinContext:
    before, jokers = parse_hand(wait)
    wait_counts = tuple(before.count(kind) for kind in range(SUITED))
    kind = None if tile == "J" else KINDS[tile]
    counts = tuple(count + (at == kind) for at, count in enumerate(wait_counts))
    return WinContext(
        counts=counts,
        jokers=jokers + (kind is None),
        wait_counts=wait_counts,
        wait_jokers=jokers,
        melds=melds,
        source="draw",
        tile=kind,
        pile_count=10,
        first_draw=False,
        triple_joker=False,
        flowers=1,
        wall_left=20,
    )


def test_a_score_of_emay_names_a_category_and_no_bonus():
    win = drawn("123b 456b 678c 22d 77c 9d J", "9d")

    with pytest.raises(ValueError, match="not complete"):
        score(EMAY, win)
    assert score(EMAY, drawn("123b 456b 678c 222d 777c 9d", "9d")) == Score(
        "win_by_draw_regular",
        (),
        1,
        WinReading(
            "regular",
            (
                ("1b", "2b", "3b"),
                ("4b", "5b", "6b"),
                ("6c", "7c", "8c"),
                ("7c", "7c", "7c"),
                ("2d", "2d", "2d"),
            ),
            (("9d", "9d"),),
            (),
        ),
    )


def test_a_score_of_tsumo_names_bonuses_and_no_category():
    worth = score(TSUMO, drawn("222d 666b 999c 777d 5c", "5c", (("kong", KINDS["3b"]),)))

    assert (worth.category, worth.bonuses, worth.multiplier) == (None, ("puro_pong",), 2)


def test_a_reading_shows_melds_first_kongs_with_four_tiles():
    worth = score(TSUMO, drawn("222d 5c", "5c", (("secret", 2), ("chow", 9), ("pung", 20), ("sagasa", 25))))

    assert worth.reading == WinReading(
        "regular",
        (
            ("3b", "3b", "3b", "3b"),
            ("1c", "2c", "3c"),
            ("3d", "3d", "3d"),
            ("8d", "8d", "8d", "8d"),
            ("2d", "2d", "2d"),
        ),
        (("5c", "5c"),),
        (),
    )


def test_a_reading_says_what_each_joker_stands_for():
    worth = score(EMAY, drawn("13b J 456b 678c 222d 777c 9d", "9d"))

    assert worth.reading is not None
    assert worth.reading.sets[0] == ("1b", "2b", "3b")
    assert worth.reading.jokers_as == ("2b",)


def test_the_reading_of_a_joker_eye_shows_a_joker_in_the_eye():
    worth = score(EMAY, drawn("123b 678c 222d 777c 44b JJ", "9d"))

    assert worth.category == "win_by_draw_joker_eye"
    assert worth.reading is not None
    assert worth.reading.pairs == (("9d", "9d"),)
    assert worth.reading.jokers_as == ("4b", "9d")


def test_the_reading_is_one_of_the_pattern_that_names_the_category():
    eskalera = score(EMAY, drawn("11223344556b 789b 55d", "6b"))
    pairs = score(EMAY, drawn("11b 22b 33b 77c 88c 99c 5c 222d", "5c"))

    assert eskalera.category == "win_by_draw_eskalera"
    assert eskalera.reading is not None
    assert {("1b", "2b", "3b"), ("4b", "5b", "6b"), ("7b", "8b", "9b")} <= set(eskalera.reading.sets)
    assert pairs.category == "win_by_draw_seven_pairs"
    assert pairs.reading is not None
    assert (pairs.reading.pattern, len(pairs.reading.pairs)) == ("seven_pairs", 7)


def test_triple_joker_shows_no_reading():
    win = replace(drawn("JJJ 1b 4b 7b 2c 5c 8c 3d 6d 9d 1c 9b 9c 1d", "4c"), triple_joker=True)

    assert score(EMAY, win) == Score("bisaklat_triple_joker", (), 10, None)


def test_triple_joker_is_no_win_where_bonuses_are_counted():
    win = replace(drawn("JJJ 1b 4b 7b 2c 5c 8c 3d 6d 9d 1c 9b 9c 1d", "4c"), triple_joker=True)

    with pytest.raises(ValueError, match="not complete"):
        score(override(EMAY, {"scoring": "bonuses"}), win)


def test_seven_pairs_is_read_only_as_the_options_allow():
    win = drawn("11b 22b 44c 66c 88d 99d 3c", "3c", (("kong", KINDS["7b"]),))

    assert score(EMAY, win).category == "win_by_draw_seven_pairs"
    for refusing in ({"seven_pairs_open": False}, {"seven_pairs_kong": False}):
        with pytest.raises(ValueError, match="not complete"):
            score(override(EMAY, refusing), win)
