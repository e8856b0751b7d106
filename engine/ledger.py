"""Points, pot and house over a round and at the end of a game (rules 3, 8).

For every round: antes + side payments + changes of the seats + change of the pot + change of the house = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from engine.events import Four, PointsPending
from engine.rules import RuleSet
from engine.scoring import Score
from engine.scoring.categories import PLAIN_REGULAR
from engine.scoring.payments import win_changes

AMEND_LIMIT: Final = 10**12
"""An amended figure is at most this far from zero: far above any game, and a sum of many stays within 64 bits."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A round's figures as computed, in points; sum(changes) + pot_after - pot_before + house_change = 0.

    `game` is what the winner received from seats before the tip; `changes` hold the pot share and are net of the tip;
    `pot_before` stands after the antes; `tips_change` is the part of `house_change` that was tipped.
    """

    game: int
    multiplier: int
    changes: Four
    pot_before: int
    pot_after: int
    house_change: int
    tips_change: int


def deal_antes(rules: RuleSet, pot: int) -> tuple[Four, int]:
    """Changes of the seats at a deal, and the pot after them: the ante into an empty pot, else its growth."""
    if rules.pot_claim == "off":
        return (0, 0, 0, 0), pot
    each = rules.pot_growth if pot else rules.pot_ante
    return (-each, -each, -each, -each), pot + 4 * each


def settle_win(rules: RuleSet, score: Score, winner: int, discarder: int | None, pot: int) -> Pending:
    """The figures of a won round; `discarder` is None for a self-drawn win and for Triple Joker.

    The tip comes out of what the winner receives, so it is never more than that.
    """
    changes = list(win_changes(rules, score.multiplier, winner, discarder))
    game = changes[winner]
    taken = pot if _takes_pot(rules, score, discarder) else 0
    tip = min(rules.tip_per_win, game + taken)
    changes[winner] += taken - tip
    a, b, c, d = changes
    return Pending(game, score.multiplier, (a, b, c, d), pot, pot - taken, tip, tip)


def settle_draw(pot: int) -> Pending:
    """The figures of a drawn round: nothing moves, the pot stays."""
    return Pending(0, 0, (0, 0, 0, 0), pot, pot, 0, 0)


def amend_allowed(pending: Pending | PointsPending, changes: Sequence[object]) -> bool:
    """Whether the owner may put these four figures in place of the computed ones: whole numbers of the same sum."""
    if len(changes) != 4:
        return False
    # A bool is an int to isinstance.
    figures = [value for value in changes if type(value) is int and -AMEND_LIMIT <= value <= AMEND_LIMIT]
    return len(figures) == 4 and sum(figures) == sum(pending.changes)


def split_pot(rules: RuleSet, pot: int) -> tuple[Four, int]:
    """What each seat and the house get of a pot left at the end: equal parts and the remainder, or all to the house."""
    each = pot // 4 if rules.pot_at_end == "split" else 0
    return (each, each, each, each), pot - 4 * each


def void_round(antes: Four, side_payments: Four, pot: int) -> tuple[Four, int]:
    """What a void round gives back to each seat, and the pot without its antes (rules 3, end by the table)."""
    a, b, c, d = (-ante - paid for ante, paid in zip(antes, side_payments, strict=True))
    return (a, b, c, d), pot + sum(antes)


def _takes_pot(rules: RuleSet, score: Score, discarder: int | None) -> bool:
    match rules.pot_claim:
        case "any_win":
            return True
        case "draw_win":
            return discarder is None
        case "special":
            return bool(score.bonuses) if score.category is None else score.category not in PLAIN_REGULAR
        case "off":
            return False
        case unknown:
            assert_never(unknown)
