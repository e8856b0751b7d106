"""The first game of the README, run as it stands against the service as it is run."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.app.api.served import serve

README = (Path(__file__).parents[2] / "README.md").read_text()
GAME = re.findall(r"```bash\n(.*?)```", README, re.DOTALL)[0]


def test_the_first_game_is_under_twenty_lines():
    assert len([line for line in GAME.splitlines() if line.strip()]) < 20


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
def test_the_first_game_plays_a_round_to_its_settlement(url: str, ruleset: str):
    with serve(url) as service:
        run = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", GAME.replace("emay", ruleset)],
            env={**os.environ, "TOKEN": "", "API": f"{service.address}/v1"},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert run.returncode == 0, run.stderr
    ended, points = run.stdout.split("points:")
    assert '"round": 1' in ended
    assert len(re.findall(r"-?\d+", points)) == 4


def test_every_make_target_named_in_the_readme_exists():
    makefile = (Path(__file__).parents[2] / "Makefile").read_text()
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", README, re.MULTILINE))
    assert {"serve", "test"} <= named
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
