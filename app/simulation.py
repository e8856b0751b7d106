"""`todas simulate`: games by bots alone, shared out among processes, with a progress bar and a table at the end."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from app.clock import monotonic
from engine.codec import dump_command
from engine.rules import RuleSet
from engine.scoring.bonuses import BONUSES
from engine.scoring.categories import CATEGORIES
from engine.simulate import Report, Violation, games, play

_COLUMNS: Final = (BarColumn(), MofNCompleteColumn(), TextColumn("rounds"), TimeRemainingColumn())


def simulate(rules: RuleSet, bots: Sequence[str], rounds: int, seed: str, *, check: bool, jobs: int) -> bool:
    """Plays the rounds and prints what came of them; whether no law was broken. The figures do not depend on `jobs`.

    Raises ValueError for a bot that does not exist, and for more of them than a table has seats.
    """
    if len(bots) > 4:
        raise ValueError(f"a table has four seats: {len(bots)} bots are too many")
    report = Report()
    started = monotonic()
    with Progress(*_COLUMNS, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=rounds)
        for part in _games(rules, bots, rounds, seed, check, jobs):
            report.add(part)
            progress.update(bar, advance=part.rounds)
    _print(rules, bots, report, monotonic() - started)
    return not report.violations


def _games(rules: RuleSet, bots: Sequence[str], rounds: int, seed: str, check: bool, jobs: int) -> Iterator[Report]:
    if jobs == 1:
        for name, length in games(rounds, seed):
            yield play(rules, bots, length, name, check=check)
        return
    with ProcessPoolExecutor(jobs) as pool:
        parts = [pool.submit(play, rules, bots, length, name, check=check) for name, length in games(rounds, seed)]
        try:
            for part in as_completed(parts):
                yield part.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _print(rules: RuleSet, bots: Sequence[str], report: Report, seconds: float) -> None:
    console = Console(highlight=False)
    console.print(f"{report.rounds} rounds of {rules.name} by {', '.join(bots)} in {seconds:.1f} s:", end=" ")
    console.print(f"{report.rounds / seconds:.0f} rounds per second")
    console.print(f"draws {report.draws} ({_share(report.draws, report.rounds)}),", end=" ")
    console.print(f"mean length {report.mean_discards:.1f} discards")
    wins = report.rounds - report.draws
    table = Table("won as", box=None, pad_edge=False)
    table.add_column("times", justify="right")
    table.add_column("of wins", justify="right")
    if rules.scoring == "emay_categories":
        counted = [(row.title, report.categories[row.id]) for row in CATEGORIES]
    else:
        counted = [(row.title, report.bonuses[row.id]) for row in BONUSES]
    for title, times in counted:
        table.add_row(title, str(times), _share(times, wins))
    console.print(table)
    for violation in report.violations:
        console.print(_told(violation), soft_wrap=True, markup=False)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def _told(violation: Violation) -> str:
    commands = json.dumps([[seat, dump_command(command)] for seat, command in violation.commands])
    return f"BROKEN in round {violation.round} of seed {violation.seed}: {violation.law}\n{commands}"
