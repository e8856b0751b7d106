"""Moves over a socket: each is answered once, after the events it caused, and is the same move over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

from app.store import log
from app.tables import Terms
from tests.app.stream.streaming import PATIENCE, Site, serving
from tests.app.timing.people import GoAway

FAST = Terms("fast")
PASS = {"type": "pass"}


async def test_an_ack_comes_after_the_events_that_the_action_caused(site: Site):
    people = await site.people()
    game_id = await site.game(people[:1], terms=FAST)
    async with site.follow(game_id, people[0], after=0) as socket:
        view = (await socket.next("hello"))["view"]
        await socket.act(view["legal_actions"][-1], view["decision"]["no"])
        answer = await socket.next("ack")

    assert answer["seq"] > view["game"]["seq"]
    assert [event["seq"] for event in socket.events] == list(range(1, socket.events[-1]["seq"] + 1))
    assert socket.events[-1]["seq"] >= answer["seq"]


async def test_an_answer_to_a_window_is_acknowledged_though_nothing_is_seen_of_it(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[1]) as socket:
        hello = await socket.next("hello")
        await socket.act(PASS, 1)
        answer = await socket.next("ack")

    assert (answer["seq"], socket.events) == (hello["seq"], [])


async def test_every_action_is_answered_once_and_in_order(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    sent: list[tuple[dict[str, Any], int | None]] = [
        (PASS, 1),
        (PASS, 7),
        ({"type": "draw"}, 1),
        ({"type": "win"}, None),
        ({"type": "discard", "tile": "nothing"}, 1),
    ]
    async with site.follow(game_id, people[2]) as socket:
        ids = [await socket.act(*sent[number % len(sent)]) for number in range(50)]
        await socket.send({"type": "ping"})
        await socket.next("ping")

    answers = [frame for frame in socket.frames if frame["type"] in ("ack", "problem")]
    assert [answer["action_id"] for answer in answers] == ids
    assert [answer["type"] for answer in answers[:5]] == ["ack", "problem", "problem", "problem", "problem"]


async def test_a_late_action_is_told_what_is_open_and_what_may_be_done(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[2]) as socket:
        await socket.act(PASS, 0)
        problem = (await socket.next("problem"))["problem"]

    assert (problem["code"], problem["decision_no"], problem["legal_actions"]) == ("stale_decision", 1, [PASS])


async def test_a_repeat_over_the_socket_of_a_move_over_http_is_answered_like_the_first(site: Site):
    people = await site.people()
    game_id = await site.game(people[:1], terms=FAST)
    view = (await site.http.get(f"/v1/games/{game_id}", headers=people[0].headers)).json()
    move = {"decision_no": view["decision"]["no"], "action": view["legal_actions"][-1]}
    first = await site.post(game_id, "actions", people[0], action_id="once", **move)
    rows = await rows_of(site, game_id)
    async with site.follow(game_id, people[0]) as socket:
        for _ in range(2):
            await socket.act(move["action"], move["decision_no"], "once")
        acks = [await socket.next("ack") for _ in range(2)]

    assert [ack["seq"] for ack in acks] == [first["seq"]] * 2
    assert await rows_of(site, game_id) == rows


async def test_a_repeat_over_http_of_a_move_over_the_socket_is_answered_like_the_first(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0]) as socket:
        await socket.act(PASS, 1, "once")
        first = await socket.next("ack")
    again = await site.http.post(
        f"/v1/games/{game_id}/actions",
        json={"decision_no": 1, "action_id": "once", "action": PASS},
        headers=people[0].headers,
    )

    assert (again.json()["seq"], again.headers["idempotency-replayed"]) == (first["seq"], "true")


async def test_an_id_with_another_action_is_refused(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    async with site.follow(game_id, people[0]) as socket:
        await socket.act(PASS, 1, "once")
        await socket.next("ack")
        await socket.act({"type": "draw"}, 1, "once")
        assert (await socket.next("problem"))["problem"]["code"] == "action_id_reused"


async def test_the_same_action_on_many_sockets_at_once_is_done_once(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    rows = await rows_of(site, game_id)

    async def send() -> int:
        async with site.follow(game_id, people[0]) as socket:
            await socket.act(PASS, 1, "once")
            return int((await socket.next("ack"))["seq"])

    assert len(set(await asyncio.gather(*[send() for _ in range(8)]))) == 1
    assert await rows_of(site, game_id) == rows + 1


async def test_a_spectator_may_not_move(site: Site):
    game_id = await site.game(await site.people(), visibility="public")
    async with site.follow(game_id, await site.sign_up()) as socket:
        await socket.act(PASS, 1)
        assert (await socket.next("problem"))["problem"]["code"] == "not_seated"


async def test_a_token_to_watch_sees_its_own_table_as_everybody_does_and_may_not_move(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    added = await site.http.post(
        "/v1/players/me/tokens", json={"label": "Screen", "scopes": ["spectate"]}, headers=people[0].headers
    )
    async with site.socket(game_id, headers={"Authorization": f"Bearer {added.json()['token']}"}) as socket:
        hello = await socket.next("hello")
        await socket.act(PASS, 1)
        answer = await socket.next("problem")

    assert ("seat" in hello, answer["problem"]["code"]) == (False, "scope_missing")


async def test_an_action_whose_client_has_gone_is_done_all_the_same(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    rows = await rows_of(site, game_id)
    async with site.follow(game_id, people[0]) as socket:
        await socket.next("hello")
        await socket.act(PASS, 1)
        await socket.act(PASS, 1, "last")
        await socket.connection.close()
    async with asyncio.timeout(PATIENCE):
        while await rows_of(site, game_id) < rows + 2:
            continue

    assert (await log.row_of_action(site.app.service.database.session, game_id, 0, "last")) is not None


async def rows_of(site: Site, game_id: str) -> int:
    """How many rows the log of a game has."""
    return len(await log.rows_after(site.app.service.database.session, game_id, 0))


async def test_whoever_was_away_and_answers_a_window_is_back_once_it_has_closed(site: Site):
    people = await site.people()
    game_id = await site.game(people)
    await site.app.service.tables.submit(game_id, GoAway(1, connected=True))
    async with site.follow(game_id, people[1]) as socket:
        await socket.act(PASS, 1)
        await socket.next("ack")
        for person in (people[0], *people[2:]):
            await site.post(game_id, "pass", person, decision_no=1)
        back = await socket.until(lambda frame: frame.get("event", {}).get("type") == "seat_changed")

    assert (back["event"]["seat"], "stand_in" in back["event"]["player"]) == (1, False)


async def test_a_spectator_who_is_kept_behind_is_refused_there_and_pinged_on(url: str):
    async with serving(url, keepalive=False, stream_heartbeat_seconds=0.1) as site:
        people, watcher = await site.people(), await site.sign_up()
        game_id = await site.game(people, visibility="public", spectator_delay=2)
        async with site.follow(game_id, watcher) as socket:
            hello = await socket.next("hello")
            await socket.act(PASS, 1)
            refusal = await socket.next("problem")
            pings = [await socket.next() for _ in range(3)]

    assert refusal["problem"]["code"] == "not_seated"
    assert [(ping["type"], ping["seq"]) for ping in pings] == [("ping", hello["seq"])] * 3


async def test_a_spectator_who_is_kept_behind_is_answered_alike_wherever_the_game_is(site: Site):
    people, watcher = await site.people(), await site.sign_up()
    answers = []
    for delay in (2, 4):
        game_id = await site.game(people, visibility="public", spectator_delay=delay)
        if delay == 4:
            await site.close_opening(game_id, people)  # two events more
        async with site.follow(game_id, watcher) as socket:
            assert (await socket.next("hello"))["seq"] == 1
            await socket.act(PASS, 1, "the-same")
            refusal = await socket.next("problem")
            del refusal["problem"]["request_id"], refusal["problem"]["instance"]
            await socket.send({"type": "ping"})
            answers.append((refusal, await socket.next()))

    assert answers[0] == answers[1]
