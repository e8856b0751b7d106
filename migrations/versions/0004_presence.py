"""Which worker a person is connected to"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

CHANGES = """
CREATE TABLE presence (
    game_id text COLLATE "C" NOT NULL,
    seat smallint NOT NULL,
    worker text COLLATE "C" NOT NULL,
    CONSTRAINT pk_presence PRIMARY KEY (game_id, seat, worker)
);
COMMENT ON TABLE presence IS
    'The seats whose persons a worker sees, while several serve. What is told of it is in the log.';
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    for statement in CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)
