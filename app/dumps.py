"""The whole database as one file, written and read back by Postgres's own programs."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from app.database import ask
from app.postgres_binaries import PostgresRefused, find_binaries, run
from app.postgres_folder import Folder
from app.settings import Settings


def dump(settings: Settings, url: str, path: Path) -> None:
    """Writes the whole database to one new file, readable by its owner alone: it holds hashes and seeds. Raises
    PostgresRefused when the file is there already, or cannot be made."""
    if path.is_dir():
        raise PostgresRefused(f"{path} is a folder: name a new file in it")
    if path.exists():
        raise PostgresRefused(f"{path} is there already: name a new file")
    draft = path.with_name(f"{path.name}.part")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    except OSError as error:
        raise PostgresRefused(f"{path} cannot be written: {error.strerror}") from None
    _client(settings, "pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={draft.resolve()}")
    draft.replace(path)


def restore(settings: Settings, url: str, path: Path) -> None:
    """Fills an empty database from such a file, whole or not at all; `migrate` then brings it up to date. Raises
    PostgresRefused when the database is not empty."""
    if asyncio.run(_tables(url)):
        raise PostgresRefused("this database has tables already: restore into an empty one")
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _client(settings, "pg_restore", url, *options, str(path.resolve(strict=True)))


async def _tables(url: str) -> int:
    return int(
        await ask(url, "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')")
    )


def _client(settings: Settings, program: str, url: str, *arguments: str) -> None:
    """Runs pg_dump or its like; a password goes by the environment, since everybody can read a command line."""
    home = Folder.under(settings.state_dir, settings.postgres_account).home
    bin_dir = find_binaries(settings.postgres_bin, None, home)
    parts = urlsplit(url)
    secret = {} if parts.password is None else {"PGPASSWORD": unquote(parts.password)}
    bare = url if parts.password is None else url.replace(f":{parts.password}@", "@", 1)
    run(None, bin_dir / program, *arguments, f"--dbname={bare}", extra=secret)
