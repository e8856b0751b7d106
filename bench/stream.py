"""The stream of one worker on core 0: `make bench-stream`.

Latency: 200 tables of four persons, each at a socket of its own. They move at an even pace, 250 a second, so that 1,000
times a second a socket has to hear of a move. Measured is the time from the moment at which the worker knows that it is
committed, and publishes it, until the client has the last event of it. Both read one clock.
Memory: what 2,000 sockets more make the worker hold, four at each table, once they have been idle for two heartbeats.
Postgres, and the clients, are on core 1.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

import asyncpg
import uvloop

from app import database, settings
from app.database import Place
from app.main import create_app
from app.postgres_server import PostgresServer
from app.server import serve
from app.telemetry import configure_logging
from bench.listen import Listener, listen
from bench.measure import figure, note
from bench.played import Table, table
from bench.serving import begin, folder, processor_time, resident_kib, serving

TABLES = 200
MOVES_A_SECOND = 250
SECONDS = 12
WARM_SECONDS = 3
IDLE_TABLES = 500
IDLE_SECONDS = 5.0
HEARTBEAT_SECONDS = 2.0


def main() -> None:
    """Print the figures, and what they were made from."""
    begin()
    with folder() as place, PostgresServer(place) as postgres:
        database.migrate(postgres.url)
        tables = [table(number) for number in range(IDLE_TABLES)]
        uvloop.run(_make(postgres.url, tables))
        uvloop.run(_latency(postgres.url, place / "published", tables[:TABLES]))
        uvloop.run(_memory(postgres.url, tables))


def serve_noting(port: int, noted: Path) -> None:
    """Serves, and writes down when each version of each game was published."""
    loaded = settings.load()
    configure_logging(loaded.log_level, loaded.log_format)
    app = create_app(loaded.model_copy(update={"port": port}), Place(str(loaded.database_url)))
    published: list[tuple[str, int, float]] = []
    app.service.bus.on_moved(lambda game_id, version: published.append((game_id, version, perf_counter())))
    serve(app)
    noted.write_text("".join(f"{game_id} {version} {at}\n" for game_id, version, at in published))


async def _make(url: str, tables: list[Table]) -> None:
    made = database.Database(url)
    await made.open()
    for each in tables:
        await each.seat(made)
    await made.close()


async def _latency(url: str, noted: Path, tables: list[Table]) -> None:
    command = (sys.executable, "-m", "bench.stream", str(noted))
    with serving(url, command) as (worker, port):
        listeners = [await listen(port, each.opening.id, token) for each in tables for token in each.tokens]
        number = 2 + MOVES_A_SECOND * (WARM_SECONDS + SECONDS) // len(tables)
        movers = [Mover(listeners[4 * place : 4 * place + 4], each.frames(number)) for place, each in enumerate(tables)]
        await _move(movers, WARM_SECONDS)
        begun, served, sent = perf_counter(), processor_time(worker.pid), process_time()
        late = await _move(movers, SECONDS)
        took = perf_counter() - begun
        share, own = (processor_time(worker.pid) - served) / took, (process_time() - sent) / took
        await asyncio.sleep(1)
        for listener in listeners:
            listener.close()
    published = _published(await _rows(url), noted, since=begun)
    received = _received(published, listeners)
    percentiles = quantiles(received, n=100)
    note(
        f"{len(received) / SECONDS:.0f} deliveries a second over {len(listeners)} sockets, {late} moves sent late;"
        f" {share:.0%} of the worker's core, {own:.0%} of the clients'; the slowest took {max(received) * 1e3:.1f} ms"
    )
    figure("stream_p50_ms", percentiles[49] * 1e3)
    figure("stream_p99_ms", percentiles[98] * 1e3)


class Mover:
    """The four at one table, who make its moves one after another."""

    def __init__(self, seats: list[Listener], frames: list[tuple[int, bytes]]) -> None:
        self._seats = seats
        self._frames = iter(frames)
        self._answered: asyncio.Future[None] | None = None

    async def move(self) -> bool:
        """Sends the next move once the one before is answered: whether it had to wait for that."""
        waits = self._answered is not None and not self._answered.done()
        if self._answered is not None:
            await self._answered
        seat, frame = next(self._frames)
        self._answered = self._seats[seat].send(frame)
        return waits

    async def end(self) -> None:
        """Waits for the last answer."""
        if self._answered is not None:
            await self._answered


async def _move(movers: list[Mover], seconds: float) -> int:
    """Moves at an even pace, at one table after another: how many moves had to wait for the one before."""
    begun, late = perf_counter(), 0
    for number in range(int(seconds * MOVES_A_SECOND)):
        await asyncio.sleep(max(0.0, begun + number / MOVES_A_SECOND - perf_counter()))
        late += await movers[number % len(movers)].move()
    for mover in movers:
        await mover.end()
    return late


async def _rows(url: str) -> dict[tuple[str, int], int]:
    """The last event of each version that has any, by game and version."""
    connection = await asyncpg.connect(url)
    rows = await connection.fetch("SELECT game_id, version, last_seq FROM game_log WHERE first_seq <= last_seq")
    await connection.close()
    return {(row["game_id"], row["version"]): row["last_seq"] for row in rows}


def _published(rows: dict[tuple[str, int], int], noted: Path, *, since: float) -> dict[tuple[str, int], float]:
    """When each last event was published, by game and number."""
    published = {}
    for line in noted.read_text().splitlines():
        game_id, version, at = line.split()
        last_seq = rows.get((game_id, int(version)))
        if last_seq is not None and float(at) >= since:
            published[game_id, last_seq] = float(at)
    return published


def _received(published: dict[tuple[str, int], float], listeners: list[Listener]) -> list[float]:
    """Seconds from publishing to the last event of it, for each move and socket."""
    received = []
    for listener in listeners:
        for seq, at in listener.events():
            begun = published.get((listener.game_id, seq))
            if begun is not None:
                received.append(at - begun)
    if len(received) != 4 * len(published):
        sys.exit(f"{len(published)} moves were published to four sockets each, and {len(received)} times received.")
    return received


async def _memory(url: str, tables: list[Table]) -> None:
    with serving(url, TODAS_STREAM_HEARTBEAT_SECONDS=str(HEARTBEAT_SECONDS)) as (worker, port):
        # The first of each table loads its game, which is not what a socket costs.
        first = [await listen(port, each.opening.id, each.tokens[0]) for each in tables]
        await asyncio.sleep(IDLE_SECONDS)
        before = resident_kib(worker.pid)
        others = [await listen(port, each.opening.id, token) for each in tables for token in each.tokens]
        await asyncio.sleep(IDLE_SECONDS)
        after = resident_kib(worker.pid)
        note(f"{len(others)} sockets: from {before / 1024:.0f} to {after / 1024:.0f} MiB")
        figure("socket_kib", (after - before) / len(others))
        for listener in (*first, *others):
            listener.close()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        serve_noting(int(sys.argv[2].removeprefix("--port=")), Path(sys.argv[1]))
    else:
        main()
