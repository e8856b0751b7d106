"""A guest at a table of its own, over HTTP, and how it plays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import httpx

from tests.app.api.conftest import Guest

View = dict[str, Any]


@dataclass(slots=True)
class Seated:
    """A guest, its client and its game."""

    client: httpx.AsyncClient
    guest: Guest
    game_id: str

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game_id}"

    async def get(self, path: str = "", **params: Any) -> httpx.Response:
        """Reads something of the game."""
        return await self.client.get(self.path + path, headers=self.guest.headers, params=params)

    async def view(self) -> View:
        """The table as the guest sees it."""
        seen: View = (await self.get()).json()
        return seen

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Sends something to the game."""
        return await self.client.post(f"{self.path}/{path}", json=body, headers={**self.guest.headers, **headers})

    async def act(self, action: dict[str, Any], decision_no: int, **more: Any) -> httpx.Response:
        """Sends an action as it stands in `legal_actions`."""
        return await self.post("actions", {"action": action, "decision_no": decision_no, **more})

    async def play(self, until: Callable[[View], bool], choose: Callable[[View], Any] | None = None) -> View:
        """Sends the action chosen of `legal_actions`, the last one where nobody says, until something holds."""
        seen = await self.view()
        while not until(seen):
            if seen["legal_actions"]:
                action = choose(seen) if choose else seen["legal_actions"][-1]
                answer = await self.act(action, seen["decision"]["no"])
                assert answer.status_code == 200, answer.text
                seen = answer.json()["view"]
            else:
                await self.get("/events", after=seen["game"]["seq"], wait=10)
                seen = await self.view()
        return seen


async def sit_down(client: httpx.AsyncClient, guest: Guest, **body: Any) -> Seated:
    """A new game of the guest's."""
    made = await client.post("/v1/games", json=body, headers=guest.headers)
    assert made.status_code == 201, made.text
    return Seated(client, guest, made.json()["game"]["id"])
