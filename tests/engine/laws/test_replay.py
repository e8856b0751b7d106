"""`verify` takes the log of a game and no other, and names the first event at fault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, replace
from itertools import permutations
from typing import Any

import pytest

from engine import events as ev
from engine.actions import AskPause, AskResume, ChangeSeat, Command, EndGame, Pass, PauseGame, Refusal
from engine.decide import new_game, step
from engine.legal import default_action
from engine.replay import BrokenLog, begin, fold, verify
from engine.rules import preset
from engine.state import SEATS, WINDOWS, ClaimWindow, Decision, GameOver, GameState, Settlement, Turn
from engine.tiles import CODES
from tests.engine.laws.games import WHOLE_GAMES
from tests.engine.scenario import FAST, FOUR_PEOPLE

both = pytest.mark.parametrize("rules", WHOLE_GAMES)


@both
def test_a_whole_log_comes_to_the_state_it_was_played_to(rules: str):
    state, log = WHOLE_GAMES[rules]
    assert fold(log) == verify(log) == state


@both
def test_seq_counts_the_public_events(rules: str):
    state, log = WHOLE_GAMES[rules]
    assert state.seq == sum(not isinstance(event, ev.NOTES) for event in log)


def test_an_empty_log_is_no_game():
    with pytest.raises(ValueError, match="at least one event"):
        fold([])
    with pytest.raises(BrokenLog):
        verify([])


@both
def test_a_log_begins_with_the_creation_of_its_game(rules: str):
    with pytest.raises(BrokenLog) as found:
        verify(WHOLE_GAMES[rules][1][1:])
    assert found.value.place == 0


DENSE = (ev.WallBuilt, ev.RoundDealt, ev.TileDrawn, ev.WindowOpened, ev.TurnOpened, ev.PointsPending, ev.PointsApplied)


@both
@pytest.mark.parametrize("kind", DENSE)
def test_an_event_left_out_is_missed(rules: str, kind: type[ev.Event]):
    log = WHOLE_GAMES[rules][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, kind))
    with pytest.raises(BrokenLog) as found:
        verify(log[:place] + log[place + 1 :])
    assert found.value.place >= place


def _another(event: ev.Event) -> ev.Event:
    """The event with one of its figures changed."""
    match event:
        case ev.WallBuilt():
            return replace(event, tiles=event.tiles[2:] + event.tiles[:2])
        case ev.RoundDealt():
            return replace(event, antes=(0, 0, 0, 1))
        case ev.TileDrawn():
            return replace(event, tile="1b" if event.tile != "1b" else "2b")
        case ev.WindowOpened() | ev.TurnOpened():
            return replace(event, decision_no=event.decision_no + 1)
        case ev.PointsPending():
            return replace(event, changes=(1, *event.changes[1:]))
        case ev.PointsApplied():
            return replace(event, points=(1, *event.points[1:]))
        case ev.GameEnded():
            return replace(event, house=event.house + 1)
        case _:
            raise AssertionError(event)


@both
@pytest.mark.parametrize("kind", [*DENSE, ev.GameEnded])
def test_a_figure_changed_is_found_where_it_stands(rules: str, kind: type[ev.Event]):
    log = WHOLE_GAMES[rules][1]
    place = max(place for place, event in enumerate(log) if isinstance(event, kind))
    with pytest.raises(BrokenLog, match=log[place].type) as found:
        verify([*log[:place], _another(log[place]), *log[place + 1 :]])
    assert found.value.place == place


def _moved(points: ev.Four) -> ev.Four:
    """The same sum, with a point of the first seat given to the second."""
    a, b, c, d = points
    return a - 1, b + 1, c, d


def _spoilt_figures(log: list[ev.Event]) -> Iterator[tuple[int, ev.Event, str]]:
    """Figures that balance and are wrong all the same: where they stand, and what is wrong with them."""
    for place, event in enumerate(log):
        match event:
            case ev.PointsPending():
                yield place, replace(event, round=event.round + 1), "round"
                yield place, replace(event, decision_no=event.decision_no + 1), "decision_no"
                yield place, replace(event, side_payments=_moved(event.side_payments)), "side_payments"
                other = replace(event, pot_before=event.pot_before + 1, pot_after=event.pot_after + 1)
                yield place, other, "pot_before"
            case ev.PointsApplied():
                moved = replace(event, changes=_moved(event.changes), points=_moved(event.points))
                yield place, moved, "changes"
                yield place, replace(event, points=_moved(event.points)), "points"
                yield place, replace(event, pot=event.pot + 1, house=event.house - 1), "pot"
                yield place, replace(event, tips=event.tips + 1), "tips"
            case ev.GameEnded():
                yield place, replace(event, points=_moved(event.points)), "points"
                yield place, replace(event, tips=event.tips + 1), "tips"
            case _:
                pass


@both
def test_figures_that_balance_are_checked_one_by_one(rules: str):
    log = WHOLE_GAMES[rules][1]
    spoilt = list(_spoilt_figures(log))
    for place, event, problem in spoilt:
        with pytest.raises(BrokenLog, match=f"event {place}: {event.type}: {problem}: "):
            verify([*log[:place], event, *log[place + 1 :]])
    assert len(spoilt) == 2 * 4 + 2 * 4 + 2


def test_another_seed_is_not_the_seed_of_this_log():
    log = WHOLE_GAMES["emay"][1]
    created = log[0]
    assert isinstance(created, ev.GameCreated)
    with pytest.raises(BrokenLog, match="wall_built"):
        verify([replace(created, seed="6" * 64), *log[1:]])


def _spoilt_deal(dealt: ev.RoundDealt, field: str) -> ev.RoundDealt:
    """The deal with one field changed; of the hands, two of sixteen tiles have changed places."""
    a, b = [seat for seat in SEATS if seat != dealt.dealer][:2]
    hands = list(dealt.hands)
    hands[a], hands[b] = hands[b], hands[a]
    spoilt: dict[str, Any] = {
        "round": dealt.round + 1,
        "dealer": (dealt.dealer + 1) % 4,
        "prevailing_wind": "W",
        "winds": (*dealt.winds[1:], dealt.winds[0]),
        "hands": tuple(hands),
        "antes": (0, 0, 0, 1),
        "pot": dealt.pot + 1,
        "wall_count": dealt.wall_count - 1,
        "claim_timing": "uniform",
    }
    return replace(dealt, **{field: spoilt[field]})


@both
@pytest.mark.parametrize("field", [each.name for each in fields(ev.RoundDealt) if each.name != "type"])
def test_every_deal_is_the_one_that_the_seed_and_the_game_before_it_make(rules: str, field: str):
    log = WHOLE_GAMES[rules][1]
    deals = [(place, event) for place, event in enumerate(log) if isinstance(event, ev.RoundDealt)]
    for place, dealt in deals:
        with pytest.raises(BrokenLog, match=f"event {place}: round_dealt: {field}: "):
            verify([*log[:place], _spoilt_deal(dealt, field), *log[place + 1 :]])
    assert len(deals) == 2


def test_a_joker_that_the_seed_does_not_name_is_found():
    log = WHOLE_GAMES["emay"][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.JokerNamed))
    others = [ev.JokerNamed(code) for code in ("1b", "2b") if ev.JokerNamed(code) != log[place]]
    with pytest.raises(BrokenLog, match=f"event {place}: joker_named: kind"):
        verify([*log[:place], others[0], *log[place + 1 :]])


def test_a_joker_left_out_is_missed_where_it_was_due():
    log = WHOLE_GAMES["emay"][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.JokerNamed))
    with pytest.raises(BrokenLog, match=f"event {place}: .*joker_named is due"):
        verify(log[:place] + log[place + 1 :])


@both
def test_a_log_that_stops_within_a_deal_is_not_whole(rules: str):
    log = WHOLE_GAMES[rules][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.RoundDealt))
    with pytest.raises(BrokenLog, match=f"event {place + 1}: the log ends, and "):
        verify(log[: place + 1])


@both
def test_a_deal_has_no_place_within_a_round(rules: str):
    log = WHOLE_GAMES[rules][1]
    deal = next(event for event in log if isinstance(event, ev.RoundDealt))
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.TileDiscarded))
    with pytest.raises(BrokenLog, match=f"event {place}: round_dealt: nothing is dealt now"):
        verify([*log[:place], deal])


def _in_play(kind: type[ev.Event], origin: str | None = None) -> list[int]:
    """Where the first round of tsumo, once dealt, has events of this kind."""
    log = WHOLE_GAMES["tsumo"][1]
    begun = next(place for place, event in enumerate(log) if isinstance(event, ev.TileDiscarded))
    ended = next(place for place, event in enumerate(log) if isinstance(event, ev.PointsPending))
    return [
        place
        for place in range(begun, ended)
        if isinstance(event := log[place], kind) and origin in (None, getattr(event, "origin", None))
    ]


@pytest.mark.parametrize("origin", ["front", "back"])
def test_a_draw_takes_the_tile_that_lies_at_its_end_of_the_wall(origin: str):
    log = WHOLE_GAMES["tsumo"][1]
    place = _in_play(ev.TileDrawn, origin)[0]
    with pytest.raises(BrokenLog, match=f"event {place}: tile_drawn: tile: "):
        verify([*log[:place], _another(log[place])])


@pytest.mark.parametrize("origin", ["front", "back"])
def test_a_draw_is_made_at_the_end_of_the_wall_that_is_due(origin: str):
    log = WHOLE_GAMES["tsumo"][1]
    place = _in_play(ev.TileDrawn, origin)[0]
    drawn, wall = log[place], fold(log[:place]).round
    assert isinstance(drawn, ev.TileDrawn)
    other = (
        replace(drawn, origin="back", tile=CODES[wall.wall[wall.back - 1]])
        if origin == "front"
        else replace(drawn, origin="front", tile=CODES[wall.wall[wall.front]])
    )
    with pytest.raises(BrokenLog, match=f"event {place}: tile_drawn: .*origin: "):
        verify([*log[:place], other])


@pytest.mark.parametrize("origin", ["front", "back"])
def test_a_draw_is_made_by_the_seat_that_is_due(origin: str):
    log = WHOLE_GAMES["tsumo"][1]
    place = _in_play(ev.TileDrawn, origin)[0]
    drawn = log[place]
    assert isinstance(drawn, ev.TileDrawn)
    with pytest.raises(BrokenLog, match=f"event {place}: tile_drawn: (seat|.*not_your_turn): "):
        verify([*log[:place], replace(drawn, seat=(drawn.seat + 1) % 4)])


def test_a_draw_leaves_one_tile_less_in_the_wall():
    log = WHOLE_GAMES["tsumo"][1]
    place = _in_play(ev.TileDrawn)[0]
    drawn = log[place]
    assert isinstance(drawn, ev.TileDrawn)
    with pytest.raises(BrokenLog, match=f"event {place}: tile_drawn: wall_count: "):
        verify([*log[:place], replace(drawn, wall_count=drawn.wall_count - 1)])


@pytest.mark.parametrize("changed", [{"tile": "1x"}, {"seat": 3}])
def test_a_flower_is_exposed_by_the_seat_that_drew_it(changed: dict[str, Any]):
    log = WHOLE_GAMES["tsumo"][1]
    exposed = [
        (place, event) for place in _in_play(ev.FlowerExposed) if isinstance(event := log[place], ev.FlowerExposed)
    ]
    place, flower = next((place, event) for place, event in exposed if event.seat != 3 and event.tile != "1x")
    with pytest.raises(BrokenLog, match=f"event {place}: flower_exposed: {'|'.join(changed)}: "):
        verify([*log[:place], replace(flower, **changed)])


@both
def test_no_seat_throws_what_it_does_not_hold(rules: str):
    log = WHOLE_GAMES[rules][1]
    place = next(place for place, event in enumerate(log) if isinstance(event, ev.TileDiscarded))
    thrown, held = log[place], fold(log[:place]).seats
    assert isinstance(thrown, ev.TileDiscarded)
    missing = CODES[held[thrown.seat].counts.index(0)]
    with pytest.raises(BrokenLog, match=f"event {place}: tile_discarded: discard is refused: tile_not_held"):
        verify([*log[:place], replace(thrown, tile=missing)])


def test_a_seat_that_claims_a_tile_for_a_chow_or_pung_draws_none():
    log = WHOLE_GAMES["tsumo"][1]
    place = next(
        place + 1
        for place in _in_play(ev.MeldMade)
        if isinstance(event := log[place], ev.MeldMade) and event.kind in ("chow", "pung")
    )
    rnd, turn = fold(log[:place]).round, log[place]
    assert isinstance(turn, ev.TurnOpened)
    drawn = ev.TileDrawn(turn.seat, CODES[rnd.wall[rnd.back - 1]], "back", rnd.wall_count - 1)
    with pytest.raises(BrokenLog, match=f"event {place}: tile_drawn: turn_opened is due"):
        verify([*log[:place], drawn])


def test_a_deadline_is_moved_for_the_decision_that_is_open():
    log = WHOLE_GAMES["emay"][1]
    dealt, place = begin(log)
    now, next_one = (ev.DeadlineMoved(dealt.decision.no + later, "2026-01-01T00:00:00Z") for later in (0, 1))
    assert verify([*log[:place], now, *log[place:]]).seats == fold(log).seats
    with pytest.raises(BrokenLog, match=f"event {place}: deadline_moved: .*stale_decision"):
        verify([*log[:place], next_one, *log[place:]])


# Whatever the table does, its log is whole


def standing(kind: type[Decision]) -> tuple[GameState, list[ev.Event]]:
    """A game of four people that has come to its first decision of this kind, each doing the default, and its log."""
    state, events = new_game(preset("tsumo"), FOUR_PEOPLE, "5" * 64, timing=FAST, length=ev.Length(rounds=2))
    log = list(events)
    while not isinstance(state.decision, kind):
        seat = next(seat for seat in SEATS if default_action(state, seat) and not _has_answered(state, seat))
        action = default_action(state, seat)
        assert action is not None
        state, events = step(state, seat, action)
        log += events
    return state, log


def _has_answered(state: GameState, seat: int) -> bool:
    return isinstance(state.decision, WINDOWS) and state.decision.answers[seat] is not None


@pytest.mark.parametrize("kind", [Turn, ClaimWindow, Settlement])
def test_a_table_may_pause_change_and_end_in_any_order(kind: type[Decision]):
    begun, log = standing(kind)
    player = begun.players[1]
    commands: list[tuple[int | None, Command]] = [
        (None, PauseGame()),
        (2, AskResume()),
        (None, ChangeSeat(1, replace(player, connected=False), 2)),
        (None, EndGame("after_round")),
        (None, EndGame("now", "abandoned")),
    ]
    for order in permutations(commands):
        state, told = begun, list(log)
        for seat, command in order:
            with suppress(Refusal):
                state, events = step(state, seat, command)
                told += events
        assert verify(told) == state
        assert isinstance(state.decision, GameOver)


def test_a_game_that_everybody_pauses_goes_on_when_everybody_wishes_it():
    state, log = standing(ClaimWindow)
    for wish in (AskPause(), Pass(), AskResume()):
        for seat in SEATS:
            with suppress(Refusal):
                state, events = step(state, seat, wish)
                log += events
    assert [event.type for event in log[-5:]] == ["pause_asked"] * 4 + ["game_resumed"]
    assert verify(log) == state


@pytest.mark.parametrize("seat", [-1, 4])
def test_there_are_four_seats(seat: int):
    log = WHOLE_GAMES["emay"][1]
    created = log[0]
    assert isinstance(created, ev.GameCreated)
    place = begin(log)[1]
    changed = ev.SeatChanged(0, replace(created.players[0], connected=False), 0)
    for other in (replace(changed, seat=seat), replace(changed, owner=seat), ev.PauseAsked(seat, "pause")):
        with pytest.raises(BrokenLog, match=f"event {place}: .*there is no seat {seat}"):
            verify([*log[:place], other, *log[place:]])
    with pytest.raises(BrokenLog, match=f"there is no seat {seat}"):
        verify([replace(created, owner=seat), *log[1:]])


def test_an_event_that_changes_nothing_is_none():
    log = WHOLE_GAMES["emay"][1]
    place = begin(log)[1]
    with pytest.raises(BrokenLog, match=f"event {place}: pause_asked: it changes nothing"):
        verify([*log[:place], ev.PauseAsked(0, "resume"), *log[place:]])
