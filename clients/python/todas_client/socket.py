"""The stream over its WebSocket: one connection, from the handshake to the close."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.http11 import Response

from todas_client.connection import Frames, Lost, NoSocket
from todas_client.problems import Closed, Problem, problem_in
from todas_client.shapes import Frame
from todas_client.transport import Transport

SUBPROTOCOL = "todas.v1"
DONE, REFUSED, NO_GAME = 1000, 1008, 4404
"""Close codes after which nobody need come back."""
SILENT = 2.5
"""Heartbeats without a frame after which a connection counts as lost."""


async def frames(transport: Transport, game_id: str, after: int | None) -> Frames:
    """The frames of one connection, events behind `after` first. Raises Lost, NoSocket, Problem, Closed."""
    query = "" if after is None else "?" + urlencode({"after": after})
    url = f"ws{transport.address.removeprefix('http')}/v1/games/{game_id}/stream{query}"
    opened = connect(
        url,
        additional_headers=transport.authorization,
        subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
        compression=None,
        open_timeout=10,
        close_timeout=2,
        ping_interval=None,
    )
    farewell: Frame = {}
    try:
        async with opened as socket:
            beat = Heartbeat(socket)
            while True:
                frame: Frame = json.loads(await beat.receive())
                if _is_farewell(frame):
                    farewell = frame
                if frame["type"] != "problem":
                    yield frame
                await beat.follow(frame)
    except ConnectionClosed as closed:
        _closed(closed, farewell)
    except InvalidStatus as refusal:
        raise _refusal(refusal.response) from refusal
    except InvalidHandshake as refusal:
        raise NoSocket(str(refusal)) from refusal
    except (OSError, TimeoutError) as error:
        raise Lost(str(error) or type(error).__name__, _pause(farewell)) from error


class Heartbeat:
    """Pings as often as the service does, and notices when it has fallen silent."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._every = 10.0
        self._last = _now()

    async def receive(self) -> str | bytes:
        """The next frame. Raises TimeoutError when nothing has come for too long."""
        async with asyncio.timeout(self._every * SILENT):
            return await self._socket.recv()

    async def follow(self, frame: Frame) -> None:
        """Takes the pace from `hello`, and pings when it is time: the service's own pings come in that pace."""
        if frame["type"] == "hello":
            self._every = frame.get("heartbeat_s", self._every)
        if _now() - self._last >= self._every:
            self._last = _now()
            await self._socket.send('{"type":"ping"}')


def _is_farewell(frame: Frame) -> bool:
    """Whether the frame says why the connection is about to be closed."""
    return frame["type"] == "draining" or (frame["type"] == "problem" and "action_id" not in frame)


def _pause(farewell: Frame) -> float:
    """Seconds after which the service wants to be asked again."""
    return float(farewell.get("retry_after_ms", 0)) / 1000 + float(farewell.get("retry_after_s", 0))


def _closed(closed: ConnectionClosed, farewell: Frame) -> None:
    """Returns when the stream is over. Raises what the close code means (api, The stream)."""
    code, reason = (1006, "") if closed.rcvd is None else (closed.rcvd.code, closed.rcvd.reason)
    problem = farewell.get("problem", {})
    if code in (REFUSED, NO_GAME):
        raise Problem(problem, problem["status"]) if problem else Closed(code, reason)
    if code != DONE:
        # 1012: a restart, 1013: later, 1006: no close at all. All of them resume.
        raise Lost(problem.get("detail") or f"closed with {code} {reason}".rstrip(), _pause(farewell))


def _refusal(response: Response) -> Exception:
    problem = problem_in(bytes(response.body or b""), response.status_code, response.headers.get("retry-after"))
    if problem.passing:
        return Lost(problem.detail, problem.retry_after or 0)
    # What the service itself says has a code of its own; anything else was answered by what does not know this stream.
    if problem.code in ("unknown_route", f"http_{problem.status}") and problem.status != 401:
        return NoSocket(problem.detail)
    return problem


def _now() -> float:
    return asyncio.get_running_loop().time()
