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
from engine.actions import Action, Discard
from engine.codec import dump_command
from engine.tiles import CODES
from tests.app.table.house import House, Person, place
from tests.app.table.stopped import PEOPLE, Hand, serving
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
        polls = [asyncio.create_task(listener.get(f"/events?after={seq}&wait=30")) for listener in others]

        for seat, said in ((1, chow("46c")), (2, PASS), (1, PASS), (2, pung("5c")), (1, chow("46c"))):
            await answer(seat, dump_command(said), no)
            assert [await listener.news(seq, etag) for listener, etag in zip(others, etags, strict=True)] == [[]] * 3
            assert not any(poll.done() for poll in polls)
        await answer(3, {"type": "pass"}, no)

        for listener, poll in zip(others, polls, strict=True):
            closed = (await listener.next("event", "decision"))["event"]
            assert (closed["type"], closed["taken"], closed["seat"]) == ("window_closed", "pung", 2)
            assert (await poll).json()["events"][0]["event"] == closed


async def test_who_has_answered_over_http_alone_does_not_look_gone_for_it(stopped: str):
    """A request counts as being there for a while; an answer counts for nothing yet, and takes nothing away."""
    hand = Hand()
    standing, ahead = (table("emay", {0: "5c"}, timing=TERMS.timing) for _ in range(2))
    async with AsyncExitStack() as stack:
        address, service = await stack.enter_async_context(serving(stopped, hand))
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=30))
        await place(service.database, "answered", standing, PEOPLE[:4], TERMS)
        house = House(address, http, service.database)
        for seat in (0, 2, 3):
            await stack.enter_async_context(house.socket("answered", PEOPLE[seat], 0))

        async def do(seat: int, action: Action) -> None:
            hand.seconds += 1
            body = {"action": dump_command(action), "decision_no": ahead.state.decision.no}
            done = await http.post("/v1/games/answered/actions", json=body, headers=PEOPLE[seat].headers)
            assert done.status_code == 200, done.text
            ahead.do(seat, action)

        async def throw(seat: int) -> None:
            drawn = ahead.state.seats[seat].drawn
            assert drawn is not None
            await do(seat, Discard(CODES[drawn]))

        await throw(0)
        for seat in (1, 2, 3):
            await do(seat, PASS)
        await throw(1)
        for seat in (2, 3, 0):
            await do(seat, PASS)
        await throw(2)

        await do(1, PASS)
        await service.tables.presence.look()
        hand.seconds += 5
        await service.tables.presence.look()
        assert (await service.tables.current("answered")).seq == ahead.state.seq
