"""A dump is the whole database in one private file, and goes back into an empty database only."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from app import database, dumps
from app.database import Database
from app.postgres_binaries import PostgresRefused
from app.settings import Settings
from app.store import log
from tests.app.conftest import at
from tests.app.games import new_game

SETTINGS = Settings()


@pytest.fixture
def blank(postgres: str) -> Iterator[str]:
    """The URL of another database on the same server, with nothing in it."""
    name = f"todas_blank_{os.getpid()}"

    async def execute(statement: str) -> None:
        connection = await asyncpg.connect(postgres)
        await connection.execute(statement)
        await connection.close()

    asyncio.run(execute(f"CREATE DATABASE {name}"))
    yield at(postgres, name)
    asyncio.run(execute(f"DROP DATABASE {name} WITH (FORCE)"))


async def test_what_was_dumped_is_there_after_a_restore(db: Database, url: str, blank: str, tmp_path: Path):
    game = await new_game(db)
    file = tmp_path / "todas.dump"
    await asyncio.to_thread(dumps.dump, SETTINGS, url, file)
    await asyncio.to_thread(dumps.restore, SETTINGS, blank, file)
    await asyncio.to_thread(database.migrate, blank)
    restored = Database(blank, size=2)
    await restored.open()
    assert await log.rows_after(restored.session, game, 0) == await log.rows_after(db.session, game, 0)
    assert await log.uneven(restored.session) == []
    await restored.close()


async def test_a_dump_is_readable_by_its_owner_alone_and_leaves_no_draft(url: str, tmp_path: Path):
    file = tmp_path / "todas.dump"
    await asyncio.to_thread(dumps.dump, SETTINGS, url, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.with_name("todas.dump.part").exists()


@pytest.mark.parametrize(
    ("name", "why"), [(".", "is a folder"), ("old", "is there already"), ("nowhere/new", "cannot be written: No such")]
)
def test_a_dump_that_is_not_a_new_file_is_refused_by_its_name(tmp_path: Path, name: str, why: str):
    (tmp_path / "old").write_text("kept")
    with pytest.raises(PostgresRefused, match=f"^{tmp_path / name} {why}"):
        dumps.dump(SETTINGS, "", tmp_path / name)
    assert (tmp_path / "old").read_text() == "kept"


async def test_a_database_with_tables_is_not_restored_into(url: str, tmp_path: Path):
    file = tmp_path / "todas.dump"
    await asyncio.to_thread(dumps.dump, SETTINGS, url, file)
    with pytest.raises(PostgresRefused, match="restore into an empty one"):
        await asyncio.to_thread(dumps.restore, SETTINGS, url, file)
