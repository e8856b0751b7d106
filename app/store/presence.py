"""Which worker a person is connected to, kept only while several workers serve: who loses sight of a person here learns
whether another worker sees it. Written when that changes, never for a request.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from app.database import Session

Place = tuple[str, int]
"""A game's id and a seat."""


async def keep(session: Session, worker: str, seen: Collection[Place], gone: Collection[Place]) -> None:
    """Adds what a worker sees from now on, and takes away what it sees no more."""
    await session.execute(
        """
        WITH gone AS (
            DELETE FROM presence USING unnest($4::text[], $5::smallint[]) AS place (game_id, seat)
            WHERE presence.game_id = place.game_id AND presence.seat = place.seat AND presence.worker = $1
        )
        INSERT INTO presence (game_id, seat, worker)
        SELECT game_id, seat, $1 FROM unnest($2::text[], $3::smallint[]) AS place (game_id, seat)
        ON CONFLICT DO NOTHING
        """,
        worker,
        [game_id for game_id, _ in seen],
        [seat for _, seat in seen],
        [game_id for game_id, _ in gone],
        [seat for _, seat in gone],
    )


async def leave(session: Session, worker: str) -> None:
    """Takes away all that a worker sees."""
    await session.execute("DELETE FROM presence WHERE worker = $1", worker)


async def elsewhere(session: Session, worker: str, places: Collection[Place], lease: timedelta) -> set[Place]:
    """Those of the places that another worker sees, which has been heard of within a lease."""
    found = await session.fetch(
        """
        SELECT DISTINCT presence.game_id, presence.seat
        FROM unnest($2::text[], $3::smallint[]) AS place (game_id, seat)
        JOIN presence USING (game_id, seat)
        JOIN workers ON workers.id = presence.worker
        WHERE presence.worker <> $1 AND workers.seen_at > now() - $4::interval
        """,
        worker,
        [game_id for game_id, _ in places],
        [seat for _, seat in places],
        lease,
    )
    return {(row[0], row[1]) for row in found}


async def sweep(session: Session) -> None:
    """Forgets what workers saw that are gone for good."""
    await session.execute("DELETE FROM presence WHERE NOT EXISTS (SELECT FROM workers WHERE workers.id = worker)")
