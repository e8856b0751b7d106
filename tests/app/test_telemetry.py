"""What the log says of others' words is in one line, and does nothing to the terminal that shows it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.test_architecture import ROOT

HOSTILE = "/v1/\x1b[2J\x9b2J\x7f\u202e\r\n2026-11-30 [error] all is lost"
LOGS = """
import logging, sys
from app.telemetry import configure_logging, log
path = sys.stdin.buffer.read().decode()
configure_logging("debug", sys.argv[1])
log.debug("answered", path=path, paths=[path])
logging.getLogger("library").warning("no route to %s", path)
try:
    raise ValueError(path)
except ValueError as error:
    log.error("a request failed", path=path, exc_info=error)
"""


def logged(form: str) -> list[str]:
    command = [sys.executable, "-c", LOGS, form]
    done = subprocess.run(command, input=HOSTILE.encode(), cwd=ROOT, capture_output=True, check=True)
    return done.stderr.decode().splitlines()


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_others_wrote_does_nothing_to_the_terminal_that_shows_the_log(form: str):
    lines = logged(form)
    assert [line for line in lines if not line.isprintable()] == []
    assert sum("u001b[2J" in line for line in lines) >= 3


def test_what_others_wrote_makes_no_line_of_its_own():
    told, of_a_library, failed, *trace = logged("text")
    assert ("answered" in told, "no route to" in of_a_library, "a request failed" in failed) == (True, True, True)
    assert "    2026-11-30 [error] all is lost" in trace
    assert [line for line in trace if not line.startswith(" ")] == []


def test_a_line_of_json_says_what_was_written():
    first, library, failed = map(json.loads, logged("json"))
    assert (first["path"], failed["path"]) == (HOSTILE, HOSTILE)
    assert library["event"] == f"no route to {HOSTILE}"
