"""Keys as they are pressed, read from the terminal by the standard library alone."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import sys
import termios
import tty
from types import TracebackType
from typing import Final, Self

_NAMED: Final = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1bOC": "right",
    "\x1bOD": "left",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    "\x1b": "escape",
}
_KEY: Final = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|.", re.DOTALL)


class Keyboard:
    """The keys of a terminal, one at a time and without echo, until the block ends."""

    def __init__(self) -> None:
        self._fd = sys.stdin.fileno()
        self._pressed: asyncio.Queue[str] = asyncio.Queue()
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd)
        asyncio.get_running_loop().add_reader(self._fd, self._read)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    async def pressed(self) -> str:
        """The next key: a character as it is, or the name of one that has none; `closed` when the terminal is gone."""
        return await self._pressed.get()

    def _read(self) -> None:
        read = os.read(self._fd, 1024)
        if not read:
            asyncio.get_running_loop().remove_reader(self._fd)
            self._pressed.put_nowait("closed")
        for key in keys(self._decoder.decode(read)):
            self._pressed.put_nowait(key)


def keys(text: str) -> list[str]:
    """The keys in what a terminal sent. Sequences of keys that mean nothing here are left out."""
    found = [_NAMED.get(key, key) for key in _KEY.findall(text)]
    return [key for key in found if not key.startswith("\x1b")]
