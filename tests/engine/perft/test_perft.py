"""Exactly these sequences of actions are legal (design 8).

After a wanted change: python -m tests.engine.perft.regenerate
"""

from __future__ import annotations

from difflib import unified_diff

import pytest

from tests.engine.perft.counting import block, blocks

RECORDED = blocks()


@pytest.mark.parametrize("position", RECORDED)
def test_as_many_sequences_of_actions_are_legal_as_ever(position: str):
    counted = block(position)
    if counted != RECORDED[position]:
        lines = unified_diff(RECORDED[position].splitlines(), counted.splitlines(), "recorded", "counted", lineterm="")
        pytest.fail("\n".join(["other actions are legal after these:", *lines]), pytrace=False)


@pytest.mark.parametrize("what", ["kong secret", "kong added", "claim kong", "claim pung", "claim chow", "win", "draw"])
def test_the_positions_hold_every_sort_of_action(what: str):
    firsts = [line.split(":")[0].split(" ", 3)[-1] for block in RECORDED.values() for line in block.splitlines()[1:]]
    assert any(first.startswith(what) for first in firsts)
