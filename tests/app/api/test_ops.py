from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Literal, get_args

import httpx
import pytest

from app import database
from app.database import Place
from app.errors import PROBLEMS
from app.log_writer import Committed, RowFailed
from app.main import Todas, create_app
from app.postgres_server import PostgresServer
from app.settings import Settings
from engine.actions import RefusalCode
from tests.app.api.conftest import problem, sign_up
from tests.app.games import new_game, row


async def test_it_is_alive_and_ready(client: httpx.AsyncClient) -> None:
    alive, ready = await client.get("/livez"), await client.get("/readyz")

    assert (alive.json(), ready.json()) == ({"status": "alive"}, {"status": "ready"})


async def test_while_draining_it_is_alive_and_not_ready(app: Todas, client: httpx.AsyncClient) -> None:
    app.service.draining.begin()
    alive, ready = await client.get("/livez"), await client.get("/readyz")

    assert (alive.status_code, ready.status_code, problem(ready)["code"]) == (200, 503, "draining")
    assert ready.headers["retry-after"]


async def test_version_tells_what_runs(client: httpx.AsyncClient) -> None:
    told = (await client.get("/v1/version")).json()

    assert (told["name"], told["version"], told["api"]) == ("todas", version("todas"), "v1")


async def test_metrics_counts_requests_by_route_and_problems_by_code(client: httpx.AsyncClient) -> None:
    await client.get("/v1/rulesets/emay")
    await client.get("/v1/rulesets/riichi")
    await client.get("/v1/nothing")
    figures = (await client.get("/metrics")).text

    assert 'todas_requests_total{method="GET",route="/v1/rulesets/{ruleset_id}",status="200"} 1.0' in figures
    assert 'todas_requests_total{method="GET",route="none",status="404"} 1.0' in figures
    assert 'todas_problems_total{code="unknown_ruleset"} 1.0' in figures
    assert "todas_requests_in_flight 1.0" in figures


@pytest.mark.parametrize(
    ("environment", "token", "given", "status"),
    [
        ("development", None, "", 200),
        ("development", "a-token-of-metrics", "", 401),
        ("production", None, "", 404),
        ("production", "a-token-of-metrics", "", 401),
        ("production", "a-token-of-metrics", "Bearer another-token-of-them", 401),
        ("production", "a-token-of-metrics", "Bearer a-token-of-metricś", 401),
        ("production", "a-token-of-metrics", "Bearer a-token-of-metrics", 200),
    ],
)
async def test_metrics_are_for_the_operator(
    url: str, environment: Literal["development", "production"], token: str | None, given: str, status: int
) -> None:
    app = create_app(Settings(environment=environment, metrics_token=token), Place(url))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://todas.test") as client:
        answer = await client.get("/metrics", headers=[(b"Authorization", given.encode())] if given else [])

    assert answer.status_code == status
    assert ("todas_requests_total" in answer.text) == (status == 200)


async def test_metrics_tells_what_became_of_rows(app: Todas, client: httpx.AsyncClient) -> None:
    game, writer = await new_game(app.service.database), app.service.tables.writer
    await writer.append(row(game), forget)
    await writer.append(row(game, action_id="late"), forget)
    await writer.append(row(game, 3, action_id="a2"), forget)
    with pytest.raises(RowFailed):
        await writer.append(row("nowhere"), forget)
    figures = (await client.get("/metrics")).text

    assert re.findall(r"^todas_log_(\w+) (\S+)$", figures, re.MULTILINE) == [
        ("batches_total", "4.0"),
        ("committed_total", "1.0"),
        ("version_taken_total", "1.0"),
        ("action_known_total", "1.0"),
        ("put_off_total", "0.0"),
        ("resent_total", "0.0"),
        ("busy_total", "0.0"),
        ("failed_total", "1.0"),
        ("unknown_total", "0.0"),
        ("suspect_total", "1.0"),
        ("held", "0.0"),
    ]


async def test_metrics_tells_how_many_tables_and_people_there_are(client: httpx.AsyncClient) -> None:
    guest = await sign_up(client)
    made = [await client.post("/v1/games", headers=guest.headers) for _ in range(3)]
    await client.post(f"/v1/games/{made[0].json()['game']['id']}/end", headers=guest.headers, json={"when": "now"})
    figures = (await client.get("/metrics")).text

    assert re.findall(r"^todas_(games_playing|people_connected) (\S+)$", figures, re.MULTILINE) == [
        ("games_playing", "2.0"),
        ("people_connected", "2.0"),
    ]


async def test_every_figure_is_told_to_operators_by_its_name(client: httpx.AsyncClient) -> None:
    await client.get("/nothing")
    figures = (await client.get("/metrics")).text
    shown = set(re.findall(r"^# TYPE (todas_\w+) (?:gauge|counter|histogram)$", figures, re.MULTILINE))
    page = (Path(__file__).parents[3] / "docs" / "running.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(todas_\w+)`", page))

    assert told == {name for name in shown if not name.endswith("_created")}


async def test_metrics_tells_how_many_rows_wait(app: Todas, client: httpx.AsyncClient) -> None:
    game, service = await new_game(app.service.database), app.service
    async with service.database.transaction() as other:
        await other.execute("SELECT 1 FROM game_heads WHERE id = $1 FOR UPDATE", game)
        waiting = asyncio.create_task(service.tables.writer.append(row(game), forget))
        await asyncio.sleep(0)
        figures = (await client.get("/metrics")).text
    await waiting

    assert "todas_log_held 1.0" in figures


def forget(committed: Committed) -> None:
    """For a row whose arrival in the cache is not what the test is about."""


async def test_every_problem_code_is_described_where_its_type_points(client: httpx.AsyncClient) -> None:
    listed = (await client.get("/v1/problems")).json()["items"]
    single = (await client.get("/v1/problems/stale_decision")).json()

    assert [kind["code"] for kind in listed] == list(PROBLEMS)
    assert single == {
        "code": "stale_decision",
        "status": 409,
        "retry": "never",
        "title": "The game has moved on to another decision.",
    }


async def test_an_unknown_problem_code_is_not_found(client: httpx.AsyncClient) -> None:
    assert problem(await client.get("/v1/problems/none"))["code"] == "unknown_problem"


@pytest.mark.parametrize("code", get_args(RefusalCode))
def test_every_refusal_of_the_engine_has_its_status(code: str) -> None:
    assert PROBLEMS[code].status in (409, 422)


@pytest.mark.parametrize("page", ["/docs", "/redoc"])
async def test_a_documentation_page_needs_nothing_from_elsewhere(client: httpx.AsyncClient, page: str) -> None:
    html = await client.get(page)
    linked = re.findall(r'(?:src|href|spec-url)="([^"]+)"', html.text)
    files = [await client.get(f"/{name}") for name in linked if not name.startswith("data:")]

    assert html.headers["content-type"] == "text/html; charset=utf-8"
    assert files
    assert {file.status_code for file in files} == {200}
    assert not any("http://" in name or "https://" in name or name.startswith("//") for name in linked)
    assert "'unsafe-inline'" not in re.search(r"script-src[^;]*", html.headers["content-security-policy"])[0]  # type: ignore[index]
    assert not re.search(r"<script(?! src)", html.text)


@pytest.mark.parametrize("name", ["/docs/swagger/swagger-ui-bundle.js", "/redoc/redoc.standalone.js"])
async def test_no_file_of_the_documentation_names_a_cdn(client: httpx.AsyncClient, name: str) -> None:
    assert not re.search(r"cdn\.(jsdelivr|redoc)|unpkg\.com|fonts\.googleapis", (await client.get(name)).text)


class TestDatabaseAway:
    @pytest.fixture
    def server(self) -> Iterator[PostgresServer]:
        folder = Path(tempfile.mkdtemp(prefix="todas-"))
        folder.chmod(0o755)  # the account that the server drops to has to pass
        with PostgresServer(folder) as server:
            database.migrate(server.url)
            yield server
        shutil.rmtree(folder, ignore_errors=True)

    async def test_a_database_that_is_away_is_told_and_found_again(self, server: PostgresServer) -> None:
        app = create_app(Settings(), Place(server.url))
        await app.service.open()
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://todas.test") as client:
            guest = await sign_up(client)
            server.stop()
            away = [
                await client.get("/readyz"),
                await client.get("/v1/players/me", headers=guest.headers),
                await client.post("/v1/players", json={"display_name": "Jun"}),
            ]
            alive = await client.get("/livez")
            server.start()
            back = await client.get("/readyz")
        await app.service.close()

        assert [(answer.status_code, problem(answer)["code"]) for answer in away] == [(503, "database_away")] * 3
        assert all(answer.headers["retry-after"] for answer in away)
        assert (alive.status_code, back.status_code) == (200, 200)
