"""Talk at the table, and what to do about bad manners. Muting is the client's."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Self

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.access import Bearer, Reader, ServiceOf, identify_again, service_of
from app.api.alternatives import one_of
from app.api.idempotency import IdempotentRoute, effect_of
from app.api.table import GameId, place_in
from app.auth import Caller
from app.errors import documented
from app.hub import tokens_of
from app.store.talk import Kind, Said
from app.tables.sparse import sparse
from app.talk import PAGE, may_hear, topic
from app.talk.phrases import PHRASES, REACTIONS, Phrase, Reaction
from app.wire import Text, name

router = APIRouter(tags=["talk"], route_class=IdempotentRoute)

Talker = Annotated[Caller, Depends(Bearer("talk", "play"))]
"""A token that may speak, on the budget of talk."""

WordId = Annotated[str, Field(pattern=r"^[a-z_]{1,32}$")]
Line = Annotated[Text, Field(min_length=1, max_length=200), AfterValidator(name)]
Reason = Annotated[Text, Field(min_length=1, max_length=500)]
MessageNo = Annotated[int, Field(strict=True, ge=1, le=2**31 - 1)]

_LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """What may be said at every table, by id."""

    phrases: tuple[Phrase, ...]
    reactions: tuple[Reaction, ...]


@sparse
@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said at a table. `no` counts from 1 at each table; one of `phrase`, `reaction` and `text` is
    there."""

    no: int
    at: datetime
    seat: int
    player_id: str
    phrase: str | None
    reaction: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Messages:
    """What was said after a number, in order. Ask again `after` the last one here."""

    items: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Reported:
    """The operator has it."""

    id: str


class TalkBody(BaseModel):
    """One of the three."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra=one_of(
            "phrase",
            "reaction",
            "text",
            examples=[{"phrase": "good_luck"}, {"reaction": "clap"}, {"text": "Sino ang may joker?"}],
        ),
    )

    phrase: WordId | None = Field(None, description="From `GET /v1/phrases`.")
    reaction: WordId | None = Field(None, description="From `GET /v1/phrases`.")
    text: Line | None = Field(None, description="One line, where the table has `free_text`.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.phrase, self.reaction, self.text)) != 1:
            raise PydanticCustomError("invalid_request", "must hold one of phrase, reaction and text")
        return self

    @property
    def words(self) -> tuple[Kind, str]:
        """What is said, and of which kind."""
        if self.phrase is not None:
            return "phrase", self.phrase
        if self.reaction is not None:
            return "reaction", self.reaction
        return "text", self.text or ""


class ReportBody(BaseModel):
    """A message, or a player, and what is wrong."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra=one_of(
            "message",
            "player_id",
            examples=[
                {"message": 3, "reason": "Insults everybody."},
                {"player_id": "0c9ae1f25d7b4c380c9ae1f25d7b4c38", "reason": "Lets every turn run out."},
            ],
        ),
    )

    message: MessageNo | None = None
    player_id: Annotated[Text, Field(min_length=1, max_length=64)] | None = None
    reason: Reason

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.message is None) == (self.player_id is None):
            raise PydanticCustomError("invalid_request", "must name a message or a player")
        return self


@router.get("/v1/phrases", operation_id="list_phrases", summary="What may be said at every table")
async def list_phrases(response: Response) -> Words:
    """Phrases and reactions by id, in English and Filipino."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return Words(PHRASES, REACTIONS)


@router.post(
    "/v1/games/{game_id}/talk",
    operation_id="say",
    summary="Say something",
    status_code=201,
    responses=documented("unknown_game", "not_seated", "unknown_phrase", "free_text_off"),
    response_model_exclude_none=True,
)
async def say(game_id: GameId, body: TalkBody, caller: Talker, service: ServiceOf, request: Request) -> Message:
    """A phrase or a reaction, or a text where the table allows it; while the table waits, plays, and after the end."""
    game = await service.tables.known(game_id)
    place_in(game, caller)
    return message(await service.talk.say(game, effect_of(request), caller.player_id, *body.words))


@router.get(
    "/v1/games/{game_id}/talk",
    operation_id="list_talk",
    summary="What was said",
    responses=documented("unknown_game"),
    response_model_exclude_none=True,
)
async def list_talk(
    game_id: GameId,
    caller: Reader,
    service: ServiceOf,
    request: Request,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="The last number you have; 0 for all.")] = 0,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait when there is nothing.")] = 0,
    limit: Annotated[int, Query(ge=1, le=PAGE)] = PAGE,
) -> Messages:
    """In order. Spectators who are kept behind hear nothing before the game is over."""
    game = await service.tables.known(game_id)
    place_in(game, caller)
    if game.is_dealt and game.customs.spectator_delay:
        game = await service.tables.current(game_id)
    if not may_hear(game, caller.player_id):
        return Messages(())
    return Messages(tuple(message(each) for each in await _next(request, game_id, after, wait, limit)))


@router.post(
    "/v1/games/{game_id}/report",
    operation_id="report",
    summary="Report a message or a player",
    status_code=201,
    responses=documented("unknown_game", "unknown_message", "not_at_table"),
)
async def report(game_id: GameId, body: ReportBody, caller: Talker, service: ServiceOf, request: Request) -> Reported:
    """Kept for the operator of this server, with a copy of the message; nobody at the table is told."""
    game = await service.tables.known(game_id)
    place_in(game, caller)
    report_id, reporter = effect_of(request), caller.player_id
    if body.message is not None:
        await service.talk.report_message(game, report_id, reporter, body.message, body.reason)
    else:
        await service.talk.report_player(game, report_id, reporter, body.player_id or "", body.reason)
    return Reported(report_id)


def message(said: Said) -> Message:
    """What was said, as it goes on the wire."""
    phrase, reaction, text = (said.content if said.kind == kind else None for kind in ("phrase", "reaction", "text"))
    return Message(said.no, said.at, said.seat, said.player_id, phrase, reaction, text)


async def _next(request: Request, game_id: str, after: int, wait: float, limit: int) -> list[Said]:
    service, caller = service_of(request), request.state.caller
    until = service.clock.monotonic() + wait
    with service.hub.watching(topic(game_id), tokens_of(caller.player_id)) as news:
        while True:
            news.clear()
            found = await service.talk.after(game_id, after, limit)
            left = until - service.clock.monotonic()
            if found or left <= 0 or service.draining:
                return found
            if not (service.heartbeat.alone or service.bus.reaches_others):
                left = min(left, _LOOK_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await news.wait()
            await identify_again(request)
