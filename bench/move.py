"""Moves over HTTP beside what Postgres itself can do: `make bench-move`.

Thirty-two clients, each at a table of four persons, send moves one at a time to one worker on core 0; then pgbench on
core 0, with as many clients, does by hand what a move does to the database. Postgres, and what sends the moves, are on
core 1. Both use the same server, tables and disk, in turns.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time

import asyncpg
import uvloop

from app import database
from app.postgres_binaries import environment, find_binaries
from app.postgres_server import PostgresServer
from bench import load
from bench.measure import figure, note
from bench.played import Table, table
from bench.serving import SERVING, STORING, begin, folder, on_serving_core, processor_time, serving

CLIENTS = 32
TURNS = 3
SECONDS = 6
WARM_SECONDS = 2
MOVES = 3000
"""Of each game, played beforehand."""

PGBENCH = """\
BEGIN;
SELECT version + 1 AS version, last_seq + 3 AS last_seq FROM game_heads WHERE id = :client_id::text FOR UPDATE \\gset
INSERT INTO game_log (game_id, version, first_seq, last_seq, seat, action_id, commands, events, clock, writer)
VALUES (:client_id::text, :version, :last_seq - 2, :last_seq, 0, 'm' || :version::text,
        '{commands}'::bytea, '{events}'::bytea, '{clock}'::bytea, '{writer}');
UPDATE game_heads SET version = :version, last_seq = :last_seq, next_wake_at = now() WHERE id = :client_id::text;
COMMIT;
"""


def main() -> None:
    """Print the figure, and what it was made from."""
    begin()
    tables = [table(number) for number in range(CLIENTS)]
    with folder() as place, PostgresServer(place) as postgres:
        database.migrate(postgres.url)
        uvloop.run(_make(postgres.url, tables))
        with serving(postgres.url) as (worker, port):
            uvloop.run(_compare(postgres, place, tables, worker, port))


async def _make(url: str, tables: list[Table]) -> None:
    """The games that are played, and the heads that pgbench moves."""
    made = database.Database(url)
    await made.open()
    for each in tables:
        await each.seat(made)
    for number in range(CLIENTS):
        await made.session.execute("INSERT INTO game_heads (id, version, last_seq) VALUES ($1, 0, 0)", str(number))
    await made.close()


async def _compare(
    postgres: PostgresServer, folder: Path, tables: list[Table], worker: subprocess.Popen[bytes], port: int
) -> None:
    clients = await load.connect(port, [iter(each.requests(MOVES)) for each in tables])
    warm = await load.run(clients, WARM_SECONDS)
    answered = len(warm.seconds) + warm.after
    script = await _script(postgres.url, folder)
    moves, transactions = [], []
    for _ in range(TURNS):
        run, served, sent = await _measured(clients, worker.pid)
        answered += len(run.seconds) + run.after
        moves.append(len(run.seconds) / SECONDS)
        transactions.append(_pgbench(postgres, script))
        percentiles = quantiles(run.seconds, n=100)
        note(
            f"{moves[-1]:.0f} moves a second, half of them within {1e3 * percentiles[49]:.1f} ms,"
            f" 99 % within {1e3 * percentiles[98]:.1f} ms; {1e3 * served / moves[-1]:.2f} ms of processor time a move,"
            f" {served:.0%} of core {SERVING} (what sends them: {sent:.0%} of core {STORING});"
            f" pgbench {transactions[-1]:.0f} a second"
        )
    for client in clients:
        client.close()
    await _check_rows(postgres.url, answered)
    figure("moves_http_vs_pgbench", max(moves) / max(transactions))
    figure("moves_http_per_s", max(moves))
    figure("pgbench_per_s", max(transactions))


async def _measured(clients: list[load.Client], server: int) -> tuple[load.Run, float, float]:
    """A run, and the shares of a core that the service and this process used in it."""
    begun, served, sent = perf_counter(), processor_time(server), process_time()
    run = await load.run(clients, SECONDS)
    took = perf_counter() - begun
    return run, (processor_time(server) - served) / took, (process_time() - sent) / took


async def _script(url: str, folder: Path) -> Path:
    """What pgbench does in a transaction, with the bytes of a row of usual size."""
    connection = await asyncpg.connect(url)
    row = await connection.fetchrow(
        """
        WITH sized AS (SELECT *, length(commands) + length(events) + length(clock) AS size FROM game_log)
        SELECT commands, events, clock, writer FROM sized ORDER BY abs(size - (SELECT avg(size) FROM sized)) LIMIT 1
        """
    )
    await connection.close()
    assert row is not None
    texts = {name: rf"\x{row[name].hex()}" for name in ("commands", "events", "clock")}
    path = folder / "move.sql"
    path.write_text(PGBENCH.format(**texts, writer=row["writer"]))
    note(f"a row holds {sum(len(row[name]) for name in texts)} bytes of commands, events and clock")
    return path


def _pgbench(postgres: PostgresServer, script: Path) -> float:
    """Transactions a second."""
    programs = find_binaries(None, postgres.folder.account, postgres.folder.home)
    told = subprocess.run(
        [
            *(programs / "pgbench", "--no-vacuum", "--protocol=prepared", "--jobs=1", f"--client={CLIENTS}"),
            *(f"--time={SECONDS}", f"--file={script}", f"--dbname={postgres.url}"),
        ],
        check=True,
        capture_output=True,
        text=True,
        env=environment(),
        preexec_fn=on_serving_core,
    ).stdout
    found = re.search(r"tps = ([\d.]+)", told)
    assert found is not None
    return float(found[1])


async def _check_rows(url: str, answered: int) -> None:
    """One row a move, and one for each deal of a game's first round."""
    connection = await asyncpg.connect(url)
    rows = await connection.fetchval("SELECT count(*) FROM game_log WHERE game_id LIKE 'played%'")
    await connection.close()
    if rows != answered + CLIENTS:
        sys.exit(f"{answered} moves were answered, and the log holds {rows - CLIENTS}.")


if __name__ == "__main__":
    main()
