"""Whole rounds over HTTP, by one person against three bots."""

from __future__ import annotations

import httpx
import pytest

from tests.app.api.conftest import Guest
from tests.app.api.moves.seated import sit_down


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_a_person_plays_a_round_to_its_settlement(client: httpx.AsyncClient, guest: Guest, ruleset: str):
    seated = await sit_down(client, guest, ruleset=ruleset, seed="5eed", length={"rounds": 1})
    view = await seated.play(lambda view: view["game"]["status"] == "ended")
    rounds = (await seated.get("/rounds")).json()["items"]
    assert [summary["settled"] for summary in rounds] == [True]
    assert sum(seat["points"] for seat in view["seats"]) + view["game"]["house"] == 0
