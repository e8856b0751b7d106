"""How a route gets at what it needs: the service, and the caller with the right scope and budget left."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from app.auth import Caller, Scope
from app.budgets import Budget
from app.errors import Problem
from app.service import Service


def service_of(request: Request) -> Service:
    """The worker that answers this request."""
    return cast("Service", request.app.state.service)


ServiceOf = Annotated[Service, Depends(service_of)]


class Bearer(SecurityBase):
    """A dependency: the caller, who has one of these scopes and something left of the budget.

    One dependency for three questions, since each costs a move time. Raises Problem `unauthenticated`,
    `scope_missing` or `rate_limited`.
    """

    def __init__(self, budget: Budget, *scopes: Scope) -> None:
        self.model = HTTPBearer(description="The token of a player, from `POST /v1/players`.")
        self.scheme_name = "bearer"
        self._budget = budget
        self._scopes = frozenset(scopes)

    async def __call__(self, request: Request) -> Caller:
        """Charges the budget before the scope is looked at: a refused try is a try."""
        caller = await identify(request)
        spend(request, self._budget, caller.player_id)
        if self._scopes.isdisjoint(caller.scopes):
            raise Problem("scope_missing", f"This needs a token with the scope {' or '.join(sorted(self._scopes))}.")
        game_id = request.path_params.get("game_id")
        if game_id is not None and "play" in caller.scopes:
            service_of(request).tables.presence.asked(game_id, caller.player_id, moved=self._budget == "moves")
        return caller


async def identify(request: Request) -> Caller:
    """The caller of a request, looked up once for it. Raises Problem `unauthenticated`."""
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is None:
        caller = await service_of(request).authenticator.identify(request.headers.get("authorization"))
        request.state.caller = caller
    return caller


async def identify_again(request: Request) -> None:
    """Looks the caller of a request that has waited up again. Raises Problem `unauthenticated`."""
    await service_of(request).authenticator.identify(request.headers.get("authorization"))


def spend(request: Request, budget: Budget, who: str) -> None:
    """Takes one from a budget and tells so in the headers of the answer. Raises Problem `rate_limited`."""
    request.state.headers.extend(service_of(request).budgets.spend(budget, who).headers())


def spend_by_address(request: Request, budget: Budget) -> None:
    """The same for whoever has no token yet: counted by address."""
    spend(request, budget, request.client.host if request.client else "local")


Reader = Annotated[Caller, Depends(Bearer("reads", "play", "spectate"))]
"""Any player's token, for what is read or set up."""

Player = Annotated[Caller, Depends(Bearer("reads", "play"))]
"""A token that may act for the player."""

Mover = Annotated[Caller, Depends(Bearer("moves", "play"))]
"""A token that may move, on the budget of moves."""

Starter = Annotated[Caller, Depends(Bearer("new_games", "play"))]
"""A token that may make games, on their budget."""

Listener = Annotated[Caller, Depends(Bearer("reconnects", "play", "spectate"))]
"""A token that may open a stream or a poll, on their budget."""
