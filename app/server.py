"""The process that serves: uvicorn, stopped so that nothing in flight is lost and it exits 0 (design 3, Draining)."""

from __future__ import annotations

import asyncio
import gc
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn

from app.main import Todas
from app.stream.frames import MAX_FRAME
from app.stream.protocol import AnswerProtocol, StreamProtocol
from app.telemetry import log

_FINISH_SECONDS: Final = 8
"""For what is in flight once listening has ended; with draining before and closing after it stays under 20 seconds."""

_KEEP_ALIVE_SECONDS: Final = 75
"""Longer than the usual 60 of a proxy, so that a proxy never sends into a connection that is being closed."""

_CLOSE_SECONDS: Final = 4
"""For streams to be told to come back, and closed; uvicorn closes what is left."""

_FULL_COLLECTION_EVERY: Final = 100
"""Collections of the middle generation, instead of Python's 10."""

_LOOK_EVERY: Final = 30
"""Ticks of a tenth of a second between two looks at the embedded server."""

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


def serve(app: Todas) -> None:
    """Serves until SIGTERM or SIGINT; returns when everything is closed. Exits with 3 when it could not start, with 1
    when its database's server vanished: whoever supervises this process starts it again.
    """
    server = Server(app)
    server.run()
    if server.lost_database:
        raise SystemExit(1)


class Server(uvicorn.Server):
    """uvicorn that drains before it shuts down, and that a signal does not kill afterwards."""

    def __init__(self, app: Todas) -> None:
        super().__init__(_config(app))
        self._draining = app.service.draining
        self._streams = app.streams
        self._drain_seconds = app.service.settings.drain_seconds
        self._place = app.service.place
        self.lost_database = False
        self._missed = False
        self._asked = False
        self._end: asyncio.Task[None] | None = None

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Like uvicorn's, which afterwards sends itself the signal again and so ends by it instead of with 0."""
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, previous in before.items():
                signal.signal(number, previous)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Asks for the end; a second time from the keyboard, without waiting for anything."""
        if self._asked and sig == signal.SIGINT:
            self.force_exit = self.should_exit = True
        self._asked = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts listening, then says where. Raises SystemExit when it cannot."""
        try:
            await super().startup(sockets)
        except SystemExit:
            # uvicorn has said why: most often another server is there.
            where = f"port {self.config.port} of {self.config.host}"
            log.error(f'cannot listen on {where}: choose another with `make serve ARGS="--port 8001"` or TODAS_PORT')
            raise
        # A full collection holds everybody up: it leaves out what stays anyway, and comes less often (decision 0602).
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], _FULL_COLLECTION_EVERY)
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        log.info(f"Todas is ready: Swagger UI is at http://{f'[{host}]' if ':' in host else host}:{port}/docs")

    async def on_tick(self, counter: int) -> bool:
        """Begins to drain when the end was asked for; here, since a signal's handler runs between any two steps."""
        if counter % _LOOK_EVERY == 0 and not self._asked:
            self._look_for_database()
        if self._asked and self._end is None:
            log.info("draining", seconds=self._drain_seconds)
            self._draining.begin()
            self._end = asyncio.create_task(self._end_later())
        return await super().on_tick(counter)

    def _look_for_database(self) -> None:
        missed, self._missed = self._missed, self._place.vanished
        if missed and self._missed:  # twice, since a server that recovers from a crash of its own comes back
            log.error("the embedded Postgres is gone: stopping, to be started again")
            self.lost_database = self._asked = True

    async def _end_later(self) -> None:
        await asyncio.sleep(self._drain_seconds)
        await self._streams.emptied(_CLOSE_SECONDS)
        self.should_exit = True


def _config(app: Todas) -> uvicorn.Config:
    settings = app.service.settings
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=AnswerProtocol,
        ws=StreamProtocol,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=settings.stream_heartbeat_seconds,
        ws_ping_timeout=settings.stream_heartbeat_seconds,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=_FINISH_SECONDS,
    )
