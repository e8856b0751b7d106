"""For operators and probes: alive, ready, figures, version; and what each problem code means."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from hmac import compare_digest
from importlib.metadata import version
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Request, Response

from app.api.access import ServiceOf
from app.errors import PROBLEMS, Problem, ProblemKind, documented, unavailable
from app.telemetry import METRICS_TYPE

router = APIRouter(tags=["operations"])

_READY_SECONDS: Final = 2
VERSION: Final = version("todas")


@dataclass(frozen=True, slots=True)
class Alive:
    """The process answers."""

    status: Literal["alive"] = "alive"


@dataclass(frozen=True, slots=True)
class Ready:
    """The process takes requests, and its database answers."""

    status: Literal["ready"] = "ready"


@dataclass(frozen=True, slots=True)
class Version:
    """What runs here: its version, the version of the interface and of Python, and which worker answered."""

    name: Literal["todas"]
    version: str
    api: Literal["v1"]
    python: str
    worker: str


@dataclass(frozen=True, slots=True)
class ProblemKinds:
    """Every stable problem code."""

    items: tuple[ProblemKind, ...]


@router.get("/livez", operation_id="get_liveness", summary="Is the process alive")
async def livez() -> Alive:
    """Asks nothing of the database: a process is not to be restarted because its database is away."""
    return Alive()


@router.get(
    "/readyz",
    operation_id="get_readiness",
    summary="Can it take requests",
    responses=documented("draining", "database_away"),
)
async def readyz(service: ServiceOf) -> Ready:
    """Says no while draining and while the database does not answer within two seconds."""
    service.draining.refuse()
    try:
        async with asyncio.timeout(_READY_SECONDS):
            await service.database.session.fetchval("SELECT 1")
    except TimeoutError:
        raise unavailable("database_away", _READY_SECONDS) from None
    return Ready()


@router.get(
    "/metrics",
    operation_id="get_metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses={
        200: {"description": "Prometheus text format.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **documented("unauthenticated", "unknown_route"),
    },
)
async def metrics(service: ServiceOf, request: Request) -> Response:
    """The figures of this worker, for its operator: they count what players must not hear of, such as hidden answers.

    Where the operator has set a token for them, they are given for it alone; in production never without one.
    """
    token = service.settings.metrics_token
    if token is None and service.settings.environment == "production":
        raise Problem("unknown_route", "Metrics are off: TODAS_METRICS_TOKEN is not set.")
    given = request.headers.get("authorization", "")
    if token is not None and not compare_digest(given.encode(), f"Bearer {token}".encode()):
        raise Problem("unauthenticated", "The token of TODAS_METRICS_TOKEN is needed.")
    return Response(service.telemetry.exposition(), headers={"Content-Type": METRICS_TYPE})


@router.get("/v1/version", operation_id="get_version", summary="What runs here")
async def get_version(service: ServiceOf) -> Version:
    """The version of the service, of its interface and of Python."""
    return Version("todas", VERSION, "v1", ".".join(map(str, sys.version_info[:3])), service.worker)


@router.get("/v1/problems", operation_id="list_problems", summary="Every problem code")
async def list_problems() -> ProblemKinds:
    """What can be answered instead of success: code, status, whether to try again, and what it means."""
    return ProblemKinds(tuple(PROBLEMS.values()))


@router.get(
    "/v1/problems/{code}",
    operation_id="get_problem",
    summary="One problem code",
    responses=documented("unknown_problem"),
)
async def get_problem(code: Annotated[str, Path(examples=["stale_decision"])]) -> ProblemKind:
    """Where the `type` of a problem points."""
    if code not in PROBLEMS:
        raise Problem("unknown_problem")
    return PROBLEMS[code]
