"""What reaches a seat over the service does not depend on what is hidden from it: two worlds that agree on all that the
seat has seen are played by the same moves, and every byte is the same (rules 11; design 8).
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from app.tables import Terms
from engine.actions import Action
from engine.codec import dump_command
from engine.rules import override, preset
from engine.state import SEATS
from engine.wall import build_wall
from tests.app.table.house import House, Person, place
from tests.app.table.stopped import PEOPLE, Hand, serving
from tests.engine.scenario import FOUR_PEOPLE, PASS
from tests.engine.secrecy.worlds import Move, World, dealt_anew, random_moves

Json = dict[str, Any]

TERMS = Terms("uniform", turn_seconds=20, bank_seconds=60, claim_seconds=60, settlement_seconds=None)
RULES = {
    "emay": preset("emay"),
    "tsumo": preset("tsumo"),
    "robbing": override(preset("emay"), {"added_kong": True, "rob_added_kong": True, "auto_draw": False}),
}
MOVES = 12
SPECTATOR = 4
GAME = "world"
PATH = f"/v1/games/{GAME}"
CONNECTION_ID = re.compile(r'"request_id":"[0-9a-f]{16}"')
"""Drawn anew for each socket, by chance alone."""


class Ear:
    """All that reaches one reader: the frames of its socket, and every answer to what it asks."""

    def __init__(self, http: httpx.AsyncClient, socket: ClientConnection, person: Person) -> None:
        self._http = http
        self._socket = socket
        self._person = person
        self.etag = ""
        self.seq = 0
        self.no = 0
        self.asked: Sequence[int] = ()
        """Whom an open window asks."""
        self.frames: list[str] = []
        self.answers: list[tuple[object, ...]] = []

    async def ask(self, method: str, path: str, body: Json | None = None, **query: Any) -> httpx.Response:
        """Asks something, and keeps the answer: its status, headers and body."""
        place = len(self.answers)
        self.answers.append(())
        headers = {**self._person.headers, "X-Request-ID": f"r{place}"}
        if path == "":
            headers["If-None-Match"] = self.etag
        answer = await self._http.request(method, PATH + path, json=body, params=query, headers=headers)
        told = sorted((name, value) for name, value in answer.headers.raw if name.lower() != b"date")
        self.answers[place] = answer.status_code, told, answer.content
        if path == "":
            self.etag = answer.headers["etag"]
        return answer

    async def send(self, body: Json) -> Json:
        """Sends a move over the socket, and reads to the answer."""
        await self._socket.send(json.dumps({"type": "action", **body}))
        while (frame := await self._next())["type"] not in ("ack", "problem"):
            pass
        return frame

    async def until(self, seq: int, no: int) -> None:
        """Reads to the decision that follows on an event."""
        while (self.seq, self.no) != (seq, no):
            await self._next()

    async def until_answered(self) -> None:
        """Reads until it is told of its own answer."""
        while "your_answer" not in json.loads(self.frames[-1]):
            await self._next()

    async def _next(self) -> Json:
        text = await asyncio.wait_for(self._socket.recv(), 30)
        assert isinstance(text, str)
        frame: Json = json.loads(text)
        match frame["type"]:
            case "hello":
                self.seq, self.no = frame["seq"], frame["view"]["decision"]["no"]
            case "event":
                self.seq = frame["seq"]
            case "decision":
                self.no = frame["decision_no"]
                self.asked = frame["who"] if frame["kind"] == "claim_window" else ()
            case "ping":
                assert frame["seq"] == self.seq
                return frame  # comes when the server likes
            case _:
                pass
        self.frames.append(CONNECTION_ID.sub("", text))
        return frame


class Play:
    """A world being played over a service, before the ears of one seat and of a spectator."""

    def __init__(self, http: httpx.AsyncClient, hand: Hand, reader: int, own: Ear, watching: Ear) -> None:
        self._http = http
        self._hand = hand
        self._reader = reader
        self._own = own
        self._watching = watching
        self._commands = 0

    async def move(self, move: Move) -> None:
        """The move, and the answers to it: the reader's before the others' or after them."""
        await self._refused()
        await self._do(move.seat, move.action)
        if not self._own.asked:
            return
        poll = asyncio.create_task(self._own.ask("GET", "/events", after=self._own.seq, wait=25))
        first = self._commands % 2 == 0
        for seat in sorted(self._own.asked, key=lambda seat: (seat == self._reader) != first):
            assert not poll.done()
            await self._do(seat, move.claims.get(seat, PASS))
        await poll

    async def _do(self, seat: int, action: Action) -> None:
        """One command; then the reader looks at everything."""
        self._hand.seconds += 0.25
        self._commands += 1
        own, before = self._own, self._own.no
        body = {"action_id": f"a{self._commands}", "decision_no": before, "action": dump_command(action)}
        if seat == self._reader and self._commands % 3 == 0:
            assert (await own.send(body))["type"] == "ack"
        else:
            headers = PEOPLE[seat].headers
            if seat == self._reader:
                answer = await own.ask("POST", "/actions", body)
            else:
                answer = await self._http.post(f"{PATH}/actions", json=body, headers=headers)
            assert answer.status_code == 200, answer.text
            view = answer.json()["view"]
            if view["decision"]["no"] > before:
                await own.until(view["game"]["seq"], view["decision"]["no"])
            elif seat == self._reader:
                await own.until_answered()
        await self._watching.until(own.seq, own.no)
        await own.ask("GET", "/events", after=max(0, own.seq - 3))
        await own.ask("GET", "")

    async def _refused(self) -> None:
        """What the reader may not do is refused in the same words."""
        if not any('"type":"win"' in frame for frame in self._own.frames[-1:]):
            await self._own.ask("POST", "/actions", {"action": {"type": "win"}})
            await self._own.send({"action_id": "won", "action": {"type": "win"}})


async def heard(url: str, world: World, moves: Sequence[Move], reader: int) -> list[object]:
    """All that reaches the reader, and a spectator, while a world is played by these moves."""
    hand = Hand()
    async with AsyncExitStack() as stack:
        address, service = await stack.enter_async_context(serving(url, hand))
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=30))
        await place(service.database, GAME, world, PEOPLE[:4], TERMS)
        house, ears = House(address, http, service.database), {}
        for seat, person in enumerate(PEOPLE):
            socket = await stack.enter_async_context(house.socket(GAME, person, 0))
            if seat in (reader, SPECTATOR):
                ears[seat] = Ear(http, socket, person)
                await ears[seat].until(world.state.seq, world.state.decision.no)
            else:  # connected, so that nobody is missed
                stack.callback(asyncio.create_task(_read_all(socket)).cancel)
        play = Play(http, hand, reader, ears[reader], ears[SPECTATOR])
        for move in moves:
            await play.move(move)
        return [*ears[reader].frames, *ears[reader].answers, *ears[SPECTATOR].frames]


async def _read_all(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


def twins(name: str, reader: int) -> tuple[list[Move], World, World]:
    """The moves of a round, and two worlds at its deal in which they can be played."""
    chance, seed = Random(f"{name} {reader}"), f"{reader:064x}"
    table, wall = (RULES[name], FOUR_PEOPLE, TERMS.timing, seed), build_wall(RULES[name], seed, 1)
    played = World.dealt(*table, wall)
    moves = list(random_moves(played, chance, reader, MOVES))
    return moves, World.dealt(*table, wall), World.dealt(*table, dealt_anew(played, reader, wall, chance))


def hidden(world: World, reader: int) -> list[object]:
    return [world.state.seats[seat].counts for seat in SEATS if seat != reader]


@pytest.mark.parametrize(("name", "reader"), [("emay", 0), ("tsumo", 1), ("robbing", 2), ("emay", 3)])
async def test_a_seat_and_a_spectator_get_the_same_bytes_in_both_worlds(stopped: str, name: str, reader: int):
    moves, one, other = twins(name, reader)
    assert hidden(one, reader) != hidden(other, reader)
    assert await heard(stopped, one, moves, reader) == await heard(stopped, other, moves, reader)
