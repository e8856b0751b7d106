"""The data file is what the generator makes, and every part of it can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.hands.generate import tables_file
from engine.hands.tables import FORMS, PATH, Form, digits_of, table


@pytest.mark.slow
def test_the_generator_reproduces_the_data_file_byte_for_byte():
    assert tables_file() == Path(PATH).read_bytes()


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_an_empty_suit_needs_every_tile_of_the_whole_hand(form: Form):
    empty = table(form).classes[0]
    for sets, pairs in form.targets:
        assert table(form).rows(sets, pairs)[empty][empty][empty] == 3 * sets + 2 * pairs


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_class_of_a_key_is_the_class_of_its_counts(form: Form):
    for key in range(0, 5**9, 4999):
        assert table(form).classes[key] == table(form).class_of(digits_of(key))
