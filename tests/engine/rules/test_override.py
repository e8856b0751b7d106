"""A game may override any field; values are checked one by one, then together (rules, opening)."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from engine.rules import OPTIONS, PRESETS, Option, RulesError, dump, from_dict, override, preset

EMAY, TSUMO = PRESETS["emay"], PRESETS["tsumo"]
JOKER_OPTIONS = ("joker_eye_definition", "joker_eye_blocks_discard", "discarded_joker")


def within(option: Option) -> st.SearchStrategy[object]:
    if option.values:
        return st.sampled_from(option.values)
    numbers = st.integers(option.low, option.high)
    if option.ids:
        return st.dictionaries(st.sampled_from(option.ids), numbers)
    return numbers | st.none() if option.nullable else numbers


anything = st.fixed_dictionaries({}, optional={option.field: within(option) for option in OPTIONS})


@given(name=st.sampled_from(sorted(PRESETS)), changes=anything)
def test_options_in_range_stand_unless_they_are_refused_together(name: str, changes: dict[str, object]):
    before = dump(preset(name))
    wanted = before | changes
    dealt = wanted["deal"] == "dealer17" and wanted["scoring"] == "emay_categories"
    jokerless = wanted["joker_mode"] == "none" and any(wanted[field] != before[field] for field in JOKER_OPTIONS)

    if dealt or jokerless:
        with pytest.raises(RulesError):
            override(preset(name), changes)
    else:
        rules = override(preset(name), changes)
        assert from_dict(dump(rules)) == rules
        assert hash(from_dict(dump(rules))) == hash(rules)


def test_override_changes_the_named_field_alone():
    assert dump(override(EMAY, {"unit": 10})) == dump(EMAY) | {"unit": 10}


def test_a_multiplier_may_be_replaced_without_naming_the_others():
    rules = override(EMAY, {"category_multipliers": {"bisaklat_triple_joker": 20}})

    assert dict(rules.category_multipliers) == dict(EMAY.category_multipliers) | {"bisaklat_triple_joker": 20}


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.values], ids=lambda option: option.field)
@pytest.mark.parametrize("value", ["other", None, 0, 1, 2.5, [], {}])
def test_a_value_that_is_not_listed_is_refused(option: Option, value: object):
    with pytest.raises(RulesError) as refused:
        override(EMAY, {option.field: value})

    assert refused.value.fields == (option.field,)


@pytest.mark.parametrize(
    "option", [option for option in OPTIONS if not option.values and not option.ids], ids=lambda option: option.field
)
@pytest.mark.parametrize("past", ["below", "above", True, False, 2.0, "2", [2]])
def test_a_number_outside_its_range_or_of_another_type_is_refused(option: Option, past: object):
    assert option.low is not None
    assert option.high is not None
    value = {"below": option.low - 1, "above": option.high + 1}.get(past, past) if isinstance(past, str) else past

    with pytest.raises(RulesError) as refused:
        override(EMAY, {option.field: value})

    assert refused.value.fields == (option.field,)


@pytest.mark.parametrize("field", ["category_multipliers", "bonus_values"])
@pytest.mark.parametrize("value", [{"no_such_id": 1}, {"flush": -1, "win_by_draw_regular": -1}, [], 3, None])
def test_values_by_id_take_known_ids_and_numbers_in_range(field: str, value: object):
    with pytest.raises(RulesError) as refused:
        override(EMAY, {field: value})

    assert refused.value.fields == (field,)


@pytest.mark.parametrize(("number", "stands"), [(0, True), (1000, True), (-1, False), (1001, False), (True, False)])
def test_a_bonus_value_lies_between_0_and_1000(number: int, stands: bool):
    try:
        override(TSUMO, {"bonus_values": {"flush": number}})
    except RulesError:
        assert not stands
    else:
        assert stands


def test_only_the_limit_of_before_the_fifth_may_be_null():
    assert override(EMAY, {"before_fifth_limit": None}).before_fifth_limit is None
    with pytest.raises(RulesError):
        override(EMAY, {"unit": None})


def test_unknown_fields_are_refused_by_name_and_so_is_the_name_of_the_preset():
    with pytest.raises(RulesError) as refused:
        override(EMAY, {"claim_seconds": 5, "name": "tsumo"})

    assert refused.value.fields == ("claim_seconds", "name")


def test_a_refusal_names_every_field_at_fault():
    with pytest.raises(RulesError) as refused:
        override(EMAY, {"unit": 0, "pot_ante": -1, "auto_draw": False})

    assert refused.value.fields == ("unit", "pot_ante")


@pytest.mark.parametrize(
    ("rules", "changes"), [(EMAY, {"deal": "dealer17"}), (TSUMO, {"scoring": "emay_categories"})], ids=["emay", "tsumo"]
)
def test_emay_categories_are_refused_with_a_dealt_17(rules, changes):
    with pytest.raises(RulesError) as refused:
        override(rules, changes)

    assert refused.value.fields == ("scoring", "deal")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("joker_eye_definition", "pair_has_joker"),
        ("joker_eye_blocks_discard", False),
        ("discarded_joker", "dead"),
        ("discarded_joker", "wild"),
    ],
)
def test_joker_options_stay_as_in_the_preset_without_jokers(field: str, value: object):
    for changes, rules in (({field: value}, TSUMO), ({field: value, "joker_mode": "none"}, EMAY)):
        with pytest.raises(RulesError) as refused:
            override(rules, changes)

        assert refused.value.fields == ("joker_mode", field)
    assert override(EMAY, {field: value}) != EMAY
    assert override(TSUMO, {field: value, "joker_mode": "wall_indicator"}) != TSUMO


def test_both_refusals_of_a_combination_are_named_at_once():
    with pytest.raises(RulesError) as refused:
        override(TSUMO, {"scoring": "emay_categories", "discarded_joker": "wild"})

    assert refused.value.fields == ("scoring", "deal", "joker_mode", "discarded_joker")


@pytest.mark.parametrize(
    ("changes", "opens"),
    [({}, True), ({"joker_mode": "none"}, False), ({"bisaklat": False}, False), ({"scoring": "bonuses"}, False)],
    ids=["emay", "no jokers", "no bisaklat", "no categories"],
)
def test_the_opening_window_needs_bisaklat_jokers_and_categories(changes, opens: bool):
    assert override(EMAY, changes).opening_window is opens
