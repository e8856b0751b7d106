"""The application factory: one worker's parts, its routes, and when they start and stop."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api import (
    actions,
    board,
    codes,
    docs,
    events,
    games,
    hands,
    hint,
    listed,
    lobby,
    ops,
    pauses,
    players,
    preferences,
    replays,
    rounds,
    rulesets,
    settlement,
    stream,
    talk,
    tiles,
    tokens,
)
from app.clock import Clock
from app.database import Place
from app.edge import ANSWERS, Edge
from app.openapi import contract
from app.service import Service
from app.settings import Settings
from app.stream.socket import no_stream
from app.stream.streams import Streams

ROUTERS: Final = (
    actions.router,
    games.router,
    events.router,
    stream.router,
    settlement.router,
    preferences.router,
    pauses.router,
    rounds.router,
    replays.router,
    listed.router,
    lobby.router,
    codes.router,
    board.router,
    talk.router,
    hint.router,
    tokens.router,
    players.router,
    rulesets.router,
    hands.router,
    tiles.router,
    ops.router,
)
"""Every resource, the busiest first: a path is looked for in this order."""

_EXPOSED: Final = (
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-ID",
)


class Todas(FastAPI):
    """The application of one worker; `service` is what it is made of, `streams` those that are open."""

    def __init__(self, service: Service) -> None:
        super().__init__(
            title="Todas",
            version=ops.VERSION,
            openapi_url="/openapi.json",
            docs_url=None,
            redoc_url=None,
            redirect_slashes=False,
            exception_handlers=ANSWERS,
            lifespan=_lifespan,
        )
        self.service = service
        self.streams = Streams(service)
        self.streams.on_presence(service.tables.presence.signs.streams)
        self.state.service = service
        self.state.streams = self.streams
        self.router.default = self._nowhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or serves one socket, which passes none of the layers that are made for requests."""
        if scope["type"] == "websocket":
            scope["app"] = self
            await self.router(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _nowhere(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers for an address at which there is nothing."""
        nothing = no_stream if scope["type"] == "websocket" else self.router.not_found
        await nothing(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        """The contract, as committed in openapi/openapi.json."""
        if self.openapi_schema is None:
            self.openapi_schema = contract(self)
        return self.openapi_schema

    def build_middleware_stack(self) -> ASGIApp:
        """The usual layers inside the edge, which has to see also what the outermost of them answers."""
        return Edge(super().build_middleware_stack(), self.service.telemetry)


def create_app(settings: Settings, place: Place, clock: Clock | None = None) -> Todas:
    """One worker on the database at that place. Nothing is opened before the application starts."""
    app = Todas(Service.of(settings, place, clock))
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.cors_origins,
            allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
            allow_headers=[
                "Authorization",
                "Content-Type",
                "Idempotency-Key",
                "If-Match",
                "If-None-Match",
                "X-Request-ID",
            ],
            expose_headers=_EXPOSED,
            max_age=3600,
        )
    for router in ROUTERS:
        # As they are: include_router makes every route anew at the first request, a second's work, and looks each of
        # them up in a context for each request.
        app.router.routes.extend(router.routes)
    docs.mount(app)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    streams: Streams = app.state.streams
    await service.open()
    await streams.start()
    try:
        yield
    finally:
        await streams.stop()
        await service.close()
