"""Any cursor gives what never having left would have given (design 8): streams are broken off at random while a game is
played, and taken up at random numbers, over every way to follow.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from app.tables import Terms
from tests.app.table.clients import Poller, sent_events
from tests.app.table.house import House, Person
from tests.app.table.truth import Truth
from tests.engine.scenario import table

Json = dict[str, Any]

TERMS = Terms("uniform", turn_seconds=60, claim_seconds=0.3, settlement_seconds=1)


@dataclass
class Wanderer:
    """Somebody who is here and there in a game: it resumes somewhere, reads on for a while, and is gone."""

    house: House
    person: Person
    game_id: str
    seat: int | None
    chance: Random
    left: int
    """How often it is still to resume."""
    seq: int = 0
    newest: int = 1
    """The highest event it has heard of."""
    faults: Counter[str] = field(default_factory=Counter)
    kept: dict[int, Json] = field(default_factory=dict)
    """Every event it was ever sent, by number."""
    resumed: Counter[str] = field(default_factory=Counter)

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game_id}"

    async def wander(self) -> None:
        """Resumes until it has often enough."""
        while self.left > 0:
            await self.chance.choice((self._connect, self._connect, self._poll, self._listen))()

    def _begin(self, way: str) -> int:
        """Counts a resume: the cursor for it, the last event it had, any other, or one that is yet to come."""
        self.left -= 1
        self.resumed[way] += 1
        near = self.chance.randint(max(0, self.newest - 5), self.newest + 2)
        self.seq = self.chance.choice((self.seq, self.chance.randint(0, self.newest), near))
        return self.seq

    def _take(self, fact: Json) -> None:
        seq = fact["seq"]
        if seq != self.seq + 1:
            self.faults["gap" if seq > self.seq else "repeat"] += 1
        told = {name: fact[name] for name in ("seq", "at", "event")}
        if self.kept.setdefault(seq, told) != told:
            self.faults["another event"] += 1
        self.seq = seq
        self.newest = max(self.newest, seq)

    def _greeted(self, frame: Json) -> None:
        self.newest = max(self.newest, frame["seq"])
        self.seq = min(self.seq, frame["seq"])  # nothing follows on an event that has not happened

    def _some(self) -> int:
        """How many events it stays for: fewer where it would have to wait for them."""
        return self.chance.randint(1, 30 if self.seq < self.newest else 4)

    async def _poll(self) -> None:
        after = self._begin("poll")
        query = {"after": after, "wait": 20, "limit": self._some()}
        answer = await self.house.http.get(f"{self.path}/events", params=query, headers=self.person.headers)
        self.seq = min(self.seq, answer.json()["seq"])
        for fact in answer.json()["events"]:
            self._take(fact)

    async def _listen(self) -> None:
        number = self._begin("sse")
        headers = {**self.person.headers, "Accept": "text/event-stream", "Last-Event-ID": str(number)}
        async with self.house.http.stream("GET", f"{self.path}/events", headers=headers) as answer:
            left = self._some()
            async for frame in sent_events(answer):
                if frame["type"] == "hello":
                    self._greeted(frame)
                elif frame["type"] == "event":
                    self._take(frame)
                    left -= 1
                if left == 0:
                    return

    async def _connect(self) -> None:
        """A connection; now and then it is begun again by a frame instead of being broken off."""
        async with self.house.socket(self.game_id, self.person, self._begin("socket")) as connection:
            await self._read(connection)
            while self.left > 0 and self.chance.random() < 0.6:
                after = self.chance.randint(0, self.newest)
                await connection.send(json.dumps({"type": "resume", "after": after}))
                await self._read_to_hello(connection)
                self.resumed["frame"] += 1
                self.left -= 1
                self.seq = after
                await self._read(connection)
            if self.chance.random() < 0.7:
                connection.transport.abort()

    async def _read_to_hello(self, connection: ClientConnection) -> None:
        """What was on its way still follows on the old cursor."""
        while (frame := await _next(connection))["type"] != "hello":
            if frame["type"] == "event":
                self._take(frame)
        self.newest = max(self.newest, frame["seq"])

    async def _read(self, connection: ClientConnection) -> None:
        left = self._some()
        while left > 0:
            frame = await _next(connection)
            if frame["type"] == "hello":
                self._greeted(frame)
            elif frame["type"] == "event":
                self._take(frame)
                left -= 1


async def _next(connection: ClientConnection) -> Json:
    frame: Json = json.loads(await asyncio.wait_for(connection.recv(), 30))
    return frame


async def wandered(house: House, resumes: int) -> None:
    """A game with a past goes on for as long as it takes two wanderers a reader to resume so often, all together."""
    people = await house.sign_up(5)
    past = table("tsumo", timing=TERMS.timing)
    past.idle(60)
    game_id = await house.place(past, people[:4], TERMS)
    players = [Poller(house, person, game_id, seat, Random(seat)) for seat, person in enumerate(people[:4])]
    playing = [asyncio.create_task(player.play()) for player in players]
    wanderers = [
        Wanderer(house, person, game_id, seat if seat < 4 else None, Random(f"{seat} {twin}"), resumes // 10)
        for seat, person in enumerate(people)
        for twin in range(2)
    ]
    try:
        await asyncio.gather(*(wanderer.wander() for wanderer in wanderers))
    finally:
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
    truth = Truth(await house.rows(game_id))
    for wanderer in wanderers:
        told = truth.told(wanderer.seat)
        assert wanderer.kept == {seq: told[seq - 1] for seq in wanderer.kept}
    resumed = sum((wanderer.resumed for wanderer in wanderers), Counter[str]())
    faults = sum((wanderer.faults for wanderer in wanderers), Counter[str]())
    assert (resumed.total(), len(resumed), faults) == (resumes, 4, {})


async def test_resumes_at_random_cursors_miss_nothing_and_repeat_nothing(house: House):
    await wandered(house, 200)


@pytest.mark.long
async def test_ten_thousand_resumes_miss_nothing_and_repeat_nothing(house: House):
    await wandered(house, 10_000)
