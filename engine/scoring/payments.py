"""Who pays whom, in points: shares of a win and side payments of a kong (rules 8, 9). Every result sums to zero."""

from __future__ import annotations

from engine.events import Four, MeldKind
from engine.rules import RuleSet


def win_changes(rules: RuleSet, multiplier: int, winner: int, discarder: int | None) -> Four:
    """Changes of the four seats for a win on `discarder`'s tile, or self-drawn when it is None.

    The plain share is multiplier x unit; the discarder, or everybody on a self-drawn win, pays a multiple of it.
    """
    share = multiplier * rules.unit
    if discarder is None:
        return _paid_to(winner, [share * rules.self_draw_multiplier] * 4)
    shares = [share] * 4
    shares[discarder] = share * rules.discarder_multiplier
    return _paid_to(winner, shares)


def kong_changes(rules: RuleSet, kind: MeldKind, seat: int) -> Four:
    """Side payment booked when the meld arises: each opponent pays the side unit of its kind."""
    units = {"kong": rules.kang_side_unit, "secret": rules.secret_side_unit, "sagasa": rules.sagasa_side_unit}
    return _paid_to(seat, [units.get(kind, 0)] * 4)


def _paid_to(receiver: int, shares: list[int]) -> Four:
    changes = [-share for share in shares]
    changes[receiver] = sum(shares) - shares[receiver]
    a, b, c, d = changes
    return a, b, c, d
