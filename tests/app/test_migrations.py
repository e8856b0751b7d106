"""Migrations are numbered in one line, wait for no busy table, and are run once however many processes ask."""

from __future__ import annotations

import asyncio
import re
import shutil
import sys
from pathlib import Path

import asyncpg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

import migrations
from app import database

FOLDER = Path(migrations.__file__).parent
FILES = sorted(FOLDER.joinpath("versions").glob("[0-9]*.py"))
WAITS_BRIEFLY = re.compile(r"SET LOCAL lock_timeout = '\d+s'")


async def execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(statement)
    await connection.close()


async def tables(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    found = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    await connection.close()
    return [row[0] for row in found]


def test_they_follow_each_other_in_the_order_of_their_numbers():
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    line = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert line[::-1] == [file.name.partition("_")[0] for file in FILES]
    assert all(re.fullmatch(r"\d{4}", number) for number in line)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_gives_up_on_a_busy_table(file: Path):
    assert WAITS_BRIEFLY.search(file.read_text(encoding="utf-8"))


def test_a_new_one_gives_up_on_a_busy_table_too(tmp_path: Path):
    copy = shutil.copytree(FOLDER, tmp_path / "migrations")
    config = Config()
    config.set_main_option("script_location", str(copy))
    command.revision(config, "add a column", rev_id="9999")
    written = copy.joinpath("versions", "9999_add_a_column.py").read_text(encoding="utf-8")
    assert WAITS_BRIEFLY.search(written)
    compile(written, "9999_add_a_column.py", "exec")


async def test_of_several_processes_at_once_one_runs_them(blank: str):
    script = f"from app.database import migrate; migrate({blank!r})"
    started = [await asyncio.create_subprocess_exec(sys.executable, "-c", script) for _ in range(3)]
    assert [await each.wait() for each in started] == [0, 0, 0]
    assert "game_log" in await tables(blank)


async def test_a_newer_schema_is_left_alone(blank: str):
    await execute(blank, "CREATE TABLE alembic_version (version_num text); INSERT INTO alembic_version VALUES ('9999')")
    await asyncio.to_thread(database.migrate, blank)
    assert await tables(blank) == ["alembic_version"]


async def test_a_migration_that_fails_leaves_nothing(blank: str):
    await execute(blank, "CREATE TABLE workers ()")  # the first migration makes it last
    with pytest.raises(Exception, match="workers"):
        await asyncio.to_thread(database.migrate, blank)
    assert await tables(blank) == ["workers"]
