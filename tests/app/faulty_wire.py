"""A connection to Postgres that fails at the worst moment: the statement arrives and its answer does not, or it does
not arrive, or it arrives long after its sender has gone. Or it stops there, until its sender is killed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit, urlunsplit


@dataclass(eq=False, slots=True)
class Link:
    """One client's connection and the one to the server behind it."""

    client_reads: asyncio.StreamReader
    client: asyncio.StreamWriter
    server_reads: asyncio.StreamReader
    server: asyncio.StreamWriter
    cut: bool = False
    answered: asyncio.Event = field(default_factory=asyncio.Event)


Fault = Callable[[Link, bytes], Coroutine[Any, Any, None]]


class FaultyWire:
    """Passes bytes on until a fault is armed; the next bytes that a client sends then meet it."""

    def __init__(self, url: str, server: asyncio.Server) -> None:
        parts = urlsplit(url)
        port = server.sockets[0].getsockname()[1]
        user = parts.netloc.rpartition("@")[0]
        self.url = urlunsplit(parts._replace(netloc=f"{user}@127.0.0.1:{port}", query=""))
        self.refusing = False
        self._links: list[Link] = []
        self._fault: Fault | None = None
        self._awaited = b""
        self._passing = 0
        self._late: tuple[Link, bytes] | None = None
        self._met = asyncio.Event()

    def lose_answer(self, awaited: bytes = b"") -> None:
        """The next statement, or the next that holds those bytes, is carried out, and its sender does not hear of
        it."""
        self._fault, self._awaited = self._lose_answer, awaited

    def lose_statement(self) -> None:
        """The next statement is lost on the way."""
        self._fault = self._lose_statement

    def delay_statement(self) -> None:
        """The next statement stays on the way, its sender's connection breaks, and `deliver` lets it arrive."""
        self._fault = self._delay_statement

    def hold_statement(self, awaited: bytes, passing: int = 0) -> None:
        """The next statement that holds those bytes, after some that pass, stays on the way and its sender waits. Once
        the sender has gone, `deliver` lets it arrive."""
        self._fault, self._awaited, self._passing = self._hold_statement, awaited, passing
        self._met.clear()

    def hold_answer(self, awaited: bytes) -> None:
        """The next statement that holds those bytes is carried out, and its sender waits for the answer."""
        self._fault, self._awaited = self._hold_answer, awaited
        self._met.clear()

    async def met(self) -> None:
        """Waits until the armed fault has happened, or the sender of what is held waits."""
        await self._met.wait()

    async def deliver(self) -> None:
        """Lets the delayed statement arrive, and waits for the server to be done with it."""
        assert self._late is not None
        link, statement = self._late
        link.server.write(statement)
        await link.answered.wait()
        link.server.close()

    async def pass_on(self, link: Link) -> None:
        """Serves one client until the server's side ends."""
        self._links.append(link)
        with suppress(OSError):
            await asyncio.gather(self._upwards(link), self._downwards(link))
        link.server.transport.abort()
        link.client.transport.abort()

    async def close(self) -> None:
        """Ends every connection."""
        for link in self._links:
            link.server.transport.abort()
            link.client.transport.abort()
        await asyncio.sleep(0)  # a transport is closed by the loop

    async def _upwards(self, link: Link) -> None:
        while sent := await link.client_reads.read(65536):
            fault = self._fault
            if fault is not None and self._awaited in sent and self._passing:
                self._passing -= 1
            elif fault is not None and self._awaited in sent:
                self._fault, self._awaited = None, b""
                link.cut = True
                await fault(link, sent)
                link.client.transport.abort()
                self._met.set()
                return
            link.server.write(sent)
        link.server.close()

    async def _downwards(self, link: Link) -> None:
        while answer := await link.server_reads.read(65536):
            if link.cut:
                link.answered.set()
            else:
                link.client.write(answer)
        link.client.close()

    async def _lose_answer(self, link: Link, statement: bytes) -> None:
        link.server.write(statement)
        await link.answered.wait()
        link.server.close()

    async def _lose_statement(self, link: Link, statement: bytes) -> None:
        link.server.close()

    async def _delay_statement(self, link: Link, statement: bytes) -> None:
        self._late = (link, statement)

    async def _hold_statement(self, link: Link, statement: bytes) -> None:
        self._late = (link, statement)
        await self._outlive_sender(link)

    async def _hold_answer(self, link: Link, statement: bytes) -> None:
        link.server.write(statement)
        await link.answered.wait()
        await self._outlive_sender(link)
        link.server.close()

    async def _outlive_sender(self, link: Link) -> None:
        self._met.set()
        while await link.client_reads.read(65536):
            pass


@asynccontextmanager
async def faulty_wire(url: str) -> AsyncIterator[FaultyWire]:
    """A wire to the server at `url`, open inside the block."""
    wire: FaultyWire

    async def accept(reads: asyncio.StreamReader, writes: asyncio.StreamWriter) -> None:
        if wire.refusing:
            writes.transport.abort()
            return
        await wire.pass_on(Link(reads, writes, *await _dial(url)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    wire = FaultyWire(url, server)
    yield wire
    server.close()
    await wire.close()


async def _dial(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    parts = urlsplit(url)
    folder = parse_qs(parts.query).get("host")
    if folder:
        return await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.{parts.port or 5432}")
    return await asyncio.open_connection(parts.hostname, parts.port or 5432)
