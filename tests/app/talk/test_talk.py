"""What is said at a table, who hears it, and complaints."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import httpx
import pytest

from app.settings import Settings
from app.talk.phrases import PHRASES, REACTIONS
from tests.app.api.conftest import problem
from tests.app.api.test_cli import todas
from tests.app.lobby.conftest import Room


async def test_phrases_and_reactions_have_words_in_both_languages(client: httpx.AsyncClient):
    known = (await client.get("/v1/phrases")).json()
    assert [each["id"] for each in known["phrases"]] == [each.id for each in PHRASES]
    assert all(each["english"] and each["filipino"] for each in known["phrases"] + known["reactions"])
    ids = [*(each.id for each in PHRASES), *(each.id for each in REACTIONS)]
    assert len(set(ids)) == len(ids)


async def test_what_is_said_is_heard_in_order_by_all_at_the_table(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    said = await room.post(ben, f"{path}/talk", {"phrase": "hello"})
    await room.post(nena, f"{path}/talk", {"reaction": "clap"})
    assert (said.status_code, said.json()["no"], said.json()["seat"]) == (201, 1, 1)
    heard = (await room.get(nena, f"{path}/talk")).json()["items"]
    assert [(each["no"], each.get("phrase"), each.get("reaction")) for each in heard] == [
        (1, "hello", None),
        (2, None, "clap"),
    ]
    assert heard[0] == said.json()
    assert (await room.get(ben, f"{path}/talk", after=1)).json()["items"] == heard[1:]


async def test_it_changes_nothing_of_the_game(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    before = await room.get(nena, path)
    await room.post(ben, f"{path}/talk", {"phrase": "hello"})
    after = await room.get(nena, path)
    assert (after.headers["etag"], after.json()["game"]["seq"]) == (
        before.headers["etag"],
        before.json()["game"]["seq"],
    )


async def test_people_talk_before_the_start_and_after_the_end(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = (await room.open(nena))["game"]["id"]
    path = f"/v1/games/{game_id}"
    assert (await room.post(nena, f"{path}/talk", {"phrase": "wait"})).status_code == 201
    await room.post(nena, f"{path}/start", {"fill_with_bots": True})
    await room.post(nena, f"{path}/end", {"when": "now"})
    assert (await room.post(nena, f"{path}/talk", {"phrase": "bye"})).json()["no"] == 2
    assert problem(await room.post(ben, f"{path}/talk", {"phrase": "hello"}))["code"] == "not_seated"


async def test_what_is_said_at_once_gets_numbers_without_gaps(room: Room, second: httpx.AsyncClient):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}/talk"
    other = Room(second)
    said = await asyncio.gather(
        *(room.post(nena, path, {"reaction": "wow"}) for _ in range(5)),
        *(other.post(ben, path, {"reaction": "laugh"}) for _ in range(5)),
    )
    assert sorted(each.json()["no"] for each in said) == list(range(1, 11))


async def test_whoever_waits_hears_at_once(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}/talk"
    waiting = asyncio.create_task(room.get(nena, path, wait=20))
    await asyncio.sleep(0.05)
    await room.post(ben, path, {"phrase": "your_turn"})
    async with asyncio.timeout(10):
        heard = (await waiting).json()["items"]
    assert [each["phrase"] for each in heard] == ["your_turn"]


async def test_a_text_is_for_tables_that_allow_it(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    strict, free = [f"/v1/games/{await room.playing(nena, ben, free_text=allowed)}/talk" for allowed in (False, True)]
    assert problem(await room.post(nena, strict, {"text": "Kamusta?"}))["code"] == "free_text_off"
    assert (await room.post(nena, free, {"text": " Kamusta? "})).json()["text"] == "Kamusta?"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid_request"),
        ({"phrase": "hello", "reaction": "clap"}, "invalid_request"),
        ({"phrase": "clap"}, "unknown_phrase"),
        ({"reaction": "hello"}, "unknown_phrase"),
        ({"phrase": "x" * 33}, "invalid_request"),
        ({"text": ""}, "invalid_request"),
        ({"text": "a" * 201}, "invalid_request"),
        ({"text": "two\nlines"}, "invalid_request"),
        ({"text": "a\u0000b"}, "invalid_text"),
        ({"text": "\u202egnp.exe"}, "invalid_request"),
    ],
)
async def test_what_cannot_be_said_is_refused(room: Room, body: dict[str, Any], code: str):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena, free_text=True)}/talk"
    assert problem(await room.post(nena, path, body))["code"] == code


async def test_spectators_hear_public_tables_and_only_the_end_where_they_are_kept_behind(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    behind, live = [f"/v1/games/{await room.playing(nena, spectator_delay=delay)}" for delay in (5, 0)]
    for path in (behind, live):
        await room.post(nena, f"{path}/talk", {"phrase": "hello"})
    heard = [len((await room.get(ben, f"{path}/talk")).json()["items"]) for path in (behind, live)]
    assert heard == [0, 1]
    await room.post(nena, f"{behind}/end", {"when": "now"})
    assert len((await room.get(ben, f"{behind}/talk")).json()["items"]) == 1


async def test_a_message_is_reported_to_the_operator_with_its_words(room: Room, url: str):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben, free_text=True)}"
    await room.post(ben, f"{path}/talk", {"text": "Gagu!"})
    assert (await room.post(nena, f"{path}/report", {"message": 1, "reason": "Rude."})).status_code == 201
    await room.client.delete("/v1/players/me", headers=ben.headers)
    done = await asyncio.to_thread(todas, "reports", DATABASE_URL=url)
    (told,) = map(json.loads, done.stdout.splitlines())
    assert datetime.fromisoformat(told.pop("at")).utcoffset() == timedelta(0)
    assert told == {
        "game_id": path.rpartition("/")[2],
        "reporter_id": nena.id,
        "reporter": "Nena",
        "player_id": ben.id,
        "player": None,  # gone, but not what was said
        "reason": "Rude.",
        "message_no": 1,
        "message": "Gagu!",
    }


async def test_a_report_does_nothing_to_the_terminal_that_shows_it(room: Room, url: str):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben)}"
    reason = "\u202eed\u0075R\u200f \u009b2J\x7f \U000e0041 \U0001f004"
    sent = await room.post(nena, f"{path}/report", {"player_id": ben.id, "reason": "Rude."})
    assert sent.status_code == 201, sent.text
    connection = await asyncpg.connect(url)
    try:
        # As a version might have kept it that looked at texts less closely.
        await connection.execute("UPDATE reports SET reason = $1", reason)
    finally:
        await connection.close()
    done = await asyncio.to_thread(todas, "reports", DATABASE_URL=url)
    assert done.stdout.rstrip("\n").isprintable()
    assert json.loads(done.stdout)["reason"] == reason


async def test_a_player_is_reported_who_sits_there_or_has_spoken_there(room: Room):
    nena, ben, jun = await room.come_in("Nena", "Ben", "Jun")
    path = f"/v1/games/{(await room.open(nena))['game']['id']}"
    await room.post(ben, f"{path}/join")
    await room.post(ben, f"{path}/talk", {"reaction": "angry"})
    await room.post(nena, f"{path}/kick", {"player_id": ben.id})
    body = {"player_id": ben.id, "reason": "Rude."}
    assert (await room.post(nena, f"{path}/report", body)).status_code == 201
    assert problem(await room.post(nena, f"{path}/report", {**body, "player_id": jun.id}))["code"] == "not_at_table"


async def test_what_was_not_said_is_not_reported(room: Room):
    (nena,) = await room.come_in("Nena")
    path = f"/v1/games/{await room.playing(nena)}/report"
    assert problem(await room.post(nena, path, {"message": 1, "reason": "?"}))["code"] == "unknown_message"
    assert problem(await room.post(nena, path, {"reason": "?"}))["code"] == "invalid_request"


async def test_the_texts_of_a_deleted_player_are_gone(room: Room):
    nena, ben = await room.come_in("Nena", "Ben")
    path = f"/v1/games/{await room.playing(nena, ben, free_text=True)}/talk"
    await room.post(ben, path, {"text": "Ako si Ben."})
    await room.client.delete("/v1/players/me", headers=ben.headers)
    (said,) = (await room.get(nena, path)).json()["items"]
    assert said["text"] == ""


class TestMuch:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(rate_talk="3/minute", allow_seeds=True)

    async def test_talk_has_a_budget_of_its_own(self, room: Room):
        (nena,) = await room.come_in("Nena")
        path = f"/v1/games/{await room.playing(nena)}"
        for _ in range(3):
            assert (await room.post(nena, f"{path}/talk", {"reaction": "wow"})).status_code == 201
        assert problem(await room.post(nena, f"{path}/talk", {"reaction": "wow"}))["code"] == "rate_limited"
        assert (await room.get(nena, path)).status_code == 200
