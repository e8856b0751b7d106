"""Answers to a window come to the same over the service as in sequence, whenever and by whichever way they arrive
(rules 5; design 8, races).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection

from app.tables import Terms
from engine.actions import Action, Discard, Pass
from engine.claims import asked
from engine.codec import dump_command, dump_state
from engine.decide import step
from engine.legal import legal_actions
from engine.replay import fold
from engine.state import ClaimWindow, GameState
from tests.app.table.clients import NO_WIN
from tests.app.table.house import House, Person
from tests.app.table.truth import Truth
from tests.engine.scenario import PASS, WIN, Table, chow, kang, pung, table

Json = dict[str, Any]

TERMS = Terms("uniform", claim_seconds=1, settlement_seconds=None)
ANSWERING = (1, 2, 3)
AT_ONCE = 12
"""Games in which something happens at the same time: with more, answers would come too late for want of a processor."""


@dataclass(frozen=True)
class Contest:
    """What three seats answer to the dealer's 5c."""

    ruleset: str
    hands: Mapping[int, str]
    answers: Mapping[int, Action]

    def table(self) -> Table:
        """The dealer about to throw."""
        made = table(self.ruleset, {0: "5c", **self.hands}, timing=TERMS.timing)
        state, _ = step(made.state, 0, Discard("5c"))
        assert all(answer in legal_actions(state, seat) for seat, answer in self.answers.items())
        return made


WAITS_FOR_5C = "123b 345b 678b 123d 88d 46c"
CONTESTS = {
    "chow, pung, win": Contest("emay", {1: "46c", 2: "55c", 3: WAITS_FOR_5C}, {1: chow("46c"), 2: pung("5c"), 3: WIN}),
    "chow, kong, pass": Contest("tsumo", {1: "46c", 2: "555c"}, {1: chow("46c"), 2: kang("5c"), 3: PASS}),
    "win, pass, win": Contest(
        "emay", {1: WAITS_FOR_5C, 2: "55c", 3: "234b 456b 789b 456d 77d 46c"}, {1: WIN, 2: PASS, 3: WIN}
    ),
}
every_contest = pytest.mark.parametrize("contest", CONTESTS.values(), ids=CONTESTS)


def sequential(before: GameState, answers: Sequence[tuple[int, Action]]) -> GameState:
    """What the engine makes of the throw and these answers one after another, the deadline passing for the others."""
    state, _ = step(before, 0, Discard("5c"))
    window = state.decision
    assert isinstance(window, ClaimWindow)
    silent: list[tuple[int, Action]] = [(seat, Pass()) for seat in asked(window) if seat not in dict(answers)]
    for seat, action in [*answers, *silent]:
        state, _ = step(state, seat, action)
    return state


class Race:
    """One game whose window is open; each of its seats answers by one way or the other."""

    def __init__(self, house: House, people: Sequence[Person], contest: Contest, number: int) -> None:
        self._house = house
        self._people = people
        self._contest = contest
        self._number = number
        self._sent = 0
        self._sockets: dict[int, ClientConnection] = {}
        self.table = contest.table()
        self.game_id = ""
        self.decision: Json = {}

    async def open(self, stack: AsyncExitStack) -> None:
        """Connects, and throws."""
        self.game_id = await self._house.place(self.table, self._people, TERMS)
        for person in self._people:  # whoever has been here of late is not missed
            await self._house.http.get(f"/v1/games/{self.game_id}", headers=person.headers)
        for seat in ANSWERING:
            if (self._number + seat) % 2:
                socket = self._house.socket(self.game_id, self._people[seat], self.table.state.seq)
                self._sockets[seat] = await stack.enter_async_context(socket)
        no = self.table.state.decision.no
        body = {"action": dump_command(Discard("5c")), "decision_no": no}
        thrown = await self._post(0, body)
        self.decision = thrown["view"]["decision"]

    async def answer(self, seat: int, action: Action | None = None) -> bool:
        """Gives a seat's answer, or another: whether it was in time."""
        self._sent += 1
        said = dump_command(action or self._contest.answers[seat])
        body = {"action": said, "decision_no": self.decision["no"], "action_id": f"a{self._sent}"}
        if seat in self._sockets:
            heard = await _ask(self._sockets[seat], body)
        else:
            heard = await self._post(seat, body)
        code = heard.get("problem", heard).get("code")
        assert code in ({None, "stale_decision"} if said["type"] != "win" else {None, *NO_WIN})
        return code is None

    async def closed(self) -> None:
        """Waits until the window has closed."""
        path, no = f"/v1/games/{self.game_id}", self.decision["no"]
        while True:
            headers = self._people[0].headers
            seen = (await self._house.http.get(path, headers=headers)).json()
            if seen["decision"]["no"] > no:
                return
            query = {"after": seen["game"]["seq"], "wait": 20}
            await self._house.http.get(f"{path}/events", params=query, headers=headers)

    async def outcome(self) -> GameState:
        """Where the log leads to."""
        return fold(Truth(await self._house.rows(self.game_id)).events)

    async def _post(self, seat: int, body: Json) -> Json:
        path = f"/v1/games/{self.game_id}/actions"
        answer: Json = (await self._house.http.post(path, json=body, headers=self._people[seat].headers)).json()
        return answer


async def _ask(connection: ClientConnection, body: Json) -> Json:
    await connection.send(json.dumps({"type": "action", **body}))
    while True:
        frame: Json = json.loads(await asyncio.wait_for(connection.recv(), 30))
        if frame["type"] in ("ack", "problem"):
            assert frame["action_id"] == body["action_id"]
            return frame


@every_contest
async def test_every_order_of_three_answers_and_the_timeout_gives_the_sequential_result(house: House, contest: Contest):
    people, crowd = await house.sign_up(), asyncio.Semaphore(AT_ONCE)

    async def run(number: int, order: Sequence[int]) -> None:
        """0 in the order is the timeout; half of those who come first have passed before. A machine that is too slow
        to answer in time tries again."""
        in_time, late = order[: order.index(0)], order[order.index(0) + 1 :]
        while True:
            async with crowd, AsyncExitStack() as stack:
                race = Race(house, people, contest, number)
                await race.open(stack)
                passed = [await race.answer(seat, PASS) for seat in in_time[: number % 2]]
                if not all([*passed, *[await race.answer(seat) for seat in in_time]]):
                    continue
                await race.closed()
                assert not any([await race.answer(seat) for seat in late])
                expected = sequential(race.table.state, [(seat, contest.answers[seat]) for seat in in_time])
                assert dump_state(await race.outcome()) == dump_state(expected)
                return

    await asyncio.gather(*(run(number, order) for number, order in enumerate(permutations((*ANSWERING, 0)))))


@every_contest
async def test_answers_that_are_sent_all_at_once_give_the_sequential_result(house: House, contest: Contest):
    people = await house.sign_up()

    async def run(number: int) -> None:
        async with AsyncExitStack() as stack:
            race = Race(house, people, contest, number)
            await race.open(stack)
            in_time = await asyncio.gather(*(race.answer(seat) for seat in ANSWERING))
            await race.closed()
            given = [(seat, contest.answers[seat]) for seat, fits in zip(ANSWERING, in_time, strict=True) if fits]
            assert dump_state(await race.outcome()) == dump_state(sequential(race.table.state, given))

    await asyncio.gather(*(run(number) for number in range(AT_ONCE)))


@every_contest
async def test_at_the_deadline_exactly_the_answers_that_were_acknowledged_count(house: House, contest: Contest):
    people, chance = await house.sign_up(), Random(5)

    async def run(number: int) -> None:
        async with AsyncExitStack() as stack:
            race = Race(house, people, contest, number)
            await race.open(stack)

            async def late(seat: int) -> bool:
                await asyncio.sleep(race.decision["ms_left"] / 1000 + chance.uniform(-0.1, 0.02))
                return await race.answer(seat)

            in_time = await asyncio.gather(*(late(seat) for seat in ANSWERING))
            await race.closed()
            given = [(seat, contest.answers[seat]) for seat, fits in zip(ANSWERING, in_time, strict=True) if fits]
            assert dump_state(await race.outcome()) == dump_state(sequential(race.table.state, given))

    await asyncio.gather(*(run(number) for number in range(AT_ONCE)))
