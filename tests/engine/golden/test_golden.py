"""These games happen as they were written down, to the last event and every reader's view (design 8).

After a wanted change: python -m tests.engine.golden.regenerate
"""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from tests.engine.golden.playthrough import FILES, played_again


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_happens_as_it_was_written_down(path: Path):
    recorded = path.read_text()
    played = played_again(recorded)
    if played != recorded:
        lines = unified_diff(recorded.splitlines(), played.splitlines(), "recorded", "played", lineterm="", n=1)
        pytest.fail("\n".join(islice(lines, 40)), pytrace=False)


@pytest.mark.parametrize(
    "what",
    [
        '"type":"joker_named"',
        '"type":"flower_exposed"',
        '"kind":"opening"',
        '"kind":"rob"',
        '"kind":"secret"',
        '"kind":"sagasa"',
        '"kind":"kong"',
        '"type":"lock_changed"',
        '"type":"points_amended"',
        '"type":"round_won"',
        '"type":"round_drawn"',
        '"void_round":true',
        '"taken":"win"',
    ],
)
def test_the_games_written_down_hold_all_that_matters(what: str):
    assert any(what in path.read_text() for path in FILES)
