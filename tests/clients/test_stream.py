"""The stream of the client library against the service as it is run: nothing missed, nothing twice, whatever happens to
the connection.
"""

from __future__ import annotations

from contextlib import aclosing
from typing import Any

import pytest

from tests.app.api.served import Served, kept_port, serve
from tests.clients.cable import cable
from tests.clients.playing import LONG, events, play_round, types
from todas_client import Client, NoSocket, Problem
from todas_client.stream import Cursor


@pytest.mark.parametrize("way", ["socket", "poll"])
@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_a_round_is_played_from_what_the_stream_brings(client: Client, ruleset: str, way: str):
    view = await client.create_game(ruleset=ruleset, seed=LONG, timing={"settlement_seconds": None})
    frames = await play_round(client, view["game"]["id"], way=way)
    told = await client.events(view["game"]["id"])
    assert events(frames) == told["events"]
    assert [event["seq"] for event in told["events"]] == list(range(1, told["seq"] + 1))


@pytest.mark.parametrize("way", ["socket", "poll"])
async def test_a_stream_begins_behind_the_view_of_its_first_hello(client: Client, way: str):
    game = (await client.create_game(seed=LONG))["game"]
    frames = await play_round(client, game["id"], None, way)
    assert types(frames)[:2] == ["hello", "decision"]
    assert events(frames)[0]["seq"] == game["seq"] + 1


@pytest.mark.parametrize("way", ["socket", "poll"])
async def test_the_open_decision_comes_behind_the_history_of_a_hello(client: Client, way: str):
    game = (await client.create_game(seed=LONG))["game"]
    frames = await play_round(client, game["id"], 2, way)
    assert types(frames)[: game["seq"]] == ["hello", *["event"] * (game["seq"] - 2), "decision"]


@pytest.mark.parametrize("way", ["socket", "poll"])
async def test_a_stream_that_is_cut_goes_on_without_a_gap_or_a_repeat(service: Served, way: str):
    async with cable(service.address) as laid, Client(laid.address) as client:

        def pull(_: int) -> None:
            laid.cut() if way == "socket" else laid.lose_answer(b"/events?")

        await client.sign_up("Nena")
        game = (await client.create_game(seed=LONG))["game"]["id"]
        frames = await play_round(client, game, 0, way, pull)
        told = (await client.events(game))["events"]
    assert types(frames).count("lost") > 5
    assert types(frames).count("hello") > types(frames).count("lost")
    assert events(frames) == told


async def test_a_stream_and_a_move_go_on_after_the_service_has_restarted(own_url: str):
    with kept_port() as port, serve(own_url, port=port, TODAS_ALLOW_SEEDS="true") as first:
        async with Client(first.address) as client:
            await client.sign_up("Nena")
            game = (await client.create_game(seed=LONG))["game"]["id"]
            before: list[int] = []

            def stop_once(seen: int) -> None:
                if seen > 20 and not before:
                    before.append(seen)
                    first.stop()
                    services.append(serve(own_url, port=port))
                    services[0].__enter__()

            services: list[Any] = []
            try:
                frames = await play_round(client, game, meanwhile=stop_once)
                told = (await client.events(game))["events"]
            finally:
                for running in services:
                    running.__exit__(None, None, None)
    assert {"draining", "lost"} <= set(types(frames))
    assert events(frames) == told


async def test_who_leaves_a_seat_to_a_bot_is_told_behind_the_event_that_says_so(client: Client):
    game = (await client.create_game(seed=LONG))["game"]["id"]
    frames = []
    async with aclosing(client.stream(game, way="socket")) as stream:
        async for frame in stream:
            frames.append(frame)
            if frame["type"] == "hello":
                await client.leave(game)
            if frame["type"] == "presence":
                break
    event, presence = frames[-2]["event"], frames[-1]
    assert (event["type"], event["seat"], event["player"]["stand_in"]) == ("seat_changed", 0, presence["stand_in"])
    assert presence == {"type": "presence", "seat": 0, "connected": False, "away": False, "stand_in": "greedy"}


async def test_where_no_socket_gets_through_the_stream_is_polled(service: Served):
    async with cable(service.address) as laid, Client(laid.address) as client:
        laid.lets_sockets_through = False
        await client.sign_up("Nena")
        game = (await client.create_game(seed=LONG))["game"]["id"]
        frames = await play_round(client, game)
        assert events(frames) == (await client.events(game))["events"]
        with pytest.raises(NoSocket):
            await play_round(client, game, way="socket")


@pytest.mark.parametrize("way", ["socket", "poll"])
async def test_the_stream_of_no_game_is_a_problem(client: Client, way: str):
    with pytest.raises(Problem) as raised:
        await play_round(client, "5d0c2f7a9be84161", way=way)
    assert raised.value.code == "unknown_game"


@pytest.mark.parametrize("way", ["socket", "poll"])
async def test_a_stream_with_a_token_that_is_worth_nothing_is_a_problem(client: Client, way: str):
    game = (await client.create_game(seed=LONG))["game"]["id"]
    client.token = "todas_nothing"
    with pytest.raises(Problem) as raised:
        await play_round(client, game, way=way)
    assert raised.value.code == "unauthenticated"


async def test_the_stream_of_a_game_that_ends_ends(client: Client):
    game = (await client.create_game(seed=LONG))["game"]["id"]
    await client.end(game, "now")
    assert types([frame async for frame in client.stream(game, 0, way="poll")])[-1] == "decision"


def test_a_frame_of_an_unknown_type_is_passed_on():
    assert list(Cursor(7).pass_on({"type": "confetti", "colour": "red"})) == [{"type": "confetti", "colour": "red"}]
