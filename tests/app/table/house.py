"""The running service as a test meets it: its address, its people, its tables, and the log beneath."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
from pydantic_core import to_json
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from app.database import Database
from app.store import games, log
from app.store.games import NewGame
from app.store.log import LogRow, NewRow
from app.tables import Terms
from app.tables.loading import snapshot_of
from app.tables.terms import dump_terms
from engine.codec import FORMAT, dump_event
from engine.events import Event
from engine.records import Plain
from engine.state import GameState

OPEN = [{"type": "me"}, {"type": "open"}, {"type": "open"}, {"type": "open"}]

_numbers = itertools.count(1)


class Standing(Protocol):
    """A game as the engine's tests play it: where it stands, and every event so far."""

    state: GameState
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who has signed up."""

    id: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(slots=True)
class House:
    """A running service."""

    address: str
    http: httpx.AsyncClient
    database: Database

    async def sign_up(self, number: int = 4) -> list[Person]:
        """New players."""
        return [await self._new_player() for _ in range(number)]

    async def _new_player(self) -> Person:
        made = (await self.http.post("/v1/players", json={"display_name": f"Nena {next(_numbers)}"})).json()
        return Person(made["player"]["id"], made["token"])

    async def table(self, people: Sequence[Person], **body: Any) -> str:
        """The id of a new game of four persons, whom its maker has waited for; everybody may watch it."""
        owner = people[0].headers
        made = await self.http.post("/v1/games", json={"seats": OPEN, "visibility": "public", **body}, headers=owner)
        assert made.status_code == 201, made.text
        game_id: str = made.json()["game"]["id"]
        path = f"/v1/games/{game_id}"
        for seat, person in enumerate(people[1:], 1):
            for route, said in (("join", {"seat": seat}), ("ready", {})):
                answer = await self.http.post(f"{path}/{route}", json=said, headers=person.headers)
                assert answer.status_code == 200, answer.text
        started = await self.http.post(f"{path}/start", headers=owner)
        assert started.json()["game"]["status"] == "playing", started.text
        return game_id

    async def place(self, table: Standing, people: Sequence[Person], terms: Terms) -> str:
        """The id of a game of these persons that stands where that table does."""
        game_id = f"placed{next(_numbers)}"
        await place(self.database, game_id, table, people, terms)
        return game_id

    async def rows(self, game_id: str) -> list[LogRow]:
        """The log of a game."""
        return await log.rows_after(self.database.session, game_id, 0, limit=1_000_000)

    def socket(self, game_id: str, person: Person, after: int) -> connect:
        """A socket of a person, not yet open."""
        return connect(
            f"ws{self.address.removeprefix('http')}/v1/games/{game_id}/stream?after={after}",
            additional_headers=person.headers,
            subprotocols=[Subprotocol("todas.v1")],
            compression=None,
            open_timeout=30,
            close_timeout=1,
            ping_interval=None,
        )


async def place(
    database: Database,
    game_id: str,
    table: Standing,
    people: Sequence[Person],
    terms: Terms,
    commands: Sequence[Plain] = (),
) -> None:
    """Puts a game of these persons into the store, from a wall of any kind; no time runs before its next move. It is
    whole if its wall is that of its seed, and all `commands` are told."""
    config = {"timing": dump_terms(terms), "customs": {}, "asked": {}}
    persons = {seat: person.id for seat, person in enumerate(people)}
    game = NewGame(game_id, table.state.rules.name, people[0].id, "public", True, FORMAT, config, persons)
    events = to_json([dump_event(event) for event in table.events])
    row = NewRow(game_id, 1, 1, table.state.seq, None, None, FORMAT, to_json(commands), events)
    async with database.transaction() as session:
        await games.create(session, game, row, snapshot_of(game_id, 1, table.state), "placed")
