"""Every way the service says no: one table of stable codes, one exception, one shape on the wire (RFC 9457).
A code, its status and its advice on trying again never change; texts may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json
from starlette.responses import Response

MEDIA_TYPE: Final = "application/problem+json"

Retry = Literal["never", "same_id", "after"]
"""What a client may do: nothing but change the request; repeat it with the same id, since the outcome is unknown or
nothing was done; or repeat it after a while, or once the state has changed."""

Part = Literal["body", "query", "path", "header", "cookie"]


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One row of the table."""

    code: str
    status: int
    retry: Retry
    title: str


_ROWS: Final[tuple[tuple[str, int, Retry, str], ...]] = (
    # the request itself
    ("invalid_request", 422, "never", "The request does not fit its description."),
    ("malformed_json", 422, "never", "The body is not JSON."),
    ("duplicate_member", 422, "never", "An object in the body names a member twice."),
    ("nested_too_deep", 422, "never", "The body is nested too deep."),
    ("integer_out_of_range", 422, "never", "A whole number does not fit in 64 bits."),
    ("invalid_text", 422, "never", "A text holds a NUL, a lone surrogate or bytes that are not UTF-8."),
    ("body_too_large", 413, "never", "The body is larger than this service reads."),
    ("body_too_slow", 408, "same_id", "The body did not come in time."),
    ("unsupported_media_type", 415, "never", "The body must be sent as application/json."),
    ("unknown_route", 404, "never", "There is nothing at this address."),
    ("method_not_allowed", 405, "never", "This address does not answer that method."),
    ("upgrade_required", 426, "never", "This address opens a WebSocket."),
    ("precondition_failed", 412, "after", "The resource has changed since it was read."),
    ("invalid_idempotency_key", 422, "never", "An Idempotency-Key is 1 to 64 of the characters A-Z a-z 0-9 . _ : -"),
    ("idempotency_key_reused", 422, "never", "This Idempotency-Key was used with another request."),
    ("idempotency_key_in_use", 409, "same_id", "The first request with this Idempotency-Key is still running."),
    # who asks
    ("unauthenticated", 401, "never", "A valid bearer token is needed."),
    ("scope_missing", 403, "never", "The token does not have the scope this needs."),
    ("origin_not_allowed", 403, "never", "Pages of this origin may not open streams here."),
    ("unknown_recovery_code", 404, "never", "No player has this recovery code."),
    ("unknown_player", 404, "never", "There is no such player."),
    ("unknown_token", 404, "never", "There is no such token of yours."),
    ("unknown_ruleset", 404, "never", "There is no such ruleset."),
    ("unknown_problem", 404, "never", "There is no such problem code."),
    ("rate_limited", 429, "after", "Too many requests of this kind."),
    ("too_many_streams", 429, "after", "You have too many streams open: close one first."),
    # the service
    ("draining", 503, "after", "This server is about to stop."),
    ("database_away", 503, "same_id", "The database does not answer."),
    ("overloaded", 503, "same_id", "More is waiting than this server can take."),
    ("busy", 503, "same_id", "Others were changing the same for too long: nothing was done."),
    ("outcome_unknown", 503, "same_id", "Whether this was done is not known yet."),
    ("internal", 500, "same_id", "The service made a mistake."),
    # games
    ("unknown_game", 404, "never", "There is no such game, or not for you."),
    ("unknown_round", 404, "never", "There is no such round of this game yet."),
    ("unknown_event", 404, "never", "There is no such event of this game."),
    ("behind", 409, "after", "The event that was insisted on is not known yet."),
    ("not_seated", 403, "never", "You have no seat in this game."),
    ("not_the_owner", 403, "never", "Only the owner of the table may do this."),
    ("invalid_option", 422, "never", "There is no such option, or not with this value."),
    ("invalid_rules", 422, "never", "These options cannot stand together."),
    ("seeds_not_allowed", 403, "never", "This server does not let a game name its seed."),
    ("unknown_tile", 422, "never", "There is no such tile."),
    ("invalid_hand", 422, "never", "No seat could hold these tiles."),
    ("action_id_reused", 422, "never", "This action_id was used with another action."),
    ("unsupported_format", 503, "after", "The game was written by a newer version of the service."),
    ("paused", 409, "after", "The game is paused."),
    # tables that wait, and who sits there
    ("not_started", 409, "after", "The table waits for its players."),
    ("already_started", 409, "never", "The game has begun."),
    ("unknown_code", 404, "never", "No table can be joined with this code."),
    ("seat_taken", 409, "never", "Somebody else has this seat."),
    ("table_full", 409, "after", "No seat of this table is free."),
    ("too_many_tables", 409, "after", "You wait at too many tables: leave one first."),
    ("barred", 403, "never", "The owner of the table has sent you away."),
    ("not_ready", 409, "after", "Not everybody at the table is ready."),
    ("seats_open", 409, "after", "A seat is still free: wait, or fill it with a bot."),
    ("not_at_table", 409, "never", "This player has no seat at the table."),
    ("seat_left", 409, "never", "You have left this seat: join again to play it."),
    ("not_away", 409, "after", "The person at this seat is here."),
    ("not_over", 409, "after", "The game has not ended."),
    # what is said at a table, and advice
    ("free_text_off", 403, "never", "This table speaks in phrases and reactions only."),
    ("unknown_phrase", 422, "never", "There is no such phrase or reaction."),
    ("unknown_message", 404, "never", "Nothing was said at this table under this number."),
    ("hints_off", 403, "never", "This table gives no hints."),
    # what the engine refuses (engine.actions.RefusalCode)
    ("stale_decision", 409, "never", "The game has moved on to another decision."),
    ("not_your_turn", 409, "after", "It is not this seat's turn."),
    ("no_tile", 409, "after", "There is no winning tile: draw first, or discard."),
    ("incomplete", 409, "after", "The hand is not complete."),
    ("joker_eye_is_draw_only", 409, "after", "A Joker Eye wait wins by draw only."),
    ("locked_after_pass", 409, "after", "An offered win was let go: no win on discards until the next draw."),
    ("draw_first", 409, "after", "The seat has to draw first."),
    ("already_drawn", 409, "never", "The seat has already drawn."),
    ("tile_not_held", 409, "never", "The seat does not hold this tile."),
    ("claim_not_offered", 409, "never", "The seat has no such claim."),
    ("kong_not_allowed", 409, "never", "This kong is not allowed now."),
    ("choice_needed", 409, "never", "Several legal actions fit: name one of `choices`."),
    ("nothing_to_pass", 409, "never", "There is no window to pass."),
    ("wrong_round", 409, "never", "Another round is being settled, or none."),
    ("amend_not_allowed", 409, "never", "The points of this round cannot be amended by this seat now."),
    ("amend_not_balanced", 422, "never", "The amended points do not sum to zero with pot and house."),
    ("nothing_to_change", 409, "never", "It is that way already."),
    ("game_over", 409, "never", "The game has ended."),
)

PROBLEMS: Final[Mapping[str, ProblemKind]] = {row[0]: ProblemKind(*row) for row in _ROWS}
"""Every stable code of the service."""

_NEXT: Final[Mapping[str, str]] = {
    "origin_not_allowed": "A page of another host opens streams here once TODAS_CORS_ORIGINS names its origin.",
    "unknown_code": "This code opens no table: it may be mistyped, used up or out of date, or its table has begun; "
    "whoever sits there opens that by its id, which GET /v1/games tells.",
    "table_full": "No seat is free: wait for one, or take another table. GET /v1/lobby shows those that wait.",
}
"""The next step, where the title of a code does not show it and every case of the code is told alike."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with the request: the part it is in, a JSON Pointer (RFC 6901) into that part, and what it is."""

    part: Part
    pointer: str
    detail: str


def pointer_to(steps: Iterable[int | str]) -> str:
    """The JSON Pointer that takes these steps."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


class Problem(Exception):
    """The answer to this request is a problem. `code` is a key of PROBLEMS; `members` are further members of its body.
    Without a `detail` it tells the first `errors`, or the next step.

    `headers` go on the answer, such as Retry-After. Raises KeyError for a code that is not in the table.
    """

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        errors: Iterable[Fault] = (),
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind = PROBLEMS[code]
        self.errors = tuple(errors)
        found = "; ".join(f"{fault.part}{fault.pointer}: {fault.detail}" for fault in self.errors[:3])
        self.detail = detail or found or _NEXT.get(code, self.kind.title)
        self.headers = dict(headers or {})
        self.members = dict(members or {})
        super().__init__(f"{code}: {self.detail}")

    def body(self, *, instance: str, request_id: str) -> dict[str, Any]:
        """The members of the problem as they go on the wire."""
        body: dict[str, Any] = {
            "type": f"/v1/problems/{self.kind.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "instance": instance,
            "code": self.kind.code,
            "retry": self.kind.retry,
            "request_id": request_id,
        }
        if self.errors:
            body["errors"] = self.errors
        return body | self.members


def unavailable(code: str, seconds: int, detail: str = "") -> Problem:
    """A 503 or 429 that says in how many seconds to come back."""
    return Problem(code, detail, headers={"Retry-After": str(seconds)})


def respond(problem: Problem, *, instance: str, request_id: str) -> Response:
    """The problem as an answer."""
    content = to_json(problem.body(instance=instance, request_id=request_id))
    return Response(content, problem.kind.status, problem.headers, MEDIA_TYPE)


class FieldFault(BaseModel):
    """One thing that is wrong with the request."""

    part: Part = Field(description="The part of the request it is in.")
    pointer: str = Field(description="JSON Pointer into that part; empty for the whole of it.")
    detail: str


class ProblemDetails(BaseModel):
    """What every answer from 400 on looks like (RFC 9457). Some codes add members of their own."""

    model_config = ConfigDict(title="Problem", extra="allow")

    type: str = Field(description="Where this code is described.")
    title: str
    status: int
    detail: str = Field(description="What happened this time.")
    instance: str = Field(description="The path that was asked for.")
    code: str = Field(description="Stable: programs decide by it.")
    retry: Retry = Field(
        description="`never`: only another request can succeed. `same_id`: repeat it with the same `action_id` or "
        "`Idempotency-Key`. `after`: repeat it later, after `Retry-After` where it is sent."
    )
    request_id: str = Field(description="Also in the header `X-Request-ID`; name it when you report the problem.")
    errors: list[FieldFault] = Field(default=[], description="Only where single fields are at fault.")


def documented(*codes: str) -> dict[int | str, dict[str, Any]]:
    """The answers of a route which are these problems, for FastAPI's `responses`: one entry a status, whose schema and
    examples stand among the contract's components.

    Raises KeyError for a code that is not in the table.
    """
    responses: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        kind = PROBLEMS[code]
        content = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}
        response = responses.setdefault(kind.status, {"description": "", "content": {MEDIA_TYPE: content}})
        response["description"] = f"{response['description']} `{code}`: {kind.title}".strip()
        response["content"][MEDIA_TYPE]["examples"][code] = {"$ref": f"#/components/examples/{code}"}
    return responses


def problem_example(code: str) -> dict[str, Any]:
    """The problem of a code as an example of the contract."""
    return {"value": Problem(code).body(instance="/v1/players/me", request_id="0c9ae1f25d7b4c38")}
