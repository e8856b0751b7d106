"""Advice over HTTP."""

from __future__ import annotations

from tests.app.api.conftest import problem
from tests.app.lobby.conftest import Room


async def test_one_person_is_advised_on_its_turn(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, seed='5eed')}"
    view = (await room.get(nena, path)).json()
    advice = (await room.get(nena, f"{path}/hint")).json()
    assert advice["decision_no"] == view["decision"]["no"]
    assert {each["tile"] for each in advice["discards"]} == set(view["hand"]) - {view["game"]["joker"]}
    assert advice["suggestion"] in view["legal_actions"]
    assert (
        await room.post(nena, f"{path}/actions", {"action": advice["suggestion"], "decision_no": 2})
    ).status_code == 200


async def test_with_more_people_there_is_none_unless_the_table_allows_it(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    usual, allowed = [f"/v1/games/{await room.playing(nena, ben, **more)}" for more in ({}, {"hints": True})]
    assert problem(await room.get(nena, f"{usual}/hint"))["code"] == "hints_off"
    assert (await room.get(ben, f"{allowed}/hint")).json()["shanten"] >= 0
    assert [(await room.get(nena, path)).json()["game"]["hints"] for path in (usual, allowed)] == [False, True]


async def test_alone_it_may_be_off_too(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, hints=False)}"
    assert problem(await room.get(nena, f"{path}/hint"))["code"] == "hints_off"


async def test_spectators_are_not_advised(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena)}"
    assert problem(await room.get(ben, f"{path}/hint"))["code"] == "not_seated"


async def test_after_the_end_there_is_nothing_to_advise(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena)}"
    await room.post(nena, f"{path}/end", {"when": "now"})
    assert set((await room.get(nena, f"{path}/hint")).json()) == {"decision_no"}
