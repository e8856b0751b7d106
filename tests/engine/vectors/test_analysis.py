"""A hand outside of any game wins what it wins at the table, whichever way it is asked about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.analysis import Circumstances, HandError, Held, analyze
from engine.rules import override, preset
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES
from engine.tiles import COPIES, KINDS, SUITED, parse_hand

GIVEN: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "hands.json").read_text())
TITLES = {row.id: row.title for row in CATEGORIES} | {row.id: row.title for row in BONUSES}
PLAIN = Circumstances()


def held(vector: dict[str, Any]) -> Held:
    """The hand of a vector with the tile that it wins with, if there is one."""
    kinds, jokers = parse_hand(vector["concealed"])
    tile = vector["tile"]
    last = [] if tile is None else [None if tile == "J" else KINDS[tile]]
    melds = tuple((meld["kind"], tuple(parse_hand(meld["tiles"])[0])) for meld in vector["melds"])
    joker = KINDS[vector["joker"]] if "joker" in vector else None
    return Held((*[None] * jokers, *kinds, *last), melds, joker)


def how(vector: dict[str, Any]) -> Circumstances:
    names = {"pile_after": "pile_count"} | {name: name for name in ("source", "first_draw", "locked", "flowers")}
    given = {ours: vector[name] for name, ours in names.items() if name in vector}
    return Circumstances(**given, wall_left=vector.get("wall_left", 1))


@pytest.mark.parametrize(
    "vector", [vector for vector in GIVEN if not vector.get("discards_made")], ids=lambda vector: vector["id"]
)
def test_the_hand_of_a_vector_is_worth_what_it_says(vector: dict[str, Any]):
    rules = override(preset(vector["ruleset"]), vector.get("options", {}))
    win, expected = analyze(rules, held(vector), how(vector), {}).win, vector["expect"]
    if win is None or expected is None:
        assert win is expected
    else:
        category = None if win.category is None else TITLES[win.category]
        bonuses = {TITLES[bonus] for bonus in win.bonuses}
        assert (win.multiplier, category) == (expected["multiplier"], expected.get("category"))
        assert bonuses == set(expected.get("bonuses", ()))


def test_what_a_hand_waits_for_completes_it():
    rules, tiles = preset("emay"), tuple(parse_hand("1123b 456b 678c 222d 777c")[0])
    waits = {KINDS[wait.tile] for wait in analyze(rules, Held(tiles), PLAIN, {}).waits or ()}
    free = [kind for kind in range(SUITED) if tiles.count(kind) < COPIES]
    complete = {kind for kind in free if analyze(rules, Held((*tiles, kind)), PLAIN, {}).complete}
    assert waits == complete == {KINDS["1b"], KINDS["4b"], KINDS["7b"]}


def test_what_is_unseen_is_what_is_told_and_else_what_the_hand_does_not_hold():
    hand = Held(tuple(parse_hand("123b 456b 678c 777c 9d")[0]), (("pung", (20, 20, 20)),))
    told = analyze(preset("emay"), hand, PLAIN, {KINDS["9d"]: 1})
    untold = analyze(preset("emay"), hand, PLAIN, {})
    assert (told.acceptance, untold.acceptance) == (1, 3)


@pytest.mark.parametrize(
    ("text", "melds"), [("555d 555d 678c 77c 99d", ()), ("456b 678c 777c 99d 11b", (("pung", (0,) * 3),))]
)
def test_no_kind_is_held_more_often_than_there_are_copies_melds_included(text: str, melds: tuple[Any, ...]):
    with pytest.raises(HandError) as refused:
        analyze(preset("emay"), Held(tuple(parse_hand(text)[0]), melds, KINDS["5d"]), PLAIN, {})
    assert refused.value.place == ("concealed",)


@pytest.mark.parametrize("tiles", ["555d", "456d"])
def test_no_meld_holds_a_joker(tiles: str):
    melds: tuple[Any, ...] = (("chow", (0, 1, 2)), ("pung" if tiles == "555d" else "chow", tuple(parse_hand(tiles)[0])))
    with pytest.raises(HandError) as refused:
        analyze(preset("emay"), Held(tuple(parse_hand("456b 789b 678c 9d")[0]), melds, KINDS["5d"]), PLAIN, {})
    assert refused.value.place == ("melds", 1)


def test_a_joker_held_last_between_turns_needs_no_kind_though_discards_are_asked_about():
    tiles = (*parse_hand("123b 456b 678c 222d 777c")[0], None)
    assert analyze(preset("emay"), Held(tiles), Circumstances("discard"), {}).joker_eye
