"""The command `todas`: serving, the database, and the engine's own checks. Words for people; no rules and no SQL.

Each command imports what it needs itself, so that the engine's commands start without the service.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from app.printable import json_line, printable
from app.settings import Settings, SettingsRefused, load

if TYPE_CHECKING:
    from app.store.reports import Report

app = typer.Typer(
    help="Todas: a headless game service for Filipino Mahjong.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
db = typer.Typer(help="Dump and restore the database.", no_args_is_help=True)
app.add_typer(db, name="db")


def main() -> None:
    """The entry point of the command."""
    app()


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on, instead of TODAS_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="Port, instead of TODAS_PORT.", min=0, max=65535)] = None,
    migrate: Annotated[bool, typer.Option(help="Bring the schema up to date first.")] = True,
) -> None:
    """Serve on the given database (DATABASE_URL), or on the embedded one."""
    from app import database
    from app.main import create_app
    from app.server import serve as serve_app

    with _prepared(host=host, port=port) as settings, database.serving(settings, made=not migrate) as place:
        if migrate:
            database.migrate(place.url)
        else:
            database.check_schema(place.url)
        serve_app(create_app(settings, place))


@app.command()
def migrate() -> None:
    """Bring the schema of the database up to date."""
    from app import database

    with _prepared() as settings, database.serving(settings) as place:
        database.migrate(place.url)
    typer.echo("The schema is up to date.")


@db.command()
def dump(file: Annotated[Path, typer.Argument(help="A new file.")]) -> None:
    """Write the whole database to one new file; `todas db restore` reads it."""
    from app import database, dumps

    with _prepared() as settings, database.serving(settings, made=True) as place:
        dumps.dump(settings, place.url, file)
    typer.echo(f"Dumped to {file}.")


@db.command()
def restore(file: Annotated[Path, typer.Argument(help="A file that dump wrote.", exists=True, dir_okay=False)]) -> None:
    """Fill an empty database from such a file, and bring it up to date.

    Into a new state folder: TODAS_STATE_DIR=restored todas db restore FILE, then TODAS_STATE_DIR=restored todas serve.
    Into a server of your own: DATABASE_URL=postgresql://... todas db restore FILE, its database being empty."""
    from app import database, dumps

    with _prepared() as settings, database.serving(settings) as place:
        dumps.restore(settings, place.url, file)
        database.migrate(place.url)
    typer.echo(f"Restored from {file}.")


@app.command()
def verify(
    replay: Annotated[typer.FileBinaryRead | None, typer.Argument(help="A replay as it was told; - for stdin.")] = None,
    commitment: Annotated[
        str | None, typer.Option(help="What /fairness showed before the replay's game ended.")
    ] = None,
) -> None:
    """Check every game's log: that a game played by the rules went so, to where it stands; exit 1 when one did not.
    Games may go on meanwhile: each is checked as it is at one moment. Or check one replay, which needs no database."""
    from app import database
    from app.tables.published import faults_of_replay

    if replay is None and commitment is not None:
        _stop("--commitment is of one game: give the file of its replay")
    if replay is not None:
        faults = faults_of_replay(replay, commitment)
        typer.echo("\n".join(faults) or "whole")
        raise typer.Exit(1 if faults else 0)
    with _prepared() as settings, database.serving(settings, made=True) as place:
        database.check_schema(place.url)
        whole, broken = asyncio.run(_verify(place.url))
    typer.echo(f"{whole} whole, {broken} broken")
    raise typer.Exit(1 if broken else 0)


async def _verify(url: str) -> tuple[int, int]:
    from app.database import Database
    from app.tables.verify import verify_games

    opened = Database(url, size=2)
    await opened.open()
    whole = broken = 0
    try:
        async for verdict in verify_games(opened.moment):
            for fault in verdict.faults:
                typer.echo(printable(f"{verdict.game_id}  {fault}"))
            whole += not verdict.faults
            broken += bool(verdict.faults)
    finally:
        await opened.close()
    return whole, broken


@app.command()
def reports() -> None:
    """Print what players have reported, one JSON object a line, the oldest first."""
    from app import database

    with _prepared() as settings, database.serving(settings, made=True) as place:
        database.check_schema(place.url)
        for report in asyncio.run(_reports(place.url)):
            typer.echo(json_line(report))


async def _reports(url: str) -> list[Report]:
    from app.database import Database
    from app.store.reports import every

    opened = Database(url, size=1)
    await opened.open()
    try:
        return await every(opened.session)
    finally:
        await opened.close()


@app.command()
def openapi(file: Annotated[Path, typer.Argument(help="Where to write it.")] = Path("openapi/openapi.json")) -> None:
    """Write the contract, as the routes make it."""
    from app import openapi as contract
    from app.database import Place
    from app.main import create_app

    file.write_text(contract.text(create_app(Settings(), Place("postgresql://"))), encoding="utf-8")


@app.command()
def simulate(
    ruleset: Annotated[str, typer.Option(help="A preset.")] = "emay",
    bots: Annotated[str, typer.Option(help="Bots in turn around the table, with commas: greedy, random.")] = "greedy",
    rounds: Annotated[int, typer.Option(min=1, help="How many rounds.")] = 1000,
    seed: Annotated[str, typer.Option(help="The same seed plays the same rounds.")] = "1",
    check: Annotated[
        bool, typer.Option("--check", help="Hold every step to the laws; exit 1 when one is broken.")
    ] = False,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Play rounds by bots alone, and print how they were won and how fast."""
    from app.simulation import simulate as play
    from engine.rules import preset

    try:
        whole = play(preset(ruleset), bots.split(","), rounds, seed, check=check, jobs=jobs)
    except ValueError as error:
        _stop(str(error))
    raise typer.Exit(0 if whole else 1)


@app.command()
def hands(file: Annotated[Path, typer.Argument(help="Hand vectors.", exists=True, dir_okay=False)]) -> None:
    """Read hand vectors and print where this engine differs; exit 1 when it does."""
    from engine.vectors import compare

    try:
        vectors = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(vectors, list) or not vectors:
            raise ValueError("no vectors: a JSON list of them is needed")
        found = compare(vectors)
    except ValueError as error:
        _stop(f"{file}: {error}")
    for difference in found.differences:
        expected, came_to = _shown(difference.expected), _shown(difference.found)
        typer.echo(printable(f"{difference.id}  expected {expected}  found {came_to}"))
    typer.echo(f"{found.agree} agree, {found.differ} differ")
    raise typer.Exit(1 if found.differ else 0)


@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True}, add_help_option=False)
def play(context: typer.Context) -> None:
    """Play at a service, in this terminal; `todas play --help` says how."""
    try:
        from todas_client.play import main as play_here
    except ModuleNotFoundError as missing:
        if missing.name != "todas_client":
            raise
        _stop("The player is a package of its own, in clients/python: pip install ./clients/python")
    raise typer.Exit(play_here(context.args, prog="todas play"))


@contextmanager
def _prepared(*, host: str | None = None, port: int | None = None) -> Iterator[Settings]:
    """The settings, with logging set up; what cannot be started with ends the command with a text, not a trace."""
    from app.database import away
    from app.postgres_binaries import PostgresRefused
    from app.telemetry import configure_logging

    try:
        settings = load().model_copy(update={k: v for k, v in (("host", host), ("port", port)) if v is not None})
        configure_logging(settings.log_level, settings.log_format)
        yield settings
    except (SettingsRefused, PostgresRefused) as refusal:
        _stop(str(refusal))
    except Exception as error:
        if not away(error):
            raise
        _stop(f"The database does not answer: {error}")


def _stop(text: str) -> NoReturn:
    typer.echo("\n".join(map(printable, text.split("\n"))), err=True)
    raise typer.Exit(2)


def _shown(value: object) -> str:
    return "no win" if value is None else json.dumps(value, ensure_ascii=False)
