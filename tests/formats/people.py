"""People who play at the service for the record: they sign up, sit down and move over HTTP, as everybody does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Final

import httpx

from app.database import Place
from app.main import Todas, create_app
from app.settings import Settings
from engine.actions import Action, Claim, Kong, Pass, Win
from engine.bots import greedy
from engine.bots.reader import SeatReader
from engine.codec import dump_command
from engine.legal import default_action
from engine.state import GameState
from engine.wall import Chance
from tests.app.api.conftest import Guest, sign_up

Choose = Callable[[GameState, int], Action]
"""What the person in a seat does, who is asked."""

_PATIENCE: Final = 60.0
_NO_CHANCE: Final = Chance("", "")


class House:
    """A service that runs, stops and starts again on one database."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._url = url
        self._settings = settings
        self._running = AsyncExitStack()
        self.app: Todas
        self.client: httpx.AsyncClient

    async def open(self) -> None:
        """Starts it."""
        self.app = create_app(self._settings, Place(self._url))
        await self.app.service.open()
        self._running.push_async_callback(self.app.service.close)
        asking = httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="http://todas.test")
        self.client = await self._running.enter_async_context(asking)

    async def close(self) -> None:
        """Stops it."""
        await self._running.aclose()

    async def table(self, names: Mapping[int, str], *bots: dict[str, str], **body: Any) -> Table:
        """A new game of people with these names in these seats, the first of them its owner, and bots in the others;
        `body` is what else is asked for."""
        people = {seat: await sign_up(self.client, name) for seat, name in names.items()}
        (owner, creator), *others = people.items()
        left = iter(bots)
        seats: list[Any] = [{"type": "open"} if seat in people else {"type": "bot", **next(left)} for seat in range(4)]
        seats[owner] = {"type": "me"}
        made = await self.client.post("/v1/games", json={"seats": seats, **body}, headers=creator.headers)
        assert made.status_code == 201, made.text
        table = Table(self, made.json()["game"]["id"], people)
        for seat, _ in others:
            await table.send(seat, "join", {"seat": seat})
            await table.send(seat, "ready")
        if others:
            await table.send(owner, "start")
        return table


class Table:
    """A game, and the people at it by seat."""

    def __init__(self, house: House, game_id: str, people: Mapping[int, Guest]) -> None:
        self._house = house
        self.game_id = game_id
        self._people = people

    async def state(self) -> GameState:
        """The game as the service has it."""
        return (await self._house.app.service.tables.current(self.game_id)).state

    async def send(self, seat: int, route: str, body: Any = None, *, method: str = "POST") -> None:
        """A request of the person in that seat about the game."""
        path = f"/v1/games/{self.game_id}/{route}"
        answer = await self._house.client.request(method, path, json=body, headers=self._people[seat].headers)
        assert answer.is_success, answer.text

    async def look(self, seat: int) -> None:
        """The person in that seat looks at the table."""
        await self.send(seat, "preferences", method="GET")

    async def act(self, seat: int, action: Action) -> None:
        """A move of that person, meant for the decision that is open; melds by their short forms, with an id."""
        no = (await self.state()).decision.no
        match action:
            case Claim(kind):
                body: Any = {"kind": kind} if kind != "chow" else {"kind": kind, "tiles": action.tiles}
                await self.send(seat, "claim", {**body, "decision_no": no, "action_id": f"claim:{seat}.{no}"})
            case Kong():
                await self.send(
                    seat, "kong", {"decision_no": no, "action_id": f"kong:{seat}.{no}", "kind": action.kind}
                )
            case _:
                await self.send(seat, "actions", {"action": dump_command(action), "decision_no": no})

    async def play(
        self, until: Callable[[GameState], bool], choose: Choose | None = None, seats: Iterable[int] = range(4)
    ) -> None:
        """Lets the people in these seats choose what they do, until something holds."""
        async with asyncio.timeout(_PATIENCE):
            while not until(state := await self.state()):
                acting = [seat for seat in seats if seat in self._people and is_asked(state, seat)]
                if acting:
                    await self.act(acting[0], (choose or best)(state, acting[0]))
                else:
                    await asyncio.sleep(0.01)

    async def wait(self, until: Callable[[GameState], bool]) -> None:
        """Lets time pass, until something holds."""
        await self.play(until, seats=())


def is_asked(state: GameState, seat: int) -> bool:
    """Whether the table waits for the person in that seat."""
    return state.level(seat) is None and SeatReader(state, seat).is_asked


def best(state: GameState, seat: int) -> Action:
    """What comes closest to a win."""
    return greedy.choose(SeatReader(state, seat), _NO_CHANCE)


def kongs(state: GameState, seat: int) -> Action:
    """A kong wherever there is one, unless there is a win."""
    for action in SeatReader(state, seat).legal_actions:
        if isinstance(action, Win | Kong) or (isinstance(action, Claim) and action.kind == "kong"):
            return action
    return best(state, seat)


def lazy(state: GameState, seat: int) -> Action:
    """What happens anyway."""
    action = default_action(state, seat)
    assert action is not None
    return action


def letting_go(choose: Choose) -> Choose:
    """The same, but that the first win on a discard is passed on."""
    let_go: list[int] = []

    def chosen(state: GameState, seat: int) -> Action:
        if not let_go and {Win(), Pass()} <= set(SeatReader(state, seat).legal_actions):
            let_go.append(seat)
            return Pass()
        return choose(state, seat)

    return chosen
