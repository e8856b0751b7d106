"""What the log tells of people at a table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from app.tables import LiveGame, Numbered
from app.tables.live_game import numbered_of
from app.tables.plan import Plan
from app.tables.seating import Vanish, stand_in
from engine import events as ev
from tests.app.tables.workers import Worker


@dataclass(frozen=True, slots=True)
class Told:
    """That somebody came, went, or is played for; `at` is when."""

    seat: int
    connected: bool
    away: bool
    bot: bool
    at: datetime


@dataclass(frozen=True, slots=True)
class GoAway:
    """An order: a bot plays for a person who is gone, or who is connected and does nothing."""

    seat: int
    connected: bool = False

    def apply(self, game: LiveGame, plan: Plan) -> None:
        if not self.connected:
            Vanish(self.seat).apply(game, plan)
        stand_in(plan, self.seat)


async def told(worker: Worker, game_id: str) -> list[Told]:
    """All that the log tells of people, in order."""
    return [
        Told(fact.event.seat, player.connected, player.away, player.stand_in is not None, fact.at)
        for fact in await facts(worker, game_id)
        if isinstance(fact.event, ev.SeatChanged)
        for player in [fact.event.player]
    ]


async def facts(worker: Worker, game_id: str) -> list[Numbered]:
    """All numbered events."""
    return [fact for row in await worker.rows(game_id) for fact in numbered_of(row)]


async def first(worker: Worker, game_id: str, kind: type[Any]) -> Numbered:
    """The first event of a kind."""
    return next(fact for fact in await facts(worker, game_id) if isinstance(fact.event, kind))


async def commands(worker: Worker, game_id: str) -> list[list[tuple[int | None, str]]]:
    """Who did what, row by row."""
    return [
        [(entry["seat"], entry["command"]["type"]) for entry in from_json(row.commands)]
        for row in await worker.rows(game_id)
    ]
