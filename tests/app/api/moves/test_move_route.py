"""A route of moves answers every request as any route of the service would (decision 0307)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from fastapi import Request
from starlette.responses import Response

from app.api import actions, settlement
from app.api.access import Mover
from app.api.moving import MoveRoute
from app.api.table import GameId, MoveBody
from app.body import MAX_BODY
from app.main import Todas
from app.wire import WireRoute
from tests.app.api.conftest import Guest

JSON = {"content-type": "application/json"}
MOVES = [route for router in (actions.router, settlement.router) for route in router.routes]
SENT: list[tuple[bytes, dict[str, str]]] = [
    (b"", {}),
    (b"", JSON),
    (b"null", JSON),
    (b"{}", JSON),
    (b"{}", {}),
    (b"{", JSON),
    (b"[]", JSON),
    (b"0", JSON),
    (b'"5c"', JSON),
    (b" ", JSON),
    (b"\xff", JSON),
    (b'{"a": 1, "a": 1}', JSON),
    (b'{"tile": "5c"}', {"content-type": "application/merge-patch+json"}),
    (b'{"tile": "5c"}', {"content-type": "application/json; charset=utf-8"}),
    (b'{"tile": "5c"}', {"content-type": "text/plain"}),
    (b'{"tile": "5c", "decision_no": 1.5}', JSON),
    (b'{"tile": "5c", "seat": 1}', JSON),
    (b'{"tile": "5c"}', {**JSON, "idempotency-key": "-a?"}),
    (b'{"tile": "5c"}', {**JSON, "if-match": '"0"'}),
    (b'{"tile": "5c", "action_id": "a"}', {**JSON, "idempotency-key": "b"}),
    (b"a" * (MAX_BODY + 1), JSON),
]


@pytest.fixture
def both(app: Todas) -> None:
    """Each route of moves a second time, under another address, as a route like any other."""
    for route in MOVES:
        assert isinstance(route, MoveRoute)
        usual = WireRoute(
            f"/usual{route.path}", route.endpoint, methods=["POST"], response_model=None, status_code=route.status_code
        )
        app.router.routes.append(usual)


@pytest.fixture
async def game(client: httpx.AsyncClient, guest: Guest) -> str:
    made = await client.post("/v1/games", headers=guest.headers, json={"ruleset": "tsumo"})
    return str(made.json()["game"]["id"])


@pytest.mark.usefixtures("both")
@pytest.mark.parametrize("path", [route.path for route in MOVES if isinstance(route, MoveRoute)])
async def test_whatever_is_sent_is_answered_as_by_any_other_route(
    client: httpx.AsyncClient, guest: Guest, game: str, path: str
) -> None:
    for headers in (guest.headers, {}, {"authorization": "Bearer none"}):
        for body, more in SENT:
            for wanted in (path.format(game_id=game), path.format(game_id="0" * 32)):
                # What would move is moved by the first: a token that is refused comes to the same.
                ours, usual = [
                    await client.post(address, content=body, headers={**headers, **more})
                    for address in (wanted, f"/usual{wanted}")
                ]
                if ours.status_code != 200:
                    assert told(ours) == told(usual), (body, more)


def told(answer: httpx.Response) -> dict[str, Any]:
    own = {"request_id", "instance", "legal_actions"}
    return {name: value for name, value in answer.json().items() if name not in own}


async def plain(game_id: GameId, caller: Mover, request: Request) -> Response:
    return Response()


async def with_a_page(game_id: GameId, caller: Mover, request: Request, page: int = 0) -> Response:
    return Response()


async def with_headers(game_id: GameId, caller: Mover, request: Request, response: Response) -> Response:
    return Response()


async def under_another_name(game_id: GameId, caller: Mover, request: Request, sent: MoveBody) -> Response:
    return Response()


async def for_nobody(game_id: GameId, request: Request) -> Response:
    return Response()


def at_once(game_id: GameId, caller: Mover, request: Request) -> Response:
    return Response()


@pytest.mark.parametrize("endpoint", [with_a_page, with_headers, under_another_name, for_nobody, at_once])
def test_an_endpoint_that_it_does_not_fit_is_refused_before_the_service_starts(endpoint: Any) -> None:
    with pytest.raises(TypeError, match="a MoveRoute answers"):
        MoveRoute("/{game_id}", endpoint, methods=["POST"])


def test_one_that_it_fits_is_not_refused() -> None:
    MoveRoute("/{game_id}", plain, methods=["POST"])
