"""Tables that wait for their players, spoken codes, talk and reports"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

CHANGES = """
ALTER TABLE games ADD COLUMN rematch_of text COLLATE "C"
    CONSTRAINT uq_games_rematch_of UNIQUE CONSTRAINT fk_games_rematch_of REFERENCES games;
CREATE INDEX ix_games_watchable ON games (created_at, id) WHERE visibility = 'public' AND status = 'playing';

ALTER TABLE game_seats ADD COLUMN ready boolean NOT NULL DEFAULT false;

CREATE TABLE open_tables (
    game_id text COLLATE "C" CONSTRAINT pk_open_tables PRIMARY KEY
        CONSTRAINT fk_open_tables_game_id REFERENCES games,
    owner text COLLATE "C" NOT NULL CONSTRAINT fk_open_tables_owner REFERENCES players,
    seed text NOT NULL,
    barred text[] COLLATE "C" NOT NULL DEFAULT '{}',
    revision integer NOT NULL DEFAULT 1,
    changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE open_tables IS
    'The games that wait for players. The row is locked by whoever changes one, and gone once it is dealt.';

CREATE TABLE game_codes (
    game_id text COLLATE "C" CONSTRAINT pk_game_codes PRIMARY KEY
        CONSTRAINT fk_game_codes_game_id REFERENCES open_tables ON DELETE CASCADE,
    code text COLLATE "C" NOT NULL CONSTRAINT uq_game_codes_code UNIQUE,
    expires_at timestamptz NOT NULL,
    uses_left smallint NOT NULL
);
COMMENT ON TABLE game_codes IS
    'The spoken code of an open table, one at a time, in the form in which it is looked up.';

CREATE TABLE game_talk (
    game_id text COLLATE "C" CONSTRAINT fk_game_talk_game_id REFERENCES games,
    no integer,
    player_id text COLLATE "C" NOT NULL CONSTRAINT fk_game_talk_player_id REFERENCES players,
    seat smallint NOT NULL,
    kind text NOT NULL CONSTRAINT ck_game_talk_kind CHECK (kind IN ('phrase', 'reaction', 'text')),
    content text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_game_talk PRIMARY KEY (game_id, no)
);
CREATE INDEX ix_game_talk_player_id ON game_talk (player_id);
COMMENT ON TABLE game_talk IS
    'What was said at each table, numbered without gaps; the engine and its log know nothing of it.';

CREATE TABLE reports (
    game_id text COLLATE "C" CONSTRAINT fk_reports_game_id REFERENCES games,
    id text COLLATE "C",
    reporter text COLLATE "C" NOT NULL CONSTRAINT fk_reports_reporter REFERENCES players,
    player_id text COLLATE "C" NOT NULL CONSTRAINT fk_reports_player_id REFERENCES players,
    message_no integer,
    message text,
    reason text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_reports PRIMARY KEY (game_id, id)
);
COMMENT ON TABLE reports IS
    'What players report to the operator, with a copy of the message, which its author may take away.';
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    for statement in CHANGES.split(";\n"):
        if statement.strip():
            op.execute(statement)
