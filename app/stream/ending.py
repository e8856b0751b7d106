"""Why a stream ends, and the close code that tells a client what to do about it (api, The stream)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.database import excuse
from app.errors import Problem
from app.telemetry import log

REFUSED: Final = 1008
"""A frame or a token that is not accepted: coming back with the same does not help."""

RESTARTING: Final = 1012
"""This server stops: come back, to whichever serves then."""

LATER: Final = 1013
"""Read too slowly, asked too often, or the service cannot now: come back after a while."""

UNKNOWN_GAME: Final = 4404

_CODES: Final = {
    "unknown_game": UNKNOWN_GAME,
    "unsupported_format": RESTARTING,
    "draining": RESTARTING,
    "rate_limited": LATER,
    "not_started": LATER,
    "database_away": LATER,
    "busy": LATER,
    "overloaded": LATER,
    "too_many_streams": LATER,
    "internal": LATER,
}


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ends: with the problem it is closed for, if any, else a last frame. `in_order` lets what was sent be
    answered first."""

    code: int
    problem: Problem | None = None
    last: bytes | None = None
    in_order: bool = False


def ending_of(problem: Problem) -> Ending:
    """The ending that a problem of a whole stream leads to."""
    return Ending(_CODES.get(problem.kind.code, REFUSED), problem)


def problem_of(error: Exception) -> Problem:
    """What went wrong as it is told to a client; a mistake of ours goes to the log."""
    if isinstance(error, Problem):
        return error
    if problem := excuse(error):
        return problem
    log.error("a stream failed", exc_info=error)
    return Problem("internal")
