from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.api.conftest import Guest, problem
from tests.app.api.moves.seated import Seated, View, sit_down


def settles(view: View) -> bool:
    return bool(view["decision"]["kind"] == "settlement")


@pytest.fixture
async def settling(client: httpx.AsyncClient, guest: Guest) -> Seated:
    """An emay game of one round whose points wait for the guest to confirm them."""
    timing = {"settlement_seconds": None}
    seated = await sit_down(client, guest, seed="5eed", length={"rounds": 1}, timing=timing)
    await seated.play(settles)
    return seated


async def test_the_figures_of_a_round_are_shown_and_bots_have_agreed(settling: Seated):
    pending = (await settling.view())["settlement"]
    assert (pending["round"], pending["confirmed"]) == (1, [False, True, True, True])
    assert sum(pending["changes"]) + pending["pot_after"] - pending["pot_before"] + pending["house"] == 0


async def test_confirming_applies_them(settling: Seated):
    before = await settling.view()
    view = (await settling.post("settlement/confirm", {"round": 1})).json()["view"]
    changes = before["settlement"]["changes"]
    shares = before["settlement"]["pot_after"] // 4
    assert [seat["points"] for seat in view["seats"]] == [
        seat["points"] + change + shares for seat, change in zip(before["seats"], changes, strict=True)
    ]


async def test_confirming_again_changes_nothing(settling: Seated):
    first = (await settling.post("settlement/confirm", {"round": 1})).json()
    again = await settling.post("settlement/confirm", {"round": 1})
    assert (again.status_code, again.json()["events"], again.json()["seq"]) == (200, [], first["seq"])


async def test_another_round_is_not_to_be_confirmed(settling: Seated):
    assert problem(await settling.post("settlement/confirm", {"round": 2}))["code"] == "wrong_round"


async def test_the_owner_amends_with_a_reason_everybody_sees(settling: Seated):
    changes = (await settling.view())["settlement"]["changes"]
    amended = [changes[0] + 7, changes[1] - 7, *changes[2:]]
    answer = await settling.post(
        "settlement/amend", {"round": 1, "changes": amended, "reason": "  Nena paid for lunch. "}
    )
    told = [fact["event"] for fact in answer.json()["events"]]
    assert told[0]["reason"] == "Nena paid for lunch."
    summary = (await settling.get("/rounds/1")).json()
    assert (summary["changes"], summary["amendment"]["reason"]) == (amended, "Nena paid for lunch.")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"round": 1, "changes": [1, 0, 0, 0], "reason": "x"}, 422, "amend_not_balanced"),
        ({"round": 1, "changes": [10**13, -(10**13), 0, 0], "reason": "x"}, 422, "amend_not_balanced"),
        ({"round": 1, "changes": [2**63, 0, 0, 0], "reason": "x"}, 422, "integer_out_of_range"),
        ({"round": 1, "changes": [0, 0, 0], "reason": "x"}, 422, "invalid_request"),
        ({"round": 1, "changes": [0, 0, 0, True], "reason": "x"}, 422, "invalid_request"),
        ({"round": 1, "changes": [0, 0, 0, 0], "reason": ""}, 422, "invalid_request"),
        ({"round": 1, "changes": [0, 0, 0, 0], "reason": "x" * 201}, 422, "invalid_request"),
        ({"round": 1, "changes": [0, 0, 0, 0], "reason": "two\nlines"}, 422, "invalid_request"),
        ({"round": 7, "changes": [0, 0, 0, 0], "reason": "x"}, 409, "wrong_round"),
    ],
)
async def test_figures_that_cannot_stand_are_refused(settling: Seated, body: dict[str, Any], status: int, code: str):
    before = await settling.get()
    by_short_form = problem(await settling.post("settlement/amend", body))
    by_action = problem(await settling.act({"type": "amend", **body}, before.json()["decision"]["no"]))
    assert [(found["status"], found["code"]) for found in (by_short_form, by_action)] == [(status, code)] * 2
    assert (await settling.get()).headers["etag"] == before.headers["etag"]


async def test_there_is_nothing_to_amend_while_a_round_is_played(emay: Seated):
    body = {"round": 1, "changes": [0, 0, 0, 0], "reason": "x"}
    assert problem(await emay.post("settlement/amend", body))["code"] == "amend_not_allowed"


async def test_a_round_that_was_played_is_told_with_its_figures_and_hands(settling: Seated):
    pending = (await settling.view())["settlement"]
    summary = (await settling.get("/rounds/1")).json()
    assert (summary["settled"], summary["changes"], summary["multiplier"]) == (
        False,
        pending["changes"],
        pending["multiplier"],
    )
    assert summary["outcome"] in ("won", "drawn")


async def test_a_round_in_progress_is_not_told_yet(emay: Seated):
    assert (await emay.get("/rounds")).json() == {"items": []}
    assert problem(await emay.get("/rounds/1"))["code"] == "unknown_round"


async def test_rounds_are_listed_page_by_page(client: httpx.AsyncClient, guest: Guest):
    seated = await sit_down(client, guest, ruleset="tsumo", seed="5eed", length={"rounds": 3})
    await seated.play(lambda view: view["game"]["status"] == "ended")
    page = (await seated.get("/rounds", limit=2)).json()
    rest = (await seated.get("/rounds", cursor=page["next"])).json()
    assert [summary["round"] for summary in page["items"] + rest["items"]] == [1, 2, 3]
    assert "next" not in rest


async def test_a_game_that_is_ended_now_voids_its_round(emay: Seated):
    view = (await emay.post("end", {"when": "now"})).json()["view"]
    summary = (await emay.get("/rounds/1")).json()
    assert (view["game"]["status"], [seat["points"] for seat in view["seats"]]) == ("ended", [0] * 4)
    assert (summary["outcome"], "result" in summary) == ("void", False)


async def test_a_game_that_ends_after_the_round_goes_on_until_then(emay: Seated):
    view = (await emay.post("end", {"when": "after_round"})).json()["view"]
    assert (view["game"]["status"], view["game"]["ending"]) == ("playing", True)
    view = await emay.play(lambda view: view["game"]["status"] == "ended")
    assert view["game"]["round"] == 1


async def test_a_game_that_has_ended_takes_no_more(emay: Seated):
    await emay.post("end", {"when": "now"})
    for path, body in [("discard", {"tile": "5c"}), ("win", None), ("end", {"when": "now"})]:
        assert problem(await emay.post(path, body))["code"] == "game_over"
