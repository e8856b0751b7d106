"""What one connection is owed besides events: answers to what it sent, in the order in which it asked. Bounded, since
whoever does not read must not make the server remember for it.
"""

from __future__ import annotations

from collections import deque
from typing import Final

LIMIT: Final = 64


class Outbox:
    """A queue of frames. Each waits until the events up to its `seq` have been sent; a ping is made when it is sent."""

    __slots__ = ("_owed",)

    def __init__(self) -> None:
        self._owed: deque[tuple[int, bytes | None]] = deque()

    def __bool__(self) -> bool:
        return bool(self._owed)

    def put(self, seq: int, frame: bytes | None) -> bool:
        """Adds a frame, None for a ping; whether there was room for it."""
        if len(self._owed) >= LIMIT:
            return False
        self._owed.append((seq, frame))
        return True

    def is_due(self, cursor: int) -> bool:
        """Whether the next frame may follow the event `cursor`."""
        return bool(self._owed) and self._owed[0][0] <= cursor

    def take(self) -> bytes | None:
        """The next frame, None for a ping."""
        return self._owed.popleft()[1]
