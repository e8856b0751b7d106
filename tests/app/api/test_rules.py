from __future__ import annotations

import httpx
import pytest

from engine.rules import OPTIONS, PRESETS, dump
from tests.app.api.conftest import problem


async def test_tiles_lists_the_42_kinds_with_their_names(client: httpx.AsyncClient) -> None:
    items = (await client.get("/v1/tiles")).json()["items"]

    assert len({tile["code"] for tile in items}) == 42
    assert items[0] == {
        "code": "1b",
        "family": "bamboo",
        "rank": 1,
        "english": "1 of bamboo",
        "filipino": "1 na kawayan",
        "character": "🀐",
    }


@pytest.mark.parametrize("name", PRESETS)
async def test_a_preset_shows_every_option_as_the_engine_has_it(client: httpx.AsyncClient, name: str) -> None:
    options = (await client.get(f"/v1/rulesets/{name}")).json()["options"]

    assert {option["field"]: option["value"] for option in options} == {
        field: value for field, value in dump(PRESETS[name]).items() if field != "name"
    }
    assert [option["sentence"] for option in options] == [option.sentence for option in OPTIONS]


@pytest.mark.parametrize("name", PRESETS)
async def test_the_value_of_every_option_is_among_those_allowed(client: httpx.AsyncClient, name: str) -> None:
    for option in (await client.get(f"/v1/rulesets/{name}")).json()["options"]:
        value, allowed = option["value"], option["allowed"]
        match allowed["type"]:
            case "one_of":
                assert value in allowed["values"]
            case "whole":
                assert allowed["nullable"] if value is None else allowed["low"] <= value <= allowed["high"]
            case "whole_by_id":
                assert list(value) == allowed["ids"]
                assert all(allowed["low"] <= number <= allowed["high"] for number in value.values())
            case unknown:
                raise AssertionError(unknown)


async def test_emay_shows_its_22_categories_and_tsumo_its_bonuses(client: httpx.AsyncClient) -> None:
    emay, tsumo = (await client.get("/v1/rulesets")).json()["items"]

    assert (emay["id"], len(emay["categories"]), emay["bonuses"]) == ("emay", 22, [])
    assert (tsumo["id"], len(tsumo["bonuses"]), tsumo["categories"]) == ("tsumo", 7, [])
    assert {"id": "siete_pares", "title": "Siete Pares", "filipino": "Siete Pares", "value": 2} in tsumo["bonuses"]


@pytest.mark.parametrize("name", PRESETS)
async def test_every_preset_has_a_guide_for_players(client: httpx.AsyncClient, name: str) -> None:
    shown = (await client.get(f"/v1/rulesets/{name}")).json()

    assert shown["title"]
    assert {"The goal", "A turn", "Claims", "Points"} <= {chapter["title"] for chapter in shown["guide"]}


async def test_an_unknown_preset_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/rulesets/riichi")

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_ruleset")
