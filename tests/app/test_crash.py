"""kill -9 of the process that writes and owns the server: what was acknowledged is there, once, and the games stand
where their logs end.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.database import Database
from app.postgres_server import PostgresServer
from app.store import log

# Plays eight games at once, and says of each row that it is acknowledged, after it was.
SERVICE = """
import asyncio, sys
from pathlib import Path
from app import database
from app.clock import Clock
from app.database import Database
from app.log_writer import Committed, LogWriter
from app.postgres_server import PostgresServer
from tests.app.games import new_game, row

async def play(writer: LogWriter, game: str) -> None:
    version = 1
    while True:
        version += 1
        await writer.append(row(game, version), lambda committed: None)
        print(game, version, flush=True)

async def main(url: str) -> None:
    db = Database(url)
    await db.open()
    writer = LogWriter(url, Clock(), "w1")
    await writer.start()
    games = [await new_game(db) for _ in range(8)]
    await asyncio.gather(*(play(writer, game) for game in games))

with PostgresServer(Path(sys.argv[1])) as server:
    database.migrate(server.url)
    asyncio.run(main(server.url))
"""


@pytest.fixture
def state_dir() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="todas-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_a_kill_loses_no_acknowledged_row_and_writes_none_twice(state_dir: Path):
    service = subprocess.Popen([sys.executable, "-c", SERVICE, str(state_dir)], stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    acknowledged = [service.stdout.readline() for _ in range(400)]
    service.kill()
    acknowledged += service.stdout.readlines()
    service.wait()
    service.stdout.close()

    async def stored(url: str) -> dict[str, list[int]]:
        db = Database(url)
        await db.open()
        assert await log.uneven(db.session) == []
        games = {line.split()[0] for line in acknowledged}
        found = {game: [row.version for row in await log.rows_after(db.session, game, 0)] for game in games}
        await db.close()
        return found

    with PostgresServer(state_dir) as server:
        found = asyncio.run(stored(server.url))
    for game, version in (line.split() for line in acknowledged if line.endswith("\n")):
        assert int(version) in found[game]
    assert all(versions == list(range(1, len(versions) + 1)) for versions in found.values())
