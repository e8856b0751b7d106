"""Tables before they are dealt: made, joined, left, started; and made again once a game is over. Each change is one
transaction that has locked its table, so whatever two people want at once happens one after the other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from app.bus import Bus
from app.database import Database, Session
from app.errors import Problem
from app.lobby import sitting
from app.lobby.asked import Asked, Person
from app.lobby.rematch import again
from app.lobby.spoken import heard
from app.store import codes, games, lobby, players
from app.store.lobby import OpenTable
from app.store.players import Profile
from app.tables import LiveGame, Tables

LOBBY: Final = "lobby"
"""What the hub calls the tables that wait, all together."""

STALE_HOURS: Final = 24.0


class NotWaiting(Exception):
    """The table waits no longer, or never did: what is asked for concerns a game, or nothing."""


class Lobby:
    """The tables that wait for their players."""

    def __init__(self, database: Database, tables: Tables, bus: Bus) -> None:
        self._database = database
        self._tables = tables
        self._bus = bus

    async def find(self, game_id: str) -> OpenTable:
        """The table. Raises NotWaiting."""
        return _waiting(await lobby.find(self._database.session, game_id))

    async def open(self, asked: Asked, game_id: str, seat: int, person: Person, seed: str) -> OpenTable:
        """Sets up a table that waits, with its maker in that seat; a private one has a code. One that has been made
        already is returned as it is. Raises NotWaiting where that has been dealt, or Problem `too_many_tables`."""
        async with self._database.transaction() as session:
            await players.hold(session, person.id)
            if await games.find(session, game_id) is None:
                await sitting.check_tables(session, person.id)
                waiting = asked.waiting(game_id, {seat: person}, person.id)
                if await lobby.create(session, waiting, person.id, seed) and asked.visibility == "private":
                    await sitting.renew_code(session, game_id)
        self._tell(game_id)
        return await self.find(game_id)

    async def join(self, game_id: str, person: Person, seat: int | None, code: str | None) -> OpenTable:
        """Gives a person a seat, the named one or the first that is free; one who sits there changes seats. Raises
        NotWaiting or Problem: `seat_taken`, `table_full`, `barred`, `unknown_code`, `too_many_tables`."""
        async with self._changing(game_id) as (session, table):
            own = sitting.seat_at(table, person.id)
            if own is None:
                await sitting.admit(session, table, person, code)
            elif seat in (None, own):
                return table
            await sitting.sit_down(session, table, person, seat, ready=False)
        return await self._changed(game_id)

    async def of_code(self, code: str, player_id: str) -> str:
        """The id of the table with that code, as a player has typed it; who sits there may type it when it lets nobody
        in any more. Raises Problem `unknown_code`."""
        known = heard(code)
        game_id = None if known is None else await codes.table_of(self._database.session, known, player_id)
        if game_id is None:
            raise Problem("unknown_code")
        return game_id

    async def ready(self, game_id: str, player_id: str, *, ready: bool) -> OpenTable:
        """Notes that a person is ready, or is not yet. Raises NotWaiting or Problem `not_seated`."""
        async with self._changing(game_id) as (session, table):
            sitting.check_seated(table, player_id)
            await lobby.set_ready(session, game_id, player_id, ready=ready)
            await lobby.changed(session, game_id, table.owner)
        return await self._changed(game_id)

    async def leave(self, game_id: str, player_id: str) -> None:
        """Frees a person's seat. The table passes on with its owner, and closes with the last person. Raises
        NotWaiting or Problem `not_seated`."""
        async with self._changing(game_id) as (session, table):
            await sitting.stand_up(session, table, player_id)
        self._tell(game_id)

    async def leave_all(self, player_id: str) -> None:
        """Frees every seat a person waits in."""
        for game_id in await lobby.waiting_with(self._database.session, player_id):
            with suppress(NotWaiting, Problem):  # it may have gone meanwhile
                await self.leave(game_id, player_id)

    async def rename(self, player_id: str, display_name: str) -> Profile | None:
        """Gives a player another name, which is seen wherever it waits; None when there is no such player any more."""
        async with self._database.transaction() as session:
            player = await players.rename(session, player_id, display_name)
            tables = await lobby.renamed(session, player_id)
        for game_id in tables:
            self._tell(game_id)
        return player

    async def kick(self, game_id: str, owner: str, player_id: str) -> OpenTable:
        """Sends a person away for good. Raises NotWaiting or Problem `not_the_owner` or `not_at_table`."""
        async with self._changing(game_id) as (session, table):
            sitting.check_owner(table, owner)
            if player_id == owner or sitting.seat_at(table, player_id) is None:
                raise Problem("not_at_table")
            await lobby.stand_up(session, game_id, player_id)
            await lobby.bar(session, game_id, player_id)
            await lobby.changed(session, game_id, owner)
        return await self._changed(game_id)

    async def start(self, game_id: str, owner: str, *, fill: bool) -> LiveGame:
        """Deals; `fill` puts bots in the seats that are free. Raises NotWaiting or Problem: `not_the_owner`,
        `not_ready`, `seats_open`."""
        async with self._changing(game_id) as (session, table):
            sitting.check_owner(table, owner)
            if missing := sitting.not_ready(table, besides=owner):
                text = f"{sitting.named(missing)} not ready yet: each of them sends POST /v1/games/{game_id}/ready."
                raise Problem("not_ready", text)
            await self._deal(session, table, fill=fill)
        return await self._started(game_id)

    async def rematch(self, game: LiveGame, person: Person, game_id: str, seed: str) -> str:
        """The id of the game that follows on one that is over, with the same persons in their seats; made with that id
        and seed where there is none, and dealt as soon as each of them has asked. Raises Problem: `not_over`,
        `not_seated`, `table_full`."""
        async with self._database.transaction() as session:
            follower = await again(session, game, person, game_id, seed)
            table = await lobby.lock(session, follower)
            dealt = table is not None and not (sitting.not_ready(table) or sitting.free_seats(table))
            if table is not None and dealt:
                await self._deal(session, table, fill=False)
        if dealt:
            await self._started(follower)
        else:
            self._tell(follower)
        return follower

    async def rematch_of(self, game: LiveGame) -> str | None:
        """The id of the game that follows on another, where there is one."""
        return await lobby.rematch(self._database.session, game.id)

    async def renew_code(self, game_id: str, owner: str) -> OpenTable:
        """Gives the table another code; the one before opens nothing. Raises NotWaiting or Problem `not_the_owner`."""
        async with self._changing(game_id) as (session, table):
            sitting.check_owner(table, owner)
            await sitting.renew_code(session, game_id)
            await lobby.changed(session, game_id, owner)
        return await self._changed(game_id)

    async def revoke_code(self, game_id: str, owner: str) -> None:
        """Takes the table's code away. Raises NotWaiting or Problem `not_the_owner`."""
        async with self._changing(game_id) as (session, table):
            sitting.check_owner(table, owner)
            await codes.take_away(session, game_id)
            await lobby.changed(session, game_id, owner)
        self._tell(game_id)

    async def code_of(self, table: OpenTable) -> codes.Code | None:
        """The code with which the table may be joined now."""
        return await codes.of_table(self._database.session, table.game.id)

    async def close_stale(self) -> None:
        """Closes the tables at which nothing has changed for a day."""
        for game_id in await lobby.stale(self._database.session, STALE_HOURS):
            async with self._database.transaction() as session:
                if await lobby.lock(session, game_id):
                    await lobby.close(session, game_id)
            self._tell(game_id)

    async def _deal(self, session: Session, table: OpenTable, *, fill: bool) -> None:
        seats, asked = sitting.seated(table), sitting.asked_of(table)
        if fill:
            asked = asked.filled(seats)
        elif free := sitting.free_seats(table):
            text = f'{sitting.named(free)} still open: wait for players, or start with {{"fill_with_bots": true}}.'
            raise Problem("seats_open", text)
        owner = sitting.check_seated(table, table.owner)
        opening = asked.opening(table.game.id, seats, owner, table.seed, table.game.rematch_of)
        await self._tables.deal(session, opening)

    @asynccontextmanager
    async def _changing(self, game_id: str) -> AsyncIterator[tuple[Session, OpenTable]]:
        """The table, locked until the end of the block, and undone where that raises. Raises NotWaiting."""
        async with self._database.transaction() as session:
            yield session, _waiting(await lobby.lock(session, game_id))

    async def _changed(self, game_id: str) -> OpenTable:
        self._tell(game_id)
        return await self.find(game_id)

    async def _started(self, game_id: str) -> LiveGame:
        game = await self._tables.begun(game_id)
        self._tell(game_id)
        return game

    def _tell(self, game_id: str) -> None:
        self._bus.publish(game_id, 0)
        self._bus.publish(LOBBY, 0)


def _waiting(table: OpenTable | None) -> OpenTable:
    if table is None:
        raise NotWaiting
    return table
