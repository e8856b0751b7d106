"""Lists of tables to join and games to watch."""

from __future__ import annotations

import base64

import pytest

from app.main import Todas
from app.store import log
from tests.app.api.conftest import problem
from tests.app.lobby.conftest import PAIR, Room


async def test_public_tables_that_wait_are_listed_the_newest_first_page_by_page(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    made = [(await room.open(nena))["game"]["id"] for _ in range(3)]
    await room.open(nena, visibility="private")
    page = (await room.get(ben, "/v1/games", show="open", limit=2)).json()
    rest = (await room.get(ben, "/v1/games", show="open", limit=2, cursor=page["next"])).json()
    assert [table["id"] for table in page["items"] + rest["items"]] == made[::-1]
    assert "next" not in rest


async def test_a_table_tells_who_is_there_and_which_seats_are_free(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    await room.open(nena, seats=PAIR)
    (table,) = (await room.get(ben, "/v1/games", show="open")).json()["items"]
    assert (table["names"], table["free"], table["status"]) == (["Nena"], [1], "open")


async def test_a_game_that_has_begun_is_to_watch_and_not_to_join(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = await room.playing(nena)
    assert (await room.get(ben, "/v1/games", show="open")).json()["items"] == []
    (game,) = (await room.get(ben, "/v1/games", show="watchable")).json()["items"]
    assert (game["id"], game["names"], "free" in game) == (game_id, ["Nena"], False)


async def test_private_games_and_those_that_are_over_are_not_to_watch(room: Room, app: Todas):
    nena, ben = await room.come_in("Nena", "Ben")
    await room.post(nena, "/v1/games")
    game_id = await room.playing(nena)
    await room.post(nena, f"/v1/games/{game_id}/end", {"when": "now"})
    await log.archive(app.service.database.session)  # what it does by itself, a moment later
    assert (await room.get(ben, "/v1/games", show="watchable")).json()["items"] == []


async def test_lists_may_hold_one_ruleset_alone(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    await room.open(nena, ruleset="tsumo")
    await room.playing(nena, ruleset="tsumo")
    for show, who, count in (("open", ben, 1), ("watchable", ben, 1), ("own", nena, 2)):
        found = [
            (await room.get(who, "/v1/games", show=show, ruleset=ruleset)).json()["items"]
            for ruleset in ("emay", "tsumo")
        ]
        assert [len(games) for games in found] == [0, count]


async def test_the_own_tables_that_wait_are_among_the_own_games(room: Room):
    (nena,) = await room.come_in("Nena")
    table = await room.open(nena)
    (own,) = (await room.get(nena, "/v1/games", status="open")).json()["items"]
    assert (own["id"], own["seat"], own["status"]) == (table["game"]["id"], 0, "open")


@pytest.mark.parametrize("show", ["own", "open", "watchable"])
@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+23:59 abc",
        "9999-12-31T23:59:59-23:59 abc",
        "2026-01-01T00:00:00 abc",
        "2026-01-01T00:00:00+00:00 \u0663\u0664",
        "2026-01-01T00:00:00+00:00 a\0c",
    ],
)
async def test_a_cursor_of_nobody_s_making_is_refused(room: Room, text: str, show: str):
    (nena,) = await room.come_in("Nena")
    cursor = base64.urlsafe_b64encode(text.encode()).decode()
    refused = problem(await room.get(nena, "/v1/games", show=show, cursor=cursor))
    assert (refused["code"], refused["detail"]) == ("invalid_request", "query/cursor: is none of this list")
