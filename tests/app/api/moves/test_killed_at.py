"""kill -9 of the service at named points on the way of a move (design 8, crash). A wire between it and its database
stops it there, so that each is hit for certain; the move is then sent again to the service that takes over.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import pytest

from app.database import Database, Place
from app.main import create_app
from app.settings import Settings
from app.store import log
from app.tables import Terms
from app.tables.plan import Plan
from app.tables.verify import verify_games
from engine.codec import dump_command
from engine.decide import new_game, step
from engine.events import Length
from engine.legal import default_action, legal_actions
from engine.records import Plain
from engine.rules import preset
from engine.state import GameOver, GameState
from tests.app.api.conftest import sign_up
from tests.app.api.moves.seated import Seated
from tests.app.api.served import Served, serve
from tests.app.faulty_wire import FaultyWire, faulty_wire
from tests.app.table.house import Person, place
from tests.engine.scenario import ONE_PERSON, Table

ID = "the-move"
TERMS = Terms(settlement_seconds=None)
PATIENCE = 60.0

Happens = Callable[[GameState, GameState], bool]


def something(before: GameState, after: GameState) -> bool:
    return True


def a_deal(before: GameState, after: GameState) -> bool:
    return after.round.number > before.round.number


def the_end(before: GameState, after: GameState) -> bool:
    return isinstance(after.decision, GameOver)


@dataclass(frozen=True, slots=True)
class Point:
    """Where the service is killed.

    `hold` stops it there, on a wire and for a game. A query is true of what the kill has `left` in the store, and one
    of what it is `then`, once another service serves. `stored` is whether the move is there before it is sent again,
    `leads_to` what it does, `answered` whether it was before the kill; what was in flight `arrives` before it is sent
    again, or after.
    """

    hold: Callable[[FaultyWire, str], None]
    left: str
    then: str
    stored: bool
    leads_to: Happens = something
    answered: bool = False
    arrives: Literal["never", "before", "after"] = "never"


def at_the_format(wire: FaultyWire, game_id: str) -> None:
    """The game's format is raised once a command is decided, and then its row is handed over."""
    wire.hold_statement(b"SET format")


def at_the_statement(wire: FaultyWire, game_id: str) -> None:
    wire.hold_statement(ID.encode())


def at_the_answer(wire: FaultyWire, game_id: str) -> None:
    wire.hold_answer(ID.encode())


def at_the_snapshot(wire: FaultyWire, game_id: str) -> None:
    wire.hold_statement(b"INSERT INTO game_snapshots")


def at_the_archive(wire: FaultyWire, game_id: str) -> None:
    """The game alone in an array: first what writes the row has that, and then what puts the head away."""
    wire.hold_statement(bytes((0, 0, 0, 1)) * 2 + len(game_id).to_bytes(4, "big") + game_id.encode(), passing=1)


UNMOVED = "SELECT version = 1 FROM game_heads WHERE id = $1"
MOVED = "SELECT version > 1 FROM game_heads WHERE id = $1"
OF_OLD_FORMAT = "SELECT format = 0 FROM games WHERE id = $1"
OF_THIS_FORMAT = "SELECT format > 0 FROM games WHERE id = $1"
ONE_KEPT = "SELECT count(*) = 1 FROM game_snapshots WHERE game_id = $1"
BOTH_KEPT = "SELECT count(*) = 2 FROM game_snapshots WHERE game_id = $1"
ENDED = "SELECT ended FROM game_heads WHERE id = $1"
PUT_AWAY = "SELECT status = 'ended' AND last_version > 1 FROM games WHERE id = $1"

BEFORE = "before its statement is sent"
DEALT = "dealt, and no snapshot kept"
NOT_PUT_AWAY = "ended, and not put away"
COMMITTED = "committed, and not answered"
CARRIED_OUT = "in flight, and then carried out"
LATE = "in flight, and late"
POINTS = {
    BEFORE: Point(at_the_format, OF_OLD_FORMAT, OF_THIS_FORMAT, stored=False),
    DEALT: Point(at_the_snapshot, ONE_KEPT, BOTH_KEPT, stored=True, leads_to=a_deal, answered=True),
    NOT_PUT_AWAY: Point(at_the_archive, ENDED, PUT_AWAY, stored=True, leads_to=the_end, answered=True),
    COMMITTED: Point(at_the_answer, MOVED, MOVED, stored=True),
    CARRIED_OUT: Point(at_the_statement, UNMOVED, MOVED, stored=True, arrives="before"),
    LATE: Point(at_the_statement, UNMOVED, MOVED, stored=False, arrives="after"),
}
# Few, since one starts slowly. What holds the statement of moves up, holds up all behind it: it comes last.
SERVICES = ((DEALT, NOT_PUT_AWAY, BEFORE, COMMITTED), (CARRIED_OUT,), (LATE,))
everywhere = pytest.mark.parametrize("name", POINTS)


@dataclass(slots=True)
class Killed:
    """A move whose service was killed at a point, and what came of it: every answer, whether the store was what it
    should be when the service was killed and when another had served, how often the move is in the log."""

    point: Point
    wire: FaultyWire
    seated: Seated
    move: dict[str, Any]
    sent: asyncio.Task[httpx.Response] = field(init=False)
    answers: list[httpx.Response] = field(default_factory=list)
    was_there: bool = False
    was_mended: bool = False
    rows: int = 0


_killed: dict[str, Killed] = {}


@pytest.fixture
async def killed(url: str, db: Database) -> dict[str, Killed]:
    """For each point a move whose service was killed there, and that was sent twice again; done once for all tests."""
    if not _killed:
        async with AsyncExitStack() as stack:
            wires = [await stack.enter_async_context(faulty_wire(url)) for _ in SERVICES]
            up = asyncio.Barrier(len(SERVICES))  # whoever starts puts away what has ended
            found = await asyncio.gather(
                *(kill(db, wire, names, up) for wire, names in zip(wires, SERVICES, strict=True))
            )
            everything = {name: move for moves in found for name, move in moves.items()}
            await take_over(url, db, everything.values())
        assert [fault async for verdict in verify_games(db.moment) for fault in verdict.faults] == []
        _killed.update(everything)
    return _killed


async def kill(db: Database, wire: FaultyWire, names: Sequence[str], up: asyncio.Barrier) -> dict[str, Killed]:
    """Lets the moves of a service come to these points, one after another, and kills it."""
    async with running(wire.url) as served, httpx.AsyncClient(base_url=served.address, timeout=PATIENCE) as client:
        guest = await sign_up(client)
        moves = {name: await make(db, wire, Seated(client, guest, re.sub(r"\W+", "-", name)), name) for name in names}
        await up.wait()
        for killed in moves.values():
            await send(killed)
        served.program.kill()
        for killed in moves.values():
            if not killed.point.answered:
                with pytest.raises(httpx.TransportError):
                    await killed.sent
    return moves


async def make(db: Database, wire: FaultyWire, seated: Seated, name: str) -> Killed:
    """A game, and a move to be sent in it."""
    point = POINTS[name]
    table, commands = standing_before(point.leads_to)
    await place(db, seated.game_id, table, [Person(seated.guest.id, seated.guest.token)], TERMS, commands)
    await db.session.execute("UPDATE games SET format = 0 WHERE id = $1", seated.game_id)
    action, no = legal_actions(table.state, 0)[-1], table.state.decision.no
    return Killed(point, wire, seated, {"action_id": ID, "decision_no": no, "action": dump_command(action)})


async def send(killed: Killed) -> None:
    """Sends the move, up to the point where its service is to be killed."""
    killed.point.hold(killed.wire, killed.seated.game_id)
    killed.sent = asyncio.create_task(killed.seated.post("actions", killed.move))
    await asyncio.wait_for(killed.wire.met(), PATIENCE)
    if killed.point.answered:
        killed.answers.append(await killed.sent)


async def take_over(url: str, db: Database, everything: Collection[Killed]) -> None:
    """Looks at what was left, lets arrive what was in flight, and sends every move twice to another service."""
    for killed in everything:
        killed.was_there = await db.session.fetchval(killed.point.left, killed.seated.game_id)
        if killed.point.arrives == "before":
            await killed.wire.deliver()
    async with started_again(url) as client:
        for killed in everything:
            killed.seated.client = client
            killed.answers.append(await killed.seated.post("actions", killed.move))
            if killed.point.arrives == "after":
                await killed.wire.deliver()
            killed.answers.append(await killed.seated.post("actions", killed.move))
            rows = await log.rows_after(db.session, killed.seated.game_id, 0)
            killed.rows = [row.action_id for row in rows].count(ID)
    for killed in everything:
        killed.was_mended = await db.session.fetchval(killed.point.then, killed.seated.game_id)


def standing_before(happens: Happens) -> tuple[Table, list[Plain]]:
    """A game of a person and three bots in which the person's last legal action leads to that, and its commands: up to
    there the person has let its time run out."""
    state, events = new_game(preset("emay"), ONE_PERSON, "5eed", timing=TERMS.timing, length=Length(rounds=2))
    table, commands = Table(state, events), list[Plain]()
    while True:
        plan = Plan(table.state)
        if legal := legal_actions(table.state, 0):
            if happens(table.state, step(table.state, 0, legal[-1])[0]):
                return table, commands
            default = default_action(table.state, 0)
            assert default is not None
            plan.take(0, default)
        plan.run_bots(TERMS, lambda: 0.0)
        table.state = plan.state
        table.events += plan.events
        commands += plan.commands


@asynccontextmanager
async def running(url: str) -> AsyncIterator[Served]:
    """A service in a process of its own, whose way to its database this process keeps open."""
    service = serve(url)
    served = await asyncio.to_thread(service.__enter__)
    try:
        yield served
    finally:
        await asyncio.to_thread(service.__exit__, None, None, None)


@asynccontextmanager
async def started_again(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Whoever asks the service that takes over."""
    app = create_app(Settings(), Place(url))
    await app.service.open()
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://todas.test") as client:
        yield client
    await app.service.close()


@everywhere
def test_it_is_killed_there(killed: dict[str, Killed], name: str):
    assert killed[name].was_there


@everywhere
def test_what_it_left_undone_is_done_by_the_next(killed: dict[str, Killed], name: str):
    assert killed[name].was_mended


@everywhere
def test_its_move_is_made_once(killed: dict[str, Killed], name: str):
    assert killed[name].rows == 1


@everywhere
def test_its_move_is_made_by_the_repeat_exactly_where_it_was_not_yet(killed: dict[str, Killed], name: str):
    replayed = [answer.headers.get("idempotency-replayed") for answer in killed[name].answers[-2:]]
    assert replayed == ["true" if POINTS[name].stored else None, "true"]


@everywhere
def test_every_answer_to_its_move_is_the_same(killed: dict[str, Killed], name: str):
    answers = killed[name].answers
    assert [answer.status_code for answer in answers] == [200] * (2 + POINTS[name].answered)
    bodies = [answer.json() for answer in answers]
    assert len({json.dumps([body["seq"], body["events"]]) for body in bodies}) == 1
