"""Under which id each message was said, so that its request repeated says nothing twice"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    op.execute('ALTER TABLE game_talk ADD COLUMN id text COLLATE "C"')
    # What was said before, or is said by an older version meanwhile, has none.
    op.execute("CREATE UNIQUE INDEX uq_game_talk_id ON game_talk (game_id, id) WHERE id IS NOT NULL")
