"""How often one caller may ask, in budgets that do not touch each other: a move is never refused for other traffic.
Counted in this worker, on its own clock; N workers allow up to N times as much (decision 0303).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal, get_args

from limits import RateLimitItem, parse
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from app.errors import Problem, unavailable

Budget = Literal["moves", "reads", "reconnects", "new_games", "sign_ups", "codes", "talk"]
BUDGETS: Final[tuple[Budget, ...]] = get_args(Budget)

_TEXTS: Final[dict[Budget, str]] = {
    "moves": "moves",
    "reads": "requests that read",
    "reconnects": "new connections",
    "new_games": "new games",
    "sign_ups": "new players",
    "codes": "tries of a code",
    "talk": "messages",
}
_SWEEP_EVERY: Final = 4096


@dataclass(frozen=True, slots=True)
class Spent:
    """What is left of a budget after a request: the headers of its answer."""

    policy: str
    left: str

    def headers(self) -> list[tuple[bytes, bytes]]:
        """`RateLimit-Policy` and `RateLimit` as ASGI sends them."""
        return [(b"ratelimit-policy", self.policy.encode()), (b"ratelimit", self.left.encode())]


class Budgets:
    """The budgets of every caller. `policies` are written as in `limits`: "20/minute"."""

    def __init__(self, policies: Mapping[Budget, str], read: Callable[[], float]) -> None:
        """`read` gives monotonic seconds. Raises ValueError for a policy that cannot be read."""
        self._items = {budget: parse(policies[budget]) for budget in BUDGETS}
        self._policies = {budget: _policy(budget, item) for budget, item in self._items.items()}
        self._counts = WindowCounts(read)
        self._limiter = FixedWindowRateLimiter(self._counts)

    def spend(self, budget: Budget, who: str) -> Spent:
        """Takes one from the budget of `who`. Raises Problem `rate_limited` when nothing is left."""
        item = self._items[budget]
        allowed = self._limiter.hit(item, budget, who)
        reset_at, left = self._limiter.get_window_stats(item, budget, who)
        seconds = max(1, ceil(reset_at - self._counts.read()))
        if allowed:
            return Spent(self._policies[budget], f'"{budget}";r={left};t={seconds}')
        text = (
            f"Too many {_TEXTS[budget]}: at most {item.amount} in {item.get_expiry()} seconds. Wait {seconds} seconds."
        )
        problem: Problem = unavailable("rate_limited", seconds, text)
        problem.headers |= {"RateLimit-Policy": self._policies[budget], "RateLimit": f'"{budget}";r=0;t={seconds}'}
        raise problem


class WindowCounts(Storage):
    """Counts that end with their window, kept in memory for the strategies of `limits`.

    Its own memory storage wakes a thread to look through every key after each request.
    """

    def __init__(self, read: Callable[[], float]) -> None:
        super().__init__()
        self.read = read
        self._windows: dict[str, tuple[int, float]] = {}
        self._sweep_at = _SWEEP_EVERY

    @property
    def base_exceptions(self) -> type[Exception]:
        """What this storage raises of its own: nothing."""
        return RuntimeError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Adds to the count of the key's window, opening one of `expiry` seconds where there is none."""
        now = self.read()
        count, ends_at = self._windows.get(key, (0, 0.0))
        if ends_at <= now:
            count, ends_at = 0, now + expiry
            self._sweep(now)
        self._windows[key] = (count + amount, ends_at)
        return count + amount

    def get(self, key: str) -> int:
        """The count of the key's window."""
        count, ends_at = self._windows.get(key, (0, 0.0))
        return count if ends_at > self.read() else 0

    def get_expiry(self, key: str) -> float:
        """When the key's window ends."""
        return max(self._windows.get(key, (0, 0.0))[1], self.read())

    def check(self) -> bool:
        """It is always there."""
        return True

    def reset(self) -> int:
        """Forgets everything; returns how many windows that were."""
        count = len(self._windows)
        self._windows.clear()
        return count

    def clear(self, key: str) -> None:
        """Forgets one key."""
        self._windows.pop(key, None)

    def _sweep(self, now: float) -> None:
        if len(self._windows) >= self._sweep_at:
            self._windows = {key: window for key, window in self._windows.items() if window[1] > now}
            self._sweep_at = max(_SWEEP_EVERY, 2 * len(self._windows))


def _policy(budget: Budget, item: RateLimitItem) -> str:
    return f'"{budget}";q={item.amount};w={item.get_expiry()}'
