from __future__ import annotations

from app.database import Database
from app.housekeeping import Housekeeping


async def test_keys_older_than_a_day_go_and_younger_ones_stay(db: Database) -> None:
    await db.session.execute(
        """
        INSERT INTO idempotency_keys (caller, route, key, request_hash, created_at)
        VALUES ('a', 'r', 'old', '', now() - interval '24 hours 1 second'), ('a', 'r', 'young', '', now())
        """
    )
    await Housekeeping(db).tidy()

    assert [row[0] for row in await db.session.fetch("SELECT key FROM idempotency_keys")] == ["young"]
