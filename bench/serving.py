"""A service to measure: one worker in a process of its own, on a core of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter, sleep
from urllib.request import urlopen

from app.postgres_binaries import environment

SERVING, STORING = 0, 1
"""The cores: one serves, the other stores, and sends what is served."""

TODAS = (str(Path(sys.executable).with_name("todas")), "serve")
_UNLIMITED = {
    f"TODAS_RATE_{name}": "100000000/minute" for name in ("MOVES", "READS", "RECONNECTS", "NEW_GAMES", "SIGN_UPS")
}
_ENGINE = {name: os.environ[name] for name in ("PYTHONPATH", "PYTHONSAFEPATH") if name in os.environ}
"""Where this process has its engine from, which may be the compiled one."""


def begin() -> None:
    """Puts this process, and what it starts from now on, on the core that stores."""
    if not {SERVING, STORING} <= os.sched_getaffinity(0):
        sys.exit(f"Cores {SERVING} and {STORING} are needed: one serves, one stores and sends.")
    os.sched_setaffinity(0, {STORING})


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for Postgres, until the end of the block."""
    made = Path(tempfile.mkdtemp(prefix="todas-bench-"))
    made.chmod(0o755)  # the account that Postgres drops to has to pass
    try:
        yield made
    finally:
        shutil.rmtree(made)


@contextmanager
def serving(
    url: str, command: tuple[str, ...] = TODAS, **settings: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """One worker on its core until the end of the block, and its port. The command is given `--port`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    worker = subprocess.Popen(
        [*command, f"--port={port}"],
        env={**environment(), **_ENGINE, **_UNLIMITED, "TODAS_LOG_LEVEL": "warning", "DATABASE_URL": url, **settings},
        preexec_fn=on_serving_core,
    )
    try:
        _await_ready(worker, port)
        yield worker, port
    finally:
        worker.terminate()
        worker.wait()


def on_serving_core() -> None:
    """Puts this process on the core that serves."""
    os.sched_setaffinity(0, {SERVING})


def processor_time(pid: int) -> float:
    """Seconds that a process has used, its own and the system's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_kib(pid: int) -> int:
    """Memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def _await_ready(worker: subprocess.Popen[bytes], port: int) -> None:
    until = perf_counter() + 30
    while worker.poll() is None and perf_counter() < until:
        try:
            with urlopen(f"http://127.0.0.1:{port}/readyz") as answer:
                if answer.status == 200:
                    return
        except OSError:
            sleep(0.05)
    sys.exit("The service did not start.")
