"""What one worker is made of: built by the application factory, reached by the routes through the request.
Only `open` and `close` start and stop anything, so that the contract can be written without a database.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, fields
from functools import partial

from app.auth import Authenticator
from app.budgets import Budget, Budgets
from app.bus import Bus, LocalBus
from app.clock import Clock
from app.database import Database, Place
from app.draining import Draining
from app.heartbeat import Heartbeat
from app.housekeeping import Housekeeping
from app.hub import Hub
from app.lobby import Board, Lobby
from app.log_writer import LogWriter
from app.settings import Settings
from app.tables import Absence, LiveGame, Tables
from app.tables.absence import is_here
from app.talk import Talk
from app.telemetry import Telemetry


@dataclass(slots=True)
class Service:
    """The parts of one worker."""

    settings: Settings
    place: Place
    database: Database
    beats: Database
    """The heartbeat's own connection: it must not wait for its turn behind what everybody asks."""
    clock: Clock
    budgets: Budgets
    authenticator: Authenticator
    heartbeat: Heartbeat
    bus: Bus
    hub: Hub
    tables: Tables
    lobby: Lobby
    board: Board
    talk: Talk
    housekeeping: Housekeeping
    worker: str
    telemetry: Telemetry = field(default_factory=Telemetry)
    draining: Draining = field(default_factory=Draining)

    @classmethod
    def of(cls, settings: Settings, place: Place, clock: Clock | None = None) -> Service:
        """The parts of a worker on the database at that place, none of them started; tests bring a clock of theirs."""
        clock = clock or Clock()
        database, beats = Database(place.url, settings.database_pool), Database(place.url, size=1)
        worker = secrets.token_hex(8)
        heartbeat, bus, hub = Heartbeat(beats, clock, worker), LocalBus(), Hub()
        absence = Absence(pause_seconds=settings.pause_seconds, end_seconds=settings.abandon_hours * 3600)
        tables = Tables(database, clock, heartbeat, bus, hub, worker, capacity=settings.writer_queue, absence=absence)
        service = cls(
            settings=settings,
            place=place,
            database=database,
            beats=beats,
            clock=clock,
            budgets=Budgets(_policies(settings), clock.monotonic),
            authenticator=Authenticator(database, clock),
            heartbeat=heartbeat,
            bus=bus,
            hub=hub,
            tables=tables,
            lobby=Lobby(database, tables, bus),
            board=Board(database, heartbeat, hub),
            talk=Talk(database, bus),
            housekeeping=Housekeeping(database),
            worker=worker,
        )
        service.draining.on_begin(hub.wake_all)
        service.housekeeping.also(service.lobby.close_stale)
        service.draining.on_begin(tables.presence.fall_silent)
        bus.on_revoked(lambda player_id, _: service.authenticator.forget(player_id))
        bus.on_revoked(lambda player_id, _: hub.wake_player(player_id))
        _show_log(tables.writer, service.telemetry)
        _show_tables(tables, service.telemetry)
        return service

    async def open(self) -> None:
        """Starts everything, in the order it is needed."""
        await self.database.open()
        await self.beats.open()
        await self.database.set_clock(self.clock)
        await self.heartbeat.start()
        await self.bus.start()
        await self.tables.start()
        await self.housekeeping.start()

    async def close(self) -> None:
        """Stops everything, in the opposite order."""
        await self.housekeeping.stop()
        await self.tables.stop()
        await self.bus.stop()
        await self.heartbeat.stop()
        await self.beats.close()
        await self.database.close()


def _policies(settings: Settings) -> dict[Budget, str]:
    return {
        "moves": settings.rate_moves,
        "reads": settings.rate_reads,
        "reconnects": settings.rate_reconnects,
        "new_games": settings.rate_new_games,
        "sign_ups": settings.rate_sign_ups,
        "codes": settings.rate_codes,
        "talk": settings.rate_talk,
    }


def _show_log(writer: LogWriter, telemetry: Telemetry) -> None:
    for each in fields(writer.counts):
        telemetry.count(f"todas_log_{each.name}", each.metadata["what"], partial(getattr, writer.counts, each.name))
    telemetry.level("todas_log_held", "Rows on their way to the log.", lambda: writer.held)


def _show_tables(tables: Tables, telemetry: Telemetry) -> None:
    def playing() -> list[LiveGame]:
        return [game for game in tables.in_memory() if game.is_dealt and not game.is_over]

    def people() -> int:
        return sum(is_here(player) for game in playing() for player in game.state.players)

    telemetry.level("todas_games_playing", "Games in memory that go on.", lambda: len(playing()))
    telemetry.level("todas_people_connected", "Persons at their tables now, once for each table.", people)
