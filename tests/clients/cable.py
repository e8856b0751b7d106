"""The cable between a client and the service, with somebody who pulls it: it can be cut, lose an answer, or let no
WebSocket through.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Cable:
    """`address` is where it begins; `sent` is what clients have sent through it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.sent = b""
        self.lets_sockets_through = True
        self._losing: bytes | None = None
        self._ends: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Breaks every connection; new ones may be made."""
        for end in self._ends:
            end.transport.abort()

    def lose_answer(self, to: bytes) -> None:
        """The next request that holds `to` arrives, and instead of its answer the connection breaks."""
        self._losing = to

    async def join(self, reads: asyncio.StreamReader, writes: asyncio.StreamWriter, host: str, port: int) -> None:
        """Serves one connection of a client until either side ends it."""
        server_reads, server = await asyncio.open_connection(host, port)
        self._ends |= {writes, server}
        loses = asyncio.Event()
        with suppress(OSError):
            await asyncio.gather(self._up(reads, server, writes, loses), self._down(server_reads, writes, loses))
        for end in (writes, server):
            end.transport.abort()
            self._ends.discard(end)

    async def _up(
        self,
        reads: asyncio.StreamReader,
        server: asyncio.StreamWriter,
        client: asyncio.StreamWriter,
        loses: asyncio.Event,
    ) -> None:
        while sent := await reads.read(65536):
            self.sent += sent
            if b"upgrade: websocket" in sent.lower() and not self.lets_sockets_through:
                client.write(REFUSAL)
                await client.drain()
                break
            if self._losing is not None and self._losing in sent:
                self._losing = None
                loses.set()
            server.write(sent)
        server.write_eof()

    async def _down(self, reads: asyncio.StreamReader, client: asyncio.StreamWriter, loses: asyncio.Event) -> None:
        while answer := await reads.read(65536):
            if loses.is_set():
                break
            client.write(answer)
        client.transport.abort() if loses.is_set() else client.close()


@asynccontextmanager
async def cable(address: str) -> AsyncIterator[Cable]:
    """A cable to the service at `address`, until the block ends."""
    parts = urlsplit(address)
    host, port = str(parts.hostname), int(parts.port or 80)
    laid: Cable

    serving: set[asyncio.Task[object]] = set()

    async def accept(reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        serving.add(task)
        task.add_done_callback(serving.discard)
        await laid.join(reads, writes, host, port)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    laid = Cable(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    yield laid
    server.close()
    while serving:  # the tasks of broken connections end by themselves
        laid.cut()
        await asyncio.wait(serving, timeout=0.05)
