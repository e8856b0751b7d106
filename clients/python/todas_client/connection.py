"""What every kind of connection that carries a stream has in common: frames until it breaks, and how it breaks."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from todas_client.shapes import Frame, View

Frames = AsyncGenerator[Frame, None]
"""The frames of one connection; it ends when the service has closed it for good."""


class Lost(Exception):
    """The connection is gone; another may be tried, though not before `again_in_s`."""

    def __init__(self, reason: str, again_in_s: float = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again_in_s = again_in_s


class NoSocket(Exception):
    """Between here and the service no WebSocket can be opened, though it may well answer plain requests."""


def decision(view: View) -> Frame:
    """The frame about the decision that is open in a view."""
    asked = view["decision"]
    return {
        "type": "decision",
        "decision_no": asked["no"],
        "legal_actions": view["legal_actions"],
        **{name: value for name, value in asked.items() if name != "no"},
    }
