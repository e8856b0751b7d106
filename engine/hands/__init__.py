"""Reading hands (rules 6): their shape by tables, read from disk at first use; their decompositions in `readings`."""

from engine.hands.draws import packed
from engine.hands.shape import (
    JOKER_RULES,
    POWER,
    Discard,
    Meld,
    Reader,
    Shapes,
    best_discard,
    is_win,
    keys_of,
    keys_of_tiles,
    kinds_in,
    reader,
    shanten,
)
from engine.hands.tables import Keys

__all__ = [
    "JOKER_RULES",
    "POWER",
    "Discard",
    "Keys",
    "Meld",
    "Reader",
    "Shapes",
    "best_discard",
    "is_win",
    "keys_of",
    "keys_of_tiles",
    "kinds_in",
    "packed",
    "reader",
    "shanten",
]
