"""What the client makes of each way a stream can be closed, against a service of a few lines that closes it so."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tests.clients.playing import types
from todas_client import Client, Closed, Problem

VIEW = {"decision": {"no": 1, "kind": "turn", "who": [0]}, "legal_actions": []}
HELLO = {"type": "hello", "seq": 0, "view": VIEW, "heartbeat_s": 20}
PROBLEM = {"code": "unauthenticated", "status": 401, "detail": "No.", "retry": "never"}


@asynccontextmanager
async def closing(*ways: tuple[list[dict[str, Any]], int]) -> AsyncIterator[Client]:
    """A client of a service that sends some frames and closes, for each connection in another way."""
    left = list(ways)

    async def answer(socket: ServerConnection) -> None:
        frames, code = left.pop(0)
        for frame in frames:
            await socket.send(json.dumps(frame))
        await socket.close(code)

    async with serve(answer, "127.0.0.1", 0, subprotocols=["todas.v1"]) as server:  # type: ignore[list-item]
        port = server.sockets[0].getsockname()[1]
        async with Client(f"http://127.0.0.1:{port}", patience=1) as client:
            yield client


async def frames_of(client: Client) -> list[str]:
    return types([frame async for frame in client.stream("5d0c2f7a9be84161")])


async def test_1000_ends_the_stream():
    async with closing(([HELLO], 1000)) as client:
        assert await frames_of(client) == ["hello", "decision"]


@pytest.mark.parametrize("code", [1011, 1012, 1013])
async def test_what_passes_is_waited_out(code: int):
    async with closing(([HELLO], code), ([HELLO], 1000)) as client:
        assert await frames_of(client) == ["hello", "decision", "lost", "hello", "decision"]


async def test_draining_says_when_to_come_back():
    draining = {"type": "draining", "retry_after_ms": 700}
    async with closing(([HELLO, draining], 1012), ([HELLO], 1000)) as client:
        lost = [frame async for frame in client.stream("5d0c2f7a9be84161") if frame["type"] == "lost"]
    assert [frame["again_in_s"] for frame in lost] == [0.7]


async def test_a_problem_of_the_connection_is_raised():
    async with closing(([{"type": "problem", "problem": PROBLEM}], 1008)) as client:
        with pytest.raises(Problem) as raised:
            await frames_of(client)
    assert raised.value.code == "unauthenticated"


async def test_a_refusal_without_a_problem_is_raised_too():
    async with closing(([], 1008)) as client:
        with pytest.raises(Closed) as raised:
            await frames_of(client)
    assert raised.value.code == 1008


async def test_a_gap_is_a_lost_connection():
    first = {"type": "event", "seq": 1, "event": {"type": "round_drawn"}}
    third = {"type": "event", "seq": 3, "event": {"type": "round_drawn"}}
    second = {**first, "seq": 2}
    async with closing(([HELLO, first, third], 1000), ([HELLO, second, third], 1000)) as client:
        seen = [frame async for frame in client.stream("5d0c2f7a9be84161")]
    assert [frame.get("seq") for frame in seen if frame["type"] in ("event", "lost")] == [1, None, 2, 3]
