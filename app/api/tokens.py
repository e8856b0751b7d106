"""A player's own tokens and recovery code: each shown once, when it is made; a repeated request shows it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from app.api.access import Player, ServiceOf
from app.api.idempotency import RepeatableRoute, effect_of, seed_of
from app.auth import Scope, bearer_of, derived_recovery_code, derived_token, recovery_hash, token_hash
from app.errors import Problem, documented
from app.store import players, tokens
from app.tables.sparse import sparse
from app.wire import DisplayName

router = APIRouter(tags=["players"], route_class=RepeatableRoute)


class NewToken(BaseModel):
    """One more token."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"label": "Screen in the hall", "scopes": ["spectate"]}]}
    )

    label: DisplayName | None = Field(None, description="For your own list.")
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=3)] = Field(
        ["play", "spectate"], description="At most those of the token that asks."
    )


@sparse
@dataclass(frozen=True, slots=True)
class TokenAdded:
    """A token, and the only time its text is shown."""

    id: str
    token: str
    label: str | None
    scopes: tuple[Scope, ...]
    created_at: datetime


@sparse
@dataclass(frozen=True, slots=True)
class TokenListed:
    """A token that is valid now; `current` is the one that asked."""

    id: str
    label: str | None
    scopes: tuple[Scope, ...]
    created_at: datetime
    current: bool


@dataclass(frozen=True, slots=True)
class TokenList:
    """All of a player's valid tokens, the oldest first."""

    items: tuple[TokenListed, ...]


@dataclass(frozen=True, slots=True)
class RecoveryCode:
    """A recovery code, shown this once; the one before is worth nothing any more."""

    recovery_code: str


@router.get(
    "/v1/players/me/tokens", operation_id="list_tokens", summary="Your tokens", response_model_exclude_none=True
)
async def list_tokens(caller: Player, service: ServiceOf) -> TokenList:
    """The tokens that are valid now, without their text, which is kept nowhere."""
    found = await tokens.of_player(service.database.session, caller.player_id)
    return TokenList(
        tuple(
            TokenListed(row.id, row.label, _scopes(row.scopes), row.created_at, row.id == caller.token_id)
            for row in found
        )
    )


@router.post(
    "/v1/players/me/tokens",
    status_code=201,
    operation_id="add_token",
    summary="One more token",
    response_model_exclude_none=True,
)
async def add_token(body: NewToken, caller: Player, service: ServiceOf, request: Request) -> TokenAdded:
    """For another device, or with fewer scopes for a spectator's screen."""
    missing = set(body.scopes) - caller.scopes
    if missing:
        raise Problem("scope_missing", f"Your token cannot give what it does not have: {', '.join(sorted(missing))}.")
    token = derived_token(bearer_of(request.headers.get("authorization")), seed_of(request))
    scopes = tuple(dict.fromkeys(body.scopes))
    row = await tokens.add(
        service.database.session, effect_of(request), caller.player_id, token_hash(token), scopes, body.label
    )
    return TokenAdded(row.id, token, row.label, _scopes(row.scopes), row.created_at)


@router.delete(
    "/v1/players/me/tokens/{token_id}",
    status_code=204,
    operation_id="revoke_token",
    summary="Revoke a token",
    responses=documented("unknown_token"),
)
async def revoke_token(token_id: Annotated[str, Path()], caller: Player, service: ServiceOf) -> None:
    """It opens nothing from now on, and its streams are closed; on other workers that may take a few seconds. The one
    that asks may be revoked too."""
    if not await tokens.revoke(service.database.session, caller.player_id, token_id):
        raise Problem("unknown_token")
    service.bus.revoke(caller.player_id, token_id)


@router.post(
    "/v1/players/me/recovery_code",
    status_code=201,
    operation_id="replace_recovery_code",
    summary="Another recovery code",
)
async def replace_recovery_code(caller: Player, service: ServiceOf, request: Request) -> RecoveryCode:
    """A new code in place of the one before, for when somebody else has seen it."""
    code = derived_recovery_code(bearer_of(request.headers.get("authorization")), seed_of(request))
    await players.set_recovery(service.database.session, caller.player_id, recovery_hash(code))
    return RecoveryCode(code)


def _scopes(stored: tuple[str, ...]) -> tuple[Scope, ...]:
    return cast("tuple[Scope, ...]", stored)
