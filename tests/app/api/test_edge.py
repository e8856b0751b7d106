from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.requests import Request
from starlette.types import Message

from app.body import MAX_BODY, MAX_DEPTH, read
from app.errors import Problem
from app.main import Todas
from app.settings import Settings
from tests.app.api.conftest import Guest, problem

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "invalid_request"),
        (b"{", "malformed_json"),
        (b"\xef\xbb\xbf{}", "malformed_json"),
        (b'{"display_name": NaN}', "malformed_json"),
        (b'{"display_name": 1e999}', "malformed_json"),
        (b'{"display_name": "a"} {}', "malformed_json"),
        (b'{"display_name": "a\x01"}', "malformed_json"),
        (b'{"display_name": "\xff"}', "invalid_text"),
        (b'{"display_name": "a\\u0000b"}', "invalid_text"),
        (b'{"display_name": "\\ud800"}', "invalid_text"),
        (b'{"display_name": "\\udc00\\ud800"}', "invalid_text"),
        (b'{"\\ud800": "a"}', "invalid_text"),
        (b'{"display_name": ["\\u0000"]}', "invalid_text"),
        (b'{"display_name": "a", "display_name": "b"}', "duplicate_member"),
        (b'{"display_name": 9223372036854775808}', "integer_out_of_range"),
        (b'{"display_name": -9223372036854775809}', "integer_out_of_range"),
        (b'{"display_name": ' + b"9" * 5000 + b"}", "integer_out_of_range"),
        (b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "nested_too_deep"),
        (b"[" * 60_000, "nested_too_deep"),
        (b"[]", "invalid_request"),
        (b"null", "invalid_request"),
        (b"{}", "invalid_request"),
        (b'{"display_name": 5}', "invalid_request"),
        (b'{"display_name": ""}', "invalid_request"),
        (b'{"display_name": "   "}', "invalid_request"),
        (b'{"display_name": "a\\nb"}', "invalid_request"),
        (b'{"display_name": "a\\u202eb"}', "invalid_request"),
        (b'{"display_name": "' + b"a" * 41 + b'"}', "invalid_request"),
        (b'{"display_name": "a", "admin": true}', "invalid_request"),
    ],
)
async def test_a_body_that_cannot_be_taken_is_refused_with_a_code(
    client: httpx.AsyncClient, body: bytes, code: str
) -> None:
    answer = await client.post("/v1/players", content=body, headers=JSON)

    assert (answer.status_code, problem(answer)["code"]) == (422, code)


async def test_a_number_that_is_shown_cut_ends_in_dots(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", content=b'{"display_name": 1' + b"0" * 30 + b"}", headers=JSON)

    assert problem(answer)["detail"] == f"1{'0' * 23}… does not fit in 64 bits."


async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def receive() -> Message:
        return await asyncio.Future()

    with pytest.raises(Problem, match="body_too_slow"):
        await read(Request({"type": "http", "method": "POST", "headers": []}, receive), patience=0.01)


@pytest.mark.parametrize(
    "name", ["Aling Nena", "Ñiña", "👩‍👩‍👧", "\\ud83d\\ude00", "\\\\u0000", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["]
)
async def test_a_name_that_only_looks_odd_is_taken(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.post("/v1/players", content=f'{{"display_name": "{name}"}}'.encode(), headers=JSON)

    assert answer.status_code == 201


async def test_a_field_at_fault_is_pointed_at(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", json={"display_name": 5, "a/b": 1})

    assert [(fault["part"], fault["pointer"]) for fault in problem(answer)["errors"]] == [
        ("body", "/display_name"),
        ("body", "/a~1b"),
    ]


async def test_an_announced_body_that_is_too_large_is_not_read(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", content=b" " * (MAX_BODY + 1), headers=JSON)

    assert (answer.status_code, problem(answer)["code"]) == (413, "body_too_large")


async def test_a_chunked_body_that_is_too_large_is_not_read_to_its_end(client: httpx.AsyncClient) -> None:
    sent = 0

    async def chunks() -> AsyncIterator[bytes]:
        nonlocal sent
        for _ in range(1000):
            sent += 1
            yield b" " * 1024

    answer = await client.post("/v1/players", content=chunks(), headers=JSON)

    assert (answer.status_code, problem(answer)["code"]) == (413, "body_too_large")
    assert sent * 1024 <= MAX_BODY + 1024


async def test_a_route_without_a_body_refuses_a_large_one_too(client: httpx.AsyncClient, guest: Guest) -> None:
    answer = await client.post("/v1/players/me/recovery_code", content=b" " * (MAX_BODY + 1), headers=guest.headers)

    assert (answer.status_code, problem(answer)["code"]) == (413, "body_too_large")


async def test_a_body_in_another_format_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", data={"display_name": "Nena"})

    assert (answer.status_code, problem(answer)["code"]) == (415, "unsupported_media_type")


async def test_a_body_without_a_media_type_is_read_as_json(client: httpx.AsyncClient) -> None:
    answer = await client.post("/v1/players", content=b'{"display_name": "Nena"}')

    assert answer.status_code == 201


@pytest.mark.parametrize(
    "target",
    [
        "/v1/players/%00",
        "/v1/players/%ff",
        "/v1/players/%ed%a0%80",
        "/%00",
        "/livez?a=%00",
        "/livez?%ed%a0%80=1",
    ],
)
async def test_an_address_that_is_no_text_is_refused(client: httpx.AsyncClient, guest: Guest, target: str) -> None:
    answer = await client.get(target, headers=guest.headers)

    assert (answer.status_code, problem(answer)["code"]) == (422, "invalid_text")


@pytest.mark.parametrize("name", ["Authorization", "Idempotency-Key", "If-None-Match", "X-Request-ID", "X-Anything"])
async def test_a_header_with_a_nul_is_refused(client: httpx.AsyncClient, name: str) -> None:
    answer = await client.get("/livez", headers=[(name.encode(), b"a\0b")])

    assert (answer.status_code, problem(answer)["code"]) == (422, "invalid_text")


@pytest.mark.parametrize("token", [b"Bearer \xff\xfe", b"Bearer", b"Basic abc", b"Bearer a b c", b""])
async def test_a_token_that_is_none_is_unauthenticated(client: httpx.AsyncClient, token: bytes) -> None:
    answer = await client.get("/v1/players/me", headers=[(b"Authorization", token)])

    assert (answer.status_code, problem(answer)["code"]) == (401, "unauthenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "target", ["/v2", "/v1", "/v1/nothing", "/v1/players/", "/livez/", "/v1//players", "/docs/swagger/no"]
)
async def test_an_unknown_address_is_a_problem(client: httpx.AsyncClient, target: str) -> None:
    answer = await client.get(target)

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_route")


@pytest.mark.parametrize("target", ["/v1/games//events", "/v1/games/", "/v1//players"])
async def test_an_address_without_an_id_is_told_what_is_missing(client: httpx.AsyncClient, target: str) -> None:
    assert "A member of this path is empty" in problem(await client.get(target))["detail"]


async def test_the_bare_address_leads_to_the_documentation(client: httpx.AsyncClient) -> None:
    answer = await client.get("/")

    assert (answer.status_code, answer.headers["location"]) == (307, "docs")


async def test_a_wrong_method_is_told_all_the_right_ones(client: httpx.AsyncClient) -> None:
    answer = await client.put("/v1/players/me")

    assert (answer.status_code, problem(answer)["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH"


async def test_options_tells_the_methods(client: httpx.AsyncClient) -> None:
    answer = await client.options("/v1/players")

    assert (answer.status_code, answer.headers["allow"], answer.content) == (204, "OPTIONS, POST", b"")


async def test_options_of_nothing_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await client.options("/v1/nothing")

    assert answer.status_code == 404


async def test_head_is_get_without_the_body(client: httpx.AsyncClient) -> None:
    got, headed = await client.get("/v1/tiles"), await client.head("/v1/tiles")

    assert (headed.status_code, headed.content) == (200, b"")
    assert headed.headers["content-length"] == got.headers["content-length"]


async def test_a_request_id_of_the_caller_is_used(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/nothing", headers={"X-Request-ID": "mine:1"})

    assert problem(answer)["request_id"] == "mine:1"


async def test_a_request_id_in_another_form_is_replaced(client: httpx.AsyncClient) -> None:
    answer = await client.get("/livez", headers={"X-Request-ID": "two words"})

    assert answer.headers["x-request-id"] not in ("", "two words")


async def test_every_answer_carries_the_headers_that_keep_browsers_in_line(client: httpx.AsyncClient) -> None:
    for answer in (await client.get("/livez"), await client.get("/v1/nothing"), await client.post("/v1/players")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"].startswith("default-src 'none'")
        assert answer.headers["cache-control"] == "no-store"


async def test_a_mistake_of_ours_is_a_problem_that_tells_nothing(app: Todas, client: httpx.AsyncClient) -> None:
    @app.get("/mistake")
    async def mistake() -> None:
        raise ZeroDivisionError("the secret of the house")

    answer = await client.get("/mistake")

    assert (answer.status_code, problem(answer)["code"]) == (500, "internal")
    assert "secret" not in answer.text


async def test_no_origin_is_allowed_unless_it_was_named(client: httpx.AsyncClient) -> None:
    answer = await client.get("/livez", headers={"Origin": "https://elsewhere.example"})

    assert "access-control-allow-origin" not in answer.headers


class TestNamedOrigins:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(cors_origins=["https://table.example"])

    async def test_a_named_origin_may_ask_and_read_what_it_needs(self, client: httpx.AsyncClient) -> None:
        asked = await client.options(
            "/v1/players/me",
            headers={
                "Origin": "https://table.example",
                "Access-Control-Request-Method": "PATCH",
                "Access-Control-Request-Headers": "authorization,idempotency-key",
            },
        )
        got = await client.get("/v1/nothing", headers={"Origin": "https://table.example"})

        assert asked.status_code == 200
        assert got.headers["access-control-allow-origin"] == "https://table.example"
        assert "Retry-After" in got.headers["access-control-expose-headers"]
