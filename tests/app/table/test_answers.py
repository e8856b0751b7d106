"""Until a window closes an answer reaches nobody else: no frame, no number, no mark, no poll tells of it (rules 11)."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection

from app.tables import Terms
from engine.codec import dump_command
from tests.app.table.house import House, Person
from tests.engine.scenario import PASS, chow, pung, table

Json = dict[str, Any]

TERMS = Terms("uniform", claim_seconds=60, settlement_seconds=None)


@dataclass
class Listener:
    """Somebody who looks as hard as it can."""

    house: House
    person: Person
    path: str
    socket: ClientConnection

    async def next(self, *kinds: str) -> Json:
        """The next frame of these kinds, of any where none is named."""
        while True:
            frame: Json = json.loads(await asyncio.wait_for(self.socket.recv(), 30))
            if not kinds or frame["type"] in kinds:
                return frame

    async def news(self, seq: int, etag: str) -> list[Any]:
        """All that there is for it to learn since that event and that mark."""
        await self.socket.send('{"type":"ping"}')
        frames = [await self.next()]
        while frames[-1]["type"] != "ping":
            frames.append(await self.next())
        seen = await self.get("", **{"If-None-Match": etag})
        page = await self.get(f"/events?after={seq}")
        found = [frame for frame in frames if frame != {"type": "ping", "seq": seq}]
        return [*found, *page.json()["events"], *([] if seen.status_code == 304 else [seen.json()])]

    async def etag(self) -> str:
        """The mark of what it sees."""
        return str((await self.get("")).headers["etag"])

    async def get(self, path: str, **headers: str) -> httpx.Response:
        """Reads something of the game."""
        return await self.house.http.get(self.path + path, headers={**self.person.headers, **headers})


async def test_until_the_window_closes_an_answer_reaches_its_own_seat_alone(house: House):
    people = await house.sign_up(5)
    standing = table("emay", {0: "5c", 1: "46c", 2: "55c"}, timing=TERMS.timing)
    game_id = await house.place(standing, people[:4], TERMS)
    path, no = f"/v1/games/{game_id}", standing.state.decision.no + 1

    async def answer(seat: int, action: Json, number: int) -> None:
        body = {"action": action, "decision_no": number}
        done = await house.http.post(f"{path}/actions", json=body, headers=people[seat].headers)
        assert done.status_code == 200, done.text

    async with AsyncExitStack() as stack:
        listeners = []
        for person in people:
            socket = await stack.enter_async_context(house.socket(game_id, person, standing.state.seq))
            listeners.append(Listener(house, person, path, socket))
            await listeners[-1].next("hello")
        await answer(0, {"type": "discard", "tile": "5c"}, no - 1)
        for listener in listeners:
            await listener.next("decision")
        seq, others = standing.state.seq + 2, [listeners[place] for place in (0, 3, 4)]
        etags = [await listener.etag() for listener in others]
        polls = [asyncio.create_task(listener.get(f"/events?after={seq}&wait=25")) for listener in others]

        for seat, said in ((1, chow("46c")), (2, PASS), (1, PASS), (2, pung("5c")), (1, chow("46c"))):
            await answer(seat, dump_command(said), no)
            assert [await listener.news(seq, etag) for listener, etag in zip(others, etags, strict=True)] == [[]] * 3
            assert not any(poll.done() for poll in polls)
        await answer(3, {"type": "pass"}, no)

        for listener, poll in zip(others, polls, strict=True):
            closed = (await listener.next("event", "decision"))["event"]
            assert (closed["type"], closed["taken"], closed["seat"]) == ("window_closed", "pung", 2)
            assert (await poll).json()["events"][0]["event"] == closed
