"""The games that are frozen, each as its people play it. Together they hold every event, note and command there is; the
seeds are of walls that bring what a game is for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from app.settings import Settings
from engine.actions import Amend, Claim, Confirm
from engine.legal import legal_actions
from engine.state import ClaimWindow, GameOver, GameState, Settlement, Turn
from tests.formats.people import House, Table, is_asked, kongs, lazy, letting_go

SETTINGS: Final = Settings(
    allow_seeds=True,
    pause_seconds=1,
    abandon_hours=8 / 3600,
    rate_moves="100000/minute",
    rate_reads="100000/minute",
)
"""A house in which a table that everybody leaves does not wait for a day."""

_PLAIN: Final[dict[str, str]] = {}
_NAMED: Final = {"name": "Niño"}
_RANDOM: Final = {"level": "random"}
_CALM: Final[dict[str, Any]] = {"turn_seconds": 600, "claim_seconds": 300, "bot_delay_ms": 0}


async def emay_fast(house: House) -> Table:
    """A wall that runs out for one person who lets the service pass, to the end of a game of one round."""
    asked = {"seed": "121c", "length": {"rounds": 1}, "points": 1000, "spectator_delay": 10, "free_text": True}
    table = await house.table({1: "美玲"}, *[_RANDOM] * 3, visibility="public", **asked)
    await table.send(1, "preferences", {"auto_pass": ["all"]}, method="PUT")
    await table.play(_is_over, lazy)
    return table


async def emay_uniform(house: House) -> Table:
    """Two people: a win let go, a kong, a pause, figures amended in vain and by agreement, a Triple Joker. Then both
    are lost, one comes back and leaves, and the game ends as abandoned."""
    timing = {**_CALM, "settlement_seconds": 1.5, "away_seconds": 2}
    people = {0: "José Ñ.", 1: "Ligaya 🀄"}
    table = await house.table(people, _NAMED, _PLAIN, seed="b4c", visibility="public", timing=timing)
    choose = letting_go(kongs)
    await table.play(_thrown(2), choose)
    await table.send(0, "pause")
    await table.send(1, "pause")
    await table.play(lambda state: state.paused, choose)
    await table.send(1, "resume")
    await table.send(0, "resume")
    await table.play(_settling(1), choose)
    await _amend(table, "Napagkasunduan: ₱5 na tip")
    await table.wait(_in_round(2))
    await table.play(_settling(2), choose)
    await _amend(table, "„Ganito na lang“")
    await table.act(1, Confirm(2))
    await table.play(_thrown(2), choose)
    await table.wait(lambda state: state.paused)
    await table.look(0)
    await table.wait(lambda state: state.players[1].away)
    await table.send(0, "leave")
    await table.wait(_is_over)
    return table


async def emay_window(house: House) -> Table:
    """A game that goes on: after a Joker Eye a window is open, which one of two people has answered."""
    people = {3: "Ñena", 2: "Åsa Øst"}
    terms = {
        "overrides": {"tip_per_win": 2, "pot_claim": "draw_win"},
        "timing": {**_CALM, "claim_seconds": 2, "bank_seconds": 60},
    }
    table = await house.table(people, _NAMED, _PLAIN, seed="57d9", visibility="public", **terms)
    await table.send(2, "preferences", {"auto_win": True}, method="PUT")
    await table.play(_in_round(2))
    await table.play(lambda state: _who_may_claim(state) is not None)
    state = await table.state()
    seat = _who_may_claim(state)
    assert seat is not None
    await table.act(seat, next(action for action in legal_actions(state, seat) if isinstance(action, Claim)))
    return table


async def tsumo_fast(house: House) -> Table:
    """One person who declares every kong: a Secret, a Sagasa, one that is robbed; the owner ends the game after it."""
    bots, rules = (_PLAIN, _PLAIN, _NAMED), {"ruleset": "tsumo", "overrides": {"rob_added_kong": True}}
    table = await house.table({0: "Ñena Peñaflor"}, *bots, seed="25c1", **rules)
    await table.play(_thrown(3), kongs)
    await table.send(0, "end", {"when": "after_round"})
    await table.play(_is_over, kongs)
    return table


async def tsumo_uniform(house: House) -> Table:
    """A game that goes on: three people in haste, a deadline that nobody served and one that runs out; one leaves, the
    others pause, and one of them wishes to go on."""
    people = {3: "Ñena", 0: "Zoë", 1: "Ligaya 🀄"}
    timing = {"turn_seconds": 2, "bank_seconds": 1, "claim_seconds": 2, "bot_delay_ms": 0}
    asked = {"ruleset": "tsumo", "seed": "5eed", "points": [10, 20, 30, 40], "visibility": "public"}
    table = await house.table(people, _NAMED, timing=timing, **asked)
    await table.send(0, "preferences", {"auto_draw": True}, method="PUT")
    await table.send(1, "preferences", {"auto_pass": ["chow", "pung"], "auto_win": True}, method="PUT")
    await table.play(_thrown(1))
    await table.play(lambda state: isinstance(state.decision, Turn))
    seq = (await table.state()).seq
    await house.close()
    await asyncio.sleep(4)
    await house.open()
    await table.wait(lambda state: state.seq > seq)
    await table.play(_thrown(3))
    await table.wait(_thrown(4))
    await table.send(3, "leave")
    await table.send(0, "pause")
    await table.send(1, "pause")
    await table.play(lambda state: state.paused)
    await table.send(1, "resume")
    return table


GAMES: Final[dict[str, Callable[[House], Awaitable[Table]]]] = {
    game.__name__: game for game in (emay_fast, emay_uniform, emay_window, tsumo_fast, tsumo_uniform)
}
"""By the name of their file."""


async def _amend(table: Table, reason: str) -> None:
    """The owner, in seat 0, gives the next seat five points more."""
    state = await table.state()
    assert isinstance(state.decision, Settlement)
    a, b, c, d = state.decision.pending.changes
    await table.act(0, Amend(state.round.number, (a - 5, b + 5, c, d), reason))


def _is_over(state: GameState) -> bool:
    return isinstance(state.decision, GameOver)


def _in_round(number: int) -> Callable[[GameState], bool]:
    return lambda state: state.round.number == number


def _thrown(number: int) -> Callable[[GameState], bool]:
    return lambda state: state.round.discards >= number


def _settling(number: int) -> Callable[[GameState], bool]:
    return lambda state: isinstance(state.decision, Settlement) and state.round.number == number


def _who_may_claim(state: GameState) -> int | None:
    """A person who may claim the tile of a window that another person has still to answer."""
    if not isinstance(state.decision, ClaimWindow):
        return None
    waiting = [seat for seat in state.persons() if is_asked(state, seat)]
    claiming = [seat for seat in waiting if any(isinstance(action, Claim) for action in legal_actions(state, seat))]
    return claiming[0] if claiming and len(waiting) > 1 else None
