"""Players: signing up, being seen, coming back with a recovery code, going."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, ConfigDict, Field

from app.api.access import Player, Reader, ServiceOf, spend_by_address
from app.auth import GUEST, Scope, new_id, new_recovery_code, new_token, recovery_hash, token_hash
from app.errors import Problem, documented
from app.service import Service
from app.store import games, players, talk, tokens
from app.tables.seating import Depart
from app.wire import DisplayName, Text, WireRoute

router = APIRouter(tags=["players"], route_class=WireRoute)


class SignUp(BaseModel):
    """A guest."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"display_name": "Aling Nena"}]})

    display_name: DisplayName = Field(description="What others see: one line.")


class Rename(SignUp):
    """Another name."""


class Recovery(BaseModel):
    """What a player wrote down."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"recovery_code": "ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23-4567"}]}
    )

    recovery_code: Annotated[Text, Field(min_length=1, max_length=100)] = Field(
        description="Case, spaces and hyphens do not count."
    )


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A player, and the only time its token and recovery code are shown."""

    player: players.Profile
    token: str
    token_id: str
    scopes: tuple[Scope, ...]
    recovery_code: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A player who is back, and the only time the new token is shown. The recovery code stays as it is."""

    player: players.Profile
    token: str
    token_id: str
    scopes: tuple[Scope, ...]


@router.post(
    "/v1/players",
    status_code=201,
    operation_id="sign_up",
    summary="Become a player",
    responses=documented("rate_limited", "database_away", "busy"),
)
async def sign_up(body: SignUp, service: ServiceOf, request: Request) -> SignedUp:
    """A guest with a token and a recovery code, both shown only now. Takes no Idempotency-Key: there is no caller yet,
    and a replay would hand out a token.
    """
    spend_by_address(request, "sign_ups")
    token, token_id, code = new_token(), new_id(), new_recovery_code()
    async with service.database.transaction() as session:
        player = await players.create(session, new_id(), body.display_name, recovery_hash(code))
        await tokens.add(session, token_id, player.id, token_hash(token), GUEST, None)
    return SignedUp(player, token, token_id, GUEST, code)


@router.post(
    "/v1/players/recover",
    status_code=201,
    operation_id="recover_player",
    summary="Come back with a recovery code",
    responses=documented("unknown_recovery_code", "rate_limited", "database_away", "busy"),
)
async def recover_player(body: Recovery, service: ServiceOf, request: Request) -> Recovered:
    """A new token for the player who has this recovery code. Other tokens and the code stay valid: repeat it when the
    answer was lost, then revoke what you no longer have.
    """
    spend_by_address(request, "sign_ups")
    token, token_id = new_token(), new_id()
    async with service.database.transaction() as session:
        player = await players.find_by_recovery(session, recovery_hash(body.recovery_code))
        if player is None:
            raise Problem("unknown_recovery_code")
        await tokens.add(session, token_id, player.id, token_hash(token), GUEST, "recovered")
    return Recovered(player, token, token_id, GUEST)


@router.get("/v1/players/me", operation_id="get_me", summary="Yourself", responses=documented("unknown_player"))
async def get_me(caller: Reader, service: ServiceOf) -> players.Profile:
    """The player whose token this is."""
    return _found(await players.find(service.database.session, caller.player_id))


@router.patch(
    "/v1/players/me", operation_id="rename_me", summary="Change your name", responses=documented("unknown_player")
)
async def rename_me(body: Rename, caller: Player, service: ServiceOf) -> players.Profile:
    """Another display name: at once where you wait for a game, and in all games dealt from now on. A game keeps the
    names it was dealt with."""
    return _found(await service.lobby.rename(caller.player_id, body.display_name))


@router.delete(
    "/v1/players/me",
    status_code=204,
    operation_id="delete_me",
    summary="Leave for good",
    responses=documented("busy", "overloaded", "outcome_unknown", "unsupported_format"),
)
async def delete_me(caller: Player, service: ServiceOf) -> None:
    """Your name, tokens, recovery code and the texts you wrote are deleted, your seat at tables that wait is free, and
    in games in progress a bot has it for good, without your name. What had happened in a game until then stays as it
    was written, with the names it was dealt with."""
    await service.lobby.leave_all(caller.player_id)
    await _leave_games(service, caller.player_id)
    async with service.database.transaction() as session:
        await players.delete(session, caller.player_id)
        await talk.forget(session, caller.player_id)
    service.bus.revoke(caller.player_id)


@router.get(
    "/v1/players/{player_id}",
    operation_id="get_player",
    summary="Another player",
    responses=documented("unknown_player"),
)
async def get_player(player_id: Annotated[str, Path()], caller: Reader, service: ServiceOf) -> players.Profile:
    """What everybody may see of a player."""
    return _found(await players.find(service.database.session, player_id))


async def _leave_games(service: Service, player_id: str) -> None:
    for game_id, seat in await games.playing_with(service.database.session, player_id):
        try:
            await service.tables.submit(game_id, Depart(seat))
        except Problem as problem:
            if problem.kind.code != "game_over":  # it may have ended just now
                raise


def _found(player: players.Profile | None) -> players.Profile:
    if player is None:
        raise Problem("unknown_player")
    return player
