"""In which format each row of the log is written"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    # A constant default rewrites no row, and stays: what an older version writes meanwhile names no format.
    op.execute("ALTER TABLE game_log ADD COLUMN format smallint NOT NULL DEFAULT 1")
