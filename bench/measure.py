"""Sides measured alternately within one run, so that whatever else the machine does slows them alike."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import starmap
from statistics import median
from time import process_time
from typing import TypeVar

T = TypeVar("T")
Sample = Callable[[], int]
"""Does some work and returns how many operations that was."""

SETS = 3
"""Each figure is the best of so many medians."""


def calls(function: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> Sample:
    """A sample that calls `function` once with each of these argument tuples."""

    def sample() -> int:
        deque(starmap(function, arguments), maxlen=0)
        return len(arguments)

    return sample


def alternate(*sides: Sequence[Sample], clock: Callable[[], float] = process_time) -> list[list[float]]:
    """Seconds an operation of every sample, by side. Each sample runs once; the sides take turns at going first.

    The default clock counts this process alone, so that a busy machine is no part of the figure.
    """
    times: list[list[float]] = [[] for _ in sides]
    for number, samples in enumerate(zip(*sides, strict=True)):
        order = list(zip(times, samples, strict=True))
        for side, sample in reversed(order) if number % 2 else order:
            begun = clock()
            operations = sample()
            side.append((clock() - begun) / operations)
    return times


def best(times: Sequence[float]) -> float:
    """The least of SETS medians, each over as many of the values in turn."""
    return min(median(part) for part in parts(times, -(-len(times) // SETS)))


def parts(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """The items in order, so many at a time."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def loop() -> int:
    """Calibration: additions in a loop of the interpreter."""
    total = 0
    for number in range(20_000):
        total += number & 7
    return 20_000


def hashing() -> int:
    """Calibration: SHA-256 of one kilobyte."""
    block = bytes(1024)
    for _ in range(500):
        sha256(block).digest()
    return 500


def figure(name: str, value: float) -> None:
    """Print one figure, on a line of its own."""
    print(f"figure {name} {value:.3g}" if value < 1000 else f"figure {name} {value:.0f}", flush=True)


def note(text: str) -> None:
    """Print what a figure was made from."""
    print(f"  {text}", flush=True)
