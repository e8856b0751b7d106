"""What the operator may set, from the environment: names that start with TODAS_, and DATABASE_URL.
A name nobody knows and a value that is unsafe in production refuse to start; nothing is guessed.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "TODAS_"
_INTRODUCTION = """\
# Settings

From the environment alone. A `TODAS_` name that is not in this table, and a value that is unsafe in production, refuse
to start; an empty value is the default. This page is written by `python -m app.settings > docs/settings.md`.
"""
_RATE = r"^[1-9]\d{0,8}/(second|minute|hour|day)$"


def _split(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    if not given.lstrip().startswith("["):
        return [part.strip() for part in given.split(",") if part.strip()]
    try:
        return json.loads(given)
    except ValueError:
        raise ValueError("begins like a JSON list and is none") from None


_Texts = Annotated[list[str], NoDecode, BeforeValidator(_split)]
"""Texts with commas between them, or a JSON list of them."""


class SettingsRefused(ValueError):
    """The environment cannot be started with. The text names every setting at fault, one a line."""


class Settings(BaseSettings):
    """All settings, each with its default. Read them with `load`, which also refuses unknown names."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    environment: Literal["development", "production"] = Field(
        "development", description="`production` refuses settings that are only safe on a developer's machine."
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    state_dir: Path = Field(
        Path(".todas"), description="Folder of the embedded database. Not used when `DATABASE_URL` is set."
    )
    database_url: str | None = Field(
        None,
        validation_alias="DATABASE_URL",
        repr=False,
        pattern=r"^postgres(ql)?(\+asyncpg)?://",
        examples=["postgresql://todas:password@localhost/todas"],
        description="A Postgres 18 to use instead of the embedded one: `postgresql://user:password@host/database`.",
    )
    postgres_bin: Path | None = Field(
        None, description="Folder with `postgres`, `initdb` and `pg_dump` of version 18 for the embedded database."
    )
    postgres_account: str | None = Field(
        None, description="Account the embedded database drops to when started as root; else `postgres` or `nobody`."
    )
    database_pool: int = Field(10, ge=2, le=500, description="Connections a worker keeps for ordinary statements.")
    writer_queue: int = Field(
        2000, ge=1, le=1_000_000, description="Moves a worker holds for the log before it answers 503."
    )
    trusted_proxies: _Texts = Field(
        [],
        examples=["10.0.0.2,172.16.0.0/12"],
        description="Addresses or networks of proxies whose `X-Forwarded-For` is believed, with commas between them.",
    )
    cors_origins: _Texts = Field(
        [],
        examples=["http://localhost:5173,https://play.example.org"],
        description="Origins whose pages may call the service and open streams from a browser, with commas between "
        "them, like `http://localhost:5173`; none by default, but for streams the service's own host.",
    )
    rate_moves: str = Field("1200/minute", pattern=_RATE, description="Moves a player may send.")
    rate_reads: str = Field(
        "1200/minute", pattern=_RATE, description="Other requests a player, or an address, may send."
    )
    rate_reconnects: str = Field(
        "120/minute", pattern=_RATE, description="Streams a player may open or resume, and tickets for them."
    )
    rate_new_games: str = Field("30/minute", pattern=_RATE, description="Games a player may make.")
    rate_sign_ups: str = Field("120/minute", pattern=_RATE, description="Players one address may make or recover.")
    stream_heartbeat_seconds: float = Field(
        20, ge=0.05, le=300, description="How often a stream is pinged; two without an answer, and it is closed."
    )
    stream_stall_seconds: float = Field(
        10, ge=0.05, le=300, description="How long a stream's reader may take nothing before it is closed as too slow."
    )
    streams_per_player: int = Field(20, ge=1, description="Streams a player may have open on one worker.")
    streams_at_most: int = Field(10_000, ge=1, description="Streams that may be open on one worker.")
    rate_codes: str = Field("10/minute", pattern=_RATE, description="Codes a player, or an address, may try.")
    rate_talk: str = Field("40/minute", pattern=_RATE, description="Phrases, reactions and texts a player may send.")
    pause_seconds: float = Field(
        60, ge=0, le=86_400, description="Time after which a table of several people pauses when none is connected."
    )
    abandon_hours: float = Field(
        24, gt=0, le=8_760, description="Time after which a game ends as abandoned when no person comes to it."
    )
    drain_seconds: float = Field(
        0, ge=0, le=5, description="Time between SIGTERM, when `/readyz` says no, and the end of listening."
    )
    allow_seeds: bool = Field(
        False, description="Lets a new game name its seed, which gives its wall away. Never in production."
    )
    metrics_token: str | None = Field(
        None,
        repr=False,
        min_length=16,
        description="Bearer token that `/metrics` asks for. In production there are no metrics without one.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severity logged.")
    log_format: Literal["text", "json"] = Field("text", description="Log lines for people or for machines.")

    @model_validator(mode="after")
    def _safe_in_production(self) -> Settings:
        if self.environment == "production" and self.allow_seeds:
            raise ValueError(f"{PREFIX}ALLOW_SEEDS is not allowed when {PREFIX}ENVIRONMENT is production")
        return self


def load() -> Settings:
    """The settings of this process. Raises SettingsRefused with one line for each setting at fault."""
    unknown = [name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in _known()]
    refusals = [f"{name}: no such setting" for name in sorted(unknown)]
    try:
        settings = Settings()
    except ValidationError as error:
        refusals += [_line(problem["loc"], problem["msg"]) for problem in error.errors()]
    else:
        if not refusals:
            return settings
    raise SettingsRefused("\n".join(refusals))


def page() -> str:
    """The settings for people: what docs/settings.md holds."""
    rows = [f"| `{_variable(name, field)}` | {_default(field)} | {field.description} |" for name, field in _fields()]
    return "\n".join([_INTRODUCTION, "| name | default | what it does |", "|---|---|---|", *rows]) + "\n"


def _fields() -> list[tuple[str, FieldInfo]]:
    return list(Settings.model_fields.items())


def _variable(name: str, field: FieldInfo) -> str:
    return str(field.validation_alias or f"{PREFIX}{name}".upper())


def _default(field: FieldInfo) -> str:
    return "" if field.default is None else f"`{field.default}`"


def _known() -> set[str]:
    return {_variable(name, field) for name, field in _fields()}


def _line(location: tuple[int | str, ...], message: str) -> str:
    message = message.removeprefix("Value error, ")
    if not location:
        return message
    for name, field in _fields():
        if location[0] in (name, field.validation_alias):
            example = field.examples[0] if field.examples else field.default
            return f"{_variable(name, field)}: {message}" + ("" if example is None else f"; for example {example}")
    return f"{location[0]}: {message}"


if __name__ == "__main__":
    sys.stdout.write(page())
