"""The service over HTTP, one method a route, and its stream. All of it is the public contract and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Any, Literal, Self, cast

from todas_client.shapes import Action, EventPage, Frame, MoveAnswer, Player, SignedUp, View, Waiting
from todas_client.stream import Way, stream
from todas_client.transport import Transport


class Client:
    """A player at a Todas service.

        async with Client("http://127.0.0.1:8000") as client:
            await client.sign_up("Ana")
            view = await client.create_game(ruleset="emay")

    Every method raises Problem when the service says no, and Unreachable when nobody has answered for `patience`
    seconds; until then a lost connection, a busy service and a restart are waited out.
    """

    def __init__(self, address: str, token: str | None = None, *, patience: float = 60) -> None:
        self._transport = Transport(address, token, patience)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; the game goes on."""
        await self._transport.close()

    @property
    def address(self) -> str:
        """Where the service is."""
        return self._transport.address

    @property
    def token(self) -> str | None:
        """The token in use; None before signing up."""
        return self._transport.token

    @token.setter
    def token(self, token: str | None) -> None:
        self._transport.token = token

    # Who you are

    async def sign_up(self, display_name: str) -> SignedUp:
        """Become a player. The client uses the new token from now on; keep it, and the recovery code."""
        return await self._signed_in("/players", {"display_name": display_name})

    async def recover(self, recovery_code: str) -> SignedUp:
        """Come back with the code that was shown at sign-up. The client uses the new token from now on."""
        return await self._signed_in("/players/recover", {"recovery_code": recovery_code})

    async def me(self) -> Player:
        """Yourself."""
        return cast("Player", await self._transport.get("/players/me"))

    async def rename(self, display_name: str) -> Player:
        """Another name for yourself."""
        return cast("Player", await self._transport.send("PATCH", "/players/me", {"display_name": display_name}))

    # What is on offer

    async def version(self) -> dict[str, Any]:
        """Which service this is and what runs there; it takes no token."""
        return cast("dict[str, Any]", await self._transport.get("/version"))

    async def rulesets(self) -> list[dict[str, Any]]:
        """The presets with all their options."""
        return cast("list[dict[str, Any]]", (await self._transport.get("/rulesets"))["items"])

    async def ruleset(self, ruleset: str) -> dict[str, Any]:
        """One preset: options, ways to win with titles and multipliers, and the guide for players."""
        return cast("dict[str, Any]", await self._transport.get(f"/rulesets/{ruleset}"))

    async def tiles(self) -> list[dict[str, Any]]:
        """The 42 kinds of tile with their names and characters."""
        return cast("list[dict[str, Any]]", (await self._transport.get("/tiles"))["items"])

    # Tables

    async def create_game(self, **wanted: Any) -> View:
        """Make a table; without arguments you play `emay` against three bots. See `POST /v1/games` for the rest; with
        open seats it waits for players, see `table`."""
        return cast("View", await self._transport.send("POST", "/games", wanted, key=new_id()))

    async def games(self, **query: Any) -> dict[str, Any]:
        """A page of your games, or with `show` of others to join or watch: `items`, and `next`, the `cursor` of the
        page after it."""
        return cast("dict[str, Any]", await self._transport.get("/games", **query))

    async def view(self, game_id: str, *, min_seq: int = 0) -> View:
        """The table as you may see it now, no older than the event `min_seq`."""
        return cast("View", await self._transport.get(f"/games/{game_id}", min_seq=min_seq))

    async def table(self, game_id: str) -> View | Waiting:
        """The same while it may still wait for players: its `status` in `game` is `open` then."""
        return cast("View | Waiting", await self._transport.get(f"/games/{game_id}"))

    async def join(self, game_id: str, seat: int | None = None) -> View | Waiting:
        """Take a seat at a public table, another one at yours, or your own back in a game that you left."""
        return cast("View | Waiting", await self._post(game_id, "join", {} if seat is None else {"seat": seat}))

    async def join_by_code(self, code: str) -> View | Waiting:
        """Take a seat at the table with that code, as you heard it."""
        return cast("View | Waiting", await self._transport.send("POST", "/games/join", {"code": code}, key=new_id()))

    async def ready(self, game_id: str, *, ready: bool = True) -> View | Waiting:
        """Say that you are ready to start, or not yet."""
        return cast("View | Waiting", await self._post(game_id, "ready", {"ready": ready}))

    async def start(self, game_id: str, *, fill_with_bots: bool = False) -> View | Waiting:
        """Deal; for the owner, when everybody else is ready."""
        return cast("View | Waiting", await self._post(game_id, "start", {"fill_with_bots": fill_with_bots}))

    async def leave(self, game_id: str) -> None:
        """Give your seat up: it is free at a table that waits, and a bot's in a game, until you join again."""
        await self._post(game_id, "leave")

    async def rematch(self, game_id: str) -> View | Waiting:
        """Sit down again at the table of a game that is over, with the same seats."""
        return cast("View | Waiting", await self._post(game_id, "rematch"))

    async def end(self, game_id: str, when: Literal["after_round", "now"]) -> MoveAnswer:
        """End the game; for the owner of the table."""
        return cast("MoveAnswer", await self._post(game_id, "end", {"when": when}))

    async def rounds(self, game_id: str) -> list[dict[str, Any]]:
        """The rounds that have been played."""
        return cast("list[dict[str, Any]]", (await self._transport.get(f"/games/{game_id}/rounds"))["items"])

    # Play

    async def act(
        self, game_id: str, action: Action, decision_no: int | None = None, *, action_id: str | None = None
    ) -> MoveAnswer:
        """Take an action of `legal_actions`, for the decision it was read with.

        The action has an id of its own, made here unless you give one. Whenever the outcome is not known, it is sent
        again with the same id, and so done once.
        """
        body: dict[str, Any] = {"action_id": action_id or new_id(), "action": action}
        if decision_no is not None:
            body["decision_no"] = decision_no
        return cast("MoveAnswer", await self._transport.send("POST", f"/games/{game_id}/actions", body))

    async def hint(self, game_id: str) -> dict[str, Any]:
        """Advice for your hand, where the table allows it (`hints` in the view)."""
        return cast("dict[str, Any]", await self._transport.get(f"/games/{game_id}/hint"))

    async def prefer(self, game_id: str, **preferences: Any) -> dict[str, Any]:
        """What the service is to do for you: `auto_pass`, `auto_win`, `auto_draw`. What is left out is off."""
        path = f"/games/{game_id}/preferences"
        return cast("dict[str, Any]", await self._transport.send("PUT", path, preferences))

    async def pause(self, game_id: str) -> MoveAnswer:
        """Ask for a pause; it comes when every person has asked."""
        return cast("MoveAnswer", await self._post(game_id, "pause"))

    async def resume(self, game_id: str) -> MoveAnswer:
        """Ask to go on after a pause."""
        return cast("MoveAnswer", await self._post(game_id, "resume"))

    async def events(self, game_id: str, after: int = 0, *, wait: float = 0) -> EventPage:
        """The events after a number; with `wait`, up to so many seconds (30 at most) for the next one."""
        path = f"/games/{game_id}/events"
        return cast("EventPage", await self._transport.get(path, wait, after=after, **({"wait": wait} if wait else {})))

    def stream(self, game_id: str, after: int | None = None, *, way: Way = "auto") -> AsyncGenerator[Frame, None]:
        """Everything you may see of a game as it happens, without end and without gaps.

            async for frame in client.stream(game_id):
                if frame["type"] == "event":
                    ...

        Events begin behind number `after`; without it, behind the view of the first `hello`. Whenever the connection is
        lost there is a `lost` frame, and after a while a new `hello`; no event is missed and none comes twice. Behind
        each `hello` comes the open `decision`. It ends when the service closes it (1000), and raises Problem or Closed
        when the service does not want you back. `way` is the WebSocket (`socket`), the long poll (`poll`), or `auto`:
        the one, and where it is not to be had the other.
        """
        return stream(self._transport, game_id, after, way)

    async def _post(self, game_id: str, route: str, body: Any = None) -> Any:
        return await self._transport.send("POST", f"/games/{game_id}/{route}", body, key=new_id())

    async def _signed_in(self, path: str, body: dict[str, str]) -> SignedUp:
        answer = cast("SignedUp", await self._transport.send("POST", path, body))
        self._transport.token = answer["token"]
        return answer


def new_id() -> str:
    """An id that nobody else uses, for an action or another write that may have to be repeated."""
    return secrets.token_hex(12)
