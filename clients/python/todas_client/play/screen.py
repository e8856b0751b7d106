"""The terminal as a screen: the whole of it while a game is on, and as it was afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text


class Screen:
    """A full screen of lines, until the block ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, screen=True, auto_refresh=False)
        self._shown: Sequence[object] = ()

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.__exit__(kind, error, trace)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        return self._console.size.width, self._console.size.height

    def show(self, lines: list[Text]) -> None:
        """Draws the lines, where they are others than before."""
        fresh = [self.size, *((line.plain, line.style, line.spans) for line in lines)]
        if fresh == self._shown:
            return
        self._shown = fresh
        for line in lines:
            line.no_wrap = True
        self._live.update(Group(*lines), refresh=True)
