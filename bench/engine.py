"""The engine beside other mahjong libraries, in one process: `make bench-engine`.

It measures the engine compiled, whose figures have the plain names, and the sources as they stand, whose names end in
`_interpreted`. A ratio says how many times faster ours is. Each side answers for its own game: ours reads 17 tiles of
27 kinds, a peer 14 of 34. Hands are made before the clock runs, in the form each library takes, and none is read twice.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from random import Random
from resource import RUSAGE_CHILDREN, getrusage

from jansou.analysis import _native
from jansou.analysis.efficiency import discard_evaluation
from jansou.core.hand import Hand
from jansou.core.tiles import Tile, TileKind
from mahjong.agari import Agari
from mahjong.shanten import Shanten

from bench import games, measure
from bench.drawn import COPIES, SUITED, counts, hands
from bench.measure import Sample, note
from engine import decide, hands as todas
from engine.rules import PRESETS

OWN_SETS, PEER_SETS, PEER_KINDS = 5, 4, 34


def main() -> None:
    """Print every figure as soon as it is known."""
    if _native.KERNEL is None:
        sys.exit("jansou has not found its native kernel; without it it is not what we measure beside.")
    is_win()
    shanten()
    best_discard()
    random_decisions()
    greedy_rounds()
    step()
    first_shanten()


def figure(name: str, value: float) -> None:
    """Print a figure under the name that says which engine was measured."""
    compiled = not str(decide.__file__).endswith(".py")
    measure.figure(name if compiled else f"{name}_interpreted", value)


def is_win() -> None:
    """`is_win` of a tile list, against `Agari.is_agari` of the counts it takes, made beforehand."""
    ours = [(hand,) for hand in own_hands(30_000)]
    peer = [(counts(hand, PEER_KINDS),) for hand in peer_hands(30_000)]
    compare("is_win_vs_mahjong", {"is_win": samples(todas.is_win, ours)}, samples(Agari.is_agari, peer))


def shanten() -> None:
    """`shanten` of a tile list, against `Shanten.calculate_shanten` of the counts it takes, made beforehand."""
    ours = [(hand,) for hand in own_hands(15_000)]
    peer = [(counts(hand, PEER_KINDS),) for hand in peer_hands(15_000)]
    compare("shanten_vs_mahjong", {"shanten": samples(todas.shanten, ours)}, samples(Shanten.calculate_shanten, peer))


def best_discard() -> None:
    """`best_discard` of a tile list, against `discard_evaluation` of a Hand, of whose list it is the first.

    Both judge by shanten, then acceptance. Our list of every discard is measured beside it.
    """
    ours = [(hand, unseen(hand)) for hand in own_hands(9_000)]
    listed = [(todas.keys_of_tiles(hand), 0, 0, True, unseen(hand)) for hand in own_hands(9_000)]
    peer = [(Hand(tuple(Tile(TileKind(kind)) for kind in hand)),) for hand in peer_hands(9_000)]
    discards = todas.reader(todas.JOKER_RULES).discards
    both = {"best_discard": samples(todas.best_discard, ours), "discards": samples(discards, listed)}
    compare("best_discard_vs_jansou", both, samples(discard_evaluation, peer), counted=["best_discard"])


def random_decisions() -> None:
    """A seat is asked, reads what it may do, chooses at random and is obeyed; the slower preset counts.

    In neither game is a seat asked that could only let a tile pass. As ours, the peer gives the events of each step;
    what it takes without them is measured beside it.
    """
    sides = {name: [games.random_decisions(name, seed) for seed in range(30)] for name in PRESETS}
    sides["riichienv without events"] = [games.riichienv_decisions(seed, events=False) for seed in range(30)]
    peer = [games.riichienv_decisions(seed) for seed in range(30)]
    compare("decisions_random_vs_riichienv", sides, peer, counted=list(PRESETS))


def greedy_rounds() -> None:
    """Rounds of four bots that go by shanten and acceptance; the slower preset counts."""
    ours = {name: [games.greedy_rounds(name, seed) for seed in range(9)] for name in PRESETS}
    compare("rounds_greedy_vs_jansou", ours, [games.jansou_rounds(seed) for seed in range(9)])


def step() -> None:
    """One step of a game between greedy and random bots; the slower preset counts. Beside it, what the machine does."""
    times: dict[str, list[float]] = {name: [] for name in PRESETS}
    for seed in range(24):
        for name, each in times.items():
            each += games.step_times(name, seed)
    medians = {name: 1e6 * measure.best(each) for name, each in times.items()}
    figure("step_us_median", max(medians.values()))
    for name, value in medians.items():
        figure(f"step_us_median_{name}", value)
    added, hashed = measure.alternate([measure.loop] * 60, [measure.hashing] * 60)
    figure("calibration_loop_per_s", 1 / measure.best(added))
    figure("calibration_sha256_per_s", 1 / measure.best(hashed))


def first_shanten() -> None:
    """Processor time of a fresh process that reads one hand, less that of one that does nothing."""
    reading = fresh_python(f"from engine.hands import shanten; shanten({own_hands(1)[0]})")
    times = measure.alternate([reading] * 30, [fresh_python("pass")] * 30, clock=children_time)
    read, started = (1e3 * measure.best(each) for each in times)
    figure("first_shanten_ms", read - started)
    note(f"{read:.1f} ms, of which a bare interpreter {started:.1f} ms")


def compare(
    name: str, sides: Mapping[str, Sequence[Sample]], peer: Sequence[Sample], *, counted: Sequence[str] = ()
) -> None:
    """Print how many times faster than the peer the slowest side is, of those counted: all unless named."""
    gc.collect()
    gc.freeze()  # what waits to be measured is nothing that a collection should look through
    of_peer, *own = (measure.best(times) for times in measure.alternate(peer, *sides.values()))
    gc.unfreeze()
    seconds = dict(zip(sides, own, strict=True))
    figure(name, of_peer / max(seconds[side] for side in counted or sides))
    for side, each in seconds.items():
        note(f"{side}: {1e6 * each:,.2f} us, the peer {1e6 * of_peer:,.2f} us: {of_peer / each:.3g}")


def samples(function: Callable[..., object], arguments: Sequence[tuple[object, ...]]) -> list[Sample]:
    """Calls with these arguments, in a hundred and twenty samples."""
    return [measure.calls(function, part) for part in measure.parts(arguments, len(arguments) // 120)]


def own_hands(number: int) -> list[list[int]]:
    """Hands of ours that were in no measurement yet."""
    return hands(_random, number, SUITED, OWN_SETS)


def peer_hands(number: int) -> list[list[int]]:
    """The same of a peer's set."""
    return hands(_random, number, PEER_KINDS, PEER_SETS)


def unseen(hand: list[int]) -> list[int]:
    """Copies of each kind that the hand leaves."""
    return [COPIES - held for held in counts(hand, SUITED)]


def fresh_python(code: str) -> Sample:
    """Python running this, from start to end."""

    def sample() -> int:
        subprocess.run([sys.executable, "-c", code], check=True)
        return 1

    return sample


def children_time() -> float:
    """Processor seconds of the processes that have been waited for."""
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


_random = Random(2)

if __name__ == "__main__":
    main()
