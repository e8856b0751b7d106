"""The contract, generated from the routes: what FastAPI derives, and what every route here answers besides.
openapi/openapi.json is this, written out; a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from app.body import MAX_INTEGER
from app.errors import MEDIA_TYPE, PROBLEMS, ProblemDetails, documented, problem_example

_DESCRIPTION: Final = """\
Filipino Mahjong for programs: `emay` and `tsumo`, one person against bots or four people at a table.

**A first game here:** `POST /v1/players`, copy the `token`, press *Authorize* and paste it; `POST /v1/games`, copy \
the `id`; then `GET /v1/games/{game_id}` shows your hand and `legal_actions`, and the short forms (`draw`, `discard`, \
`claim`, `pass`, `kong`, `win`) play it.

Every answer from 400 on is a problem (RFC 9457) whose `code` is stable; `GET /v1/problems` lists them all. \
Times are RFC 3339 in UTC, ids are opaque, lists are paged by `limit` and `cursor`. Clients must accept members and \
event types they do not know.
"""

_TAGS: Final = (
    ("players", "Guests, their tokens and their recovery."),
    ("games", "Tables: made, listed, seen, ended."),
    ("lobby", "Tables that wait for their players: joined, left, started."),
    ("moves", "What a seat does. Every answer holds the events it led to and the view after them."),
    ("events", "What happened, in order, from any point."),
    ("talk", "What is said at a table, besides the game."),
    ("rules", "Presets, tiles and hands."),
    ("operations", "For operators and probes."),
)
_BODY_CODES: Final = (
    "malformed_json",
    "invalid_request",
    "duplicate_member",
    "nested_too_deep",
    "integer_out_of_range",
    "body_too_large",
    "body_too_slow",
    "unsupported_media_type",
)
_CALLER_CODES: Final = ("unauthenticated", "scope_missing", "rate_limited", "database_away", "busy")
_GENERATED: Final = ("HTTPValidationError", "ValidationError")
_HEADERS: Final[dict[str, tuple[str, str]]] = {
    "X-Request-ID": ("string", "The id of this request, in the logs too; yours, when you sent one."),
    "RateLimit-Policy": ("string", "The budget this request was counted in: `q` requests in `w` seconds."),
    "RateLimit": ("string", "What is left of it: `r` requests, for `t` seconds."),
    "Retry-After": ("integer", "Seconds to wait."),
    "WWW-Authenticate": ("string", "How to authenticate."),
}


def contract(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 document of these routes."""
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary="A headless game service for Filipino Mahjong.",
        description=_DESCRIPTION,
        routes=app.routes,
        tags=[{"name": name, "description": description} for name, description in _TAGS],
        license_info={"name": "MIT", "identifier": "MIT"},
        servers=[{"url": "/", "description": "Where this document comes from."}],
    )
    # The shortest addresses first: nobody can do anything before POST /v1/players.
    document["paths"] = dict(sorted(document["paths"].items(), key=lambda item: str(item[0]).count("/")))
    components = document["components"]
    schemas = components["schemas"]
    documented_codes: set[str] = set()
    for method, operation in _operations(document):
        _complete(method, operation)
        documented_codes.update(_problem_codes(operation["responses"]))
        if "requestBody" in operation:
            _show_examples(operation["requestBody"]["content"]["application/json"], schemas)
    for name in _GENERATED:
        schemas.pop(name, None)
    problem = ProblemDetails.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas |= problem.pop("$defs") | {"Problem": problem}
    components["schemas"] = dict(sorted(schemas.items()))
    _make_whole(document)
    components["examples"] = {code: problem_example(code) for code in PROBLEMS if code in documented_codes}
    components["headers"] = {
        name: {"description": text, "schema": {"type": kind}} for name, (kind, text) in _HEADERS.items()
    }
    return document


def text(app: FastAPI) -> str:
    """The document as it is committed."""
    return json.dumps(app.openapi(), indent=2, ensure_ascii=False) + "\n"


def _make_whole(part: Any) -> None:
    """Writes the bounds of integers as such: FastAPI makes floats of them, and the largest a number too large."""
    if isinstance(part, dict):
        if part.get("type") == "integer":
            part |= {bound: min(int(part[bound]), MAX_INTEGER) for bound in ("minimum", "maximum") if bound in part}
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            _make_whole(inner)


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in document["paths"].values():
        yield from path.items()


def _complete(method: str, operation: dict[str, Any]) -> None:
    """Adds the problems that a route of its kind can always answer, and the headers of each answer."""
    responses = operation["responses"]
    codes = ["invalid_text", *_problem_codes(responses)]
    if "requestBody" in operation:
        codes += _BODY_CODES
    elif method != "get":
        codes += ("body_too_large", "body_too_slow")
    if any(parameter["in"] != "path" for parameter in operation.get("parameters", ())):
        codes.append("invalid_request")
    if "security" in operation:
        codes += _CALLER_CODES
    for status, response in documented(*dict.fromkeys(codes)).items():
        responses[str(status)] = response
    for status, response in responses.items():
        names = {"401": ["WWW-Authenticate"], "429": ["Retry-After"], "503": ["Retry-After"]}.get(status, [])
        if status < "400":
            names = ["X-Request-ID", *(["RateLimit-Policy", "RateLimit"] if "security" in operation else [])]
        if names:
            references = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
            response["headers"] = references | response.get("headers", {})
    operation["responses"] = dict(sorted(responses.items()))
    operation.setdefault("security", [])  # said, where anybody may call


def _show_examples(content: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Puts a body's examples where tools offer them to choose from: beside its schema instead of inside it."""
    for schema in content["schema"].get("anyOf", [content["schema"]]):
        examples = schemas[schema["$ref"].rpartition("/")[2]].get("examples", ()) if "$ref" in schema else ()
        for number, value in enumerate(examples, start=1):
            summary = json.dumps(value, ensure_ascii=False)
            content.setdefault("examples", {})[f"example_{number}"] = {"summary": summary, "value": value}


def _problem_codes(responses: dict[str, Any]) -> list[str]:
    """The codes a route documents itself; FastAPI's own 422 is left out, since it is not answered here."""
    return [
        code
        for response in responses.values()
        for code in response.get("content", {}).get(MEDIA_TYPE, {}).get("examples", ())
    ]
