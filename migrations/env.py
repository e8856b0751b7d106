"""Runs the migrations, each in a transaction of its own. One process at a time: the others wait for a lock of the
database and then find nothing left to do.
"""

from __future__ import annotations

import asyncio

import asyncpg
from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from app.schema import metadata

LOCK = 7_064_815_301


def run(connection: Connection) -> None:
    with connection.begin():
        connection.execute(text("SELECT pg_advisory_lock(:lock)"), {"lock": LOCK})
    context.configure(connection=connection, target_metadata=metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def main() -> None:
    url = context.config.attributes["url"]
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url), poolclass=NullPool
    )
    async with engine.connect() as connection:
        await connection.run_sync(run)
    await engine.dispose()


asyncio.run(main())
