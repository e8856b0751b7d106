"""Plays games at a service with a database of its own and freezes them as it has stored them, in the format that is
written now: python -m tests.formats.freeze NAME...

A file that is there is never written again: readers of its format have to go on understanding it as it is.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from app import database
from app.database import Database
from app.postgres_server import PostgresServer
from app.store import games, log
from app.store.snapshots import Snapshot
from app.tables.loading import load
from app.tables.view import encode_view
from app.telemetry import configure_logging
from engine.codec import FORMAT
from tests.formats.frozen import FOLDER, READERS, Frozen, write
from tests.formats.games import GAMES, SETTINGS
from tests.formats.people import House


def main() -> None:
    """Freezes the games that are named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", choices=GAMES, metavar="NAME", help=", ".join(GAMES))
    names: list[str] = parser.parse_args().names
    files = {name: FOLDER / str(FORMAT) / f"{name}.ndjson" for name in names}
    for file in files.values():
        if file.exists():
            parser.error(f"{file.relative_to(FOLDER)} is frozen already: what is new takes another name")
        file.parent.mkdir(exist_ok=True)
    configure_logging("warning", "text")
    with tempfile.TemporaryDirectory(prefix="todas-") as folder:
        Path(folder).chmod(0o755)  # the account that the server drops to has to pass
        with PostgresServer(Path(folder)) as server:
            database.migrate(server.url)
            for name, file in files.items():
                write(file, asyncio.run(_played(server.url, name)))


async def _played(url: str, name: str) -> Frozen:
    house = House(url, SETTINGS)
    await house.open()
    try:
        game_id = (await GAMES[name](house)).game_id
    finally:
        await house.close()
    stored = Database(url, size=2)
    await stored.open()
    try:
        return await _stored(stored, game_id)
    finally:
        await stored.close()


async def _stored(stored: Database, game_id: str) -> Frozen:
    session = stored.session
    game, live = await games.find(session, game_id), await load(session, game_id)
    rows = await log.rows_after(session, game_id, 0, limit=100_000)
    snapshots = await session.fetch(
        "SELECT game_id, round, version, seq, format, state FROM game_snapshots WHERE game_id = $1 ORDER BY round",
        game_id,
    )
    assert game is not None
    assert live is not None
    seen_at = rows[-1].at
    return Frozen(
        game,
        await games.seats(session, game_id),
        tuple(rows),
        tuple(Snapshot(*row) for row in snapshots),
        seen_at,
        {seat: encode_view(live, seat, seen_at) for seat in READERS},
    )


if __name__ == "__main__":
    main()
