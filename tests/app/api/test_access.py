"""Who may do what, route by route. A new route has to take its place in the table."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.app.api.conftest import Guest, problem, sign_up
from tests.app.api.test_contract import CONTRACT, operations

OPEN = {
    "analyze_hand",
    "get_liveness",
    "get_metrics",
    "get_problem",
    "get_readiness",
    "get_ruleset",
    "get_version",
    "list_phrases",
    "list_problems",
    "list_rulesets",
    "list_tiles",
    "recover_player",
    "sign_up",
}
"""No token."""

WATCH = {
    "create_lobby_ticket",
    "create_ticket",
    "get_fairness",
    "get_game",
    "get_me",
    "get_past_view",
    "get_player",
    "get_replay",
    "get_round",
    "list_games",
    "list_own_games",
    "list_rounds",
    "list_talk",
    "poll_events",
    "watch_lobby",
}
"""A token with either scope: nothing of anybody's is changed."""

PLAY = {
    "act",
    "add_token",
    "amend_settlement",
    "ask_rematch",
    "be_ready",
    "claim",
    "confirm_settlement",
    "create_game",
    "delete_me",
    "discard",
    "draw",
    "end_game",
    "get_hint",
    "get_preferences",
    "join_by_code",
    "join_game",
    "kick_player",
    "kong",
    "leave_game",
    "list_tokens",
    "pass_window",
    "pause_game",
    "rename_me",
    "renew_code",
    "replace_recovery_code",
    "report",
    "resume_game",
    "revoke_code",
    "revoke_token",
    "say",
    "set_preferences",
    "start_game",
    "win",
}
"""A token with the scope `play`."""

ROUTES = {operation["operationId"]: (method, path, operation) for path, method, operation in operations()}


async def ask(client: httpx.AsyncClient, name: str, headers: dict[str, str], game_id: str = "none") -> httpx.Response:
    method, path, operation = ROUTES[name]
    target = path.format(game_id=game_id, token_id="x", player_id="x", number=1, seq=1, ruleset_id="emay", code="x")
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    bodies = [example["value"] for example in content.get("examples", {}).values()]
    body: dict[str, Any] = {"json": bodies[0]} if bodies else {}
    return await client.request(method, target, headers=headers, **body)


def test_every_route_has_its_place_in_the_table() -> None:
    assert set(ROUTES) == OPEN | WATCH | PLAY
    assert {name for name, (_, _, operation) in ROUTES.items() if not operation["security"]} == OPEN
    assert list(CONTRACT["components"]["securitySchemes"]) == ["bearer"]


@pytest.mark.parametrize("name", sorted(WATCH | PLAY))
async def test_without_a_token_it_is_refused(client: httpx.AsyncClient, name: str) -> None:
    answer = await ask(client, name, {})

    assert (answer.status_code, problem(answer)["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("name", sorted(WATCH | PLAY))
async def test_with_a_revoked_token_it_is_refused(client: httpx.AsyncClient, guest: Guest, name: str) -> None:
    await client.delete(f"/v1/players/me/tokens/{guest.token_id}", headers=guest.headers)
    answer = await ask(client, name, guest.headers)

    assert (answer.status_code, problem(answer)["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("name", sorted(WATCH | PLAY))
async def test_a_token_to_watch_opens_what_changes_nothing(client: httpx.AsyncClient, guest: Guest, name: str) -> None:
    body = {"scopes": ["spectate"]}
    token = (await client.post("/v1/players/me/tokens", json=body, headers=guest.headers)).json()["token"]
    answer = await ask(client, name, {"Authorization": f"Bearer {token}"})

    assert (answer.status_code == 403) == (name in PLAY)


@pytest.mark.parametrize("name", sorted(name for name, (_, path, _) in ROUTES.items() if "{game_id}" in path))
async def test_a_private_game_of_others_is_not_there(client: httpx.AsyncClient, guest: Guest, name: str) -> None:
    game = (await client.post("/v1/games", headers=guest.headers)).json()["game"]
    stranger = await sign_up(client, "Jun")
    answer = await ask(client, name, stranger.headers, game["id"])
    after = (await client.get(f"/v1/games/{game['id']}", headers=guest.headers)).json()["game"]

    assert (answer.status_code, problem(answer)["code"]) == (404, "unknown_game")
    assert after["seq"] == game["seq"]
