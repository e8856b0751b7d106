from __future__ import annotations

from typing import Any

import pytest

from tests.app.api.conftest import problem
from tests.app.api.moves.seated import Seated, View


def offers(kind: str) -> Any:
    """Whether a view offers actions of a kind."""
    return lambda view: any(action["type"] == kind for action in view["legal_actions"])


def claims(view: View) -> list[str]:
    return [action["kind"] for action in view["legal_actions"] if action["type"] == "claim"]


async def test_an_action_is_answered_with_its_events_and_the_view_after_them(emay: Seated):
    view = await emay.view()
    answer = (await emay.act(view["legal_actions"][-1], view["decision"]["no"])).json()
    assert answer["events"][0]["event"] == {**view["legal_actions"][-1], "type": "tile_discarded", "seat": 0}
    assert [fact["seq"] for fact in answer["events"]] == list(range(view["game"]["seq"] + 1, answer["seq"] + 1))
    assert answer["view"]["game"]["seq"] >= answer["seq"]


async def test_a_short_form_needs_no_decision_number(tsumo: Seated):
    tile = (await tsumo.view())["hand"][0]
    answer = await tsumo.post("discard", {"tile": tile})
    assert answer.status_code == 200


async def test_a_turn_in_tsumo_is_drawn_and_then_thrown(tsumo: Seated):
    await tsumo.post("discard", {"tile": (await tsumo.view())["hand"][0]})
    await tsumo.play(lambda view: view["decision"].get("stage") == "draw" and view["decision"]["who"] == [0])
    drawn = (await tsumo.post("draw")).json()
    assert drawn["events"][0]["event"]["tile"] == drawn["view"]["drawn"]
    assert (await tsumo.post("discard", {"tile": drawn["view"]["drawn"]})).status_code == 200


async def test_a_claim_of_which_there_is_one_needs_no_tiles(emay: Seated):
    await emay.play(lambda view: claims(view).count("chow") == 1)
    answer = await emay.post("claim", {"kind": "chow"})
    assert answer.status_code == 200


async def test_of_several_claims_the_tiles_must_be_named_and_the_refusal_lists_them(emay: Seated):
    view = await emay.play(lambda view: claims(view).count("chow") > 1)
    refused = problem(await emay.post("claim", {"kind": "chow"}))
    chows = [action for action in view["legal_actions"] if action.get("kind") == "chow"]
    assert (refused["status"], refused["code"], refused["choices"]) == (409, "choice_needed", chows)
    assert (refused["legal_actions"], refused["decision_no"]) == (view["legal_actions"], view["decision"]["no"])
    assert (await emay.act(refused["choices"][-1], refused["decision_no"])).status_code == 200


async def test_a_claim_of_which_there_is_none_is_not_offered(emay: Seated):
    await emay.play(lambda view: offers("pass")(view) and "kong" not in claims(view))
    refused = problem(await emay.post("claim", {"kind": "kong"}))
    assert (refused["code"], refused["detail"]) == ("claim_not_offered", "This claim is not offered to you.")


async def test_the_tiles_of_a_claim_may_come_in_any_order(emay: Seated):
    view = await emay.play(offers("claim"))
    claim = next(action for action in view["legal_actions"] if action["type"] == "claim")
    answer = await emay.post("claim", {"kind": claim["kind"], "tiles": claim["tiles"][::-1]})
    assert answer.status_code == 200


async def test_a_window_is_passed(emay: Seated):
    await emay.play(offers("pass"))
    assert (await emay.post("pass")).status_code == 200


async def test_a_win_that_is_none_is_refused_with_a_reason_and_the_game_goes_on(emay: Seated):
    before = await emay.get()
    refused = problem(await emay.post("win"))
    assert (refused["status"], refused["code"]) == (409, "incomplete")
    assert (await emay.get()).headers["etag"] == before.headers["etag"]


async def test_a_win_needs_no_decision_number_among_the_actions(emay: Seated):
    assert problem(await emay.post("actions", {"action": {"type": "win"}}))["code"] == "incomplete"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("draw", "already_drawn"),
        ("pass", "nothing_to_pass"),
        ("kong", "kong_not_allowed"),
        ("claim", "claim_not_offered"),
    ],
)
async def test_what_is_not_asked_now_is_refused(emay: Seated, path: str, code: str):
    body = {"kind": "pung"} if path == "claim" else None
    assert problem(await emay.post(path, body))["code"] == code


async def test_another_decision_number_is_told_the_one_that_is_open(emay: Seated):
    view = await emay.view()
    refused = problem(await emay.act(view["legal_actions"][-1], view["decision"]["no"] - 1))
    assert (refused["code"], refused["decision_no"]) == ("stale_decision", view["decision"]["no"])


async def test_a_repeat_says_so_and_is_answered_with_the_same_events(emay: Seated):
    view = await emay.view()
    sent = [await emay.act(view["legal_actions"][-1], view["decision"]["no"], action_id="a1") for _ in range(2)]
    first, again = [answer.json() for answer in sent]
    assert (again["seq"], again["events"]) == (first["seq"], first["events"])
    assert [answer.headers.get("idempotency-replayed") for answer in sent] == [None, "true"]


async def test_the_idempotency_key_is_the_action_id(emay: Seated):
    tile = {"tile": (await emay.view())["hand"][-1]}
    await emay.post("discard", tile, **{"Idempotency-Key": "a1"})
    again = await emay.post("discard", {**tile, "action_id": "a1"})
    assert again.headers["idempotency-replayed"] == "true"


async def test_an_id_with_another_action_is_refused(emay: Seated):
    tile = {"tile": (await emay.view())["hand"][-1]}
    await emay.post("discard", tile, **{"Idempotency-Key": "a1"})
    refused = problem(await emay.post("pass", **{"Idempotency-Key": "a1"}))
    assert (refused["status"], refused["code"]) == (422, "action_id_reused")


async def test_a_short_claim_that_was_filled_in_is_a_repeat_of_itself(emay: Seated):
    await emay.play(lambda view: "pung" in claims(view))
    sent = [await emay.post("claim", {"kind": "pung", "action_id": "c1"}) for _ in range(2)]
    assert [answer.headers.get("idempotency-replayed") for answer in sent] == [None, "true"]


async def test_one_action_has_one_id(emay: Seated):
    refused = problem(await emay.post("pass", {"action_id": "a1"}, **{"Idempotency-Key": "a2"}))
    assert refused["code"] == "invalid_request"


async def test_a_move_for_another_view_is_refused(emay: Seated):
    tile = {"tile": (await emay.view())["hand"][-1]}
    refused = problem(await emay.post("discard", tile, **{"If-Match": 'W/"1.0"'}))
    assert (refused["status"], refused["code"]) == (412, "precondition_failed")


@pytest.mark.parametrize("mark", [None, "*"])
async def test_a_move_for_the_view_that_stands_is_taken(emay: Seated, mark: str | None):
    seen = await emay.get()
    tile = {"tile": seen.json()["hand"][-1]}
    answer = await emay.post("discard", tile, **{"If-Match": mark or seen.headers["etag"]})
    assert answer.status_code == 200
    assert answer.headers["etag"] == (await emay.get()).headers["etag"]
