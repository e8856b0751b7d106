"""A terminal for a program to run in: what it draws is read from a pseudo terminal, and keys are pressed there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.cells import cell_len

HOME = b"\x1b[H"
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\r")
PATIENCE = 60.0


class Terminal:
    """A program in a terminal of that size. What it draws are whole screens, each from the top left corner; of one that
    is still being drawn nothing is to be seen yet."""

    def __init__(self, *command: str | Path, columns: int = 80, rows: int = 24, **variables: str) -> None:
        self._columns, self._rows = columns, rows
        self._main, program = pty.openpty()
        fcntl.ioctl(program, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **variables}
        for size in ("COLUMNS", "LINES"):
            environment.pop(size, None)
        self.program = subprocess.Popen(
            list(command), stdin=program, stdout=program, stderr=program, env=environment, start_new_session=True
        )
        os.close(program)
        self._drawn = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.program.kill()
        self.program.wait()
        os.close(self._main)

    @property
    def text(self) -> str:
        """All that was drawn."""
        return CODES.sub("", self._drawn.decode(errors="replace"))

    @property
    def screen(self) -> str:
        """What is to be seen: the last screen that was drawn whole; before the first, all that was drawn."""
        before, home, last = self._drawn.rpartition(HOME)
        if not home:
            return self.text
        while home:
            screen = CODES.sub("", last.decode(errors="replace"))
            if self._is_whole(screen):
                return screen
            before, home, last = before.rpartition(HOME)
        return ""

    def press(self, keys: str) -> None:
        """Presses keys, one after the other."""
        os.write(self._main, keys.encode())

    def until(self, seen: str | Callable[[str], bool]) -> str:
        """Waits until that is on the screen: the screen."""
        there = (lambda screen: seen in screen) if isinstance(seen, str) else seen
        until = time.monotonic() + PATIENCE
        while not there(self.screen):
            assert time.monotonic() < until, f"{seen} is not to be seen:\n{self.screen}"
            if not self._read(0.1) and self.program.poll() is not None:
                raise AssertionError(f"ended with {self.program.returncode}:\n{self.text}")
        return self.screen

    def end(self) -> int:
        """Waits until the program ends: its exit code."""
        until = time.monotonic() + PATIENCE
        while self.program.poll() is None:
            assert time.monotonic() < until, self.screen
            self._read(0.1)
        return int(self.program.returncode)

    def _is_whole(self, screen: str) -> bool:
        """Whether it has every line, and each of them is filled up to its end."""
        lines = screen.split("\n")
        return len(lines) >= self._rows and cell_len(lines[self._rows - 1]) >= self._columns

    def _read(self, seconds: float) -> bool:
        if not select.select([self._main], [], [], seconds)[0]:
            return False
        try:
            self._drawn += os.read(self._main, 65536)
        except OSError:  # the program has closed its end
            return False
        return True
