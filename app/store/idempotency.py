"""What became of each request that carried an Idempotency-Key, for 24 hours (api, Conventions)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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


async def begin(session: Session, key: Key, request_hash: bytes, seed: bytes, lease_seconds: int) -> tuple[Entry, bool]:
    """Enters a request under its key, unless one is there: the entry, and whether this request is to be run.

    Of the same requests that find one which was not answered within the lease, whose server died, one takes it over.
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
    taken = await session.fetchrow(
        """
        INSERT INTO idempotency_keys AS known (caller, route, key, request_hash, answer) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (caller, route, key) DO UPDATE SET created_at = now()
        WHERE known.status IS NULL AND known.request_hash = $4
            AND known.created_at < now() - $6 * interval '1 second'
        RETURNING request_hash, status, headers, answer
        """,
        key.caller,
        key.route,
        key.key,
        request_hash,
        seed,
        lease_seconds,
    )
    if taken is not None:
        return _entry(taken), True
    known = await _find(session, key)
    if known is None:
        return await begin(session, key, request_hash, seed, lease_seconds)
    return known, False


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


async def _find(session: Session, key: Key) -> Entry | None:
    row = await session.fetchrow(
        """
        SELECT request_hash, status, headers, answer FROM idempotency_keys
        WHERE caller = $1 AND route = $2 AND key = $3
        """,
        key.caller,
        key.route,
        key.key,
    )
    return None if row is None else _entry(row)


def _entry(row: Any) -> Entry:
    request_hash, status, headers, content = row
    return Entry(request_hash, status, headers or {}, content)
