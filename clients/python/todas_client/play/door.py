"""From the door to a table: what there is to choose from, and the game that comes of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

from rich.text import Text

from todas_client.client import Client
from todas_client.play.keys import Keyboard
from todas_client.play.lines import TITLE
from todas_client.play.screen import Screen
from todas_client.play.session import Session
from todas_client.play.table import Table
from todas_client.play.waiting import WaitingRoom, waits
from todas_client.play.words import Teller
from todas_client.problems import Problem
from todas_client.shapes import View, Waiting

OFFERED = 2
"""Rulesets in the menu, which has nine numbers; `--ruleset` takes any."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asked for: a new table of a ruleset, with so many seats open for people, or a code."""

    ruleset: str | None = None
    code: str | None = None
    open: int = 0


class Door:
    """Where a player stands who has signed in."""

    def __init__(self, client: Client, name: str, pace: float, screen: Screen, keyboard: Keyboard) -> None:
        self._client = client
        self._name = name
        self._pace = pace
        self._screen = screen
        self._keyboard = keyboard
        self._rulesets: list[str] = []
        self._titles: dict[str, str] = {}
        self._characters: dict[str, str] = {}

    async def play(self, wanted: Wanted) -> None:
        """Plays at one table after the other, until the player leaves."""
        rulesets = await self._client.rulesets()
        self._titles = {
            way["id"]: way["title"] for rules in rulesets for way in [*rules["categories"], *rules["bonuses"]]
        }
        self._characters = {tile["code"]: tile["character"] for tile in await self._client.tiles()}
        self._rulesets = [rules["id"] for rules in rulesets]
        table = await self._first(wanted)
        while True:
            if table is None:
                table = await self._choose()
                if table is None:
                    return
            view = await self._seated(table)
            if view is None:
                table = None
                continue
            shown = Table(view, Teller(view, self._titles), self._characters)
            if await Session(self._client, shown, self._screen, self._keyboard).run() == "closed":
                return
            table = await self._again(view["game"]["id"])

    async def _again(self, game_id: str) -> View | Waiting | None:
        """The same seats once more; None where that cannot be."""
        try:
            return await self._client.rematch(game_id)
        except Problem:
            return None

    async def _first(self, wanted: Wanted) -> View | Waiting | None:
        """What the command line asks for."""
        if wanted.code is not None:
            return await self._client.join_by_code(wanted.code)
        if wanted.ruleset is None and not wanted.open:
            return None
        return await self._deal(wanted.ruleset or self._rulesets[0], wanted.open)

    async def _seated(self, table: View | Waiting) -> View | None:
        """The table once it is dealt; None when the player does not wait for that."""
        if not waits(table):
            return cast("View", table)
        return await WaitingRoom(self._client, cast("Waiting", table), self._screen, self._keyboard).run()

    async def _deal(self, ruleset: str, open_seats: int = 0) -> View | Waiting:
        """A new table: against bots, where points wait for the player to have seen them, or with seats for people."""
        if open_seats:
            seats = [{"type": "me"}, *[{"type": "open"}] * open_seats, *[{"type": "bot"}] * (3 - open_seats)]
            return await self._client.create_game(ruleset=ruleset, seats=seats)
        timing = {"settlement_seconds": None, "bot_delay_ms": round(self._pace * 1000)}
        return await self._client.create_game(ruleset=ruleset, timing=timing)

    async def _choose(self) -> View | Waiting | None:
        """The menu, until something of it leads to a table; None to leave."""
        said = Text()
        while True:
            entries = await self._entries()
            self._screen.show(self._menu([words for words, _ in entries], said))
            key = await self._keyboard.pressed()
            if key in ("q", "escape", "closed"):
                return None
            if not key.isdecimal() or not 1 <= int(key) <= len(entries):
                continue
            try:
                table = await entries[int(key) - 1][1]()
            except Problem as problem:
                said = Text(f"  {problem.detail}", "red")
            else:
                if table is not None:
                    return table

    async def _entries(self) -> list[tuple[str, Callable[[], Awaitable[View | Waiting | None]]]]:
        entries: list[tuple[str, Callable[[], Awaitable[View | Waiting | None]]]] = []
        for status in ("playing", "open"):
            for game in (await self._client.games(status=status, limit=2))["items"]:
                begun = game["created_at"][:16].replace("T", " ")
                entries.append((f"Go on: {game['ruleset']}, begun {begun}", partial(self._back, game["id"])))
        offered = self._rulesets[:OFFERED]
        entries += [(f"New table: {ruleset}, against three bots", partial(self._deal, ruleset)) for ruleset in offered]
        entries += [(f"New table: {ruleset}, for friends", partial(self._deal, ruleset, 3)) for ruleset in offered]
        return [*entries, ("Join with a code", self._join)]

    async def _back(self, game_id: str) -> View | Waiting:
        """The table again; one whose seat was given up is sat down at again."""
        return await self._client.join(game_id)

    async def _join(self) -> View | Waiting | None:
        code = await self._typed("The code of the table: ")
        return await self._client.join_by_code(code) if code else None

    async def _typed(self, question: str) -> str:
        """A line as it is typed; empty when the player thinks better of it."""
        typed = ""
        while True:
            self._screen.show([Text.assemble(TITLE), Text(), Text.assemble(f"  {question}", (typed, "bold"), "\u2581")])
            key = await self._keyboard.pressed()
            if key in ("escape", "closed"):
                return ""
            if key == "enter":
                return typed.strip()
            if key == "backspace":
                typed = typed[:-1]
            elif len(key) == 1:
                typed += key

    def _menu(self, entries: list[str], said: Text) -> list[Text]:
        lines = [
            Text.assemble(TITLE, f"  {self._name} at {self._client.address}"),
            Text(),
        ]
        for number, entry in enumerate(entries, 1):
            lines.append(Text.assemble("  ", (f" {number} ", "black on yellow"), f"  {entry}"))
        return [*lines, Text(), Text("  q  leave", "grey70"), Text(), said]
