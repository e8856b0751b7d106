"""A table that waits for its players: who is there, the code to tell them, and the start."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from rich.text import Text

from todas_client.client import Client
from todas_client.play.keys import Keyboard
from todas_client.play.lines import TITLE
from todas_client.play.screen import Screen
from todas_client.problems import Problem
from todas_client.shapes import View, Waiting

LOOK = 1.0
"""Seconds between two looks at who has come."""


def waits(table: View | Waiting) -> bool:
    """Whether the table still waits for players."""
    return table["game"]["status"] == "open"


class WaitingRoom:
    """One sitting at a table that waits."""

    def __init__(self, client: Client, table: Waiting, screen: Screen, keyboard: Keyboard) -> None:
        self._client = client
        self._table = table
        self._screen = screen
        self._keyboard = keyboard
        self._said = ""

    @property
    def _game(self) -> str:
        return str(self._table["game"]["id"])

    async def run(self) -> View | None:
        """Waits until the table is dealt, and returns it; None when the player goes back to the door."""
        pressed = asyncio.create_task(self._keyboard.pressed())
        try:
            while True:
                self._screen.show(room(self._table, self._said))
                done, _ = await asyncio.wait({pressed}, timeout=LOOK)
                if done:
                    key = pressed.result()
                    if key in ("q", "escape", "closed"):
                        return None
                    pressed = asyncio.create_task(self._keyboard.pressed())
                    await self._press(key)
                table = await self._client.table(self._game)
                if not waits(table):
                    return cast("View", table) if table["game"]["status"] == "playing" else None
                self._table = cast("Waiting", table)
        except Problem:
            return None  # the table is closed, or not for this player any more
        finally:
            pressed.cancel()

    async def _press(self, key: str) -> None:
        self._said = ""
        try:
            if key == "r":
                await self._client.ready(self._game, ready=not _own(self._table).get("ready", False))
            elif key == "s":
                await self._client.start(self._game, fill_with_bots=True)
            elif key == "l":
                await self._client.leave(self._game)
        except Problem as problem:
            self._said = problem.detail


def room(table: Waiting, said: str) -> list[Text]:
    """The page, as lines."""
    lines = [Text.assemble(TITLE, f"  {table['game']['ruleset']}, waiting for players"), Text()]
    if "code" in table:
        lines += [
            Text.assemble("  Tell them the code  ", (f" {table['code']['code']} ", "bold black on gold1")),
            Text(),
        ]
    for seat in table["seats"]:
        name = {"open": "open", "bot": f"{seat.get('name')}, a bot"}.get(seat["kind"], seat.get("name", ""))
        line = Text.assemble(f"  {seat['seat'] + 1}.  ", (name, "grey50" if seat["kind"] == "open" else "bold"))
        if seat["seat"] == table["game"]["owner"]:
            line.append("  starts the game", "cyan")
        elif seat["kind"] == "person":
            line.append(
                "  ready" if seat.get("ready") else "  not ready yet", "green" if seat.get("ready") else "orange1"
            )
        lines.append(line)
    return [*lines, Text(), Text(f"  {_keys(table)}", "grey70"), Text(), Text(f"  {said}", "red")]


def _keys(table: Waiting) -> str:
    keys = ["l  give up the seat", "q  back"]
    if table.get("seat") == table["game"]["owner"]:
        return "   ".join(["s  start (bots take open seats)", *keys])
    return "   ".join(["r  not ready" if _own(table).get("ready") else "r  ready", *keys])


def _own(table: Waiting) -> Any:
    seat = table.get("seat")
    return {} if seat is None else table["seats"][seat]
