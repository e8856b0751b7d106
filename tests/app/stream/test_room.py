"""How many streams may be open: of one player, and of a worker."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from tests.app.stream.streaming import serving

SSE = {"Accept": "text/event-stream"}


async def test_a_player_has_so_many_streams_and_no_more_until_one_is_closed(url: str):
    async with serving(url, streams_per_player=2) as site, AsyncExitStack() as others:
        people = await site.people()
        game_id = await site.game(people)
        first, second = [await others.enter_async_context(site.follow(game_id, people[0])) for _ in range(2)]
        for socket in (first, second):
            await socket.next("hello")  # a connection is open before its stream is
        async with site.follow(game_id, people[0]) as third:
            assert await third.closed() == (1013, "too_many_streams")
            assert third.frames[-1]["retry_after_s"] > 0
        answer = await site.http.get(f"/v1/games/{game_id}/events", headers={**people[0].headers, **SSE})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_streams")
        async with site.follow(game_id, people[1]) as other:
            assert (await other.next())["type"] == "hello"
        await first.connection.close()
        while site.app.state.streams.count > 1:
            await site.http.get("/livez")
        async with site.follow(game_id, people[0]) as again:
            assert (await again.next())["type"] == "hello"


@pytest.mark.parametrize("path", ["/v1/lobby", "/v1/games/{}/events"])
async def test_a_worker_has_so_many_streams_and_no_more(url: str, path: str):
    async with serving(url, streams_at_most=1) as site:
        people = await site.people()
        game_id = await site.game(people)
        async with site.follow(game_id, people[0]) as first:
            await first.next("hello")
            async with site.follow(game_id, people[1]) as second:
                assert await second.closed() == (1013, "overloaded")
            answer = await site.http.get(path.format(game_id), headers={**people[2].headers, **SSE})
            assert (answer.status_code, answer.json()["code"]) == (503, "overloaded")
