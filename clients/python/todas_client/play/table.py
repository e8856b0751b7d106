"""What the player at the terminal knows: the last view, what has been told, and whether the service is there."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rich.text import Text

from todas_client.play.choices import Choice
from todas_client.play.words import Teller
from todas_client.shapes import Frame, Tile, View

Page = Literal["table", "help", "leave"]
TOLD = 200
"""Lines that are kept of what happened."""


@dataclass(slots=True)
class Table:
    """The table as this terminal shows it. `due` and `notice_until` are times of the event loop."""

    view: View
    teller: Teller
    characters: Mapping[Tile, str] = field(default_factory=dict)
    unicode: bool = False
    page: Page = "table"
    told: deque[Text] = field(default_factory=lambda: deque(maxlen=TOLD))
    lost: str | None = None
    marked: int | None = None
    sending: Choice | None = None
    notice: Text | None = None
    notice_until: float = 0
    due: float | None = None
    span: float = 0
    """Seconds that the open decision had when it was first seen."""

    def take(self, frame: Frame) -> bool:
        """Notes a frame of the stream; whether the view has to be asked for again."""
        match frame["type"]:
            case "hello":
                self.lost = None
                self.see(frame["view"])
            case "lost":
                self.lost = frame["reason"]
            case "event":
                line = self.teller.tell(frame["event"])
                if line is not None:
                    self.told.append(line)
                return bool(frame["seq"] > self.view["game"]["seq"])
            case "decision":
                return True
            case _:
                # Whatever else comes is not shown here.
                return False
        return False

    def see(self, view: View) -> None:
        """Takes a view that is not older than the one there is."""
        if view["game"]["seq"] < self.view["game"]["seq"]:
            return
        if view["decision"]["no"] != self.view["decision"]["no"]:
            self.marked, self.due, self.span = None, None, 0
        self.view = view
        self.teller.see(view)
        left = view["decision"].get("ms_left")
        self.due = None if left is None else now() + left / 1000
        self.span = max(self.span, (left or 0) / 1000)

    def left(self) -> float | None:
        """Seconds until the deadline; None where there is no hurry."""
        return None if self.due is None else max(0.0, self.due - now())

    def say(self, text: str, style: str = "yellow", seconds: float = 6) -> None:
        """Shows a line for a while."""
        self.notice, self.notice_until = Text(text, style), now() + seconds

    def saying(self) -> Text | None:
        """The line to be shown now."""
        return self.notice if now() < self.notice_until else None

    def mark(self, step: int) -> None:
        """Moves the mark along the hand; it begins at the last tile."""
        held = len(self.view["hand"])
        if held:
            self.marked = held - 1 if self.marked is None else (self.marked + step) % held


def now() -> float:
    """The time of the event loop."""
    return asyncio.get_running_loop().time()
