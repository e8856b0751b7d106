"""Reading hands (rules 6): shape by tables, readings by search. Tables are read from disk at first use only."""

from engine.hands.shape import (
    POWER,
    Discard,
    Keys,
    Meld,
    Reader,
    Shapes,
    best_discard,
    is_win,
    keys_of,
    keys_of_tiles,
    kinds_in,
    packed,
    reader,
    shanten,
)

__all__ = [
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
