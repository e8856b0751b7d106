"""Two worlds that agree on all that one seat has seen (design 8): a round is played, what stayed hidden is dealt anew.

A round is a list of moves: what the seat on turn did, and the claims on it that the reader knows of. Whoever is not
named passes, so the same moves can be played wherever the tiles they show are held.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from random import Random

from engine import events as ev, rounds, windows
from engine.actions import Action, Command, Kong, Pass, Win
from engine.claims import asked
from engine.codec import dump_event
from engine.decide import step
from engine.evolve import evolve
from engine.legal import legal_actions
from engine.play import Play
from engine.rules import RuleSet, dump
from engine.state import SEATS, ZERO, ClaimWindow, GameState, OpeningWindow, Turn
from engine.tiles import KINDS, SUITED, Kind
from engine.views import SeatView, redact, view
from engine.wall import Wall
from tests.engine.scenario import numbered

PASS = Pass()


@dataclass(frozen=True)
class Move:
    """What the seat on turn did; the claim on it that was carried out, and the reader's own."""

    seat: int
    action: Action
    claims: Mapping[int, Action]


@dataclass
class World:
    """A game whose first round is dealt from a given wall."""

    state: GameState
    events: list[ev.Event]

    @classmethod
    def dealt(cls, rules: RuleSet, players: tuple[ev.Player, ...], timing: ev.Timing, seed: str, wall: Wall) -> World:
        created = ev.GameCreated(dump(rules), players, 0, ZERO, timing, None, seed)
        play = Play(evolve(None, created))
        rounds.deal(play, wall)
        while windows.close_if_settled(play):
            pass
        world = cls(play.state, [created, *play.events])
        world.answer({}, None)
        return world

    def do(self, seat: int | None, command: Command) -> None:
        self.state, caused = step(self.state, seat, command)
        self.events += caused

    def answer(self, claims: Mapping[int, Action], last: int | None) -> None:
        """All who are asked answer, `last` after the others; a fast window may close before."""
        window = self.state.decision
        if isinstance(window, ClaimWindow | OpeningWindow):
            for seat in answering(window, last):
                if self.state.decision.no == window.no:
                    self.do(seat, claims.get(seat, PASS))

    def play(self, move: Move, last: int | None) -> Iterator[None]:
        """Play a move; comes back after every command of it."""
        self.do(move.seat, move.action)
        window = self.state.decision
        yield
        if isinstance(window, ClaimWindow):
            for seat in answering(window, last):
                if self.state.decision.no == window.no:
                    self.do(seat, move.claims.get(seat, PASS))
                yield

    def seen_by(self, reader: int | None, since: int) -> tuple[list[ev.NumberedEvent], SeatView]:
        """Every public event since that many, and the view now."""
        return [redact(event, reader) for event in numbered(self.events[since:])], view(self.state, reader)

    def bytes_to(self, reader: int | None) -> bytes:
        """Every public event from the first on, and the view now, as they would be sent."""
        events, now = self.seen_by(reader, 0)
        return json.dumps([[dump_event(event) for event in events], asdict(now)]).encode()


def answering(window: ClaimWindow | OpeningWindow, last: int | None) -> list[int]:
    """The seats a window asks, this one after the others."""
    return sorted(asked(window), key=lambda seat: seat == last)


def random_moves(world: World, chance: Random, reader: int, number: int) -> Iterator[Move]:
    """Play random moves that win nothing until the round is over or so many are made; yields each, already played."""
    for _ in range(number):
        decision = world.state.decision
        if not isinstance(decision, Turn):
            return
        legal = [action for action in legal_actions(world.state, decision.seat) if not isinstance(action, Win)]
        kongs: list[Action] = [action for action in legal if isinstance(action, Kong)]
        action, before = chance.choice(kongs or legal), len(world.events)
        world.do(decision.seat, action)
        claims: dict[int, Action] = {}
        if isinstance(world.state.decision, ClaimWindow):
            for seat in asked(world.state.decision):
                wanted = [offer for offer in legal_actions(world.state, seat) if not isinstance(offer, Pass | Win)]
                if wanted and chance.random() < 0.5:
                    claims[seat] = wanted[0]
            world.answer(claims, reader)
        taken = [event.seat for event in world.events[before:] if isinstance(event, ev.WindowClosed)]
        known = {seat: claim for seat, claim in claims.items() if seat in (reader, *taken)}
        yield Move(decision.seat, action, known)


def dealt_anew(world: World, reader: int, wall: Wall, chance: Random) -> Wall:
    """The wall with every tile that the reader has not seen in another place; flowers stay where they are undrawn."""
    held, undrawn = _hidden_places(world, reader, len(wall.tiles))
    movable = held + [place for place in undrawn if wall.tiles[place] < SUITED]
    moved = chance.sample(movable, len(movable))
    tiles = list(wall.tiles)
    for place, source in zip(movable, moved, strict=True):
        tiles[place] = wall.tiles[source]
    return Wall(tuple(tiles), wall.last, wall.joker)


def _hidden_places(world: World, reader: int, size: int) -> tuple[list[int], list[int]]:
    """The places of the wall whose tiles lie in the other seats' hands, and those never drawn (first round)."""
    hands: list[dict[int, Kind]] = [{}, {}, {}, {}]
    front, back, thrown = 64, size, ""
    for event in world.events:
        match event:
            case ev.WallBuilt(round=number) if number > 1:
                break
            case ev.RoundDealt():
                front += _deal(hands, event)
            case ev.TileDrawn(seat, tile, "front"):
                hands[seat][front] = KINDS[tile]
                front += 1
            case ev.TileDrawn(seat, tile, _):
                back -= 1
                hands[seat][back] = KINDS[tile]
            case ev.TileDiscarded(seat, tile) | ev.FlowerExposed(seat, tile):
                thrown = tile
                _take(hands[seat], tile)
            case ev.MeldMade(seat, kind, tiles, claimed_from):
                own = list(tiles[:1] if kind == "sagasa" else tiles)
                if claimed_from is not None:
                    own.remove(thrown)
                for code in own:
                    _take(hands[seat], code)
            case _:
                pass
    return [place for seat in SEATS if seat != reader for place in hands[seat]], list(range(front, back))


def _deal(hands: list[dict[int, Kind]], event: ev.RoundDealt) -> int:
    """Two rounds of eight from the dealer on; how many tiles were dealt after them."""
    for seat in SEATS:
        first = 8 * ((seat - event.dealer) % 4)
        places = [*range(first, first + 8), *range(32 + first, 40 + first), 64]
        hands[seat].update(zip(places, map(KINDS.__getitem__, event.hands[seat]), strict=False))
    return len(event.hands[event.dealer]) - 16


def _take(hand: dict[int, Kind], code: str) -> None:
    del hand[next(place for place, kind in hand.items() if kind == KINDS[code])]
