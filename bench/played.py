"""Games of four persons, played beforehand: who sends what, as the bytes of each request.

The service makes the same game of them, since a game follows from its seed and its commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from pydantic_core import to_json

from app.auth import GUEST, new_token, token_hash
from app.clock import monotonic
from app.database import Database
from app.store import games, players, tokens
from app.tables import Opening, Terms
from engine.actions import Action
from engine.bots import uniform
from engine.bots.reader import SeatReader
from engine.claims import asked
from engine.codec import dump_command
from engine.decide import new_game, step
from engine.events import Player
from engine.records import Plain
from engine.rules import PRESETS
from engine.state import SEATS, ZERO, ClaimWindow, GameState, OpeningWindow, Turn
from engine.wall import Chance

HURRY = Terms("fast", turn_seconds=3600, bank_seconds=60, claim_seconds=3600, settlement_seconds=0)
"""Deadlines are kept for every decision, and are so late that none passes."""


@dataclass(frozen=True, slots=True)
class Table:
    """A game, and the tokens of its four persons."""

    opening: Opening
    tokens: tuple[str, ...]

    async def seat(self, database: Database) -> None:
        """Makes its players and the game, dealt, as the service does."""
        row, dealt = self.opening.dealt(datetime.now(UTC), monotonic)
        async with database.transaction() as session:
            for seat, token in enumerate(self.tokens):
                player_id = self.opening.persons[seat]
                await players.create(session, player_id, player_id, player_id.encode())
                await tokens.add(session, f"t{player_id}", player_id, token_hash(token), GUEST, None)
            await games.create(session, self.opening.game(), row, dealt, "bench")

    def requests(self, number: int) -> list[bytes]:
        """The game's first moves over HTTP, in order."""
        return [self._request(seat, to_json(body)) for seat, body in self._bodies(number)]

    def frames(self, number: int) -> list[tuple[int, bytes]]:
        """The game's first moves over sockets, in order: the seat, and what it sends."""
        return [(seat, to_json({"type": "action", **body})) for seat, body in self._bodies(number)]

    def _bodies(self, number: int) -> Iterator[tuple[int, Plain]]:
        moves = islice(_moves(self.opening), number)
        for count, (seat, decision_no, action) in enumerate(moves):
            yield seat, {"decision_no": decision_no, "action_id": f"m{count}", "action": dump_command(action)}

    def _request(self, seat: int, body: bytes) -> bytes:
        lines = (
            f"POST /v1/games/{self.opening.id}/actions HTTP/1.1",
            "Host: 127.0.0.1",
            f"Authorization: Bearer {self.tokens[seat]}",
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
        )
        return "\r\n".join((*lines, "", "")).encode() + body


def table(number: int) -> Table:
    """A game of `emay` with random moves, its own players and its own walls."""
    game_id = f"played{number}"
    a, b, c, d = (Player(f"{game_id}p{seat}") for seat in SEATS)
    opening = Opening(
        id=game_id,
        rules=PRESETS["emay"],
        players=(a, b, c, d),
        persons={seat: f"{game_id}p{seat}" for seat in SEATS},
        owner=0,
        points=ZERO,
        terms=HURRY,
        length=None,
        visibility="private",
        seed=f"seed of {game_id}",
        seeded=True,
    )
    return Table(opening, tuple(new_token() for _ in SEATS))


def _moves(opening: Opening) -> Iterator[tuple[int, int, Action]]:
    """Seat, decision and action, for as long as it is asked."""
    state, _ = new_game(
        opening.rules, opening.players, opening.seed, points=opening.points, timing=opening.terms.timing
    )
    chance = Chance(opening.seed, "moves")
    while True:
        seat = _waited_for(state)
        action = uniform.choose(SeatReader(state, seat), chance)
        yield seat, state.decision.no, action
        state, _ = step(state, seat, action)


def _waited_for(state: GameState) -> int:
    """Whose answer moves the table on: no seat without offers is waited for in a `fast` window."""
    decision = state.decision
    if isinstance(decision, Turn):
        return decision.seat
    assert isinstance(decision, ClaimWindow | OpeningWindow)
    silent = [seat for seat in asked(decision) if decision.answers[seat] is None]
    return next(seat for seat in silent if len(SeatReader(state, seat).legal_actions) > 1)
