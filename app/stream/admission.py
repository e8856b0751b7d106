"""Who may open a stream: from which pages, with a bearer token or a ticket, from which cursor on."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, QueryParams

from app.auth import Caller, token_hash
from app.body import MAX_INTEGER
from app.budgets import Budget
from app.errors import Fault, Part, Problem
from app.service import Service
from app.store import tickets

TICKET_LIFETIME: Final = timedelta(seconds=30)


def check_origin(headers: Headers, allowed: Collection[str]) -> None:
    """Refuses pages of other hosts with Problem `origin_not_allowed`. Whoever sends no Origin is no page."""
    origin = headers.get("origin")
    if origin is None or origin in allowed or "*" in allowed:
        return
    with suppress(ValueError):  # what is no address is no page of ours
        if urlsplit(origin).netloc.lower() == headers.get("host", "").lower():
            return
    raise Problem("origin_not_allowed")


async def admit(service: Service, game_id: str, headers: Headers, query: QueryParams) -> Caller:
    """Whoever opens a stream of a game. Raises Problem `unauthenticated`, `scope_missing` or `rate_limited`."""
    ticket = query.get("ticket")
    if ticket is None:
        caller = await service.authenticator.identify(headers.get("authorization"))
    else:
        caller = await _redeem(service, game_id, ticket)
    spend(service, "reconnects", caller)
    if caller.scopes.isdisjoint(("play", "spectate")):
        raise Problem("scope_missing", "This needs a token with the scope play or spectate.")
    return caller


def spend(service: Service, budget: Budget, caller: Caller) -> None:
    """Takes one from a budget of the caller. Raises Problem `rate_limited`."""
    service.budgets.spend(budget, caller.player_id)


def read_cursor(text: str | None, part: Part, name: str) -> int | None:
    """A number of an event, as it stands in an address or a header. Raises Problem `invalid_request`."""
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= MAX_INTEGER):
        raise Problem("invalid_request", errors=[Fault(part, f"/{name}", "must be the number of an event")])
    return int(text)


async def _redeem(service: Service, game_id: str, ticket: str) -> Caller:
    holder = await tickets.redeem(service.database.session, token_hash(ticket), game_id)
    if holder is None:
        raise Problem("unauthenticated", "This ticket is not valid, or not any more: it opens one stream, within 30 s.")
    return Caller(holder.player_id, holder.token_id, frozenset(holder.scopes))
