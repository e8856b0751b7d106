"""kill -9 of the service inside a claim window, with everybody connected: people come back by themselves and go on
where they were (design 3, Time).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

import httpx
import pytest

from app.database import Database
from app.tables import Terms
from engine.codec import dump_command
from tests.app.api.served import Served, kept_port, serve
from tests.app.table.clients import send
from tests.app.table.house import House, Person
from tests.app.table.truth import Truth
from tests.app.tables.workers import pass_unserved
from tests.engine.scenario import chow, pung, table
from todas_client import Action, Client
from todas_client.stream import Way

Json = dict[str, Any]

TERMS = Terms("uniform", claim_seconds=600, settlement_seconds=None)
WAYS: tuple[Way, ...] = ("socket", "socket", "socket", "poll", "auto")
ANSWERS: dict[int, Json] = {1: dump_command(chow("46c")), 2: dump_command(pung("5c"))}
"""What two seats have answered when the service is killed; the third has not."""


@dataclass
class Follower:
    """A person's client that follows a game, and every frame it has passed on."""

    client: Client
    game_id: str
    seat: int | None
    frames: list[Json] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(self, way: Way) -> None:
        """Follows for as long as it is let."""
        async for frame in self.client.stream(self.game_id, 0, way=way):
            self.frames.append(frame)
            self.news.set()

    async def until(self, holds: Callable[[Follower], bool]) -> None:
        """Waits until something holds of what it has heard."""
        async with asyncio.timeout(60):
            while not holds(self):
                self.news.clear()
                await self.news.wait()

    @property
    def is_back(self) -> bool:
        """Whether it has lost its connection and has another."""
        return bool(self.of("lost")) and self.frames[-1]["type"] != "lost"

    @property
    def seq(self) -> int:
        return max((event["seq"] for event in self.of("event")), default=0)

    @property
    def events(self) -> list[Json]:
        return [{name: frame[name] for name in ("seq", "at", "event")} for frame in self.of("event")]

    def of(self, kind: str) -> list[Json]:
        return [frame for frame in self.frames if frame["type"] == kind]


@dataclass
class Game:
    """A game in which the service was killed: who followed it, the window as it was then, and what the log holds."""

    followers: list[Follower]
    window: Json
    truth: Truth
    passed: datetime | None
    """When its deadline passed, if that was while nobody served."""


class Service:
    """`todas serve` on one port."""

    def __init__(self, url: str, port: int) -> None:
        self._url = url
        self._port = port
        self._running: AbstractContextManager[Served]
        self._served: Served

    async def start(self) -> str:
        """Starts it, again where it was: its address."""
        self._running = serve(self._url, port=self._port)
        self._served = await asyncio.to_thread(self._running.__enter__)
        return self._served.address

    async def kill(self) -> None:
        """kill -9."""
        self._served.program.kill()
        await self.stop()

    async def stop(self) -> None:
        await asyncio.to_thread(self._running.__exit__, None, None, None)


_killed: dict[str, Game] = {}


@pytest.fixture
async def killed(url: str, db: Database) -> dict[str, Game]:
    """Two games in which the service was killed and started again, `far` from the deadline and after it was `missed`;
    done once for all tests."""
    if not _killed:
        with kept_port() as port:
            service = Service(url, port)
            address = await service.start()
            async with httpx.AsyncClient(base_url=address, timeout=60) as http:
                try:
                    _killed.update(await kill_and_restart(House(address, http, db), service))
                finally:
                    await service.stop()
    return _killed


async def kill_and_restart(house: House, service: Service) -> dict[str, Game]:
    people = await house.sign_up(5)
    clients = [Client(house.address, person.token) for person in people]
    games, tasks = {}, []
    for name in ("far", "missed"):
        standing = table("emay", {0: "5c", 1: "46c", 2: "55c"}, timing=TERMS.timing)
        game_id = await house.place(standing, people[:4], TERMS)
        followers = [Follower(client, game_id, seat) for seat, client in enumerate(clients[:4])]
        followers.append(Follower(clients[4], game_id, None))
        for follower, way in zip(followers, WAYS, strict=True):
            tasks.append(asyncio.create_task(follower.follow(way)))
        games[name] = followers
    windows = {name: await throw_and_answer(house, people, followers) for name, followers in games.items()}
    await service.kill()
    passed = {"far": None, "missed": await pass_unserved(house.database, games["missed"][0].game_id)}
    await service.start()
    truths = {name: await end(house, followers, windows[name], passed[name]) for name, followers in games.items()}
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    for client in clients:
        await client.close()
    return {name: Game(games[name], windows[name], truths[name], passed[name]) for name in games}


async def throw_and_answer(house: House, people: Sequence[Person], followers: Sequence[Follower]) -> Json:
    """The dealer throws, and two seats answer; the window as the table sees it then."""
    game_id, dealer = followers[0].game_id, followers[0].client
    await reach(followers, (await dealer.view(game_id))["game"]["seq"])
    thrown = await dealer.act(game_id, {"type": "discard", "tile": "5c"}, 2)
    no = thrown["view"]["decision"]["no"]
    async with house.socket(game_id, people[1], 0) as socket:
        await send(socket, {"action_id": "chow", "decision_no": no, "action": ANSWERS[1]})
        while json.loads(await asyncio.wait_for(socket.recv(), 30))["type"] != "ack":
            pass
    await followers[2].client.act(game_id, cast("Action", ANSWERS[2]), no)
    await reach(followers, thrown["seq"])
    return cast("Json", (await dealer.view(game_id))["decision"])


async def end(house: House, followers: Sequence[Follower], window: Json, passed: datetime | None) -> Truth:
    """Waits until everybody is back, lets the third seat pass where there is time left, and waits for the close."""
    game_id, third = followers[0].game_id, followers[3].client
    await asyncio.gather(*(follower.until(lambda each: each.is_back) for follower in followers))
    if passed is None:
        await third.act(game_id, {"type": "pass"}, window["no"])
    while (seen := await third.view(game_id))["decision"]["no"] == window["no"]:
        await third.events(game_id, seen["game"]["seq"], wait=20)
    await reach(followers, seen["game"]["seq"])
    return Truth(await house.rows(game_id))


async def reach(followers: Sequence[Follower], seq: int) -> None:
    """Waits until everybody has heard of that event."""
    await asyncio.gather(*(follower.until(lambda each: each.seq >= seq) for follower in followers))


def told_since(game: Game) -> list[Json]:
    """What everybody was told from the throw on."""
    told = [fact["event"] for fact in game.truth.told(None)]
    return told[next(place for place, event in enumerate(told) if event["type"] == "tile_discarded") :]


def test_everybody_comes_back_and_has_missed_nothing(killed: dict[str, Game]):
    for game in killed.values():
        for follower in game.followers:
            assert follower.events == game.truth.told(follower.seat)


def test_answers_that_were_given_before_the_kill_stand(killed: dict[str, Game]):
    back = [follower.of("hello")[-1]["view"]["decision"] for follower in killed["far"].followers]
    assert [decision.get("your_answer") for decision in back] == [None, ANSWERS[1], ANSWERS[2], None, None]
    for game in killed.values():
        closed = next(event for event in told_since(game) if event["type"] == "window_closed")
        assert (closed["taken"], closed["seat"]) == ("pung", 2)


def test_a_deadline_that_is_still_to_come_is_kept(killed: dict[str, Game]):
    game = killed["far"]
    back = [follower.of("hello")[-1]["view"]["decision"] for follower in game.followers]
    assert {decision["deadline_at"] for decision in back} == {game.window["deadline_at"]}
    assert "deadline_moved" not in {event["type"] for event in told_since(game)}


def test_a_deadline_that_passed_meanwhile_is_moved_once_and_then_kept(killed: dict[str, Game]):
    game = killed["missed"]
    types = [event["type"] for event in told_since(game)]
    assert types[:4] == ["tile_discarded", "window_opened", "deadline_moved", "window_closed"]
    moved, closed = game.truth.told(None)[-len(types) :][2:4]
    at, until, end = map(datetime.fromisoformat, (moved["at"], moved["event"]["deadline_at"], closed["at"]))
    assert game.passed is not None
    assert game.passed < at < until
    assert end > until - timedelta(seconds=1)  # rows bear the database's time, and deadlines the service's
