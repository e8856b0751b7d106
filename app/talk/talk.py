"""Talk at a table: said, kept under its number, told to whoever listens there. The engine, its log and the numbers of
events know nothing of it.
"""

from __future__ import annotations

from typing import Final

from app.bus import Bus
from app.database import Database
from app.errors import Problem
from app.store import talk
from app.store.talk import Kind, Said
from app.tables import LiveGame
from app.talk.phrases import IDS

PAGE: Final = 100


class Talk:
    """What is said at all tables."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def say(self, game: LiveGame, message_id: str, player_id: str, kind: Kind, content: str) -> Said:
        """Says something for a person at the table, once under that id; `content` is the id of a phrase or reaction,
        or a text. Raises Problem `not_seated`, `unknown_phrase` or `free_text_off`."""
        seat = game.seat_of.get(player_id)
        if seat is None:
            raise Problem("not_seated")
        if kind == "text":
            if not game.customs.free_text:
                raise Problem("free_text_off")
        elif content not in IDS[kind]:
            raise Problem("unknown_phrase", f"There is no {kind} {content!r}; GET /v1/phrases lists them.")
        said = await talk.say(self._database.session, game.id, message_id, player_id, seat, kind, content)
        self._bus.publish(topic(game.id), said.no)
        return said

    async def after(self, game_id: str, no: int, limit: int = PAGE) -> list[Said]:
        """What was said after a number, in order."""
        return await talk.after(self._database.session, game_id, no, limit)

    async def last(self, game_id: str) -> int:
        """The number of what was said last; 0 where nothing was."""
        return await talk.last(self._database.session, game_id)

    async def report_message(self, game: LiveGame, report_id: str, reporter: str, no: int, reason: str) -> None:
        """Keeps for the operator that somebody complains of a message, once under that id. Raises Problem
        `unknown_message`."""
        said = await talk.find(self._database.session, game.id, no)
        if said is None:
            raise Problem("unknown_message")
        await talk.report(
            self._database.session, game.id, report_id, reporter, said.player_id, reason, no, said.content
        )

    async def report_player(self, game: LiveGame, report_id: str, reporter: str, player_id: str, reason: str) -> None:
        """Keeps for the operator that somebody complains of a player who sits at the table, or has spoken there, once
        under that id. Raises Problem `not_at_table`."""
        session = self._database.session
        if player_id not in game.seat_of and not await talk.has_spoken(session, game.id, player_id):
            raise Problem("not_at_table")
        await talk.report(session, game.id, report_id, reporter, player_id, reason, None, None)


def topic(game_id: str) -> str:
    """What the hub and the bus call the talk at a table."""
    return f"talk:{game_id}"


def may_hear(game: LiveGame, player_id: str) -> bool:
    """Whether a player hears what is said: spectators who are kept behind would hear of what they have not seen."""
    if player_id in game.seat_of or not game.customs.spectator_delay:
        return True
    return game.is_dealt and game.is_over
