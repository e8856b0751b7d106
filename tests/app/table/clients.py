"""People at their machines: each follows a game in a way of its own, moves by its own legal actions alone, and keeps
all that it was ever told.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tests.app.table.house import House, Person

Json = dict[str, Any]

LATE = {"stale_decision", "game_over"}
NO_WIN = {"not_your_turn", "no_tile", "incomplete", "game_over"}
"""A win needs no decision: one that comes late is judged in whatever state it finds (rules 5)."""


@dataclass
class Client(ABC):
    """Somebody who follows a game, from its first event on; who has a seat also plays."""

    house: House
    person: Person
    game_id: str
    seat: int | None
    chance: Random
    heard: list[Json] = field(default_factory=list)
    """Everything that came, in order, events of all kinds of answer among it."""
    stream: list[Json] = field(default_factory=list)
    """The events that its way of following has brought."""
    asked: int = 0
    """The last decision it has thought about."""
    moves: int = 0

    @property
    def seq(self) -> int:
        """The last event it has."""
        return self.stream[-1]["seq"] if self.stream else 0

    @property
    def is_over(self) -> bool:
        return bool(self.stream) and self.stream[-1]["event"]["type"] == "game_ended"

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game_id}"

    async def play(self) -> None:
        """Follows the game to its end, and looks at it once more then."""
        while not self.is_over:
            await self.follow()
        await self.look()

    @abstractmethod
    async def follow(self) -> None:
        """Follows the game until its end or for a while."""

    async def look(self) -> Json:
        """The table as it is seen now."""
        return await self.get("", min_seq=self.seq)

    async def get(self, path: str, **query: Any) -> Json:
        """Reads something of the game."""
        answer = await self.house.http.get(self.path + path, params=query, headers=self.person.headers)
        assert answer.status_code == 200, answer.text
        self.heard.append(answer.json())
        return self.heard[-1]

    def take(self, fact: Json) -> None:
        """Keeps an event of the stream."""
        self.stream.append({name: fact[name] for name in ("seq", "at", "event")})

    def wanted(self, decision: Json, legal: list[Json]) -> list[Json]:
        """What it does about a decision, the first time it hears of it: nothing where it says nothing."""
        no = decision["decision_no"] if "decision_no" in decision else decision["no"]
        if not legal or no <= self.asked:
            return []
        self.asked = no
        first = choose(legal, self.chance)
        window = decision["kind"] == "claim_window"
        if window and self.chance.random() < 0.02:
            return []  # silence, until the deadline
        if window and self.chance.random() < 0.05:
            return [self.chance.choice(legal), first]  # and changes its mind
        return [first]

    def body(self, action: Json, no: int) -> Json:
        """A move, under an id of its own."""
        self.moves += 1
        return {"action_id": f"m{self.moves}", "decision_no": no, "action": action}

    async def post(self, body: Json) -> None:
        """Moves over HTTP, by a short form now and then."""
        action = body["action"]
        route, sent = "actions", body
        if action["type"] in ("draw", "pass", "discard", "claim", "win") and self.chance.random() < 0.5:
            route = action["type"]
            sent = {**{name: body[name] for name in ("action_id", "decision_no")}, **action}
            del sent["type"]
        answer = await self.house.http.post(f"{self.path}/{route}", json=sent, headers=self.person.headers)
        self.heard.append(answer.json())
        if answer.status_code != 200:
            check_late(self.heard[-1], body)


def check_late(problem: Json, body: Json) -> None:
    """Nothing is refused that was a legal action but for coming late."""
    allowed = LATE | NO_WIN if body["action"]["type"] == "win" else LATE
    assert problem["code"] in allowed, (problem, body)


@dataclass
class Socket(Client):
    """Follows over a socket, and moves over it, or over HTTP where `posts` says so. With `cut` its connection breaks
    after so many frames on average, and it comes back where it was."""

    posts: bool = False
    cut: int = 0
    cuts: int = 0
    owed: dict[str, Json] = field(default_factory=dict)
    """What has been sent and is not answered yet, by action id."""

    async def follow(self) -> None:
        """One connection, to its end."""
        frames = self.chance.randint(1, 2 * self.cut) if self.cut else -1
        with suppress(ConnectionClosed):
            async with self.house.socket(self.game_id, self.person, self.seq) as connection:
                for body in self.owed.values():
                    await send(connection, body)
                while not self.is_over:
                    frame = json.loads(await asyncio.wait_for(connection.recv(), 30))
                    self.heard.append(frame)
                    await self._take(connection, frame)
                    frames -= 1
                    if frames == 0:
                        self.cuts += 1
                        connection.transport.abort()

    async def _take(self, connection: ClientConnection, frame: Json) -> None:
        match frame["type"]:
            case "event":
                self.take(frame)
            case "hello":
                await self._act(connection, frame["view"]["decision"], frame["view"]["legal_actions"])
            case "decision":
                await self._act(connection, frame, frame["legal_actions"])
            case "ack":
                assert frame["seq"] <= self.seq  # the events it caused were there before
                del self.owed[frame["action_id"]]
            case "problem":
                check_late(frame["problem"], self.owed.pop(frame["action_id"]))
            case _:
                pass  # presence, and what else asks nothing of anybody

    async def _act(self, connection: ClientConnection, decision: Json, legal: list[Json]) -> None:
        for action in self.wanted(decision, legal):
            body = self.body(action, self.asked)
            if self.posts:
                await self.post(body)
            else:
                self.owed[body["action_id"]] = body
                await send(connection, body)


@dataclass
class Poller(Client):
    """Follows by long poll, and moves over HTTP."""

    async def follow(self) -> None:
        """One poll, and what follows from it."""
        page = await self.get("/events", after=self.seq, wait=10, limit=self.chance.choice((3, 500)))
        for fact in page["events"]:
            self.take(fact)
        if self.seq == page["seq"]:
            seen = await self.look()
            for action in self.wanted(seen["decision"], seen["legal_actions"]):
                await self.post(self.body(action, self.asked))


@dataclass
class EventSource(Client):
    """Follows by server-sent events, and moves over HTTP."""

    async def follow(self) -> None:
        """One connection, to its end."""
        headers = {**self.person.headers, "Accept": "text/event-stream", "Last-Event-ID": str(self.seq)}
        async with self.house.http.stream("GET", f"{self.path}/events", headers=headers) as answer:
            async for frame in sent_events(answer):
                self.heard.append(frame)
                match frame["type"]:
                    case "event":
                        self.take(frame)
                    case "hello":
                        await self._act(frame["view"]["decision"], frame["view"]["legal_actions"])
                    case "decision":
                        await self._act(frame, frame["legal_actions"])
                    case _:
                        pass
                if self.is_over:
                    return

    async def _act(self, decision: Json, legal: list[Json]) -> None:
        for action in self.wanted(decision, legal):
            await self.post(self.body(action, self.asked))


async def sent_events(answer: httpx.Response) -> Any:
    """The frames of a stream of server-sent events, each event under its number."""
    number = None
    async for line in answer.aiter_lines():
        name, _, value = line.partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data":
            frame = json.loads(value)
            assert number == (frame["seq"] if frame["type"] == "event" else None)
            yield frame
            number = None


async def send(connection: ClientConnection, body: Json) -> None:
    """Sends a move over a socket."""
    await connection.send(json.dumps({"type": "action", **body}))


def choose(legal: list[Json], chance: Random) -> Json:
    """Wins when it may, claims half of what it is offered, and throws the tile that stands most alone."""
    first = [action for action in legal if action["type"] in ("win", "kong", "draw", "confirm")]
    claims = [action for action in legal if action["type"] == "claim"]
    discards = [action for action in legal if action["type"] == "discard"]
    if first:
        return first[0]
    if claims and chance.random() < 0.5:
        return chance.choice(claims)
    if discards:
        return min(discards, key=lambda action: (_company(action["tile"], discards), chance.random()))
    return legal[-1]


def _company(tile: str, discards: list[Json]) -> int:
    """How many other kinds of the hand are near a tile."""
    ranks = [int(other["tile"][0]) for other in discards if other["tile"][1] == tile[1]]
    return sum(1 for rank in ranks if 0 < abs(rank - int(tile[0])) <= 2)
