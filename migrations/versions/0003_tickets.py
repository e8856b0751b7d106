"""Tickets with which a browser opens a stream"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

CHANGES = """
CREATE TABLE tickets (
    hash bytea CONSTRAINT pk_tickets PRIMARY KEY,
    game_id text COLLATE "C" NOT NULL,
    token_id text COLLATE "C" NOT NULL,
    expires_at timestamptz NOT NULL,
    used boolean NOT NULL DEFAULT false
);
CREATE INDEX ix_tickets_expires_at ON tickets (expires_at);
COMMENT ON TABLE tickets IS
    'What opens one stream of a game in place of a token, by the SHA-256 of its text. Kept for a day.';
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    for statement in CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)
