"""The client library over HTTP against the service as it is run: writes that are done once, problems that say what they
are, and patience.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.app.api.served import Served, kept_port, serve
from tests.clients.cable import cable
from tests.clients.playing import LONG, default_action
from todas_client import Client, Problem, Unreachable


async def test_a_move_whose_answer_is_lost_is_sent_again_with_the_same_id(service: Served):
    async with cable(service.address) as laid, Client(laid.address) as client:
        await client.sign_up("Nena")
        view = await client.create_game(seed=LONG)
        laid.lose_answer(b"/actions")
        thrown = view["hand"][-1]
        answer = await client.act(view["game"]["id"], default_action(view), view["decision"]["no"])
        told = await client.events(view["game"]["id"])
    ids = re.findall(rb'"action_id":\s*"(\w+)"', laid.sent)
    own = [frame["event"] for frame in told["events"] if frame["event"].get("seat") == 0]
    assert (len(ids), len(set(ids))) == (2, 1)
    assert [event["tile"] for event in own if event["type"] == "tile_discarded"][:1] == [thrown]
    assert answer["events"][0]["event"]["type"] == "tile_discarded"


async def test_a_move_waits_until_the_service_is_back(own_url: str):
    with kept_port() as port:
        with serve(own_url, port=port, TODAS_ALLOW_SEEDS="true") as first:
            client = Client(first.address)
            await client.sign_up("Nena")
            view = await client.create_game(seed=LONG)
        moving = client.act(view["game"]["id"], default_action(view), view["decision"]["no"])
        with serve(own_url, port=port):
            assert (await moving)["seq"] > view["game"]["seq"]
            await client.close()


async def test_a_game_whose_answer_is_lost_is_made_once(service: Served):
    async with cable(service.address) as laid, Client(laid.address) as client:
        await client.sign_up("Nena")
        laid.lose_answer(b"POST /v1/games")
        view = await client.create_game(ruleset="tsumo")
        assert [game["id"] for game in (await client.games())["items"]] == [view["game"]["id"]]


async def test_nobody_is_signed_up_twice_for_one_lost_answer(service: Served):
    async with cable(service.address) as laid, Client(laid.address) as client:
        laid.lose_answer(b"POST /v1/players")
        with pytest.raises(Unreachable):
            await client.sign_up("Nena")
    assert laid.sent.count(b"POST /v1/players") == 1


async def test_a_problem_says_its_code_and_what_may_help(client: Client):
    view = await client.create_game(seed=LONG)
    with pytest.raises(Problem) as raised:
        await client.act(view["game"]["id"], default_action(view), view["decision"]["no"] + 1)
    problem = raised.value
    assert (problem.code, problem.retry, problem.status) == ("stale_decision", "never", 409)
    assert problem.request_id


async def test_a_problem_of_a_field_names_it(client: Client):
    with pytest.raises(Problem) as raised:
        await client.create_game(ruleset="chess")
    assert [fault["pointer"] for fault in raised.value.errors] == ["/ruleset"]


async def test_a_player_comes_back_with_the_recovery_code(service: Served):
    async with Client(service.address) as client:
        before = await client.sign_up("Nena")
        client.token = None
        after = await client.recover(before["recovery_code"].lower())
        assert after["player"] == before["player"] == await client.me()


async def test_a_service_that_is_not_there_is_unreachable_when_patience_ends():
    async with Client("http://127.0.0.1:9", patience=0.3) as client:
        with pytest.raises(Unreachable):
            await client.rulesets()


async def test_friends_meet_by_a_code_and_play_one_game(client: Client, service: Served):
    seats = [{"type": "me"}, {"type": "open"}, {"type": "open"}, {"type": "bot"}]
    waiting: Any = await client.create_game(seats=seats)
    async with Client(service.address) as friend:
        await friend.sign_up("Ben")
        joined = await friend.join_by_code(waiting["code"]["code"])
        await friend.ready(joined["game"]["id"])
        await client.start(joined["game"]["id"], fill_with_bots=True)
        view = await friend.view(joined["game"]["id"])
    assert view["seat"] == 1
    assert [seat["kind"] for seat in view["seats"]] == ["person", "person", "bot", "bot"]


async def test_an_address_may_end_with_a_slash_or_the_version_or_begin_without_its_scheme(service: Served):
    for address in (f"{service.address}/", f"{service.address}/v1", service.address.removeprefix("http://")):
        async with Client(address) as client:
            assert len(await client.tiles()) == 42


async def test_a_hint_is_to_be_had_where_the_view_says_so(client: Client):
    view = await client.create_game(seed=LONG)
    assert view["game"]["hints"]
    assert (await client.hint(view["game"]["id"]))["decision_no"] == view["decision"]["no"]


async def test_preferences_are_set_as_a_whole(client: Client):
    game = (await client.create_game(ruleset="tsumo"))["game"]["id"]
    await client.prefer(game, auto_pass=["chow"], auto_draw=True)
    assert await client.prefer(game, auto_win=True) == {"auto_pass": [], "auto_win": True, "auto_draw": False}
