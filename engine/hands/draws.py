"""Which draws bring a hand nearer, now and after each discard: the nine draws of a suit in one translation.

Marks are an integer of 27 bytes, the byte of kind 0 lowest, 255 where the draw of the kind brings the hand nearer. With
packed counts of unseen copies under this mask, the remainder by 255 is the sum of those that do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.hands.tables import POWERS, Keys, Rows, Table

# By need: the table that marks the classes which lower it.
_MARKS = [bytes(256), *(bytes(need) + b"\xff" + bytes(255 - need) for need in range(127))]
_BITS = b"0" + b"1" * 255
_integer = int.from_bytes


class Discards(NamedTuple):
    """The discards of a hand in one form: by suit the ranks held, the class after each, what the hand then needs, and
    the row that says so; and all needs in the order of kinds.
    """

    table: Table
    rows: Rows
    suits: tuple[tuple[bytes, bytes, bytes, bytes], ...]
    needs: bytes


def packed(unseen: Sequence[int]) -> int:
    """27 counts of unseen copies by kind as one integer, a byte a kind: the fast form that acceptance takes."""
    return int.from_bytes(bytes(unseen), "little")


def marks_of(table: Table, rows: Rows, keys: Keys, need: int) -> int:
    """The draws that bring a hand which needs `need` below it, in one form."""
    a, b, c = keys
    classes, draws = table.classes, table.draws
    i, j, k = classes[a], classes[b], classes[c]
    from_i = rows[i]
    after = draws[c].translate(from_i[j]) + draws[b].translate(from_i[k]) + draws[a].translate(rows[j][k])
    return _integer(after.translate(_MARKS[need]), "big")


def mask_of(marks: int) -> int:
    """Marks with a bit for each byte."""
    return int(marks.to_bytes(27, "big").translate(_BITS), 2)


def discards_of(table: Table, rows: Rows, keys: Keys) -> Discards:
    """What the hand needs after each discard, in one form."""
    a, b, c = keys
    classes, drops = table.classes, table.drops
    i, j, k = classes[a], classes[b], classes[c]
    from_i = rows[i]
    row_a, row_b, row_c = rows[j][k], from_i[k], from_i[j]
    (held_a, after_a), (held_b, after_b), (held_c, after_c) = drops[a], drops[b], drops[c]
    needs_a, needs_b, needs_c = after_a.translate(row_a), after_b.translate(row_b), after_c.translate(row_c)
    suits = (
        (held_a, after_a, needs_a, row_a),
        (held_b, after_b, needs_b, row_b),
        (held_c, after_c, needs_c, row_c),
    )
    return Discards(table, rows, suits, needs_a + needs_b + needs_c)


def accepted_after(keys: Keys, forms: list[Discards], need: int) -> dict[int, int]:
    """For each kind whose discard leaves `need`, the marks of the draws that bring the hand below it again.

    The marks are turned: the suit of the kind comes first, then the next and the one after it.
    """
    accepted: dict[int, int] = {}
    for form in forms:
        if need in form.needs:
            for suit, own in enumerate(form.suits):
                if need in own[2]:
                    _accept_in_suit(accepted, keys, form, suit, need)
    return accepted


def _accept_in_suit(accepted: dict[int, int], keys: Keys, form: Discards, suit: int, need: int) -> None:
    """Add what `accepted_after` asks for to the kinds of one suit."""
    held, after, needs, row = form.suits[suit]
    draws, classes, rows = form.table.draws, form.table.classes, form.rows
    key, next_key, last_key = keys[suit], keys[suit - 2], keys[suit - 1]
    next_draws, next_class = draws[next_key], classes[next_key]
    last_draws, last_class = draws[last_key], classes[last_key]
    mark = _MARKS[need]
    row = row.translate(mark)
    others: dict[int, bytes] = {}  # draws of the other suits, by the class of this one
    for rank, own_class, left in zip(held, after, needs, strict=True):
        if left == need:
            if own_class not in others:
                to_next, to_last = rows[own_class][last_class], rows[own_class][next_class]
                others[own_class] = (last_draws.translate(to_last) + next_draws.translate(to_next)).translate(mark)
            marks = _integer(others[own_class] + draws[key - POWERS[rank]].translate(row), "big")
            kind = 9 * suit + rank
            accepted[kind] = accepted[kind] | marks if kind in accepted else marks


def turned(unseen: int) -> tuple[int, int, int]:
    """Packed counts as `accepted_after` orders its marks for the kinds of each suit."""
    return unseen, unseen >> 72 | unseen << 144, unseen >> 144 | unseen << 72


def turned_mask(marks: int, suit: int) -> int:
    """The mask of marks that are turned to a suit."""
    mask = mask_of(marks) << 9 * suit
    return (mask | mask >> 27) & (1 << 27) - 1
