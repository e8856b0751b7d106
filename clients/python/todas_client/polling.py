"""The stream by long poll, for where no WebSocket gets through: the same frames from two plain routes."""

from __future__ import annotations

import httpx

from todas_client.connection import Frames, Lost, decision
from todas_client.problems import Problem
from todas_client.shapes import View
from todas_client.transport import Transport

WAIT = 25
"""Seconds that the service holds a poll open when there is nothing."""


async def frames(transport: Transport, game_id: str, after: int | None) -> Frames:
    """`hello`, then each event behind `after`, and a `decision` whenever another one is open. Raises Lost, Problem."""
    try:
        view: View = await transport.once(f"/games/{game_id}")
        seq = view["game"]["seq"]
        yield {"type": "hello", "game_id": game_id, "seat": view.get("seat"), "seq": seq, "view": view}
        seq = seq if after is None else after
        asked = _mark(view)
        while True:
            page = await transport.once(f"/games/{game_id}/events", WAIT, after=seq, wait=WAIT)
            for event in page["events"]:
                yield {"type": "event", **event}
            seq = page["next"]
            if seq < page["seq"]:
                continue
            view = await transport.once(f"/games/{game_id}", min_seq=seq)
            # A later view asks about what the events yet to come have led to.
            if view["game"]["seq"] == seq and _mark(view) != asked:
                asked = _mark(view)
                yield decision(view)
            if view["game"]["seq"] == seq and view["game"]["status"] == "ended":
                return
    except httpx.TransportError as error:
        raise Lost(str(error) or type(error).__name__) from error
    except Problem as problem:
        if not problem.passing:
            raise
        raise Lost(problem.detail, problem.retry_after or 0) from problem


def _mark(view: View) -> tuple[object, ...]:
    """What a `decision` frame depends on, without the time that is left."""
    return {**view["decision"], "ms_left": None}, view["legal_actions"]
