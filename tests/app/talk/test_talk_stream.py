"""Talk and spectators over sockets of a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.app.lobby.conftest import PAIR
from tests.app.stream.streaming import Person, Site, serving


@pytest.fixture
async def site(url: str) -> AsyncIterator[Site]:
    async with serving(url, allow_seeds=True) as made:
        yield made


async def post(site: Site, who: Person, path: str, body: Any = None) -> Any:
    answer = await site.http.post(path, json=body, headers=who.headers)
    assert answer.is_success, answer.text
    return answer.json() if answer.content else None


async def alone(site: Site, who: Person, **more: Any) -> str:
    """The id of a public game of one person with bots."""
    game_id: str = (await post(site, who, "/v1/games", {"visibility": "public", **more}))["game"]["id"]
    return game_id


async def test_what_is_said_comes_to_everybody_at_the_table_between_the_events(site: Site):
    nena, ben, jun = [await site.sign_up() for _ in range(3)]
    game_id = (await post(site, nena, "/v1/games", {"seats": PAIR, "visibility": "public"}))["game"]["id"]
    await post(site, ben, f"/v1/games/{game_id}/join")
    await post(site, ben, f"/v1/games/{game_id}/ready")
    await post(site, nena, f"/v1/games/{game_id}/start")
    async with site.follow(game_id, nena) as own, site.follow(game_id, ben) as other, site.follow(game_id, jun) as seen:
        for socket in (own, other, seen):
            await socket.next("hello")
        said = await post(site, ben, f"/v1/games/{game_id}/talk", {"phrase": "hello"})
        for socket in (own, other, seen):
            assert await socket.next("talk") == {"type": "talk", **said}


async def test_what_was_said_before_is_not_said_again(site: Site):
    nena = await site.sign_up()
    game_id = await alone(site, nena)
    await post(site, nena, f"/v1/games/{game_id}/talk", {"phrase": "hello"})
    async with site.follow(game_id, nena) as socket:
        await socket.next("hello")
        await post(site, nena, f"/v1/games/{game_id}/talk", {"reaction": "clap"})
        assert (await socket.next("talk"))["no"] == 2


async def test_what_is_said_at_another_worker_is_heard(site: Site, url: str):
    nena = await site.sign_up()
    game_id = await alone(site, nena)
    async with serving(url) as other, site.follow(game_id, nena) as socket:
        await socket.next("hello")
        await post(other, nena, f"/v1/games/{game_id}/talk", {"reaction": "wow"})
        assert (await socket.next("talk"))["reaction"] == "wow"


async def test_a_spectator_who_is_kept_behind_follows_so_many_events_later_and_hears_nothing(site: Site):
    nena, jun = await site.sign_up(), await site.sign_up()
    game_id = await alone(site, nena, spectator_delay=5, seed="5eed")
    async with site.follow(game_id, nena) as own, site.follow(game_id, jun, after=0) as seen:
        view = (await own.next("hello"))["view"]
        hello = await seen.next("hello")
        assert hello["seq"] == hello["view"]["game"]["seq"] == max(1, view["game"]["seq"] - 5)
        await post(site, nena, f"/v1/games/{game_id}/talk", {"phrase": "hello"})
        last = (await post(site, nena, f"/v1/games/{game_id}/discard", {"tile": view["hand"][-1]}))["view"]["game"][
            "seq"
        ]
        await seen.event(last - 5)
        await seen.send({"type": "ping"})
        assert (await seen.next("ping"))["seq"] == last - 5
        await post(site, nena, f"/v1/games/{game_id}/end", {"when": "now"})
        await seen.until(lambda frame: frame["type"] == "event" and frame["event"]["type"] == "game_ended")
    assert [event["seq"] for event in seen.events] == list(range(1, seen.events[-1]["seq"] + 1))
    assert "talk" not in {frame["type"] for frame in seen.frames}
