"""Private tables, and the codes that are read out to join them."""

from __future__ import annotations

import asyncio
from math import log2

import pytest

from app.lobby.spoken import SYLLABLES, heard, new_code, spoken
from app.main import Todas
from app.settings import Settings
from tests.app.api.conftest import problem
from tests.app.lobby.conftest import Room


@pytest.fixture
def settings() -> Settings:
    return Settings(rate_codes="1000/minute")


def test_a_code_is_six_syllables_of_at_least_30_bits():
    code = new_code()
    assert {code[start : start + 2] for start in range(0, 12, 2)} <= set(SYLLABLES)
    assert (len(code), 6 * log2(len(SYLLABLES)) >= 30) == (12, True)


@pytest.mark.parametrize(
    "typed", ["maka-tuli-basa", "MAKATULIBASA", " maka tuli basa ", "maca tule vaza", "ma.ka,tulibasa"]
)
def test_a_code_is_heard_however_it_is_typed(typed: str):
    assert heard(typed) == "makatulibasa"


@pytest.mark.parametrize(
    "typed", ["", "maka-tuli", "maka-tuli-basa-ba", "maka-tuli-bas1", "ñaka-tuli-basa", "aaaaaaaaaaaa"]
)
def test_what_is_no_code_is_not_heard(typed: str):
    assert heard(typed) is None


def test_a_code_is_shown_in_pairs():
    assert spoken("makatulibasa") == "maka-tuli-basa"


async def test_a_private_table_is_joined_by_its_code(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    joined = await room.post(ben, "/v1/games/join", {"code": table["code"]["code"].upper(), "seat": 2})
    assert (joined.json()["game"]["id"], joined.json()["seat"]) == (table["game"]["id"], 2)
    assert joined.json()["code"]["uses_left"] == table["code"]["uses_left"] - 1


async def test_a_code_that_runs_out_changes_the_mark_of_the_table(room: Room, app: Todas):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{(await room.open(nena, visibility='private'))['game']['id']}"
    known = {"If-None-Match": (await room.get(nena, path)).headers["etag"]}
    assert (await room.get(nena, path, known)).status_code == 304
    await app.service.database.session.execute("UPDATE game_codes SET expires_at = now()")
    assert "code" not in (await room.get(nena, path, known)).json()


async def test_it_is_joined_at_its_own_address_too(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    path = f"/v1/games/{table['game']['id']}/join"
    assert problem(await room.post(ben, path))["code"] == "unknown_game"
    assert (await room.post(ben, path, {"code": table["code"]["code"]})).status_code == 200


async def test_without_its_code_it_is_not_there(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena, visibility='private'))['game']['id']}"
    assert problem(await room.get(ben, path))["code"] == "unknown_game"
    for what, body in (
        ("leave", None),
        ("ready", None),
        ("start", None),
        ("kick", {"player_id": nena.id}),
        ("code", None),
    ):
        assert problem(await room.post(ben, f"{path}/{what}", body))["code"] == "unknown_game"
    assert (await room.get(ben, "/v1/games", show="open")).json()["items"] == []


async def test_a_wrong_code_says_nothing_of_what_there_is(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    wrong = "mama-mama-mama"
    for game_id in (table["game"]["id"], "0" * 32):
        refused = problem(await room.post(ben, f"/v1/games/{game_id}/join", {"code": wrong}))
        assert refused["code"] == "unknown_code"
    assert problem(await room.post(ben, "/v1/games/join", {"code": wrong}))["code"] == "unknown_code"


async def test_a_new_code_ends_the_one_before(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    renewed = (await room.post(nena, f"/v1/games/{table['game']['id']}/code")).json()["code"]["code"]
    assert problem(await room.post(ben, "/v1/games/join", {"code": table["code"]["code"]}))["code"] == "unknown_code"
    assert (await room.post(ben, "/v1/games/join", {"code": renewed})).status_code == 200


async def test_a_code_that_is_taken_back_opens_nothing(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    path = f"/v1/games/{table['game']['id']}"
    assert (await room.client.delete(f"{path}/code", headers=nena.headers)).status_code == 204
    assert problem(await room.post(ben, "/v1/games/join", {"code": table["code"]["code"]}))["code"] == "unknown_code"
    assert "code" not in (await room.get(nena, path)).json()


async def test_only_the_owner_renews_the_code(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(ben, f"{path}/join")
    assert problem(await room.post(ben, f"{path}/code"))["code"] == "not_the_owner"


async def test_a_code_lets_few_people_in(room: Room, app: Todas):
    nena, *others = await room.come_in("Nena", "Ben", "Tess", "Lito")
    table = await room.open(nena, visibility="private")
    await app.service.database.session.execute("UPDATE game_codes SET uses_left = 2")
    answers = await asyncio.gather(
        *(room.post(who, "/v1/games/join", {"code": table["code"]["code"]}) for who in others)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 200, 404]


async def test_a_code_expires(room: Room, app: Todas):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    await app.service.database.session.execute("UPDATE game_codes SET expires_at = now()")
    assert problem(await room.post(ben, "/v1/games/join", {"code": table["code"]["code"]}))["code"] == "unknown_code"


@pytest.mark.parametrize("change", ["expires_at = now()", "uses_left = 0", "uses_left = uses_left"])
async def test_joining_again_with_the_code_changes_nothing_also_when_it_lets_nobody_in_any_more(
    room: Room, app: Todas, change: str
):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    body = {"code": table["code"]["code"], "seat": 2}
    paths = ["/v1/games/join", f"/v1/games/{table['game']['id']}/join"]
    await room.post(ben, paths[0], body)
    await app.service.database.session.execute(f"UPDATE game_codes SET {change}")  # noqa: S608
    before = await room.get(ben, f"/v1/games/{table['game']['id']}")
    again = [await room.post(ben, path, body) for path in paths]
    assert [(each.status_code, each.json()["seats"]) for each in again] == [(200, before.json()["seats"])] * 2
    assert (await room.get(ben, f"/v1/games/{table['game']['id']}")).headers["etag"] == before.headers["etag"]


@pytest.mark.parametrize("wrong", ["mama-mama-mama", "no code", "another table's"])
async def test_a_wrong_code_is_one_for_those_who_sit_there_too(room: Room, wrong: str):
    nena, ben = await room.come_in("Nena", "Ben")
    table, other = await room.open(nena, visibility="private"), await room.open(nena, visibility="private")
    await room.post(ben, "/v1/games/join", {"code": table["code"]["code"]})
    code = other["code"]["code"] if wrong == "another table's" else wrong
    refused = await room.post(ben, f"/v1/games/{table['game']['id']}/join", {"code": code})
    assert problem(refused)["code"] == "unknown_code"


async def test_a_seat_that_is_taken_costs_no_use_of_the_code(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    refused = await room.post(ben, "/v1/games/join", {"code": table["code"]["code"], "seat": 0})
    assert problem(refused)["code"] == "seat_taken"
    left = (await room.get(nena, f"/v1/games/{table['game']['id']}")).json()["code"]["uses_left"]
    assert left == table["code"]["uses_left"]


async def test_the_code_is_told_only_to_who_sits_there(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(nena, f"{path}/code")
    assert "code" in (await room.get(nena, path)).json()
    assert "code" not in (await room.get(ben, path)).json()


async def test_no_code_is_left_once_the_game_has_begun(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    table = await room.open(nena, visibility="private")
    path = f"/v1/games/{table['game']['id']}"
    await room.post(nena, f"{path}/start", {"fill_with_bots": True})
    assert problem(await room.post(ben, "/v1/games/join", {"code": table["code"]["code"]}))["code"] == "unknown_code"
    assert problem(await room.post(nena, f"{path}/code"))["code"] == "already_started"


class TestGuessing:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(rate_codes="3/minute")

    async def test_guesses_have_a_budget_of_their_own(self, room: Room):
        (nena,) = await room.come_in("Nena")
        for _ in range(3):
            assert (await room.post(nena, "/v1/games/join", {"code": "mama-mama-mama"})).status_code == 404
        assert problem(await room.post(nena, "/v1/games/join", {"code": "mama-mama-mama"}))["code"] == "rate_limited"
        assert (await room.get(nena, "/v1/games")).status_code == 200

    async def test_a_tables_own_address_is_no_way_round_it(self, room: Room):
        nena, ben = await room.come_in("Nena", "Ben")
        table = await room.open(nena, visibility="private")
        path = f"/v1/games/{table['game']['id']}/join"
        for _ in range(3):
            assert problem(await room.post(ben, path, {"code": "mama-mama-mama"}))["code"] == "unknown_code"
        right = {"code": table["code"]["code"]}
        for address in (path, "/v1/games/join"):
            assert problem(await room.post(ben, address, right))["code"] == "rate_limited"

    async def test_other_players_at_one_address_share_it(self, room: Room):
        nena, ben = await room.come_in("Nena", "Ben")
        for _ in range(3):
            await room.post(nena, "/v1/games/join", {"code": "mama-mama-mama"})
        assert problem(await room.post(ben, "/v1/games/join", {"code": "mama-mama-mama"}))["code"] == "rate_limited"
