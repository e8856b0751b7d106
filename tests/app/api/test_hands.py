"""Hands that are analysed outside of any game: the given vectors, and what stands in the answer beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.settings import Settings
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES
from tests.app.api.conftest import problem

PATH = "/v1/hands/analyze"
GIVEN: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "vectors" / "hands.json").read_text())
VECTORS = [vector for vector in GIVEN if not vector.get("discards_made")]  # who has discarded declares no Triple Joker
TITLES = {row.id: row.title for row in CATEGORIES} | {row.id: row.title for row in BONUSES}
SENT = {
    "ruleset": "ruleset",
    "options": "overrides",
    "concealed": "hand",
    "joker": "joker",
    "melds": "melds",
    "tile": "tile",
    "source": "source",
    "pile_after": "pile_count",
    "first_draw": "first_draw",
    "locked": "locked",
    "flowers": "flowers",
    "wall_left": "wall_left",
}
"""What a vector calls what a request calls otherwise."""

WAITING = "123b 456b 678c 222d 777c 9d"
COMPLETE = WAITING + " 9d"


async def analyzed(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def worth(client: httpx.AsyncClient, vector: dict[str, Any]) -> dict[str, Any] | None:
    """What a vector's hand is worth, as vectors say it."""
    asked = {SENT[name]: value for name, value in vector.items() if name in SENT}
    win = (await analyzed(client, **asked)).get("win")
    if win is None:
        return None
    if "category" in win:
        return {"category": TITLES[win["category"]], "multiplier": win["multiplier"]}
    return {"multiplier": win["multiplier"], "bonuses": sorted(TITLES[bonus] for bonus in win["bonuses"])}


async def test_every_given_vector_is_worth_what_it_says(client: httpx.AsyncClient):
    expected = {
        vector["id"]: vector["expect"] and {**vector["expect"], **_sorted(vector["expect"])} for vector in VECTORS
    }
    assert {vector["id"]: await worth(client, vector) for vector in VECTORS} == expected
    assert len(expected) > 90


def _sorted(expected: dict[str, Any]) -> dict[str, Any]:
    return {"bonuses": sorted(expected["bonuses"])} if "bonuses" in expected else {}


async def test_a_complete_hand_is_told_with_its_reading_its_worth_and_what_is_paid(client: httpx.AsyncClient):
    found = await analyzed(client, hand=COMPLETE, source="discard", pile_count=10, overrides={"tip_per_win": 3})
    reading = {
        "pattern": "regular",
        "sets": [
            ["1b", "2b", "3b"],
            ["4b", "5b", "6b"],
            ["6c", "7c", "8c"],
            ["7c", "7c", "7c"],
            ["2d", "2d", "2d"],
        ],
        "pairs": [["9d", "9d"]],
        "jokers_as": [],
    }
    assert (found["complete"], found["shanten"], found["readings"]) == (True, -1, [reading])
    assert found["win"] == {
        "category": "win_by_discard_regular",
        "bonuses": [],
        "multiplier": 1,
        "reading": reading,
        "payments": {"game": 20, "discarder": 10, "others": 5, "takes_pot": True, "tip": 3},
    }
    assert "refusal" not in found


async def test_who_draws_is_paid_by_all_alike(client: httpx.AsyncClient):
    win = (await analyzed(client, ruleset="tsumo", hand=COMPLETE, flowers=1))["win"]
    assert win["bonuses"] == ["concealed"]
    assert win["payments"] == {"game": 12, "others": 4, "takes_pot": False, "tip": 0}


async def test_a_hand_between_turns_is_told_what_it_waits_for(client: httpx.AsyncClient):
    found = await analyzed(client, hand=WAITING)
    assert found == {
        "complete": False,
        "shanten": 0,
        "readings": [],
        "joker_eye": False,
        "waits": [{"tile": "9d", "unseen": 3}],
        "accepted": ["9d"],
        "acceptance": 3,
    }


async def test_a_joker_set_aside_waits_for_every_kind_as_a_joker_eye(client: httpx.AsyncClient):
    found = await analyzed(client, hand="123b 456b 678c 222d 777c 5d", joker="5d")
    assert (found["joker_eye"], len(found["waits"])) == (True, 27)
    assert {"tile": "5d", "unseen": 0} in found["waits"]


async def test_why_a_hand_does_not_win_is_told(client: httpx.AsyncClient):
    asked: list[dict[str, Any]] = [
        {"hand": "123b 456b 678c 222d 777c J", "joker": "5d", "tile": "1d", "source": "discard"},
        {"hand": COMPLETE, "source": "discard", "locked": True},
        {"hand": WAITING, "tile": "8d"},
    ]
    found = [(await analyzed(client, **body))["refusal"] for body in asked]
    assert found == ["joker_eye_is_draw_only", "locked_after_pass", "incomplete"]


async def test_a_hand_on_turn_is_told_its_discards_the_best_first(client: httpx.AsyncClient):
    found = await analyzed(client, hand="123b 456b 678c 222d 777c 89d", unseen={"7d": 2, "8d": 0})
    best = [(each["tile"], each["shanten"], each["accepted"], each["acceptance"]) for each in found["discards"][:4]]
    assert best == [("8d", 0, ["9d"], 3), ("7c", 0, ["7d"], 2), ("2d", 0, ["7d"], 2), ("9d", 0, ["8d"], 0)]
    assert "waits" not in found


async def test_a_hand_as_a_view_shows_it_is_read_like_its_text(client: httpx.AsyncClient):
    codes = ["5d", "1b", "2b", "3b", "4b", "5b", "6b", "6c", "7c", "8c", "7c", "7c", "2d", "2d", "2d", "9d", "9d"]
    text = "123b 456b 678c 222d 77c J 99d"
    assert await analyzed(client, hand=codes, joker="5d") == await analyzed(client, hand=text, joker="5d")
    assert await analyzed(client, hand=text.replace(" J", ""), jokers=1) == await analyzed(client, hand=text)


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({}, "invalid_request", "/hand"),
        ({"hand": 5}, "invalid_request", "/hand"),
        ({"hand": "123z"}, "unknown_tile", "/hand"),
        ({"hand": "{0}9w"}, "unknown_tile", "/hand"),
        ({"hand": ["1b", "10b"]}, "unknown_tile", "/hand/1"),
        ({"hand": WAITING, "joker": "back"}, "unknown_tile", "/joker"),
        ({"hand": WAITING, "tile": "0b"}, "unknown_tile", "/tile"),
        ({"hand": WAITING, "unseen": {"1z": 1}}, "unknown_tile", "/unseen/1z"),
        ({"hand": WAITING, "unseen": {"1b": 5}}, "invalid_request", "/unseen/1b"),
        ({"hand": ""}, "invalid_hand", "/hand"),
        ({"hand": "123b"}, "invalid_hand", "/hand"),
        ({"hand": COMPLETE, "tile": "9d"}, "invalid_hand", "/hand"),
        ({"hand": "1111b 1b 456b 678c 222d 77c"}, "invalid_hand", "/hand"),
        ({"hand": WAITING.replace("9d", "1w")}, "invalid_hand", "/hand"),
        ({"hand": "JJJJ 5d 456b 678c 222d 77c", "joker": "5d"}, "invalid_hand", "/hand"),
        (
            {"hand": "JJJJ 456b 678c 222d 777c", "overrides": {"joker_mode": "indicator_removed"}},
            "invalid_hand",
            "/hand",
        ),
        ({"ruleset": "tsumo", "hand": "J 456b 678c 222d 777c 999d"}, "invalid_hand", "/hand"),
        ({"ruleset": "tsumo", "hand": WAITING, "joker": "5d"}, "invalid_hand", "/joker"),
        ({"hand": WAITING, "joker": "1w"}, "invalid_hand", "/joker"),
        ({"hand": WAITING, "tile": "J", "source": "discard"}, "invalid_hand", "/joker"),
        ({"hand": "9d", "melds": [{"kind": "pung", "tiles": "111b"}] * 6}, "invalid_hand", "/melds"),
        ({"hand": WAITING, "melds": [{"kind": "chow", "tiles": "89b1c"}]}, "invalid_hand", "/melds/0"),
        ({"hand": WAITING, "melds": [{"kind": "kong", "tiles": "111b"}]}, "invalid_hand", "/melds/0"),
        ({"hand": WAITING, "melds": [{"kind": "pung", "tiles": ""}]}, "invalid_hand", "/melds/0"),
        ({"hand": WAITING, "melds": [{"kind": "pung", "tiles": "111w"}]}, "invalid_hand", "/melds/0"),
        ({"hand": WAITING, "melds": [{"kind": "pung", "tiles": "JJJ"}]}, "unknown_tile", "/melds/0/tiles"),
        ({"hand": WAITING, "melds": [{"kind": "heap", "tiles": "111b"}]}, "invalid_request", "/melds/0/kind"),
        ({"hand": WAITING, "overrides": {"unit": 0}}, "invalid_option", "/overrides/unit"),
        ({"hand": WAITING, "ruleset": "riichi"}, "invalid_request", "/ruleset"),
        ({"hand": WAITING, "wishes": 1}, "invalid_request", "/wishes"),
    ],
)
async def test_what_is_no_hand_is_refused_by_name(
    client: httpx.AsyncClient, body: dict[str, Any], code: str, pointer: str
):
    refused = problem(await client.post(PATH, json=body))
    assert (refused["status"], refused["code"]) == (422, code)
    assert {fault["pointer"] for fault in refused["errors"]} == {pointer}


async def test_what_no_seat_could_hold_is_told_like_every_fault_of_a_body(client: httpx.AsyncClient):
    refused = problem(await client.post(PATH, json={"hand": "123b"}))
    assert (refused["code"], refused["detail"]) == ("invalid_hand", f"body/hand: {refused['errors'][0]['detail']}")


class TestBudget:
    """With few reads for an address."""

    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(rate_reads="2/hour")

    async def test_an_address_analyses_as_many_as_it_may_read(self, client: httpx.AsyncClient):
        answers = [await client.post(PATH, json={"hand": WAITING}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert problem(answers[-1])["code"] == "rate_limited"
