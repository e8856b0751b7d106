"""The terms a game is made with: its seconds, with what they are where nobody says, and what it tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from app.tables.sparse import sparse
from engine import rules
from engine.events import ClaimTiming, Length, Timing
from engine.rules import RuleSet
from engine.state import GameState, Turn


@sparse
@dataclass(frozen=True, slots=True)
class Terms:
    """All seconds of a game, and the milliseconds that bots take. 0 is no deadline for turns and windows, never for
    away, and at once for settlement and bots. Two may be absent: `settlement_seconds`, only by confirmation, and
    `claim_timing` at a table that waits, where it follows from the people who will play.
    """

    claim_timing: ClaimTiming | None = None
    turn_seconds: float = 0
    bank_seconds: float = 0
    claim_seconds: float = 0
    settlement_seconds: float | None = 0
    away_seconds: float = 0
    bot_delay_ms: int = 0

    @property
    def timing(self) -> Timing:
        """What of it the engine keeps."""
        return Timing(
            self.claim_timing, self.turn_seconds, self.bank_seconds, self.claim_seconds, self.settlement_seconds
        )

    def bot_delay(self, state: GameState) -> float:
        """Seconds that a bot whose move it is leaves before it. They do not depend on what it holds (rules 5, 7)."""
        turn, seconds = state.decision, self.bot_delay_ms / 1000
        if not isinstance(turn, Turn):
            return 0.0
        rnd = state.round
        first = turn.seat == rnd.dealer and not rnd.discards and turn.stage == "act"
        if first and state.rules.opening_window and rnd.claim_timing == "uniform":
            return max(self.claim_seconds, seconds)
        return seconds


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a game was made with: its seconds, the options that differ from the preset's, and its length."""

    timing: Terms
    overrides: dict[str, Any]
    length: Length | None


def agreed_on(state: GameState, terms: Terms) -> Agreed:
    """What a game that has been dealt is played with to its end; its people do not change, nor does what follows from
    them."""
    return Agreed(replace(terms, claim_timing=state.round.claim_timing), overrides_of(state.rules), state.length)


def overrides_of(chosen: RuleSet) -> dict[str, Any]:
    """The options that differ from the preset's, as plain values."""
    usual = rules.dump(rules.preset(chosen.name))
    return {name: value for name, value in rules.dump(chosen).items() if value != usual[name]}


def usual_terms(ruleset: str, persons: int) -> Terms:
    """What applies where a game does not say otherwise (api, The stream; rules 8). Nothing expires for one person."""
    if persons > 1:
        return Terms(None, 20, 60, 4, 15, 60, 800)
    return Terms(settlement_seconds=None if ruleset == "emay" else 0)


def dump_terms(terms: Terms) -> dict[str, Any]:
    """As kept in the game's own row."""
    return named_in_store({field.name: getattr(terms, field.name) for field in fields(terms)})


def load_terms(given: Mapping[str, Any]) -> Terms:
    """Terms from the game's own row; one that did not exist then takes its default."""
    known = {field.name for field in fields(Terms)}
    return Terms(**{name: value for name, value in named_now(given).items() if name in known})


def named_in_store(given: Mapping[str, Any]) -> dict[str, Any]:
    """Terms by the names they are stored with: the delay of bots in seconds, as versions read it that know no other."""
    named = dict(given)
    if _DELAY in named:
        named[_DELAY_IN_SECONDS] = named.pop(_DELAY) / 1000
    return named


def named_now(given: Mapping[str, Any]) -> dict[str, Any]:
    """Stored terms by the names they have here."""
    named = dict(given)
    if _DELAY_IN_SECONDS in named:
        named[_DELAY] = round(named.pop(_DELAY_IN_SECONDS) * 1000)
    return named


sparse(Length)

_DELAY: Final = "bot_delay_ms"
_DELAY_IN_SECONDS: Final = "bot_delay_seconds"
