"""The container's entry script, run outside a container in the image's settings."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import httpx

from tests.app.api.served import PATIENCE, TODAS, serve

SCRIPT = Path(__file__).parents[2] / "deploy" / "entrypoint.sh"
IMAGE = {
    "PATH": f"{TODAS.parent}{os.pathsep}{os.environ['PATH']}",
    "TODAS_ENVIRONMENT": "production",
    "TODAS_HOST": "0.0.0.0",
    "TODAS_LOG_FORMAT": "json",
}


def test_it_migrates_serves_a_move_and_ends_with_0(blank: str) -> None:
    migrated = subprocess.run([SCRIPT, "migrate"], env={**os.environ, **IMAGE, "DATABASE_URL": blank}, timeout=PATIENCE)
    assert migrated.returncode == 0

    with (
        serve(blank, SCRIPT, port=0, **IMAGE) as service,
        httpx.Client(base_url=service.address, timeout=PATIENCE) as client,
    ):
        assert client.get("/readyz").status_code == 200
        player = client.post("/v1/players", json={"display_name": "Ana"}).json()
        client.headers["Authorization"] = f"Bearer {player['token']}"
        view = client.post("/v1/games", json={"ruleset": "tsumo"}).json()
        move = {"decision_no": view["decision"]["no"], "action": view["legal_actions"][0]}
        moved = client.post(f"/v1/games/{view['game']['id']}/actions", json=move)

        assert (moved.status_code, service.stop()) == (200, 0)


def test_a_single_container_migrates_first(blank: str) -> None:
    with serve(blank, SCRIPT, "migrate", port=0, **IMAGE) as service:
        assert (httpx.get(f"{service.address}/readyz", timeout=PATIENCE).status_code, service.stop()) == (200, 0)
