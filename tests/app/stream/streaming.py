"""The whole service on a port of this machine, in this process, and clients that follow games over its sockets."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from app.clock import Clock
from app.database import Place
from app.main import Todas, create_app
from app.server import Server
from app.settings import Settings
from app.tables import Move, Opening, Terms
from app.tables.customs import Customs
from engine.events import Length, Player
from engine.legal import default_action
from engine.rules import preset
from engine.state import ZERO, GameOver, Settlement

PATIENCE = 60.0
CALM = Terms("uniform", settlement_seconds=None)
"""No deadline, and windows that stay open until every seat has answered."""

_numbers = itertools.count(1)
_actions = itertools.count(1)


CONTRACT: dict[str, Any] = json.loads(
    (Path(__file__).parents[3] / "openapi" / "asyncapi.json").read_text(encoding="utf-8")
)


@cache
def _schema(kind: str) -> jsonschema_rs.Validator:
    payload = CONTRACT["components"]["messages"][kind]["payload"]
    return jsonschema_rs.validator_for({**payload, "components": CONTRACT["components"]})


def check(frame: dict[str, Any], room: str = "") -> None:
    """Holds a frame of the server to the contract; some are sent in one `room` alone."""
    own = f"{room}{frame['type']}"
    _schema(own if own in CONTRACT["components"]["messages"] else frame["type"]).validate(frame)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has signed up."""

    id: str
    token: str
    token_id: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(slots=True)
class Site:
    """A running service."""

    app: Todas
    http: httpx.AsyncClient
    port: int
    server: Server

    async def sign_up(self) -> Person:
        """A new player."""
        made = (await self.http.post("/v1/players", json={"display_name": "Nena"})).json()
        return Person(made["player"]["id"], made["token"], made["token_id"])

    async def people(self) -> list[Person]:
        """Four new players."""
        return [await self.sign_up() for _ in range(4)]

    async def ticket(self, game_id: str, person: Person) -> str:
        """A ticket for one stream."""
        answer = await self.http.post(f"/v1/games/{game_id}/ticket", headers=person.headers)
        return str(answer.json()["ticket"])

    async def post(self, game_id: str, route: str, person: Person, **body: Any) -> dict[str, Any]:
        """What a move over HTTP is answered."""
        answer = await self.http.post(f"/v1/games/{game_id}/{route}", json=body, headers=person.headers)
        return dict(answer.json())

    async def view(self, game_id: str, person: Person) -> dict[str, Any]:
        """The table as somebody sees it now."""
        return dict((await self.http.get(f"/v1/games/{game_id}", headers=person.headers)).json())

    async def close_opening(self, game_id: str, people: list[Person]) -> None:
        """Lets everybody pass the opening window of an `emay` game."""
        for person in people:
            await self.post(game_id, "pass", person, decision_no=1)

    async def play_to_the_settlement(self, game_id: str, people: list[Person]) -> None:
        """Lets everybody do the default until the round is over."""
        await self._play(game_id, people, Settlement)

    async def play_to_the_end(self, game_id: str, people: list[Person]) -> None:
        """Lets everybody do the default until the game is over."""
        await self._play(game_id, people, GameOver)

    async def _play(self, game_id: str, people: list[Person], until: type) -> None:
        tables = self.app.service.tables
        while not isinstance((state := (await tables.current(game_id)).state).decision, until):
            for seat in range(len(people)):
                action = default_action(state, seat)
                if action is not None and state.decision.no == (await tables.current(game_id)).state.decision.no:
                    await tables.submit(game_id, Move(seat, action))

    async def game(
        self,
        people: list[Person],
        ruleset: str = "emay",
        *,
        terms: Terms = CALM,
        visibility: Any = "private",
        rounds: int = 1,
        seed: str = "5eed",
        spectator_delay: int = 0,
    ) -> str:
        """The id of a new game with these people in the first seats and greedy bots in the others."""
        a, b, c, d = [Player("Nena")] * len(people) + [Player("Bot", "greedy")] * (4 - len(people))
        opening = Opening(
            id=f"streamed{next(_numbers)}",
            rules=preset(ruleset),
            players=(a, b, c, d),
            persons={seat: person.id for seat, person in enumerate(people)},
            owner=0,
            points=ZERO,
            terms=terms,
            customs=Customs(spectator_delay=spectator_delay),
            length=Length(rounds=rounds),
            visibility=visibility,
            seed=seed,
            seeded=True,
        )
        return (await self.app.service.tables.create(opening)).id

    @asynccontextmanager
    async def follow(
        self, game_id: str, person: Person, after: int | None = None, **more: Any
    ) -> AsyncIterator[Socket]:
        """A socket of a person, until the end of the block."""
        query = "" if after is None else f"?after={after}"
        async with self.socket(game_id, query, person.headers, **more) as socket:
            yield socket

    @asynccontextmanager
    async def socket(
        self, game_id: str, query: str = "", headers: dict[str, str] | None = None, **more: Any
    ) -> AsyncIterator[Socket]:
        """A socket, opened as it is said."""
        options = {"subprotocols": [Subprotocol("todas.v1")], "compression": None, "open_timeout": PATIENCE, **more}
        options.setdefault("ping_interval", None)  # a client that does not read would take itself for lost
        address = f"ws://127.0.0.1:{self.port}/v1/games/{game_id}/stream{query}"
        async with connect(address, additional_headers=headers or {}, **options) as connection:
            yield Socket(connection)


@dataclass(slots=True)
class Socket:
    """A client's end of a stream, and every frame that has come."""

    connection: ClientConnection
    room: str = ""
    frames: list[dict[str, Any]] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next frame, or the next of these kinds."""
        while True:
            text = await asyncio.wait_for(self.connection.recv(), PATIENCE)
            assert isinstance(text, str)
            frame: dict[str, Any] = json.loads(text)
            check(frame, self.room)
            self.raw.append(text)
            self.frames.append(frame)
            if not kinds or frame["type"] in kinds:
                return frame

    async def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next frame of which something holds."""
        while not holds(frame := await self.next()):
            pass
        return frame

    async def event(self, seq: int) -> dict[str, Any]:
        """The event with this number."""
        return await self.until(lambda frame: frame["type"] == "event" and frame["seq"] == seq)

    async def decision(self, no: int) -> dict[str, Any]:
        """The next frame about the decision with this number."""
        return await self.until(lambda frame: frame["type"] == "decision" and frame["decision_no"] == no)

    async def send(self, frame: dict[str, Any]) -> None:
        """Sends a frame."""
        await self.connection.send(json.dumps(frame))

    async def act(self, action: dict[str, Any], decision_no: int | None, action_id: str | None = None) -> str:
        """Sends an action: its id."""
        action_id = action_id or f"a{next(_actions)}"
        no = {} if decision_no is None else {"decision_no": decision_no}
        await self.send({"type": "action", "action_id": action_id, "action": action, **no})
        return action_id

    async def closed(self) -> tuple[int, str]:
        """Reads to the end: the code and the reason with which it was closed."""
        try:
            while True:
                await self.next()
        except ConnectionClosed as closed:
            return (closed.rcvd.code, closed.rcvd.reason) if closed.rcvd else (1006, "")

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events that have come."""
        return [frame for frame in self.frames if frame["type"] == "event"]


@asynccontextmanager
async def serving(url: str, clock: Clock | None = None, *, keepalive: bool = True, **more: Any) -> AsyncIterator[Site]:
    """The service on that database, until the end of the block; a test may bring a clock of its own. Without
    `keepalive` nobody is closed who does not answer the transport's own pings: with a short heartbeat a busy machine
    would be too slow for it."""
    unlimited = {f"rate_{name}": "1000000/second" for name in ("moves", "reads", "reconnects", "new_games", "sign_ups")}
    app = create_app(Settings(**{"port": 0, "stream_heartbeat_seconds": 300, **unlimited, **more}), Place(url), clock)
    server = Server(app)
    if not keepalive:
        server.config.ws_ping_interval = server.config.ws_ping_timeout = None
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done()
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http:
        try:
            yield Site(app, http, port, server)
        finally:
            server.should_exit = True
            await task
