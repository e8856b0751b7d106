"""The rules of a table that waits: who may sit where, and whose table it is. Each runs inside a transaction that has
locked the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.database import Session
from app.errors import Problem
from app.lobby.asked import Asked, Person, load_asked
from app.lobby.spoken import heard, new_code
from app.store import codes, lobby, players
from app.store.lobby import OpenTable
from engine.state import SEATS

CODE_HOURS: Final = 12.0
CODE_USES: Final = 12
TABLES_AT_MOST: Final = 8
"""How many tables one player may wait at."""


def asked_of(table: OpenTable) -> Asked:
    """What the table was asked to be."""
    return load_asked(table.game.config["asked"])


def seat_at(table: OpenTable, player_id: str) -> int | None:
    """The seat a player has at the table."""
    return next((each.seat for each in table.sitting if each.player_id == player_id), None)


def free_seats(table: OpenTable) -> list[int]:
    """The seats that neither a person nor a bot has."""
    taken = {each.seat for each in table.sitting}
    return [seat for seat, bot in enumerate(asked_of(table).bots) if bot is None and seat not in taken]


def not_ready(table: OpenTable, besides: str | None = None) -> list[int]:
    """The seats of those who sit there and are not ready, one player left aside."""
    return sorted(each.seat for each in table.sitting if not each.ready and each.player_id != besides)


def named(seats: list[int]) -> str:
    """Seats as they are told: `Seats 1 and 3 are`."""
    if len(seats) == 1:
        return f"Seat {seats[0]} is"
    return f"Seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} are"


def seated(table: OpenTable) -> dict[int, Person]:
    """The persons at the table, by seat."""
    return {each.seat: Person(each.player_id, each.name) for each in table.sitting}


def owner_among(seats: Iterable[int], gone: int) -> int:
    """Whose table it is when the owner's seat is free: the next person's in seat order."""
    return min(seats, key=lambda seat: (seat - gone) % len(SEATS))


def check_seated(table: OpenTable, player_id: str) -> int:
    """The player's seat. Raises Problem `not_seated`."""
    seat = seat_at(table, player_id)
    if seat is None:
        raise Problem("not_seated")
    return seat


def check_owner(table: OpenTable, player_id: str) -> None:
    """Raises Problem `not_the_owner`, or `not_seated` for somebody who has no seat."""
    check_seated(table, player_id)
    if table.owner != player_id:
        raise Problem("not_the_owner")


async def check_tables(session: Session, player_id: str) -> None:
    """Raises Problem `too_many_tables`. To be called with the player held, so that of many tables at once each is
    counted for the next."""
    if len(await lobby.waiting_with(session, player_id)) >= TABLES_AT_MOST:
        raise Problem("too_many_tables")


async def sit_down(session: Session, table: OpenTable, person: Person, seat: int | None, *, ready: bool) -> None:
    """Gives a person the named seat or the first that is free. Raises Problem `table_full` or `seat_taken`."""
    own = seat_at(table, person.id)
    free = [*free_seats(table), *(() if own is None else (own,))]
    if seat is None and not free:
        raise Problem("table_full")
    if seat is not None and seat not in free:
        raise Problem("seat_taken")
    await lobby.sit(session, table.game.id, free[0] if seat is None else seat, person.id, ready=ready)
    await lobby.changed(session, table.game.id, table.owner)


async def admit(session: Session, table: OpenTable, person: Person, code: str | None) -> None:
    """Whether a person may come to the table. Raises Problem `barred`, `unknown_code` or `too_many_tables`."""
    if person.id in table.barred:
        raise Problem("barred")
    await players.hold(session, person.id)
    await check_tables(session, person.id)
    if table.game.visibility == "private":
        known = heard(code or "")
        if known is None or not await codes.use(session, table.game.id, known):
            raise Problem("unknown_code")


async def stand_up(session: Session, table: OpenTable, player_id: str) -> None:
    """Frees a person's seat; passes the table on, or closes it with the last person. Raises Problem `not_seated`."""
    own = check_seated(table, player_id)
    left = {each.seat: each.player_id for each in table.sitting if each.player_id != player_id}
    if not left:
        await lobby.close(session, table.game.id)
        return
    await lobby.stand_up(session, table.game.id, player_id)
    owner = left[owner_among(left, own)] if table.owner == player_id else table.owner
    await lobby.changed(session, table.game.id, owner)


async def renew_code(session: Session, game_id: str) -> None:
    """Gives the table another code."""
    while not await codes.put(session, game_id, new_code(), CODE_HOURS, CODE_USES):
        continue  # another table has just this one
