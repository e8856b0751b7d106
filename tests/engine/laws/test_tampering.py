"""Whatever is changed in a log, `verify` finds it, unless a game played by the rules could have gone so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from engine import events as ev
from engine.replay import BrokenLog, verify
from engine.tiles import CODES
from tests.engine.golden.playthrough import FILES, log_of
from tests.engine.laws.games import WHOLE_GAMES
from tests.engine.laws.tampering import left_out, put, variants

GOLDEN = {path.stem: log_of(path.read_text()) for path in FILES}
both = pytest.mark.parametrize("rules", WHOLE_GAMES)

OF_NO_CONSEQUENCE = {
    ("game_created", "players"): "a name leads to nothing; that a bot plays shows in what it confirms",
    ("game_created", "timing"): "the engine counts no seconds",
    ("game_created", "owner"): "an owner who neither amends nor ends anything",
    ("game_created", "length"): "a game that is ended before",
    ("answered", "left out"): "an answer of a seat that was offered nothing, or that another answer outranked",
    ("answered", "seat"): "the same, of another seat",
    ("deadline_moved", "left out"): "the engine knows no time",
    ("deadline_moved", "deadline_at"): "the engine knows no time",
    ("game_ended", "left out"): "as the last of a log, which is then of a game that goes on",
}
"""What of a log alone may be changed, since the game could have gone so. A row of the store says what was asked for
besides, and misses each of these (tests/formats)."""


def found(log: list[ev.Event]) -> int | None:
    """The place of the fault; None in a log that is whole."""
    try:
        verify(log)
    except BrokenLog as broken:
        return broken.place
    return None


@pytest.mark.parametrize("game", GOLDEN)
def test_a_game_that_was_written_down_is_whole(game: str):
    assert found(GOLDEN[game]) is None


@pytest.mark.slow
def test_an_event_left_out_or_changed_in_any_field_is_found_at_its_place_or_later():
    missed = set()
    for game in ("emay_alone", "emay_ended", "tsumo_alone"):
        log = GOLDEN[game]
        for place, what, tampered in tamperings(log):
            fault = found(tampered)
            assert fault is None or fault >= place
            if fault is None:
                missed.add((log[place].type, what))
    assert missed == set(OF_NO_CONSEQUENCE)


def tamperings(log: list[ev.Event]) -> Iterator[tuple[int, str, list[ev.Event]]]:
    for place, event in enumerate(log):
        yield place, "left out", left_out(log, place)
        for field, other in variants(event):
            yield place, field, put(log, place, other)


@both
def test_two_neighbours_that_changed_places_are_found(rules: str):
    log = WHOLE_GAMES[rules][1][:200]
    missed = []
    for place, (first, second) in enumerate(pairwise(log)):
        if first != second and found([*log[:place], second, first, *log[place + 2 :]]) not in (place, place + 1):
            missed.append((first.type, second.type))
    # The outcome of a window does not depend on the order of its answers (rules 5).
    assert set(missed) <= {("answered", "answered")}


# What is changed in one event is changed in all that follow from it, so that every figure balances


def places(log: list[ev.Event], kind: type[ev.Event]) -> list[int]:
    return [place for place, event in enumerate(log) if isinstance(event, kind)]


def settled(rules: str) -> tuple[list[ev.Event], int, int, int]:
    """A log up to the points of its first win that anybody pays for, and where won, pending and applied stand in it."""
    log = WHOLE_GAMES[rules][1]
    won = places(log, ev.RoundWon)[0]
    pending = next(place for place in places(log, ev.PointsPending) if place > won)
    applied = next(place for place in places(log, ev.PointsApplied) if place > won)
    return log[: applied + 1], won, pending, applied


def paid(log: list[ev.Event], pending: int, applied: int, more: ev.Four) -> list[ev.Event]:
    """The log with so many points more for each seat, in what is pending and in what is applied."""
    waits, done = log[pending], log[applied]
    assert isinstance(waits, ev.PointsPending)
    assert isinstance(done, ev.PointsApplied)
    spoilt = put(log, pending, replace(waits, changes=plus(waits.changes, more)))
    return put(spoilt, applied, replace(done, changes=plus(done.changes, more), points=plus(done.points, more)))


def plus(points: ev.Four, more: ev.Four) -> ev.Four:
    a, b, c, d = (have + add for have, add in zip(points, more, strict=True))
    return a, b, c, d


@both
def test_a_win_is_scored_again(rules: str):
    log, won, pending, applied = settled(rules)
    win, waits = log[won], log[pending]
    assert isinstance(win, ev.RoundWon)
    assert isinstance(waits, ev.PointsPending)
    a, b, c, d = waits.changes
    spoilt = paid(log, pending, applied, (a, b, c, d))  # everybody pays twice
    spoilt = put(spoilt, won, replace(win, multiplier=2 * win.multiplier))
    with pytest.raises(BrokenLog, match=f"event {won}: round_won: multiplier: {2 * win.multiplier}, expected"):
        verify(spoilt)


@both
def test_who_pays_is_counted_again(rules: str):
    log, _, pending, applied = settled(rules)
    with pytest.raises(BrokenLog, match=f"event {pending}: points_pending: changes: "):
        verify(paid(log, pending, applied, (1, -1, 0, 0)))


@both
def test_the_pot_is_counted_again(rules: str):
    log, _, pending, applied = settled(rules)
    spoilt = paid(log, pending, applied, (-1, 0, 0, 0))
    waits, done = spoilt[pending], spoilt[applied]
    assert isinstance(waits, ev.PointsPending)
    assert isinstance(done, ev.PointsApplied)
    spoilt = put(spoilt, pending, replace(waits, pot_after=waits.pot_after + 1))
    spoilt = put(spoilt, applied, replace(done, pot=done.pot + 1))
    with pytest.raises(BrokenLog, match=f"event {pending}: points_pending: changes: .*pot_after: "):
        verify(spoilt)


@both
@pytest.mark.parametrize("field", ["category", "bonuses", "tile", "reading", "source", "hands", "secrets"])
def test_a_win_shows_what_was_won_with(rules: str, field: str):
    log, won, _, _ = settled(rules)
    spoilt = [other for name, other in variants(log[won]) if name == field]
    for other in spoilt:
        with pytest.raises(BrokenLog, match=f"event {won}: round_won: {field}: "):
            verify(put(log, won, other))
    assert spoilt


@both
def test_a_tile_goes_to_whom_the_answers_give_it(rules: str):
    log = WHOLE_GAMES[rules][1]
    for place in places(log, ev.WindowClosed):
        closed = log[place]
        assert isinstance(closed, ev.WindowClosed)
        other = ev.WindowClosed("pung", 0) if closed.seat is None else replace(closed, seat=(closed.seat + 1) % 4)
        for spoilt in (other, ev.WindowClosed("nobody", None)):
            if spoilt != closed:
                with pytest.raises(BrokenLog, match=f"event {place}: window_closed: (taken|seat): "):
                    verify(put(log[: place + 2], place, spoilt))


@both
def test_a_claim_that_nobody_made_is_no_meld(rules: str):
    """Nor one with tiles that are not held: the claimant's answer has to be one that it was offered."""
    log = WHOLE_GAMES[rules][1]
    place = next(place for place in places(log, ev.MeldMade) if isinstance(log[place - 1], ev.WindowClosed))
    meld = log[place]
    assert isinstance(meld, ev.MeldMade)
    another = next(code for code in CODES if code not in meld.tiles)
    with pytest.raises(BrokenLog, match=f"event {place}: meld_made: tiles: "):
        verify(put(log, place, replace(meld, tiles=(another,) * len(meld.tiles))))
    asked = max(before for before in places(log, ev.Answered) if before < place)
    answer = log[asked]
    assert isinstance(answer, ev.Answered)
    for _, other in variants(answer.action):
        with pytest.raises(BrokenLog, match=f"event {asked}: answered: claim is refused: claim_not_offered"):
            verify(put(log, asked, ev.Answered(answer.seat, other)))
