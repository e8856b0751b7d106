"""What a game came to by its log alone: what each reader should have been told of it, and what nobody may be told."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from pydantic_core import from_json, to_json

from app.store.log import LogRow
from app.tables.live_game import numbered_of
from engine.codec import dump_event, load_event
from engine.evolve import evolve
from engine.replay import verify
from engine.state import GameOver, GameState
from engine.views import SeatView, redact, view

Json = dict[str, Any]

TILE = re.compile(r"[1-9][bcd]|[1-4][wfs]|[1-3]x")


class Truth:
    """A game as its log has it."""

    def __init__(self, rows: Sequence[LogRow]) -> None:
        """`rows` are all of the game's."""
        self.events = [load_event(event) for row in rows for event in from_json(row.events)]
        self._facts = [fact for row in rows for fact in numbered_of(row)]
        self._told: dict[int | None, list[Json]] = {}

    @cached_property
    def state(self) -> GameState:
        """Where the log leads to, each event checked on the way."""
        return verify(self.events)

    @cached_property
    def decisions(self) -> dict[tuple[int, bool], GameState]:
        """The game as it was when each decision opened, by its number, which the end of the game shares with the last;
        and whether it is the end."""
        found: dict[tuple[int, bool], GameState] = {}
        state: GameState | None = None
        for event in self.events:
            state = evolve(state, event)
            found.setdefault((state.decision.no, isinstance(state.decision, GameOver)), state)
        return found

    def told(self, seat: int | None) -> list[Json]:
        """Every event as that seat should hear of it; None is a spectator."""
        if seat not in self._told:
            self._told[seat] = [
                {"seq": fact.seq, "at": _plain(fact.at), "event": _plain(dump_event(redact(fact.event, seat)))}
                for fact in self._facts
            ]
        return self._told[seat]

    def check(self, seat: int | None, message: Json) -> None:
        """That a message tells a seat of tiles what it may know, and nothing else of them."""
        rest = dict(message)
        if rest.get("type") == "event":
            rest = {"events": [{name: rest[name] for name in ("seq", "at", "event")}]}
        for fact in rest.pop("events", ()):
            assert fact == self.told(seat)[fact["seq"] - 1]
        if "view" in rest:
            self._check_view(seat, rest.pop("view"))
        if "hand" in rest:
            self._check_view(seat, rest)
        else:
            self._check_asked(seat, rest.pop("problem", rest))

    def _check_view(self, seat: int | None, seen: Json) -> None:
        rest = {**seen, "game": dict(seen["game"])}
        asked = {**rest.pop("decision"), "legal_actions": rest.pop("legal_actions")}
        known = _plain(self._known(seat, asked["no"], over=asked["kind"] == "game_over"))
        for name in ("hand", "drawn", "pile"):
            assert rest.pop(name, None) == known.get(name)
        for shown, seat_known in zip(rest.pop("seats"), known["seats"], strict=True):
            for name in ("concealed", "melds", "flowers", "hand_shown"):
                assert shown[name] == seat_known[name]
        assert rest["game"].pop("joker", None) == known.get("joker")
        if (result := rest.pop("result", None)) is not None:
            assert result in [fact["event"] for fact in self.told(None)]
        self._check_asked(seat, {**asked, "decision_no": asked["no"]})
        assert list(_tiles(rest)) == []

    def _check_asked(self, seat: int | None, asked: Json) -> None:
        """Actions name tiles of the own hand; a window its tile."""
        rest = dict(asked)
        actions = [*rest.pop("legal_actions", ())]
        if "your_answer" in rest:
            actions.append(rest.pop("your_answer"))
        if actions:
            held = Counter(self._known(seat, rest["decision_no"]).hand)
            assert all(Counter(_tiles(action)) <= held for action in actions)
        if (tile := rest.pop("tile", None)) is not None:
            assert tile == self._known(seat, rest["decision_no"]).decision.tile
        assert list(_tiles(rest)) == []

    def _known(self, seat: int | None, no: int, *, over: bool = False) -> SeatView:
        return view(self.decisions[no, over], seat)


def _tiles(message: Any) -> Iterator[str]:
    """Every tile that is named anywhere in a message."""
    match message:
        case dict():
            for value in message.values():
                yield from _tiles(value)
        case list():
            for value in message:
                yield from _tiles(value)
        case str() if TILE.fullmatch(message):
            yield message
        case _:
            pass


def _plain(known: Any) -> Any:
    """As JSON, without what does not apply."""
    return _without_none(json.loads(to_json(known)))


def _without_none(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_none(each) for name, each in value.items() if each is not None}
        case list():
            return [_without_none(each) for each in value]
        case _:
            return value
