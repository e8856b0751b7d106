"""That the walls were fixed before the deal, and that anybody can check it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.rules import override, preset
from engine.tiles import CODES
from engine.wall import build_wall, commitment
from tests.app.api.conftest import problem
from tests.app.lobby.conftest import Room

PAGE = Path(__file__).parents[3] / "docs" / "fairness.md"
SEED = "0123456789abcdef" * 4


@pytest.mark.parametrize(("name", "number"), [("emay", 1), ("emay", 12), ("tsumo", 1), ("tsumo", 3)])
def test_the_program_in_the_docs_makes_the_walls_that_are_played(tmp_path: Path, name: str, number: int):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "fairness.py"
    file.write_text(program, encoding="utf-8")
    rules = preset(name)
    run = [sys.executable, str(file), SEED, str(number), rules.tile_set]
    printed = subprocess.run(run, capture_output=True, text=True, check=True).stdout.split()
    wall = build_wall(rules, SEED, number)
    joker = build_wall(preset("emay"), SEED, number).joker
    assert joker is not None
    assert printed == [commitment(SEED), "".join(CODES[kind] for kind in wall.tiles), CODES[joker]]


def test_a_commitment_is_not_the_bare_hash_of_a_seed_and_never_changes():
    assert commitment(SEED) == "b523ea99833ff3fc68f31256eb270413409b705c1b7d17e6fdfd1f869f4f613f"


async def test_a_table_is_committed_to_its_walls_from_the_start(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    waiting = (await room.get(nena, f"{path}/fairness")).json()
    await room.post(nena, f"{path}/start", {"fill_with_bots": True})
    playing = (await room.get(ben, f"{path}/fairness")).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    over = (await room.get(nena, f"{path}/fairness")).json()
    assert waiting["commitment"] == playing["commitment"] == over["commitment"] == commitment(over["seed"])
    assert ("seed" in waiting, "seed" in playing, len(over["seed"])) == (False, False, 64)


async def test_the_seed_that_is_shown_makes_the_hands_that_were_dealt(room: Room):
    (nena,) = await room.come_in("Nena")
    game_id = await room.playing(nena)
    path = f"/v1/games/{game_id}"
    await room.post(nena, f"{path}/end", {"when": "now"})
    seed = (await room.get(nena, f"{path}/fairness")).json()["seed"]
    (dealt,) = (await room.get(nena, f"{path}/events", limit=1)).json()["events"]
    wall = build_wall(preset("emay"), seed, 1)
    own = sorted(CODES[kind] for kind in (*wall.tiles[:8], *wall.tiles[32:40]))
    assert sorted(dealt["event"]["hands"][0]) == own


async def test_a_table_may_do_without(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, commitment=False)}"
    assert "commitment" not in (await room.get(nena, f"{path}/fairness")).json()
    await room.post(nena, f"{path}/end", {"when": "now"})
    over = (await room.get(nena, f"{path}/fairness")).json()
    assert over["commitment"] == commitment(over["seed"])


async def test_it_is_told_to_whoever_may_see_the_table(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, visibility='private'))['game']['id']}"
    assert problem(await room.get(ben, f"{path}/fairness"))["code"] == "unknown_game"


def test_an_indicator_is_the_last_suited_tile_of_the_same_wall():
    wall = build_wall(preset("emay"), SEED, 1)
    shorter = build_wall(override(preset("emay"), {"joker_mode": "indicator_removed"}), SEED, 1)
    assert (*shorter.tiles, shorter.joker) == wall.tiles
