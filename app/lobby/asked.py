"""A game as it was asked for, kept with it: dealt at once, later when its seats are filled, or again as a rematch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from app.store.games import NewGame, Visibility
from app.tables import Opening, Terms, usual_terms
from app.tables.customs import Customs, dump_customs, load_customs
from app.tables.seating import USUAL_LEVEL
from app.tables.terms import dump_terms, named_in_store, named_now
from engine import rules
from engine.bots import NAMES
from engine.codec import FORMAT
from engine.events import Four, Length, Player
from engine.rules import RuleSet

Bots = tuple[Player | None, Player | None, Player | None, Player | None]


@dataclass(frozen=True, slots=True)
class Person:
    """A player who has a seat."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Asked:
    """`bots` are by seat, None where a person is to sit; `timing` are the seconds that were named, the others follow
    from how many people play."""

    rules: RuleSet
    bots: Bots
    points: Four
    timing: Mapping[str, Any]
    length: Length | None
    visibility: Visibility
    customs: Customs = field(default_factory=Customs)
    seeded: bool = False

    @property
    def persons(self) -> int:
        """How many seats are for people."""
        return self.bots.count(None)

    def terms(self, persons: int) -> Terms:
        """All seconds at a table of so many people."""
        return replace(usual_terms(self.rules.name, persons), **self.timing)

    def filled(self, seats: Mapping[int, Person]) -> Asked:
        """The same with a bot in each seat that nobody has, of the level that the table's other bots have."""
        level = next((bot.bot for bot in self.bots if bot), USUAL_LEVEL)
        names = self._free_names()
        made = [
            bot if bot is not None or seat in seats else Player(next(names), level)
            for seat, bot in enumerate(self.bots)
        ]
        a, b, c, d = made
        return replace(self, bots=(a, b, c, d))

    def opening(
        self, game_id: str, seats: Mapping[int, Person], owner: int, seed: str, rematch_of: str | None = None
    ) -> Opening:
        """The game to be dealt, with a person in each seat that no bot has."""
        a, b, c, d = (bot or Player(seats[seat].name) for seat, bot in enumerate(self.bots))
        return Opening(
            id=game_id,
            rules=self.rules,
            players=(a, b, c, d),
            persons={seat: person.id for seat, person in sorted(seats.items())},
            owner=owner,
            points=self.points,
            terms=self.terms(len(seats)),
            length=self.length,
            visibility=self.visibility,
            seed=seed,
            seeded=self.seeded,
            customs=self.customs,
            asked=dump_asked(self),
            rematch_of=rematch_of,
        )

    def waiting(
        self, game_id: str, seats: Mapping[int, Person], creator: str, rematch_of: str | None = None
    ) -> NewGame:
        """The own row of the game while it waits for players."""
        config = {
            "timing": dump_terms(self.terms(self.persons)),
            "customs": dump_customs(self.customs),
            "asked": dump_asked(self),
        }
        persons = {seat: person.id for seat, person in seats.items()}
        return NewGame(
            game_id, self.rules.name, creator, self.visibility, self.seeded, FORMAT, config, persons, rematch_of
        )

    def _free_names(self) -> Iterator[str]:
        taken = {bot.name for bot in self.bots if bot}
        yield from (name for name in NAMES if name not in taken)
        yield from (f"{name} II" for name in NAMES)


def dump_asked(asked: Asked) -> dict[str, Any]:
    """As kept in the game's own row."""
    return {
        "rules": rules.dump(asked.rules),
        "bots": [None if bot is None else {"name": bot.name, "bot": bot.bot} for bot in asked.bots],
        "points": list(asked.points),
        "timing": named_in_store(asked.timing),
        "length": None if asked.length is None else asdict(asked.length),
        "visibility": asked.visibility,
        "customs": dump_customs(asked.customs),
        "seeded": asked.seeded,
    }


def load_asked(given: Mapping[str, Any]) -> Asked:
    """What `dump_asked` kept."""
    a, b, c, d = (None if bot is None else Player(**bot) for bot in given["bots"])
    return Asked(
        rules=rules.from_dict(given["rules"]),
        bots=(a, b, c, d),
        points=tuple(given["points"]),
        timing=named_now(given["timing"]),
        length=None if given["length"] is None else Length(**given["length"]),
        visibility=given["visibility"],
        customs=load_customs(given["customs"]),
        seeded=given["seeded"],
    )
