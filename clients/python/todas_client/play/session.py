"""A game at the terminal: frames come in, keys go out, and the screen shows what is known.

The stream says that something has happened and tells it; what the table looks like then is asked of the service, so
that no rule of the game is needed here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import Any, Literal

from todas_client.client import Client
from todas_client.play.choices import Choice, chosen, throws
from todas_client.play.keys import Keyboard
from todas_client.play.pages import page
from todas_client.play.screen import Screen
from todas_client.play.table import Table
from todas_client.play.words import advice
from todas_client.problems import Problem, Unreachable

End = Literal["closed", "again"]
BEAT = 0.2
"""Seconds between two looks at the clock."""
HISTORY = 40
"""Events that are told when a game is come back to."""


class Session:
    """One sitting at one game."""

    def __init__(self, client: Client, table: Table, screen: Screen, keyboard: Keyboard) -> None:
        self._client = client
        self._table = table
        self._screen = screen
        self._keyboard = keyboard
        self._stale = asyncio.Event()
        self._changed = asyncio.Event()
        self._moves: set[asyncio.Task[None]] = set()
        self._asking = {"h": self._hint, "A": self._auto_pass, "D": self._auto_draw, "P": self._pause}

    @property
    def _game(self) -> str:
        return self._table.view["game"]["id"]

    async def run(self) -> End:
        """Plays until the player has had enough. Raises what ends the stream for good: Problem, Closed."""
        listening = asyncio.create_task(self._listen())
        parts = [asyncio.create_task(part()) for part in (self._follow, self._look, self._paint)]
        waited: set[asyncio.Task[Any]] = {listening, *parts}
        try:
            while not listening.done():
                done, waited = await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
            return listening.result()
        finally:
            tasks = [listening, *parts, *self._moves]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self) -> None:
        """Takes every frame of the stream."""
        after = max(0, self._table.view["game"]["seq"] - HISTORY)
        async with aclosing(self._client.stream(self._game, after)) as frames:
            async for frame in frames:
                if self._table.take(frame):
                    self._stale.set()
                self._changed.set()

    async def _look(self) -> None:
        """Asks for the view, once for all that has come in meanwhile."""
        while True:
            await self._stale.wait()
            self._stale.clear()
            try:
                self._table.see(await self._client.view(self._game))
            except Unreachable:
                self._stale.set()
            self._changed.set()

    async def _paint(self) -> None:
        """Draws whenever something has changed, and for the clocks."""
        beat = 0
        while True:
            self._screen.show(page(self._table, *self._screen.size, beat))
            self._changed.clear()
            try:
                async with asyncio.timeout(BEAT):
                    await self._changed.wait()
            except TimeoutError:
                beat += 1

    async def _listen(self) -> End:
        while True:
            key = await self._keyboard.pressed()
            if key == "closed":
                return "closed"
            end = await self._press(key)
            if end is not None:
                return end
            self._changed.set()

    async def _press(self, key: str) -> End | None:
        table = self._table
        if table.page == "leave":
            return self._leave(key)
        if table.page == "help":
            table.page = "table"
        elif key == "?":
            table.page = "help"
        elif table.view["game"]["status"] == "ended" and key in ("q", "n"):
            return "again" if key == "n" else "closed"
        elif key == "q":
            table.page = "leave"
        elif key == "U":
            table.unicode = not table.unicode
        elif key in ("left", "right"):
            table.mark(1 if key == "right" else -1)
        elif key in self._asking:
            self._start(self._asking[key]())
        elif table.sending is None:
            choice = self._meant(key)
            if choice is not None:
                self._start(self._move(choice))
        return None

    def _meant(self, key: str) -> Choice | None:
        if key != "enter":
            return chosen(self._table.view, key)
        marked = self._table.marked
        return chosen(self._table.view, "d") if marked is None else throws(self._table.view)[marked]

    def _leave(self, key: str) -> End | None:
        self._table.page = "table"
        if key == "q":
            return "closed"
        if key == "l":
            self._start(self._give_up())
        if key == "e":
            self._start(self._end())
        return None

    def _start(self, doing: Any) -> None:
        task = asyncio.create_task(doing)
        self._moves.add(task)
        task.add_done_callback(self._moves.discard)

    async def _move(self, choice: Choice) -> None:
        table = self._table
        table.sending, table.notice_until = choice, 0
        self._changed.set()
        with self._saying():
            try:
                answer = await self._client.act(self._game, choice.action, table.view["decision"]["no"])
                table.see(answer["view"])
            finally:
                table.sending = None

    async def _end(self) -> None:
        with self._saying():
            self._table.see((await self._client.end(self._game, "after_round"))["view"])
            self._table.say("The game ends after this round.")

    async def _give_up(self) -> None:
        with self._saying():
            await self._client.leave(self._game)
            self._table.say("A bot plays your seat; to take it back, leave this screen and come again.", seconds=60)

    async def _hint(self) -> None:
        with self._saying():
            self._table.say(advice(await self._client.hint(self._game)), seconds=20)

    async def _auto_pass(self) -> None:
        wants = self._table.view.get("preferences", {})
        passing = "all" not in wants.get("auto_pass", [])
        said = "You pass on every tile now, wins too." if passing else "You are asked about tiles again."
        await self._prefer({**wants, "auto_pass": ["all"] if passing else []}, said)

    async def _auto_draw(self) -> None:
        wants = self._table.view.get("preferences", {})
        drawing = not wants.get("auto_draw", False)
        said = "Your tile is drawn for you now." if drawing else "You draw by yourself again."
        await self._prefer({**wants, "auto_draw": drawing}, said)

    async def _prefer(self, preferences: dict[str, Any], said: str) -> None:
        with self._saying():
            await self._client.prefer(self._game, **preferences)
            self._table.say(said)
            self._stale.set()

    async def _pause(self) -> None:
        with self._saying():
            ask = self._client.resume if self._table.view["game"].get("paused") else self._client.pause
            self._table.see((await ask(self._game))["view"])

    @contextmanager
    def _saying(self) -> Iterator[None]:
        """Says what goes wrong in the block."""
        try:
            yield
        except Problem as problem:
            moved_on = problem.code == "stale_decision"
            self._table.say("Too late: the table has moved on." if moved_on else problem.detail)
            self._stale.set()
        except Unreachable as error:
            self._table.say(str(error), "red")
        finally:
            self._changed.set()
