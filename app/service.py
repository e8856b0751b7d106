"""What one worker is made of: built by the application factory, reached by the routes through the request.
Only `open` and `close` start and stop anything, so that the contract can be written without a database.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from app.auth import Authenticator
from app.budgets import Budget, Budgets
from app.clock import Clock
from app.database import Database, Place
from app.draining import Draining
from app.settings import Settings
from app.telemetry import Telemetry


@dataclass(slots=True)
class Service:
    """The parts of one worker."""

    settings: Settings
    place: Place
    database: Database
    clock: Clock
    budgets: Budgets
    authenticator: Authenticator
    telemetry: Telemetry = field(default_factory=Telemetry)
    draining: Draining = field(default_factory=Draining)
    worker: str = field(default_factory=lambda: secrets.token_hex(8))

    @classmethod
    def of(cls, settings: Settings, place: Place) -> Service:
        """The parts of a worker on the database at that place, none of them started."""
        clock = Clock()
        database = Database(place.url, settings.database_pool)
        policies: dict[Budget, str] = {
            "moves": settings.rate_moves,
            "reads": settings.rate_reads,
            "reconnects": settings.rate_reconnects,
            "new_games": settings.rate_new_games,
            "sign_ups": settings.rate_sign_ups,
        }
        budgets = Budgets(policies, clock.monotonic)
        return cls(settings, place, database, clock, budgets, Authenticator(database, clock))

    async def open(self) -> None:
        """Starts everything, in the order it is needed."""
        await self.database.open()
        await self.database.set_clock(self.clock)

    async def close(self) -> None:
        """Stops everything, in the opposite order."""
        await self.database.close()
