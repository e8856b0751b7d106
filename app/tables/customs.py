"""What a table agrees on besides rules and seconds: who sees what, and what may be said. Fixed when it is made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Customs:
    """`spectator_delay` is by how many numbered events spectators are behind; `free_text` whether people may write
    what they like; `hints` whether a seat may ask for advice, None only where one person plays; `commitment` whether
    the wall is committed to from the start."""

    spectator_delay: int = 0
    free_text: bool = False
    hints: bool | None = None
    commitment: bool = True

    def hints_for(self, persons: int) -> bool:
        """Whether a seat at a table of so many people may ask for advice."""
        return persons <= 1 if self.hints is None else self.hints


def dump_customs(customs: Customs) -> dict[str, Any]:
    """As kept in the game's own row."""
    return {field.name: getattr(customs, field.name) for field in fields(customs)}


def load_customs(given: dict[str, Any]) -> Customs:
    """Customs from the game's own row; one that did not exist then takes its default."""
    known = {field.name for field in fields(Customs)}
    return Customs(**{name: value for name, value in given.items() if name in known})
