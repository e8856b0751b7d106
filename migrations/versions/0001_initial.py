"""The first tables: the log of games, players and their tokens, idempotency keys, workers"""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Ids compare byte by byte whatever the database's language. The log's path of writing has no foreign keys.
TABLES = """
CREATE TABLE players (
    id text COLLATE "C" CONSTRAINT pk_players PRIMARY KEY,
    display_name text NOT NULL,
    recovery_hash bytea CONSTRAINT uq_players_recovery_hash UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz
);
COMMENT ON TABLE players IS 'A deleted player keeps its row, without a name, for the games it sat in.';

CREATE TABLE tokens (
    id text COLLATE "C" CONSTRAINT pk_tokens PRIMARY KEY,
    player_id text COLLATE "C" NOT NULL CONSTRAINT fk_tokens_player_id REFERENCES players,
    hash bytea NOT NULL CONSTRAINT uq_tokens_hash UNIQUE,
    scopes text[] NOT NULL,
    label text,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz
);
CREATE INDEX ix_tokens_player_id ON tokens (player_id);
COMMENT ON TABLE tokens IS 'Bearer tokens by the SHA-256 of their text, which is stored nowhere.';

CREATE TABLE games (
    id text COLLATE "C" CONSTRAINT pk_games PRIMARY KEY,
    ruleset text NOT NULL,
    creator text COLLATE "C" NOT NULL CONSTRAINT fk_games_creator REFERENCES players,
    status text NOT NULL CONSTRAINT ck_games_status CHECK (status IN ('open', 'playing', 'ended')),
    visibility text NOT NULL CONSTRAINT ck_games_visibility CHECK (visibility IN ('private', 'public')),
    seeded boolean NOT NULL,
    format smallint NOT NULL,
    config jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    last_version integer,
    CONSTRAINT ck_games_ended CHECK ((status = 'ended') = (last_version IS NOT NULL))
);
CREATE INDEX ix_games_creator ON games (creator);
COMMENT ON TABLE games IS 'What a move does not change. An ended game has its last version here instead of a head.';

CREATE TABLE game_seats (
    game_id text COLLATE "C" CONSTRAINT fk_game_seats_game_id REFERENCES games,
    seat smallint CONSTRAINT ck_game_seats_seat CHECK (seat BETWEEN 0 AND 3),
    player_id text COLLATE "C" NOT NULL CONSTRAINT fk_game_seats_player_id REFERENCES players,
    joined_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_game_seats PRIMARY KEY (game_id, seat),
    CONSTRAINT uq_game_seats_player_id_game_id UNIQUE (player_id, game_id)
);
COMMENT ON TABLE game_seats IS
    'The persons at each table, for who may do what and for whose games; bots are in the game''s state alone.';

CREATE TABLE game_log (
    game_id text COLLATE "C",
    version integer,
    first_seq integer NOT NULL,
    last_seq integer NOT NULL,
    seat smallint,
    action_id text COLLATE "C",
    commands bytea NOT NULL,
    events bytea NOT NULL,
    clock bytea,
    writer text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_game_log PRIMARY KEY (game_id, version)
);
CREATE UNIQUE INDEX uq_game_log_action ON game_log (game_id, seat, action_id) WHERE action_id IS NOT NULL;
COMMENT ON TABLE game_log IS
    'One row per commit of a game: the commands and all events and notes they led to, as UTF-8 JSON.';

CREATE TABLE game_heads (
    id text COLLATE "C" CONSTRAINT pk_game_heads PRIMARY KEY,
    version integer NOT NULL,
    last_seq integer NOT NULL,
    next_wake_at timestamptz,
    ended boolean NOT NULL DEFAULT false
) WITH (fillfactor = 70);
COMMENT ON TABLE game_heads IS
    'Where each live game stands. No index but the key, so that every update stays on its page (HOT).';

CREATE TABLE game_snapshots (
    game_id text COLLATE "C",
    round integer,
    version integer NOT NULL,
    seq integer NOT NULL,
    format smallint NOT NULL,
    state bytea NOT NULL,
    CONSTRAINT pk_game_snapshots PRIMARY KEY (game_id, round)
);
COMMENT ON TABLE game_snapshots IS
    'The state after each deal, kept, so that any past view folds at most one round.';

CREATE TABLE idempotency_keys (
    caller text COLLATE "C",
    route text COLLATE "C",
    key text COLLATE "C",
    request_hash bytea NOT NULL,
    status smallint,
    headers jsonb,
    answer bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_idempotency_keys PRIMARY KEY (caller, route, key)
);
CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS
    'One row per keyed request; without a status it is still running.';

CREATE TABLE workers (
    id text COLLATE "C" CONSTRAINT pk_workers PRIMARY KEY,
    host text NOT NULL,
    pid bigint NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    draining boolean NOT NULL DEFAULT false
);
COMMENT ON TABLE workers IS
    'The heartbeat of each worker: whether another one lives decides who must catch up before reading.';
"""


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '2s'")
    for statement in TABLES.split(";\n"):
        if statement.strip():
            op.execute(statement)
