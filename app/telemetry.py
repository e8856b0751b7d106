"""What the service tells its operator: log lines with the request they belong to, and the figures of /metrics.
No line and no label holds a token, a recovery code or what a seat may not know.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any, Final, Literal, TextIO

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.gc_collector import GCCollector
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, ExcInfo, FilteringBoundLogger, Processor

from app.printable import printable

METRICS_TYPE: Final = CONTENT_TYPE_LATEST

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)

_TALKATIVE: Final = {"alembic": logging.WARNING, "asyncpg.pool": logging.ERROR, "uvicorn": logging.WARNING}
"""Libraries that tell of every step, and the least severity of theirs that is worth a line."""

log: FilteringBoundLogger = structlog.get_logger("todas")
"""The service's own logger: `log.info("what happened", key=value)`."""


def configure_logging(level: str, form: Literal["text", "json"]) -> None:
    """Sends every line, the libraries' too, to standard error in one form. Traces hold no values: some are secret."""
    steps: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: Processor
    if form == "json":
        steps.append(structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)))
        last = structlog.processors.JSONRenderer(serializer=_json)
    else:
        steps.append(_on_one_line)
        last = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=_traceback)
    structlog.configure(
        processors=[*steps, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    output = logging.StreamHandler(sys.stderr)
    output.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=steps, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
        )
    )
    logging.basicConfig(handlers=[output], level=level.upper(), force=True)
    for name, least in _TALKATIVE.items():
        logging.getLogger(name).setLevel(max(least, logging.root.level))


def _json(event: Any, **given: Any) -> str:
    return printable(json.dumps(event, **given))


def _on_one_line(_: Any, __: str, event: EventDict) -> EventDict:
    """A step: what others wrote, a path or a name, neither acts on a terminal nor makes a line of its own."""
    return {name: printable(value) if isinstance(value, str) else value for name, value in event.items()}


def _traceback(lines: TextIO, raised: ExcInfo) -> None:
    written = StringIO()
    structlog.dev.plain_traceback(written, raised)
    # What an error quotes may hold lines too: none of them begins like one of the log.
    lines.write("\n".join([f"    {printable(line)}" for line in written.getvalue().split("\n")]))


def begin_request(request_id: str) -> None:
    """From here on every line of this task names the request."""
    structlog.contextvars.bind_contextvars(request_id=request_id)


class Telemetry:
    """The figures of one application, in a registry of its own so that two can live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        PlatformCollector(self.registry)
        ProcessCollector(registry=self.registry)
        GCCollector(self.registry)
        self.in_flight = Gauge("todas_requests_in_flight", "Requests being answered now.", registry=self.registry)
        self._requests = Counter(
            "todas_requests", "Requests answered.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "todas_request_seconds", "Time to answer.", ("method", "route"), buckets=_SECONDS, registry=self.registry
        )
        self.streams = Gauge("todas_streams_open", "Streams that are open now.", registry=self.registry)
        self._closed = Counter(
            "todas_streams_closed", "Streams that this service ended.", ("code",), registry=self.registry
        )
        self._problems = Counter("todas_problems", "Problems answered, by code.", ("code",), registry=self.registry)
        # prometheus-client looks a child up under a lock and by a tuple it builds; one request needs two of them.
        self._children: dict[tuple[str, str, int], tuple[Any, Any]] = {}

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Counts one request. `route` is the template of its path, never the path itself."""
        key = (method, route, status)
        children = self._children.get(key)
        if children is None:
            children = self._requests.labels(method, route, status), self._seconds.labels(method, route)
            self._children[key] = children
        children[0].inc()
        children[1].observe(seconds)

    def problem(self, code: str) -> None:
        """Counts one problem."""
        self._problems.labels(code).inc()

    def stream_closed(self, code: int) -> None:
        """Counts one stream that the service ended, by close code."""
        self._closed.labels(code).inc()

    def count(self, name: str, what: str, read: Callable[[], int]) -> None:
        """Shows a count that is kept elsewhere, as it is whenever the figures are asked for."""
        self.registry.register(_Count(name, what, read))

    def level(self, name: str, what: str, read: Callable[[], int]) -> None:
        """Shows a figure that rises and falls elsewhere, as `count` does."""
        Gauge(name, what, registry=self.registry).set_function(read)

    def exposition(self) -> bytes:
        """Everything in the text form of Prometheus."""
        return generate_latest(self.registry)


class _Count(Collector):
    """prometheus-client's own counters can only be added to, which costs more than a number that is counted anyway."""

    def __init__(self, name: str, what: str, read: Callable[[], int]) -> None:
        self._name = name
        self._what = what
        self._read = read

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self._name, self._what, self._read())
