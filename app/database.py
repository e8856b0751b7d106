"""The way to Postgres: which server there is (a given one, or the embedded one, owned or attached to), the pool for
ordinary statements and migrations. Nothing here knows what a table holds.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import resources
from typing import Any, Protocol

import asyncpg

from app.clock import Clock, monotonic, sleep
from app.errors import Problem, unavailable
from app.postgres_binaries import PostgresRefused
from app.postgres_folder import Folder
from app.postgres_server import PostgresOwned, PostgresServer
from app.settings import Settings

_ATTACH_SECONDS = 20.0
# Out of disk or connections, shutting down or starting up, and read-only: the server that was the primary.
_AWAY = ("53100", "53300", "57P01", "57P02", "57P03", "25006")
# Serialization, deadlock, a lock or a statement that took too long: given up by the server and undone.
_GIVEN_UP = ("40001", "40P01", "55P03", "57014")
_SESSION = {
    "application_name": "todas",
    "statement_timeout": "10s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "15s",
    "timezone": "UTC",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A server to connect to. `folder` is that of the embedded one; None when the server was given."""

    url: str
    folder: Folder | None = None

    @property
    def vanished(self) -> bool:
        """Whether the embedded server is gone; a process attached to it then ends with a clear text."""
        return self.folder is not None and self.folder.running() is None


@contextmanager
def serving(settings: Settings, *, made: bool = False) -> Iterator[Place]:
    """The database while the block lasts: the given one; or the embedded one, ours to start and stop unless another
    process already runs it. For the top process and for commands, in the main thread, before any loop. Raises
    PostgresRefused where it has to be `made` already and is not."""
    if settings.database_url is not None:
        yield given(settings.database_url)
        return
    if made and not Folder.under(settings.state_dir, settings.postgres_account).cluster.exists():
        raise PostgresRefused(
            f"no database in {settings.state_dir.resolve()}: `todas serve` makes one; "
            "where there is another, name it in DATABASE_URL or its folder in TODAS_STATE_DIR"
        )
    server = PostgresServer(settings.state_dir, bin_dir=settings.postgres_bin, account=settings.postgres_account)
    try:
        server.start()
    except PostgresOwned:
        yield attach(settings)
        return
    try:
        yield Place(server.url, server.folder)
    finally:
        server.stop()


def attach(settings: Settings) -> Place:
    """The database that another process serves: what a worker connects to. Raises PostgresRefused when it is not
    there in time."""
    if settings.database_url is not None:
        return given(settings.database_url)
    folder = Folder.under(settings.state_dir, settings.postgres_account)
    until = monotonic() + _ATTACH_SECONDS
    while folder.running() is None:
        if monotonic() > until:
            raise PostgresRefused(f"no Postgres runs in {folder.home}: the process that owns it is gone or stuck")
        sleep(0.01)
    return Place(folder.url, folder)


def given(url: str) -> Place:
    """Somebody else's server; SQLAlchemy's way of writing its address is taken too."""
    return Place(url.replace("+asyncpg://", "://", 1))


async def ask(url: str, query: str) -> Any:
    """One value, over a connection that is made for it."""
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


def migrate(url: str) -> None:
    """Brings the schema up to date, outside any loop. Of several processes that ask at once one does it, and the
    others wait and find it done. A newer schema is left alone: it still serves this release."""
    if asyncio.run(_schema_version(url)) >= _newest_migration():
        return
    from alembic import command  # here, since loading it takes longer than everything else a start does
    from alembic.config import Config

    config = Config(attributes={"url": url})
    config.set_main_option("script_location", str(resources.files("migrations")).replace("%", "%%"))
    command.upgrade(config, "head")


def check_schema(url: str) -> None:
    """Raises PostgresRefused when no migration was ever run there."""
    if not asyncio.run(_schema_version(url)):
        raise PostgresRefused("no schema here: run `todas migrate` first")


class Session(Protocol):
    """What a statement runs on: the pool, or one connection inside a transaction."""

    async def execute(self, query: str, *args: Any) -> str:
        """Runs it; what Postgres says of it, such as `UPDATE 1`."""

    async def fetch(self, query: str, *args: Any) -> list[Any]:
        """All rows."""

    async def fetchrow(self, query: str, *args: Any) -> Any:
        """The first row; None where there is none."""

    async def fetchval(self, query: str, *args: Any) -> Any:
        """The first value of the first row; None where there is none."""


class Database:
    """A worker's pool for ordinary statements; the moves of games have a connection of their own in the writer."""

    def __init__(self, url: str, size: int = 10) -> None:
        self.url = url
        self._size = size
        self._pool: asyncpg.Pool[Any] | None = None

    async def open(self) -> None:
        """Connects. Raises what `away` recognises when the server cannot be reached."""
        self._pool = await asyncpg.create_pool(
            self.url,
            min_size=min(2, self._size),
            max_size=self._size,
            command_timeout=15,
            server_settings=_SESSION,
            init=_speak_json,
            reset=_leave_as_it_is,
        )

    async def close(self) -> None:
        """Waits for the statements under way, then disconnects."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    @property
    def session(self) -> Session:
        """For single statements, each in a transaction of its own."""
        if self._pool is None:
            raise RuntimeError("the database has not been opened")
        return self._pool

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Session]:
        """For statements that hold together: committed at the end of the block, undone when it raises."""
        if self._pool is None:
            raise RuntimeError("the database has not been opened")
        async with self._pool.acquire() as connection, connection.transaction():
            yield connection

    @asynccontextmanager
    async def moment(self) -> AsyncIterator[Session]:
        """For reading what holds together while others write: all of it as it is at the first statement. Like any
        transaction it is given up by the server when it stands idle."""
        if self._pool is None:
            raise RuntimeError("the database has not been opened")
        async with (
            self._pool.acquire() as connection,
            connection.transaction(isolation="repeatable_read", readonly=True),
        ):
            yield connection

    async def set_clock(self, clock: Clock) -> None:
        """Sets the service's clock to the database's."""
        asked_at = clock.monotonic()
        clock.set(await self.session.fetchval("SELECT clock_timestamp()"), asked_at)


def away(error: BaseException) -> bool:
    """Whether an error means that the server was not reached or went away, rather than that it said no."""
    if isinstance(error, asyncpg.PostgresError):
        state = error.sqlstate or ""
        return state.startswith("08") or state in _AWAY
    if isinstance(error, asyncpg.InterfaceError):
        return not isinstance(error, ValueError)  # asyncpg's DataError: an argument that does not fit its column
    return isinstance(error, (OSError, TimeoutError))


def given_up(error: BaseException) -> bool:
    """Whether the server gave a statement up for a lock or for its time, undone, through no fault of what it said."""
    return isinstance(error, asyncpg.PostgresError) and error.sqlstate in _GIVEN_UP


def excuse(error: BaseException) -> Problem | None:
    """The 503 that an error of the database comes to; None for what is no fault of the database."""
    if away(error):
        return unavailable("database_away", 1)
    return unavailable("busy", 1) if given_up(error) else None


async def _speak_json(connection: asyncpg.Connection[Any]) -> None:
    await connection.set_type_codec("jsonb", encoder=json.dumps, decoder=json.loads, schema="pg_catalog")


async def _leave_as_it_is(_: asyncpg.Connection[Any]) -> None:
    """No statement here changes its session, so a connection goes back to the pool without a round trip."""


async def _schema_version(url: str) -> str:
    """The number of the last migration that was run; empty before the first."""
    try:
        return str(await ask(url, "SELECT version_num FROM alembic_version"))
    except asyncpg.UndefinedTableError:
        return ""


def _newest_migration() -> str:
    """The number that the last file of migrations/versions begins with."""
    return max(file.name.partition("_")[0] for file in resources.files("migrations.versions").iterdir())
