"""The migrations lead to exactly the tables that app/schema.py declares."""

from __future__ import annotations

from typing import Any

import asyncpg
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from app.database import Database
from app.schema import metadata


async def test_the_migrations_make_the_declared_tables(url: str):
    engine = create_async_engine("postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(url))

    def differences(connection: Connection) -> list[Any]:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), metadata))

    async with engine.connect() as connection:
        found = await connection.run_sync(differences)
    await engine.dispose()
    assert found == []


async def test_heads_leave_room_on_their_pages_and_have_no_index_but_the_key(db: Database):
    options = await db.session.fetchval("SELECT reloptions FROM pg_class WHERE relname = 'game_heads'")
    indexes = await db.session.fetch("SELECT indexname FROM pg_indexes WHERE tablename = 'game_heads'")
    assert options == ["fillfactor=70"]
    assert [row["indexname"] for row in indexes] == ["pk_game_heads"]
