"""The player for the terminal: `todas play`. Its options, and what they lead to."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

import httpx
from rich.console import Console

from todas_client.client import Client
from todas_client.play.account import Accounts, sign_in
from todas_client.play.door import Door, Wanted
from todas_client.play.keys import Keyboard
from todas_client.play.screen import Screen
from todas_client.problems import Closed, Problem, Unreachable
from todas_client.transport import root_of

SERVER = "http://127.0.0.1:8000"


def main(argv: Sequence[str] | None = None, prog: str = "todas-play") -> int:
    """Plays until the player has had enough: the exit code, 2 where it cannot begin."""
    options = _parser(prog).parse_args(argv)
    console = Console()
    if not (sys.stdin.isatty() and console.is_terminal):
        sys.stderr.write(f"{prog} draws on a terminal and reads its keys: start it in one, not in a pipe.\n")
        return 2
    accounts = Accounts()
    try:
        if closed := asyncio.run(_knock(console, options)):
            console.print(closed, style="red", markup=False)
            return 1
        name = options.name
        if not name and accounts.find(root_of(options.server)) is None:
            name = console.input("Your name at the table: ").strip() or "Guest"
        asyncio.run(_play(console, options, accounts, name))
    except (KeyboardInterrupt, EOFError):
        return 130
    except (Problem, Unreachable, Closed) as error:
        console.print(error.detail if isinstance(error, Problem) else str(error), style="red", markup=False)
        return 1
    return 0


async def _knock(console: Console, options: argparse.Namespace) -> str:
    """Whether there is a service, before anybody is asked anything: what to do where there is none, else nothing."""
    address, instead = root_of(options.server), "start one there with `todas serve`, or name another with --server."
    try:
        with console.status(f"Knocking at {address}"):
            async with Client(address, patience=options.patience) as client:
                if (await client.version())["name"] == "todas":
                    return ""
    except Unreachable:
        return f"{address} does not answer: {instead}"
    except Problem as problem:
        if problem.passing:
            raise
    except (httpx.InvalidURL, ValueError, TypeError, KeyError):
        pass  # no address, or an answer of something else
    return f"{address} is no Todas service: {instead}"


async def _play(console: Console, options: argparse.Namespace, accounts: Accounts, name: str) -> None:
    """Signs in, and goes from one table to the next."""
    async with Client(options.server, patience=options.patience) as client:
        account = await sign_in(client, accounts, name)
    # Once seated, a player waits for the service to come back for as long as they like.
    async with Client(options.server, account.token, patience=3600) as client:
        with Screen(console) as screen, Keyboard() as keyboard:
            door = Door(client, account.name, options.pace, screen, keyboard)
            await door.play(Wanted(options.ruleset, options.code, options.open or 0))
        console.print(f"Until the next time, {account.name}.", markup=False)


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog, description="Play Filipino Mahjong at a Todas service, in the terminal.")
    parser.add_argument("--server", default=SERVER, help="where the service is (%(default)s)")
    parser.add_argument("--name", default="", help="what the others see of you; asked for the first time")
    parser.add_argument("--code", help="join the table with this code")
    parser.add_argument("--ruleset", help="deal a new table of these rules at once: emay, tsumo, ...")
    parser.add_argument("--open", type=int, choices=range(1, 4), help="make a new table with so many seats for people")
    parser.add_argument(
        "--pace", type=float, default=0.6, metavar="SECONDS", help="what bots take for a move (%(default)s)"
    )
    parser.add_argument(
        "--patience", type=float, default=10, metavar="SECONDS", help="how long to knock at the service (%(default)s)"
    )
    return parser
