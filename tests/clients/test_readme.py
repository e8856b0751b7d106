"""The bot of the client's README, run as it stands against the service as it is run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.app.api.served import Served

README = (Path(__file__).parents[2] / "clients/python/README.md").read_text()
(BOT,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_bot_of_the_readme_plays_a_round(service: Served):
    bot = BOT.replace("http://127.0.0.1:8000", service.address)
    run = subprocess.run([sys.executable, "-c", bot], capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert "points_pending" in run.stdout


def test_every_file_named_in_the_readme_exists():
    for name in re.findall(r"`(?:todas_client/)?((?:play/)?\w+\.py)`", README):
        assert (Path(__file__).parents[2] / "clients/python/todas_client" / name).exists() or (
            Path(__file__).parents[2] / "clients/python/todas_client/play" / name
        ).exists(), name
