from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.app.api.served import PATIENCE, TODAS, serve


def test_sigterm_ends_it_with_0(url: str) -> None:
    with serve(url) as served:
        assert httpx.get(f"{served.address}/readyz", timeout=PATIENCE).status_code == 200
        assert served.stop() == 0


def test_ctrl_c_ends_it_with_0(url: str) -> None:
    with serve(url) as served:
        served.program.send_signal(signal.SIGINT)

        assert served.program.wait(PATIENCE) == 0


async def test_a_request_in_flight_at_sigterm_is_answered(url: str) -> None:
    body = b'{"display_name": "Nena"}'
    with serve(url) as served:
        reader, writer = await asyncio.open_connection(urlsplit(served.address).hostname, urlsplit(served.address).port)
        head = f"POST /v1/players HTTP/1.1\r\nHost: todas\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body[:5])
        await writer.drain()
        await get(f"{served.address}/livez")  # behind it in the queue: the other one has been taken up
        served.program.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.5)
        writer.write(body[5:])
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        code = await asyncio.to_thread(served.program.wait, PATIENCE)
        writer.close()

    assert answer.startswith(b"HTTP/1.1 201 ")
    assert b"connection: close" in answer.lower()
    assert code == 0


def test_while_it_drains_it_still_answers_and_says_that_it_is_not_ready(url: str) -> None:
    with serve(url, TODAS_DRAIN_SECONDS="5") as served:
        served.program.send_signal(signal.SIGTERM)
        statuses = set()
        while 503 not in statuses:
            statuses.add(httpx.get(f"{served.address}/readyz", timeout=PATIENCE).status_code)
        alive = httpx.get(f"{served.address}/livez", timeout=PATIENCE).status_code

        assert (statuses | {alive}, served.program.wait(PATIENCE)) == ({200, 503}, 0)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"TODAS_PROT": "1"}, "TODAS_PROT"),
        ({"TODAS_PORT": "many"}, "TODAS_PORT"),
        ({"TODAS_RATE_MOVES": "lots"}, "TODAS_RATE_MOVES"),
        ({"TODAS_ENVIRONMENT": "production", "TODAS_ALLOW_SEEDS": "1"}, "TODAS_ALLOW_SEEDS"),
    ],
)
def test_what_it_cannot_start_with_it_names(settings: dict[str, str], named: str) -> None:
    done = subprocess.run([TODAS, "serve"], env={**os.environ, **settings}, capture_output=True, text=True, check=False)

    assert (done.returncode, named in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_on_a_port_that_is_taken_it_says_how_to_choose_another(url: str) -> None:
    with serve(url) as served:
        port = served.address.rpartition(":")[2]
        command: list[str | Path] = [TODAS, "serve", "--port", port]
        done = subprocess.run(
            command, env={**os.environ, "DATABASE_URL": url}, capture_output=True, text=True, check=False
        )

    assert (done.returncode, "Traceback" in done.stderr) == (3, False)
    assert f"cannot listen on port {port} of 127.0.0.1" in done.stderr
    assert 'make serve ARGS="--port 8001"' in done.stderr


class TestEmbedded:
    @pytest.fixture
    def folder(self) -> Iterator[Path]:
        made = Path(tempfile.mkdtemp(prefix="todas-"))
        made.chmod(0o755)  # the account that the server drops to has to pass
        yield made
        shutil.rmtree(made, ignore_errors=True)  # the processes of a killed Postgres take a moment to go

    def test_a_fresh_folder_is_all_it_needs(self, folder: Path) -> None:
        with serve("", TODAS_STATE_DIR=str(folder)) as served:
            made = sign_up(served.address)

            assert (made.status_code, served.stop()) == (201, 0)

    def test_what_was_made_is_there_after_a_kill(self, folder: Path) -> None:
        with serve("", TODAS_STATE_DIR=str(folder)) as served:
            made = sign_up(served.address).json()
            served.program.kill()
        with serve("", TODAS_STATE_DIR=str(folder)) as served:
            headers = {"Authorization": f"Bearer {made['token']}"}
            seen = httpx.get(f"{served.address}/v1/players/me", headers=headers, timeout=PATIENCE)

        assert seen.json() == made["player"]

    def test_it_ends_when_its_database_vanishes(self, folder: Path) -> None:
        with serve("", TODAS_STATE_DIR=str(folder)) as served:
            (pid_file,) = folder.rglob("postmaster.pid")
            os.kill(int(pid_file.read_text().split()[0]), signal.SIGKILL)

            assert served.program.wait(PATIENCE) == 1


def sign_up(address: str) -> httpx.Response:
    return httpx.post(f"{address}/v1/players", json={"display_name": "Nena"}, timeout=PATIENCE)


async def get(address: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=PATIENCE) as client:
        return await client.get(address)
