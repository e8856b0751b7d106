"""The service as it is run: `todas serve` in a process of its own, on a port the system picks."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TODAS = Path(sys.executable).with_name("todas")
PATIENCE = 60.0
UNLIMITED = {
    f"TODAS_RATE_{name}": "1000000/second"
    for name in ("MOVES", "READS", "RECONNECTS", "NEW_GAMES", "SIGN_UPS", "CODES", "TALK")
}


@dataclass(slots=True)
class Served:
    """A running service. `lines` is what it has logged until now."""

    program: subprocess.Popen[str]
    address: str
    lines: list[str]

    def stop(self) -> int:
        """Asks it to end, and waits: its exit code."""
        self.program.send_signal(signal.SIGTERM)
        return self.program.wait(PATIENCE)


@contextmanager
def kept_port() -> Iterator[int]:
    """A port for a service that comes back to where it was: nobody else is given it meanwhile. It is bound and never
    listened at, which lets a server do both."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        yield int(kept.getsockname()[1])


@contextmanager
def serve(url: str, *command: str | Path, port: int | str = 0, **settings: str) -> Iterator[Served]:
    """`todas serve` on that database, until the block ends; another command may stand for `todas`."""
    program = subprocess.Popen(
        [*(command or [TODAS]), "serve", "--port", str(port)],
        env={**os.environ, "DATABASE_URL": url, **UNLIMITED, **settings},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stderr is not None
    lines: list[str] = []
    reader: threading.Thread | None = None
    try:
        for line in program.stderr:
            lines.append(line)
            if found := re.search(r"Swagger UI is at (http://\S+)/docs", line):
                # A pipe that nobody empties would hold the process up.
                reader = threading.Thread(target=lines.extend, args=(program.stderr,))
                reader.start()
                yield Served(program, found[1], lines)
                break
        else:
            raise AssertionError("".join(lines))
    finally:
        program.terminate()
        program.wait(PATIENCE)
        if reader is not None:
            reader.join()
        program.stderr.close()
