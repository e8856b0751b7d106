"""The heartbeats of workers. Whether another worker lives decides whether a cached game may be behind the log; since
when any has lived decides whether a deadline that has passed was served.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from app.database import Session


@dataclass(frozen=True, slots=True)
class Company:
    """Who lives, as of `at`: whether any other worker does, and since when at least one has without a gap known."""

    at: datetime
    others: bool
    serving_since: datetime


async def beat(
    session: Session, worker_id: str, host: str, pid: int, lease: timedelta, *, draining: bool = False
) -> Company:
    """Says that a worker lives, for the first time or again, and finds who else does. One that was not heard of for a
    lease begins anew: it cannot have served meanwhile. A beat that arrives behind a later one takes nothing back."""
    row = await session.fetchrow(
        """
        WITH mine AS (
            INSERT INTO workers AS known (id, host, pid, draining) VALUES ($1, $2, $3, $5)
            ON CONFLICT (id) DO UPDATE SET
                seen_at = greatest(known.seen_at, now()), draining = excluded.draining, started_at =
                CASE WHEN known.seen_at < now() - $4::interval THEN now() ELSE known.started_at END
            RETURNING started_at
        ), others AS (
            SELECT started_at FROM workers WHERE id <> $1 AND seen_at > now() - $4::interval
        )
        SELECT now(), EXISTS (SELECT FROM others), least(mine.started_at, (SELECT min(started_at) FROM others))
        FROM mine
        """,
        worker_id,
        host,
        pid,
        lease,
        draining,
    )
    return Company(*row)


async def unaware(session: Session, worker_id: str, since: datetime, lease: timedelta) -> bool:
    """Whether some other worker that may still live has not beaten since that moment, and so may not know of this one
    yet."""
    return bool(
        await session.fetchval(
            """
            SELECT EXISTS (
                SELECT FROM workers WHERE id <> $1 AND seen_at < $2 AND seen_at > clock_timestamp() - $3::interval
            )
            """,
            worker_id,
            since,
            lease,
        )
    )


async def leave(session: Session, worker_id: str) -> None:
    """Says that a worker is gone, and forgets those not heard of for a day."""
    await session.execute(
        "DELETE FROM workers WHERE id = $1 OR seen_at < now() - interval '1 day'",
        worker_id,
    )
