"""What became of each request that carried an Idempotency-Key, for 24 hours (api, Conventions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.database import Session


@dataclass(frozen=True, slots=True)
class Key:
    """Whose key it is, for what kind of request."""

    caller: str
    route: str
    key: str


@dataclass(frozen=True, slots=True)
class Entry:
    """The request that a key stands for. Without `status` it is not answered yet, or its server has died.

    `content` is the answer's; until there is one it is the seed that `begin` was given first.
    """

    request_hash: bytes
    status: int | None
    headers: Mapping[str, str]
    content: bytes
    stale: bool


async def begin(session: Session, key: Key, request_hash: bytes, seed: bytes, lease_seconds: int) -> tuple[Entry, bool]:
    """Enters a request under its key, unless one is there: the entry, and whether it is this request's.

    An entry that was not answered within the lease is `stale`: its server died, and the request may be run again.
    """
    await session.execute(
        """
        DELETE FROM idempotency_keys
        WHERE caller = $1 AND route = $2 AND key = $3 AND created_at < now() - interval '24 hours'
        """,
        key.caller,
        key.route,
        key.key,
    )
    inserted = await session.fetchval(
        """
        INSERT INTO idempotency_keys (caller, route, key, request_hash, answer) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT DO NOTHING RETURNING true
        """,
        key.caller,
        key.route,
        key.key,
        request_hash,
        seed,
    )
    row = await session.fetchrow(
        """
        SELECT request_hash, status, headers, answer, status IS NULL AND created_at < now() - $4 * interval '1 second'
        FROM idempotency_keys WHERE caller = $1 AND route = $2 AND key = $3
        """,
        key.caller,
        key.route,
        key.key,
        lease_seconds,
    )
    if row is None:
        return await begin(session, key, request_hash, seed, lease_seconds)
    found_hash, status, headers, content, stale = row
    return Entry(found_hash, status, headers or {}, content, stale), bool(inserted)


async def finish(session: Session, key: Key, status: int, headers: Mapping[str, str], content: bytes) -> None:
    """Keeps the answer to a request."""
    await session.execute(
        """
        UPDATE idempotency_keys SET status = $4, headers = $5, answer = $6
        WHERE caller = $1 AND route = $2 AND key = $3
        """,
        key.caller,
        key.route,
        key.key,
        status,
        dict(headers),
        content,
    )


async def abandon(session: Session, key: Key) -> None:
    """Frees a key whose request was refused: the same one may be tried again."""
    await session.execute(
        "DELETE FROM idempotency_keys WHERE caller = $1 AND route = $2 AND key = $3 AND status IS NULL",
        key.caller,
        key.route,
        key.key,
    )


async def release(session: Session, key: Key, lease_seconds: int) -> None:
    """Ends the lease of a request whose outcome is not known: the next one with its key takes over at once."""
    await session.execute(
        """
        UPDATE idempotency_keys SET created_at = created_at - $4 * interval '1 second'
        WHERE caller = $1 AND route = $2 AND key = $3 AND status IS NULL
        """,
        key.caller,
        key.route,
        key.key,
        lease_seconds,
    )


async def sweep(session: Session) -> None:
    """Forgets what is older than 24 hours."""
    await session.execute("DELETE FROM idempotency_keys WHERE created_at < now() - interval '24 hours'")
