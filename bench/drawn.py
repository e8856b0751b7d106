"""Fresh hands to read, from a seed: half of them random, half near-complete, none of them twice.

A near-complete hand is a complete one of sets and a pair in which none, one or two tiles were exchanged.
"""

from __future__ import annotations

from random import Random

COPIES = 4
SUITED = 27
"""Kinds 0-26 are the suits here as in the peers; runs lie within nine of them."""


def hands(random: Random, number: int, kinds: int, sets: int) -> list[list[int]]:
    """`number` different hands on turn, shuffled lists of 3 * sets + 2 tiles of so many kinds."""
    found: dict[tuple[int, ...], list[int]] = {}
    while len(found) < number:
        hand = _random_hand(random, kinds, sets) if len(found) % 2 else _near_complete_hand(random, kinds, sets)
        found.setdefault(tuple(sorted(hand)), hand)
    return list(found.values())


def counts(hand: list[int], kinds: int) -> list[int]:
    """How many tiles of each kind."""
    held = [0] * kinds
    for kind in hand:
        held[kind] += 1
    return held


def _random_hand(random: Random, kinds: int, sets: int) -> list[int]:
    return random.sample(range(kinds), 3 * sets + 2, counts=[COPIES] * kinds)


def _near_complete_hand(random: Random, kinds: int, sets: int) -> list[int]:
    hand = _complete_hand(random, kinds, sets)
    for _ in range(random.randrange(3)):
        hand.pop(random.randrange(len(hand)))
        hand.append(random.choice([kind for kind in range(kinds) if hand.count(kind) < COPIES]))
    random.shuffle(hand)
    return hand


def _complete_hand(random: Random, kinds: int, sets: int) -> list[int]:
    while True:
        hand = [random.randrange(kinds)] * 2
        for _ in range(sets):
            first = random.randrange(kinds)
            is_run = random.randrange(2) and first < SUITED and first % 9 < 7
            hand += [first, first + 1, first + 2] if is_run else [first] * 3
        if max(counts(hand, kinds)) <= COPIES:
            return hand
