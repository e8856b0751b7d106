"""The tables, in SQLAlchemy: what the migrations are checked against. Every table is keyed by game or player first,
and nothing on the path of a move has a foreign key.
"""

from __future__ import annotations

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NAME = Text(collation="C")  # opaque ids, compared byte by byte whatever the database's language
MOMENT = DateTime(timezone=True)

game_log = Table(
    "game_log",
    metadata,
    Column("game_id", NAME, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("first_seq", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("seat", SmallInteger),
    Column("action_id", NAME),
    Column("commands", LargeBinary, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("clock", LargeBinary),
    Column("writer", NAME, nullable=False),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    Column("format", SmallInteger, nullable=False, server_default=text("1")),
    comment="One row per commit of a game: the commands and all events and notes they led to, as UTF-8 JSON.",
)
Index(
    "uq_game_log_action",
    game_log.c.game_id,
    game_log.c.seat,
    game_log.c.action_id,
    unique=True,
    postgresql_where=game_log.c.action_id.is_not(None),
)

game_heads = Table(
    "game_heads",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("last_seq", Integer, nullable=False),
    Column("next_wake_at", MOMENT),
    Column("ended", Boolean, nullable=False, server_default=text("false")),
    comment="Where each live game stands. No index but the key, so that every update stays on its page (HOT).",
    postgresql_with={"fillfactor": "70"},
)

game_snapshots = Table(
    "game_snapshots",
    metadata,
    Column("game_id", NAME, primary_key=True),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("format", SmallInteger, nullable=False),
    Column("state", LargeBinary, nullable=False),
    comment="The state after each deal, kept, so that any past view folds at most one round.",
)

players = Table(
    "players",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("display_name", Text, nullable=False),
    Column("recovery_hash", LargeBinary, unique=True),
    Column("created_at", MOMENT, nullable=False, server_default=func.now()),
    Column("deleted_at", MOMENT),
    comment="A deleted player keeps its row, without a name, for the games it sat in.",
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("player_id", NAME, ForeignKey("players.id"), nullable=False, index=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("scopes", ARRAY(Text), nullable=False),
    Column("label", Text),
    Column("created_at", MOMENT, nullable=False, server_default=func.now()),
    Column("expires_at", MOMENT),
    Column("revoked_at", MOMENT),
    comment="Bearer tokens by the SHA-256 of their text, which is stored nowhere.",
)

tickets = Table(
    "tickets",
    metadata,
    Column("hash", LargeBinary, primary_key=True),
    Column("game_id", NAME, nullable=False),
    Column("token_id", NAME, nullable=False),
    Column("expires_at", MOMENT, nullable=False, index=True),
    Column("used", Boolean, nullable=False, server_default=text("false")),
    comment="What opens one stream of a game in place of a token, by the SHA-256 of its text. Kept for a day.",
)

games = Table(
    "games",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("ruleset", Text, nullable=False),
    Column("creator", NAME, ForeignKey("players.id"), nullable=False, index=True),
    Column("status", Text, CheckConstraint("status IN ('open', 'playing', 'ended')", name="status"), nullable=False),
    Column(
        "visibility", Text, CheckConstraint("visibility IN ('private', 'public')", name="visibility"), nullable=False
    ),
    Column("seeded", Boolean, nullable=False),
    Column("format", SmallInteger, nullable=False),
    Column("config", JSONB, nullable=False),
    Column("created_at", MOMENT, nullable=False, server_default=func.now()),
    Column("ended_at", MOMENT),
    Column("last_version", Integer),
    Column("rematch_of", NAME, ForeignKey("games.id"), unique=True),
    CheckConstraint("(status = 'ended') = (last_version IS NOT NULL)", name="ended"),
    comment="What a move does not change. An ended game has its last version here instead of a head.",
)
Index(
    "ix_games_watchable",
    games.c.created_at,
    games.c.id,
    postgresql_where=text("visibility = 'public' AND status = 'playing'"),
)

game_seats = Table(
    "game_seats",
    metadata,
    Column("game_id", NAME, ForeignKey("games.id"), primary_key=True),
    Column("seat", SmallInteger, CheckConstraint("seat BETWEEN 0 AND 3", name="seat"), primary_key=True),
    Column("player_id", NAME, ForeignKey("players.id"), nullable=False),
    Column("joined_at", MOMENT, nullable=False, server_default=func.now()),
    Column("ready", Boolean, nullable=False, server_default=text("false")),
    UniqueConstraint("player_id", "game_id"),
    comment="The persons at each table, for who may do what and for whose games; bots are in the game's state alone.",
)

open_tables = Table(
    "open_tables",
    metadata,
    Column("game_id", NAME, ForeignKey("games.id"), primary_key=True),
    Column("owner", NAME, ForeignKey("players.id"), nullable=False),
    Column("seed", Text, nullable=False),
    Column("barred", ARRAY(NAME), nullable=False, server_default=text("'{}'")),
    Column("revision", Integer, nullable=False, server_default=text("1")),
    Column("changed_at", MOMENT, nullable=False, server_default=func.now()),
    comment="The games that wait for players. The row is locked by whoever changes one, and gone once it is dealt.",
)

game_codes = Table(
    "game_codes",
    metadata,
    Column("game_id", NAME, ForeignKey("open_tables.game_id", ondelete="CASCADE"), primary_key=True),
    Column("code", NAME, nullable=False, unique=True),
    Column("expires_at", MOMENT, nullable=False),
    Column("uses_left", SmallInteger, nullable=False),
    comment="The spoken code of an open table, one at a time, in the form in which it is looked up.",
)

game_talk = Table(
    "game_talk",
    metadata,
    Column("game_id", NAME, ForeignKey("games.id"), primary_key=True),
    Column("no", Integer, primary_key=True, autoincrement=False),
    Column("player_id", NAME, ForeignKey("players.id"), nullable=False, index=True),
    Column("seat", SmallInteger, nullable=False),
    Column("kind", Text, CheckConstraint("kind IN ('phrase', 'reaction', 'text')", name="kind"), nullable=False),
    Column("content", Text, nullable=False),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    Column("id", NAME),
    comment="What was said at each table, numbered without gaps; the engine and its log know nothing of it.",
)
Index(
    "uq_game_talk_id",
    game_talk.c.game_id,
    game_talk.c.id,
    unique=True,
    postgresql_where=game_talk.c.id.is_not(None),
)

reports = Table(
    "reports",
    metadata,
    Column("game_id", NAME, ForeignKey("games.id"), primary_key=True),
    Column("id", NAME, primary_key=True),
    Column("reporter", NAME, ForeignKey("players.id"), nullable=False),
    Column("player_id", NAME, ForeignKey("players.id"), nullable=False),
    Column("message_no", Integer),
    Column("message", Text),
    Column("reason", Text, nullable=False),
    Column("at", MOMENT, nullable=False, server_default=func.now()),
    comment="What players report to the operator, with a copy of the message, which its author may take away.",
)

presence = Table(
    "presence",
    metadata,
    Column("game_id", NAME, primary_key=True),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("worker", NAME, primary_key=True),
    comment="The seats whose persons a worker sees, while several serve. What is told of it is in the log.",
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("caller", NAME, primary_key=True),
    Column("route", Text(collation="C"), primary_key=True),
    Column("key", NAME, primary_key=True),
    Column("request_hash", LargeBinary, nullable=False),
    Column("status", SmallInteger),
    Column("headers", JSONB),
    Column("answer", LargeBinary),
    Column("created_at", MOMENT, nullable=False, server_default=func.now(), index=True),
    comment="One row per keyed request; without a status it is still running.",
)

workers = Table(
    "workers",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("host", Text, nullable=False),
    Column("pid", BigInteger, nullable=False),
    Column("started_at", MOMENT, nullable=False, server_default=func.now()),
    Column("seen_at", MOMENT, nullable=False, server_default=func.now()),
    Column("draining", Boolean, nullable=False, server_default=text("false")),
    comment="The heartbeat of each worker: whether another one lives decides who must catch up before reading.",
)
