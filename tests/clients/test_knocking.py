"""`todas play` where there is no service: it says so before it asks anything, and what to do."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.api.served import TODAS
from tests.clients.terminal import Terminal

INSTEAD = "start one there with `todas serve`, or name another with --server."


def knocking(home: Path, *options: str) -> str:
    """All that a person without an account sees of `todas play`, which ends by itself."""
    command: list[str | Path] = [TODAS, "play", "--patience", "0.3", *options]
    with Terminal(*command, columns=160, XDG_CONFIG_HOME=str(home)) as terminal:
        assert terminal.end() == 1
        return terminal.text


@pytest.fixture
def stranger() -> Iterator[str]:
    """The address of a service that is another one: it answers whatever is asked with a page."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(404 if "missing" in self.path else 200)
            self.end_headers()
            self.wfile.write(b"<p>Welcome")

        def log_message(self, *_: object) -> None:
            """Keeps quiet."""

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_where_nobody_answers_no_name_is_asked_for(tmp_path: Path):
    told = knocking(tmp_path, "--server", "http://127.0.0.1:9")

    assert f"http://127.0.0.1:9 does not answer: {INSTEAD}" in told
    assert "Your name" not in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["", "/missing"])
def test_where_something_else_answers_no_name_is_asked_for(stranger: str, tmp_path: Path, path: str):
    told = knocking(tmp_path, "--server", stranger + path)

    assert f"{stranger}{path} is no Todas service: {INSTEAD}" in told
    assert "Your name" not in told


@pytest.mark.parametrize("address", ["http://[", "http://a:port", "ftp://127.0.0.1"])
def test_what_is_no_address_is_told_without_a_trace(tmp_path: Path, address: str):
    told = knocking(tmp_path, "--server", address)

    assert (INSTEAD in told, "Traceback" in told, "Your name" in told) == (True, False, False)
