"""A decision is pushed to every seat as it opens, with that seat's own options; an answer is seen by its own alone."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from tests.app.stream.streaming import Person, Site, Socket

PASS = {"type": "pass"}


async def test_a_turn_and_a_window_are_pushed_to_every_seat_with_its_own_options(site: Site):
    people = await site.people()
    game_id = await site.game(people, visibility="public")
    async with AsyncExitStack() as stack:
        sockets = await everybody(stack, site, game_id, [*people, await site.sign_up()])
        await site.close_opening(game_id, people)
        turn = [await socket.decision(2) for socket in sockets]
        await site.post(game_id, "discard", people[0], tile=turn[0]["legal_actions"][-1]["tile"])
        window = [await socket.decision(3) for socket in sockets]
        legal = [(await site.view(game_id, person))["legal_actions"] for person in people]

    assert {frame["decision_no"] for frame in turn} == {2}
    assert [frame["who"] for frame in turn] == [[0]] * 5
    assert [bool(frame["legal_actions"]) for frame in turn] == [True, False, False, False, False]
    assert {(frame["kind"], frame["decision_no"], frame["from_seat"]) for frame in window} == {("claim_window", 3, 0)}
    assert [frame["who"] for frame in window] == [[1, 2, 3]] * 5
    assert [frame["legal_actions"] for frame in window] == [*legal, []]


async def test_a_decision_comes_after_the_events_that_opened_it(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[3]) as socket:
        await socket.next("hello")
        await site.close_opening(game_id, people)
        await socket.next("decision")
        answers = [frame["decision_no"] for frame in socket.frames if frame["type"] == "decision"]
        seq = (await site.view(game_id, people[3]))["game"]["seq"]

    # Its own answer to the opening window was the last one: it is not told of that again.
    assert answers == [2]
    assert socket.events[-1]["seq"] == seq


async def test_an_answer_is_told_to_all_streams_of_its_seat_and_leaves_no_trace_on_any_other(site: Site):
    people = await site.people()
    game_id = await site.game(people, visibility="public")
    spectator = await site.sign_up()
    async with AsyncExitStack() as stack:
        own = await everybody(stack, site, game_id, [people[1]] * 2)
        others = await everybody(stack, site, game_id, [people[0], people[2], people[3], spectator])
        await site.post(game_id, "pass", people[1], decision_no=1)
        told = [await socket.next("decision") for socket in own]
        await own[0].act(PASS, 1)
        again = [await socket.next("decision") for socket in own]
        for socket in others:
            await socket.send({"type": "ping"})
            await socket.next("ping")

    assert [frame["your_answer"] for frame in told + again] == [PASS] * 4
    for socket in others:
        assert [frame["type"] for frame in socket.frames] == ["hello", "ping"]
        assert socket.frames[1]["seq"] == socket.frames[0]["seq"]


async def test_a_poll_does_not_return_for_an_answer_of_somebody_else(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    path = f"/v1/games/{game_id}/events?after=3&wait=30"
    poll = asyncio.create_task(site.http.get(path, headers=people[2].headers))
    for person in people[:2]:
        await site.post(game_id, "pass", person, decision_no=1)
    async with site.follow(game_id, people[0]) as socket:
        await socket.next("hello")  # after them in every queue there is
    quiet = not poll.done()
    for person in people[2:]:
        await site.post(game_id, "pass", person, decision_no=1)

    assert quiet
    assert (await poll).json()["events"][0]["event"]["type"] == "window_closed"


async def test_an_answer_given_before_the_stream_opened_is_in_its_hello_and_not_told_again(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    await site.post(game_id, "pass", people[1], decision_no=1)
    async with site.follow(game_id, people[1]) as socket:
        hello = await socket.next("hello")
        await socket.send({"type": "ping"})
        await socket.next("ping")

    assert hello["view"]["decision"]["your_answer"] == PASS
    assert [frame["type"] for frame in socket.frames] == ["hello", "ping"]


async def test_a_confirmation_takes_the_own_option_away_and_is_told_to_all(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with AsyncExitStack() as stack:
        sockets = await everybody(stack, site, game_id, people)
        await site.play_to_the_settlement(game_id, people)
        opened = [await socket.until(is_settlement) for socket in sockets]
        await sockets[1].act(opened[1]["legal_actions"][0], opened[1]["decision_no"])
        after = await sockets[1].next("decision")
        confirmed = [await socket.until(is_confirmation) for socket in (sockets[0], *sockets[2:])]

    assert [frame["legal_actions"][0]["type"] for frame in opened] == ["confirm"] * 4
    assert (after["decision_no"], after["legal_actions"]) == (opened[1]["decision_no"], [])
    assert [frame["event"]["seat"] for frame in confirmed] == [1, 1, 1]


def is_settlement(frame: dict[str, Any]) -> bool:
    return bool(frame["type"] == "decision" and frame["kind"] == "settlement")


def is_confirmation(frame: dict[str, Any]) -> bool:
    return bool(frame["type"] == "event" and frame["event"]["type"] == "points_confirmed")


async def everybody(stack: AsyncExitStack, site: Site, game_id: str, people: list[Person]) -> list[Socket]:
    """A socket of each, greeted."""
    sockets = [await stack.enter_async_context(site.follow(game_id, person)) for person in people]
    for socket in sockets:
        await socket.next("hello")
    return sockets
