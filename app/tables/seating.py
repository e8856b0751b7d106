"""Who plays a seat of a running game, and who is there: a person leaves its seat to a bot and comes back, the owner
hands one over, a person's connection is lost and found again.

A seat that was left has a stand-in and is not `away`; one whose person has gone silent is `away` (decision 0703).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from app.errors import Problem, unavailable
from app.tables.absence import TURNS_MISSED, is_watched
from app.tables.live_game import LiveGame
from app.tables.plan import Plan
from engine.actions import ChangeSeat, PauseGame, Refusal, ResumeGame
from engine.events import Player
from engine.state import SEATS, ClaimWindow, GameOver, GameState, OpeningWindow

USUAL_LEVEL: Final = "greedy"
"""The bots of a table that does not say."""

_REST: Final = timedelta(seconds=10)
"""How long a seat rests once it has changed twice in less."""


@dataclass(frozen=True, slots=True)
class Leave:
    """A person leaves its seat to a bot until it joins again. The table passes on with its owner; without anybody left
    it pauses. With `asked_at` it is refused, to be tried again, while the seat rests."""

    seat: int
    asked_at: datetime | None = None

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where it has left. Raises Refusal `game_over`, Problem `rate_limited`."""
        _check_running(plan.state)
        if not has_left(plan.state.players[self.seat]):
            _check_rest(game, self.seat, self.asked_at)
        _leave(plan, self.seat, plan.state.players[self.seat].name)


@dataclass(frozen=True, slots=True)
class Depart:
    """The same for good: its name goes with it."""

    seat: int

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where it has gone. Raises Refusal `game_over`."""
        _check_running(plan.state)
        _leave(plan, self.seat, "")


@dataclass(frozen=True, slots=True)
class Return:
    """A person takes its seat back. The table is its own where the owner is gone, and goes on where nobody was left."""

    seat: int

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where it is here. Raises Refusal `game_over`."""
        _check_running(plan.state)
        state = plan.state
        player = state.players[self.seat]
        back = replace(player, stand_in=None, connected=True, away=False)
        if back == player:
            return
        owner = state.owner if is_present(state.players[state.owner]) else self.seat
        plan.take(None, ChangeSeat(self.seat, back, owner))
        _go_on(game, plan)


@dataclass(frozen=True, slots=True)
class HandOver:
    """The owner, in the seat `by`, lets a bot play for a person who is away, until that person is back."""

    by: int
    player_id: str

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where a bot plays already. Raises Refusal `game_over` or Problem:
        `not_the_owner`, `not_at_table`, `not_away`."""
        if self.by != plan.state.owner:
            raise Problem("not_the_owner")
        seat = game.seat_of.get(self.player_id)
        if seat is None or seat == self.by:
            raise Problem("not_at_table")
        _check_running(plan.state)
        player = plan.state.players[seat]
        if player.stand_in is not None:
            return
        if player.connected and not player.away:
            raise Problem("not_away")
        stand_in(plan, seat)


@dataclass(frozen=True, slots=True)
class Appear:
    """A person who was not connected is, or who was away has moved. Its seat is its own again, unless it had left it;
    a table where nobody was left goes on."""

    seat: int

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where that is known."""
        player = plan.state.players[self.seat]
        if has_left(player) or isinstance(plan.state.decision, GameOver):
            return
        here = replace(player, connected=True, stand_in=None, away=False)
        if here != player:
            plan.take(None, ChangeSeat(self.seat, here, plan.state.owner))
        _go_on(game, plan)


@dataclass(frozen=True, slots=True)
class Vanish:
    """A person is not connected any more."""

    seat: int

    def apply(self, game: LiveGame, plan: Plan) -> None:
        """Carries it out on a plan; nothing, where that is known."""
        player = plan.state.players[self.seat]
        if player.connected and not isinstance(plan.state.decision, GameOver):
            plan.take(None, ChangeSeat(self.seat, replace(player, connected=False), plan.state.owner))


def stand_in(plan: Plan, seat: int) -> None:
    """Lets a bot play for a person who is away, until that person is back."""
    player = replace(plan.state.players[seat], stand_in=stand_in_level(plan.state), away=True)
    plan.take(None, ChangeSeat(seat, player, plan.state.owner))


def give_up_waiting(game: LiveGame, plan: Plan) -> None:
    """Once a person has let one turn after another run out, a bot plays for it. A turn in which the service was away
    counts for nothing."""
    seat, clock = plan.ran_out, game.clock
    if seat is None or clock is None:
        return
    if clock.moved:
        plan.ran_out = None
    elif clock.missed[seat] + 1 >= TURNS_MISSED and game.terms.away_seconds and is_watched(plan.state):
        stand_in(plan, seat)


def check_not_left(game: LiveGame, state: GameState, seat: int) -> None:
    """Whoever has left moves again once it has joined. Raises Problem `seat_left`; not once the game is over."""
    if is_left(state, seat) and not isinstance(state.decision, GameOver):
        route = f"POST /v1/games/{game.id}/join"
        raise Problem("seat_left", f"You have left your seat to a bot. Take it back with {route}, then move.")


def take_back(game: LiveGame, plan: Plan, seat: int) -> None:
    """A person who was away and moves has its seat back first. An answer to an open window stands without that: it must
    not be seen (rules 11), and its person is back as soon as the window has closed."""
    state = plan.state
    if isinstance(state.decision, GameOver):
        return
    is_window = isinstance(state.decision, ClaimWindow | OpeningWindow) and not state.paused
    if _is_deserted(game) or (state.players[seat].stand_in is not None and not is_window):
        Return(seat).apply(game, plan)
        _go_on(game, plan)


def stand_in_level(state: GameState) -> str:
    """The level of a bot that plays for a person: that of the table's bots."""
    return next((player.bot for player in state.players if player.bot), USUAL_LEVEL)


def is_present(player: Player) -> bool:
    """Whether a person plays the seat itself."""
    return player.bot is None and player.stand_in is None


def owner_without(state: GameState, seat: int) -> int:
    """Whose table it is when that seat's person goes: the next person's in seat order, where there is one."""
    if state.owner != seat:
        return state.owner
    others = [(seat + step) % len(SEATS) for step in SEATS[1:]]
    return next((other for other in others if is_present(state.players[other])), seat)


def has_left(player: Player) -> bool:
    """Whether the person of a seat has left it, rather than gone silent."""
    return player.stand_in is not None and not player.away


def is_left(state: GameState, seat: int | None) -> bool:
    """Whether the person of a seat has left it; a spectator has none to leave."""
    return seat is not None and has_left(state.players[seat])


def _leave(plan: Plan, seat: int, name: str) -> None:
    player = plan.state.players[seat]
    gone = replace(player, name=name, stand_in=stand_in_level(plan.state), connected=False, away=False)
    if gone != player:
        plan.take(None, ChangeSeat(seat, gone, owner_without(plan.state, seat)))
    if not plan.state.paused and all(has_left(plan.state.players[person]) for person in plan.state.persons()):
        plan.take(None, PauseGame())


def _check_rest(game: LiveGame, seat: int, asked_at: datetime | None) -> None:
    """Of one seat the table is not told again and again that it was left and taken back."""
    since = game.changed_before[seat]
    if asked_at is None or since is None or asked_at - since >= _REST:
        return
    seconds = ceil((since + _REST - asked_at).total_seconds())
    raise unavailable("rate_limited", seconds, f"This seat has changed twice just now. Wait {seconds} seconds.")


def _go_on(game: LiveGame, plan: Plan) -> None:
    """Goes on with a game that was paused because nobody was there. What was agreed on ends by agreement."""
    if plan.state.paused and _is_deserted(game):
        plan.take(None, ResumeGame())


def _is_deserted(game: LiveGame) -> bool:
    return game.clock is not None and game.clock.is_deserted


def _check_running(state: GameState) -> None:
    if isinstance(state.decision, GameOver):
        raise Refusal("game_over", "The game has ended.")
