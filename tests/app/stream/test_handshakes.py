"""Handshakes that open nothing: each is answered, at once, and is no fault of the server's."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator

import pytest

from tests.app.stream.streaming import PATIENCE, Site

GET = "GET /v1/games/none/stream HTTP/1.1"
WANTED = ("Host: x", "Connection: Upgrade", "Upgrade: websocket")
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
VERSION = "Sec-WebSocket-Version: 13"
VALID = (*WANTED, KEY, VERSION)


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """What the server logs as an error meanwhile."""
    told: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage())

    listener, loggers = Listener(logging.ERROR), [logging.getLogger(name) for name in ("uvicorn.error", "asyncio")]
    for logger in loggers:
        logger.addHandler(listener)
    yield told
    for logger in loggers:
        logger.removeHandler(listener)


async def answer_to(site: Site, start: str, *headers: str, body: str = "") -> tuple[int, str]:
    """The status and the body of what the server answers before it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write("\r\n".join((start, *headers, "", body)).encode("latin-1"))
    async with asyncio.timeout(PATIENCE):
        told = (await reader.read()).decode()
    writer.close()
    head, _, content = told.partition("\r\n\r\n")
    return int(head.split()[1]), content


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://["])
async def test_a_page_of_another_origin_is_no_error_of_the_server(site: Site, errors: list[str], origin: str):
    status, content = await answer_to(site, GET, *VALID, f"Origin: {origin}")
    assert (status, json.loads(content)["code"], errors) == (403, "origin_not_allowed", [])


@pytest.mark.parametrize("path", ["/v1/nothing", "/v1/games", "/v1/games//stream"])
async def test_where_no_stream_is_the_right_addresses_are_told(site: Site, errors: list[str], path: str):
    status, content = await answer_to(site, f"GET {path} HTTP/1.1", *VALID)
    refused = json.loads(content)
    assert (status, refused["code"], errors) == (404, "unknown_route", [])
    assert "/v1/lobby/stream" in refused["detail"]


@pytest.mark.parametrize(
    ("start", "headers", "body", "status"),
    [
        (GET, (*WANTED, VERSION), "", 400),
        (GET, (*WANTED, KEY), "", 400),
        (GET, (*WANTED, VERSION, "Sec-WebSocket-Key: abc"), "", 400),
        (GET, (*WANTED, KEY, "Sec-WebSocket-Version: 8"), "", 400),
        (GET, (*VALID, "Content-Length: 2"), "{}", 400),
        (GET, (*VALID, "Transfer-Encoding: chunked"), "0\r\n\r\n", 400),
        (GET.replace("GET", "POST"), VALID, "", 405),
        (GET.replace("GET", "POST"), (*VALID, "Content-Length: 2"), "{}", 400),
        (GET, (*VALID, *(f"X-{number}: a" for number in range(200))), "", 431),
        (GET, (*VALID, f"X-A: {'a' * 9000}"), "", 431),
        (f"GET /{'a' * 9000} HTTP/1.1", VALID, "", 414),
    ],
)
async def test_what_is_no_handshake_is_answered_and_no_error_of_the_server(
    site: Site, errors: list[str], start: str, headers: tuple[str, ...], body: str, status: int
):
    answered, content = await answer_to(site, start, *headers, body=body)
    assert (answered, errors) == (status, [])
    assert content.startswith("Failed to open a WebSocket connection: ")
