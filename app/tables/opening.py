"""A new game: its terms, checked together, and the row that it begins with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from app.store.games import NewGame
from app.store.log import NewRow
from app.store.snapshots import Snapshot
from app.tables.absence import USUAL_ABSENCE, Absence
from app.tables.customs import Customs, dump_customs
from app.tables.deadlines import following
from app.tables.live_game import row_of
from app.tables.loading import snapshot_of
from app.tables.plan import Plan
from app.tables.terms import Terms, dump_terms
from engine.codec import FORMAT
from engine.decide import new_game
from engine.events import Four, Length, Player
from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Opening:
    """A game to be made. `persons` are the players' ids by seat, `owner` the seat that made it, `asked` the request
    as it was understood, `seeded` whether the seed was named by whoever asked, `rematch_of` the game it follows."""

    id: str
    rules: RuleSet
    players: tuple[Player, Player, Player, Player]
    persons: dict[int, str]
    owner: int
    points: Four
    terms: Terms
    length: Length | None
    visibility: Literal["private", "public"]
    seed: str
    seeded: bool
    customs: Customs = field(default_factory=Customs)
    asked: dict[str, Any] = field(default_factory=dict)
    rematch_of: str | None = None

    def game(self) -> NewGame:
        """The game's own row."""
        config: dict[str, Any] = {
            "timing": dump_terms(self.terms),
            "customs": dump_customs(self.customs),
            "asked": self.asked,
        }
        return NewGame(
            self.id,
            self.rules.name,
            self.persons[self.owner],
            self.visibility,
            self.seeded,
            FORMAT,
            config,
            self.persons,
            self.rematch_of,
        )

    def dealt(
        self, now: datetime, read: Callable[[], float], absence: Absence = USUAL_ABSENCE
    ) -> tuple[NewRow, Snapshot]:
        """The row in which it is created and dealt, and the bots have moved as far as it is theirs, with the snapshot
        of that deal."""
        state, events = new_game(
            self.rules,
            self.players,
            self.seed,
            owner=self.owner,
            points=self.points,
            timing=self.terms.timing,
            length=self.length,
        )
        plan = Plan(state, events)
        plan.run_bots(self.terms, read)
        clock = following(None, None, plan, self.terms, now)
        row = row_of(self.id, (0, 0), plan, clock, absence.end_at(now), self.owner)
        return row, snapshot_of(self.id, row.version, plan.state)
