"""Whether two samples may come from one distribution (Kolmogorov and Smirnov)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, sqrt


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """How likely two samples of one distribution lie at least as far apart as these; asymptotic, with the small-sample
    correction of Stephens. Ties make it larger, never smaller."""
    a, b = sorted(first), sorted(second)
    n, m = len(a), len(b)
    distance = max(abs(bisect_right(a, x) / n - bisect_right(b, x) / m) for x in (*a, *b))
    size = sqrt(n * m / (n + m))
    scaled = (size + 0.12 + 0.11 / size) * distance
    if scaled < 0.2:
        return 1.0  # the series converges too slowly there, and is 1 to many places
    total = 2 * sum((1 if k % 2 else -1) * exp(-2 * k * k * scaled * scaled) for k in range(1, 101))
    return min(1.0, max(0.0, total))
