"""Coming back: from any event on, a reader gets what it would have got had it never left (design 8, resume)."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any

import pytest

from app.store import log
from app.tables import Terms
from app.tables.live_game import TAIL, numbered_of
from engine.codec import dump_event
from engine.views import redact
from tests.app.stream.streaming import Person, Site, Socket

FAST = Terms("fast")


@pytest.fixture
async def played(site: Site) -> tuple[str, list[Person]]:
    """A round that everybody may watch, over, and its four persons with one who watches."""
    people = await site.people()
    game_id = await site.game(people, visibility="public")
    site.app.service.tables.presence.fall_silent()  # or who comes late to a slow test is told gone in the middle of it
    await site.play_to_the_settlement(game_id, people)
    return game_id, [*people, await site.sign_up()]


async def test_all_five_streams_are_the_log_without_what_is_hidden(site: Site, played: tuple[str, list[Person]]):
    game_id, readers = played
    facts = await facts_of(site, game_id)
    for seat, reader in zip([0, 1, 2, 3, None], readers, strict=True):
        async with site.follow(game_id, reader, after=0) as socket:
            await socket.event(len(facts))

        expected = [json.loads(json.dumps(without_none(dump_event(redact(fact.event, seat))))) for fact in facts]
        assert [frame["seq"] for frame in socket.events] == list(range(1, len(facts) + 1))
        assert [frame["event"] for frame in socket.events] == expected


async def test_from_every_event_of_a_round_the_rest_comes_as_if_one_had_never_left(
    site: Site, played: tuple[str, list[Person]]
):
    game_id, readers = played
    async with AsyncExitStack() as stack:
        for reader in readers:
            socket = await stack.enter_async_context(site.follow(game_id, reader, after=0))
            whole = await history(socket)
            for after in range(len(whole) + 1):
                await socket.send({"type": "resume", "after": after})
                assert await history(socket) == whole[after:]


async def test_a_new_connection_and_a_resume_bring_the_same(site: Site, played: tuple[str, list[Person]]):
    game_id, readers = played
    async with site.follow(game_id, readers[0], after=0) as socket:
        whole = await history(socket)
    for after in (1, 7, len(whole) - 1, len(whole)):
        async with site.follow(game_id, readers[0], after=after) as socket:
            assert await history(socket) == whole[after:]


async def test_what_is_older_than_memory_comes_from_the_log_in_pages(site: Site):
    people = await site.people()
    game_id = await site.game(people[:1], terms=FAST, rounds=40)
    async with site.follow(game_id, people[0], after=0) as socket, asyncio.TaskGroup() as group:
        group.create_task(socket.until(lambda frame: frame.get("event", {}).get("type") == "game_ended"))
        await site.play_to_the_end(game_id, people[:1])
    facts = await facts_of(site, game_id)
    async with site.follow(game_id, people[0], after=0) as again:
        await again.event(len(facts))

    assert len(facts) > 2 * 500 > TAIL
    assert [frame["seq"] for frame in socket.events] == list(range(1, len(facts) + 1))
    assert again.events == socket.events


async def test_of_resumes_in_the_middle_of_history_the_last_counts(site: Site, played: tuple[str, list[Person]]):
    game_id, readers = played
    async with site.follow(game_id, readers[0], after=0) as socket:
        for after in (0, 0, 5, 9, 0, 3):
            await socket.send({"type": "resume", "after": after})
        events = await history(socket)

    assert [frame["seq"] for frame in events] == list(range(4, events[-1]["seq"] + 1))


async def test_an_answer_after_a_resume_still_comes_after_its_events(site: Site):
    people = await site.people()
    game_id = await site.game(people[:1], terms=FAST)
    async with site.follow(game_id, people[0]) as socket:
        view = (await socket.next("hello"))["view"]
        await socket.act(view["legal_actions"][-1], view["decision"]["no"])
        await socket.send({"type": "resume", "after": 0})
        answer = await socket.next("ack")

    assert answer["seq"] in [frame["seq"] for frame in since_hello(socket) if frame["type"] == "event"]


async def history(socket: Socket) -> list[dict[str, Any]]:
    """The events that come with the last hello."""
    await socket.send({"type": "ping"})
    await socket.next("ping")
    return [frame for frame in since_hello(socket) if frame["type"] == "event"]


def since_hello(socket: Socket) -> list[dict[str, Any]]:
    """What has come since the last hello."""
    last = max(place for place, frame in enumerate(socket.frames) if frame["type"] == "hello")
    return socket.frames[last:]


async def facts_of(site: Site, game_id: str) -> list[Any]:
    """The numbered events of a game's log."""
    rows = await log.rows_after(site.app.service.database.session, game_id, 0, limit=100_000)
    return [fact for row in rows for fact in numbered_of(row)]


def without_none(record: Any) -> Any:
    """A record without the members that do not apply."""
    if isinstance(record, dict):
        return {name: without_none(value) for name, value in record.items() if value is not None}
    return record
