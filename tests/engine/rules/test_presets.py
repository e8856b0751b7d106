"""Every field of rules 14, preset by preset."""

from __future__ import annotations

from dataclasses import fields

import pytest

from engine.rules import OPTIONS, PRESETS, RulesError, RuleSet, dump, from_dict, preset
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES

# field: (emay, tsumo), as rules 14 lists them; where it shows a dash the value is the one that has no effect.
FIELDS: dict[str, tuple[object, object]] = {
    "tile_set": ("suited108", "standard144"),
    "deal": ("16_then_draw", "dealer17"),
    "first_dealer": ("seat0", "seat0"),
    "auto_draw": (True, False),
    "joker_mode": ("random_kind", "none"),
    "joker_eye_definition": ("reserved_wait", "reserved_wait"),
    "joker_eye_blocks_discard": (True, True),
    "discarded_joker": ("face_for_win", "face_for_win"),
    "added_kong": (False, True),
    "rob_added_kong": (False, False),
    "kong_needs_wall_tile": (True, True),
    "meld_on_empty_wall": (False, False),
    "kong_after_meld_claim": (False, False),
    "win_after_own_claim": ("refuse", "refuse"),
    "pass_lock": ("until_draw", "off"),
    "seven_pairs_distinct": (False, False),
    "seven_pairs_open": (True, True),
    "seven_pairs_kong": (True, True),
    "seven_pairs_set": ("any", "any"),
    "scoring": ("emay_categories", "bonuses"),
    "unit": (5, 1),
    "category_multipliers": ({row.id: row.multiplier for row in CATEGORIES},) * 2,
    "bonus_values": ({row.id: row.value for row in BONUSES},) * 2,
    "puro_pong_shapes": ("five_sets", "five_sets"),
    "discarder_multiplier": (2, 2),
    "self_draw_multiplier": (2, 2),
    "bisaklat": (True, False),
    "before_fifth_limit": (5, None),
    "pot_claim": ("any_win", "off"),
    "pot_ante": (5, 0),
    "pot_growth": (1, 0),
    "pot_at_end": ("split", "split"),
    "tip_per_win": (0, 0),
    "kang_side_unit": (0, 0),
    "secret_side_unit": (0, 1),
    "sagasa_side_unit": (0, 0),
    "dealer_repeats_on_win": (True, True),
    "dealer_repeats_on_draw": (True, True),
    "reveal_all_hands": (True, True),
}


@pytest.mark.parametrize(("column", "name"), [(0, "emay"), (1, "tsumo")])
def test_preset_has_exactly_the_values_of_the_rules(column: int, name: str):
    expected = {"name": name} | {field: values[column] for field, values in FIELDS.items()}

    assert dump(preset(name)) == expected


def test_every_field_has_one_option_row_in_the_same_order():
    names = [field.name for field in fields(RuleSet)]

    assert ["name", *(option.field for option in OPTIONS)] == names


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.field)
def test_option_has_one_sentence_and_either_values_or_a_range(option):
    assert option.sentence.endswith(".")
    assert option.sentence.count(".") == 1
    assert bool(option.values) != (option.low is not None and option.high is not None)


@pytest.mark.parametrize("name", PRESETS)
def test_rules_survive_plain_json_values(name: str):
    rules = preset(name)

    assert from_dict(dump(rules)) == rules


def test_a_field_that_was_not_stored_takes_the_value_of_its_preset():
    stored = dump(preset("tsumo"))
    del stored["pass_lock"]

    assert from_dict(stored) == preset("tsumo")


def test_an_unknown_preset_is_refused_with_those_that_exist():
    with pytest.raises(RulesError, match="emay or tsumo") as refused:
        preset("riichi")

    assert refused.value.fields == ("ruleset",)
