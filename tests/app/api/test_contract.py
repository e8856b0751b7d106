from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

from app import openapi
from app.database import Place
from app.errors import PROBLEMS
from app.main import create_app
from app.settings import Settings
from tests.app.api.served import PATIENCE, serve
from tests.app.conftest import fresh_database

COMMITTED = Path(__file__).parents[3] / "openapi" / "openapi.json"
CONTRACT: dict[str, Any] = json.loads(COMMITTED.read_text(encoding="utf-8"))
SCHEMA = schemathesis.openapi.from_path(str(COMMITTED))
SCHEMA.config.phases.coverage.enabled = False  # hundreds of requests a route; what they try stands in test_edge
PROMISED = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_headers_conformance",
        "response_schema_conformance",
    ]
)


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path, method, operation) for path, item in CONTRACT["paths"].items() for method, operation in item.items()]


def body_examples(operation: dict[str, Any]) -> list[Any]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return [example["value"] for example in content.get("examples", {}).values()]


def test_the_committed_contract_is_what_the_routes_make() -> None:
    app = create_app(Settings(), Place("postgresql://"))

    assert COMMITTED.read_text(encoding="utf-8") == openapi.text(app)


def test_the_largest_whole_number_is_written_out() -> None:
    text = openapi.text(create_app(Settings(), Place("postgresql://")))

    assert ('"maximum": 9223372036854775807' in text, "e+18" in text) == (True, False)


def test_every_operation_has_a_name_a_summary_a_description_and_a_tag() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]

    assert len(set(names)) == len(names)
    for _, _, operation in operations():
        assert operation["summary"]
        assert operation["description"]
        assert operation["tags"]


def test_every_refusal_is_documented_as_a_problem_by_its_code() -> None:
    for path, method, operation in operations():
        for status, response in operation["responses"].items():
            if status >= "400":
                (media_type,) = response["content"]
                codes = response["content"][media_type]["examples"]
                assert media_type == "application/problem+json", (method, path)
                assert {PROBLEMS[code].status for code in codes} == {int(status)}, (method, path)


def test_every_body_has_an_example() -> None:
    without = [f"{method} {path}" for path, method, op in operations() if "requestBody" in op and not body_examples(op)]

    assert without == []


def test_every_name_in_it_is_found_in_it() -> None:
    names = set(CONTRACT["components"]["schemas"])
    used = {part.split('"')[0] for part in COMMITTED.read_text(encoding="utf-8").split("#/components/schemas/")[1:]}

    assert used == names


def test_generators_of_clients_find_a_class_of_its_own_in_every_schema() -> None:
    schemas = CONTRACT["components"]["schemas"]
    forms = [form for schema in schemas.values() for form in schema.get("anyOf", ()) if "properties" in form]
    titles = [schema.get("title", name) for name, schema in schemas.items()] + [form["title"] for form in forms]

    assert [
        name for name, schema in schemas.items() if "properties" in schema and {"anyOf", "oneOf"} & set(schema)
    ] == []
    assert [name for name in schemas if "__" in name] == []
    assert len(set(titles)) == len(titles)


def test_a_client_is_told_where_the_service_is_and_for_what_it_needs_a_token() -> None:
    free = {operation["operationId"] for _, _, operation in operations() if operation["security"] == []}

    assert CONTRACT["servers"][0]["url"] == "/"
    assert {"sign_up", "recover_player", "list_tiles"} <= free
    assert not {"create_game", "act", "get_game"} & free


@pytest.fixture(scope="module")
def address(postgres: str) -> Iterator[str]:
    with fresh_database(postgres, f"todas_contract_{os.getpid()}") as url, serve(url) as served:
        yield served.address


@SCHEMA.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_no_request_finds_a_mistake_or_an_answer_that_is_not_documented(
    case: schemathesis.Case[Any], address: str
) -> None:
    guest = httpx.post(f"{address}/v1/players", json={"display_name": "Fuzz"}, timeout=PATIENCE).json()
    headers = {"Authorization": f"Bearer {guest['token']}"}
    if "game_id" in case.path_parameters:
        # A made-up id would only ever find that there is no such game.
        made = httpx.post(f"{address}/v1/games", headers=headers, timeout=PATIENCE)
        case.path_parameters["game_id"] = made.raise_for_status().json()["game"]["id"]
    if "wait" in (case.query or {}):
        case.query["wait"] = 0

    case.call_and_validate(base_url=address, headers=headers, checks=PROMISED, timeout=PATIENCE)  # type: ignore[arg-type]
