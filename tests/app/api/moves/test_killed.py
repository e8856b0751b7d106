"""A game outlives the process that serves it: kill -9 in mid-round and in mid-window, start again, go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from app.database import Database
from tests.app.api.conftest import sign_up
from tests.app.api.moves.seated import Seated, View, sit_down
from tests.app.api.served import Served, serve
from tests.app.tables.workers import faults, pass_unserved


class Service:
    """`todas serve`, which may be killed and started again; `client` asks whichever runs."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._running = serve(url, TODAS_ALLOW_SEEDS="1")
        self.served: Served = self._running.__enter__()
        self.client = httpx.AsyncClient(base_url=self.served.address, timeout=60)

    def kill(self) -> None:
        """Ends it as kill -9 does."""
        self.served.program.kill()
        self._running.__exit__(None, None, None)

    async def start_again(self) -> httpx.AsyncClient:
        await self.client.aclose()
        self._running = serve(self._url, TODAS_ALLOW_SEEDS="1")
        self.served = self._running.__enter__()
        self.client = httpx.AsyncClient(base_url=self.served.address, timeout=60)
        return self.client


@pytest.fixture
async def service(url: str) -> AsyncIterator[Service]:
    started = Service(url)
    yield started
    started.kill()
    await started.client.aclose()


async def killed(service: Service, seated: Seated) -> Seated:
    """The same seat after the service was killed and started again."""
    service.kill()
    return Seated(await service.start_again(), seated.guest, seated.game_id)


def without_time(view: View) -> View:
    return {
        **view,
        "game": {**view["game"], "server_time": None},
        "decision": {**view["decision"], "ms_left": None},
    }


@pytest.mark.parametrize(
    "until",
    [
        lambda view: view["game"]["seq"] > 20 and view["decision"]["kind"] == "turn",
        lambda view: view["decision"]["kind"] == "claim_window",
        lambda view: view["decision"]["kind"] == "settlement",
    ],
    ids=["mid-round", "mid-window", "settlement"],
)
async def test_a_game_goes_on_where_it_was_killed(service: Service, db: Database, until: Callable[[View], bool]):
    guest = await sign_up(service.client)
    seated = await sit_down(service.client, guest, seed="5eed", length={"rounds": 2})
    before = await seated.play(until)
    seated = await killed(service, seated)
    assert without_time(await seated.view()) == without_time(before)
    await seated.play(lambda view: view["game"]["status"] == "ended")
    assert await faults(db) == []


async def test_a_move_that_was_acknowledged_is_there_and_its_repeat_is_one(service: Service):
    guest = await sign_up(service.client)
    seated = await sit_down(service.client, guest, seed="5eed")
    view = await seated.view()
    first = await seated.act(view["legal_actions"][-1], view["decision"]["no"], action_id="a1")
    seated = await killed(service, seated)
    again = await seated.act(view["legal_actions"][-1], view["decision"]["no"], action_id="a1")
    assert (again.headers["idempotency-replayed"], again.json()["events"]) == ("true", first.json()["events"])


async def test_a_deadline_that_passed_meanwhile_is_moved_once_and_then_kept(service: Service, db: Database):
    guest = await sign_up(service.client)
    timing = {"turn_seconds": 300}
    seated = await sit_down(service.client, guest, ruleset="tsumo", seed="5eed", timing=timing)
    seq = (await seated.view())["game"]["seq"]
    service.kill()
    await pass_unserved(db, seated.game_id)
    seated = Seated(await service.start_again(), seated.guest, seated.game_id)
    moved = (await seated.get("/events", after=seq, wait=20, limit=1)).json()["events"]
    thrown = (await seated.get("/events", after=seq + 1, wait=20, limit=1)).json()["events"]
    assert [fact["event"]["type"] for fact in moved + thrown] == ["deadline_moved", "tile_discarded"]


async def test_a_deadline_that_is_still_to_come_is_kept(service: Service):
    guest = await sign_up(service.client)
    timing = {"turn_seconds": 300}
    seated = await sit_down(service.client, guest, ruleset="tsumo", seed="5eed", timing=timing)
    before = await seated.view()
    seated = await killed(service, seated)
    assert (await seated.view())["decision"]["deadline_at"] == before["decision"]["deadline_at"]


async def test_of_moves_in_flight_none_that_was_acknowledged_is_lost_and_none_is_doubled(
    service: Service, db: Database
):
    guest = await sign_up(service.client)
    tables = [await sit_down(service.client, guest, ruleset="tsumo", seed=f"{number:x}") for number in range(6)]
    acknowledged: set[tuple[str, str]] = set()
    playing = [asyncio.create_task(_play_on(seated, acknowledged)) for seated in tables]
    async with asyncio.timeout(180):
        while True:
            await asyncio.sleep(0.01)
            if len(acknowledged) >= 60:
                break
    service.kill()
    await asyncio.gather(*playing)
    rows = await db.session.fetch("SELECT game_id, action_id FROM game_log WHERE action_id IS NOT NULL")
    logged = [(row[0], row[1]) for row in rows]
    assert acknowledged <= set(logged)
    assert len(logged) == len(set(logged))
    await service.start_again()
    assert await faults(db) == []


async def _play_on(seated: Seated, acknowledged: set[tuple[str, str]]) -> None:
    """Moves, each with an id of its own, until the service is gone."""
    number = 0
    try:
        view = await seated.view()
        while True:
            if view["legal_actions"]:
                number += 1
                answer = await seated.act(view["legal_actions"][-1], view["decision"]["no"], action_id=f"a{number}")
                acknowledged.add((seated.game_id, f"a{number}"))
                view = answer.json()["view"]
            else:
                view = await seated.view()
    except httpx.TransportError:
        return
