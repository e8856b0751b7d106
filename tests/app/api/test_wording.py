"""Whatever is wrong with a body is told once a field, in plain words, with the way to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.app.api.conftest import Guest, problem
from tests.app.api.served import UNLIMITED
from tests.app.api.test_contract import body_examples, operations

BODIES = [
    (method, path, body_examples(operation)) for path, method, operation in operations() if "requestBody" in operation
]
OTHERS: list[Any] = [None, True, 5, -5, 1.5, 2**40, "", "x", "x" * 500, [], ["x"], [5] * 9, {}, {"x": 5}]
"""What stands in the place of each member in turn."""
RAW = re.compile(
    r"Input|input|Field required|Extra inputs|not permitted|valid |discriminator|[Tt]ag\b|should|tuple|dict|"
    r"argument|instance|items? after|constrained|function|literal|pattern|\^|parse|Value error|regex"
)
"""Words of pydantic's own, and of Python."""


@pytest.fixture
def settings() -> Settings:
    rates: dict[str, Any] = {name.removeprefix("TODAS_").lower(): value for name, value in UNLIMITED.items()}
    return Settings(**rates)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and element of a JSON value: what holds it, and under what."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in list(items):
        yield value, step
        yield from places(inner)


def mistakes(example: Any) -> Iterator[Any]:
    """The example with one thing changed, left out or added; perhaps it is none."""
    yield from OTHERS
    yield {**example, "surprise": 1}
    for number, _ in enumerate(places(example)):
        for other in (*OTHERS, "left out", "added"):
            made = deepcopy(example)
            holder, step = list(places(made))[number]
            if other == "left out":
                del holder[step]
            elif other == "added" and isinstance(holder[step], dict):
                holder[step]["surprise"] = 1
            else:
                holder[step] = other
            yield made


@pytest.mark.parametrize(("method", "path", "examples"), BODIES, ids=[f"{method} {path}" for method, path, _ in BODIES])
async def test_every_mistake_in_a_body_is_told_in_plain_words(
    client: httpx.AsyncClient, guest: Guest, method: str, path: str, examples: list[Any]
) -> None:
    told = set()
    for example in examples:
        for body in mistakes(example):
            address = path.replace("{game_id}", "none")
            answer = await client.request(method, address, json=body, headers=guest.headers)
            if answer.status_code == 422 and "errors" in answer.json():
                refused = problem(answer)
                pointers = [fault["pointer"] for fault in refused["errors"]]
                assert len(set(pointers)) == len(pointers), (body, refused["errors"])
                for fault in refused["errors"][:3]:
                    assert fault["detail"] in refused["detail"]
                    assert fault["pointer"].rpartition("/")[2] in refused["detail"]
                told |= {fault["detail"] for fault in refused["errors"]}

    assert told
    assert [text for text in sorted(told) if RAW.search(text)] == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"seats": 5}, {"/seats": "must be a list"}),
        ({"seats": [5, *[{"type": "bot"}] * 3]}, {"/seats/0": "must be an object"}),
        ({"seats": [{}, *[{"type": "bot"}] * 3]}, {"/seats/0/type": "is missing"}),
        ({"seats": [{"type": "you"}, *[{"type": "bot"}] * 3]}, {"/seats/0/type": "must be 'me', 'bot' or 'open'"}),
        (
            {"seats": [{"type": "me", "name": "Nena"}, *[{"type": "bot"}] * 3]},
            {"/seats/0/name": "is not known here"},
        ),
        ({"seats": [{"type": "me"}, {"type": "bot"}]}, {"/seats": "holds too few elements"}),
        ({"seats": [{"type": "me"}] * 5}, {"/seats": "must hold at most 4 elements"}),
        ({"points": "5"}, {"/points": "must be a whole number or a list"}),
        ({"points": [1, 2, "3", 4]}, {"/points/2": "must be a whole number"}),
        ({"points": 10**10}, {"/points": "must be at most 1000000000"}),
        (
            {"overrides": {"unit": 1.5}},
            {"/overrides/unit": "must be true or false, a whole number, a text or an object"},
        ),
        (
            {"overrides": {"unit": 0, "wings": 1}},
            {
                "/overrides/unit": "unit must be a whole number from 1 to 10000",
                "/overrides/wings": "There is no option 'wings'",
            },
        ),
        ({"length": {"rounds": 0}}, {"/length/rounds": "must be at least 1"}),
        (
            {"visibility": "secret", "ruleset": 5},
            {"/ruleset": "must be a text", "/visibility": "must be 'private' or 'public'"},
        ),
    ],
)
async def test_a_game_that_cannot_be_made_is_told_where_and_why(
    client: httpx.AsyncClient, guest: Guest, body: dict[str, Any], told: dict[str, str]
) -> None:
    refused = problem(await client.post("/v1/games", json=body, headers=guest.headers))

    assert {fault["pointer"]: fault["detail"] for fault in refused["errors"]} == told


@pytest.mark.parametrize(
    ("overrides", "code", "title"),
    [
        ({"wings": True}, "invalid_option", "There is no such option, or not with this value."),
        ({"unit": 0}, "invalid_option", "There is no such option, or not with this value."),
        ({"deal": "dealer17"}, "invalid_rules", "These options cannot stand together."),
    ],
)
async def test_options_that_cannot_stand_together_are_told_from_one_that_cannot_be(
    client: httpx.AsyncClient, guest: Guest, overrides: dict[str, Any], code: str, title: str
) -> None:
    refused = problem(await client.post("/v1/games", json={"overrides": overrides}, headers=guest.headers))

    assert (refused["status"], refused["code"], refused["title"]) == (422, code, title)
    assert {f"/overrides/{field}" for field in overrides} <= {fault["pointer"] for fault in refused["errors"]}


async def test_a_cursor_that_was_not_given_is_told_so(client: httpx.AsyncClient, guest: Guest) -> None:
    refused = problem(await client.get("/v1/games/none/rounds", params={"cursor": "x"}, headers=guest.headers))

    assert refused["detail"] == "query/cursor: must be the `next` of a page"


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"after": "x"}, {"/after": "must be a whole number"}),
        ({"after": -1}, {"/after": "must be at least 0"}),
        ({"wait": 31}, {"/wait": "must be at most 30"}),
        ({"limit": "many", "wait": "long"}, {"/limit": "must be a whole number", "/wait": "must be a number"}),
    ],
)
async def test_a_query_that_does_not_fit_is_told_where_and_why(
    client: httpx.AsyncClient, guest: Guest, query: dict[str, Any], told: dict[str, str]
) -> None:
    refused = problem(await client.get("/v1/games/none/talk", params=query, headers=guest.headers))

    assert {fault["pointer"]: fault["detail"] for fault in refused["errors"]} == told
