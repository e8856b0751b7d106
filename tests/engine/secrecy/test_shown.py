"""What is shown, to whom, and from when on (rules 11), and that every event and field was thought of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from typing import get_args

import pytest

from engine import events as ev, views
from engine.actions import Action, CloseSettlement, EndGame
from engine.codec import dump_event
from engine.rules import preset
from engine.state import SEATS
from engine.tiles import BACK
from engine.views import redact
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import PASS, WIN, Table, both, chow, numbered, pung, secret, table, types
from tests.engine.secrecy.test_hidden import random_states

READERS = (*SEATS, None)

HIDDEN = {"round_dealt": {"hands"}, "tile_drawn": {"tile"}, "meld_made": {"tiles"}}
"""By event, the fields that are hidden from some readers."""

OPEN = {
    "joker_named",
    "flower_exposed",
    "tile_discarded",
    "window_opened",
    "window_closed",
    "round_won",
    "round_drawn",
    "points_pending",
    "points_amended",
    "points_confirmed",
    "points_applied",
    "deadline_moved",
    "seat_changed",
    "pause_asked",
    "game_paused",
    "game_resumed",
    "game_end_asked",
    "game_ended",
}
"""Events that are the same for everybody."""

ABOUT_ALL = """
    seat seq ruleset round dealer prevailing_wind wall_count joker pot house tips claim_timing over ending
    paused asked seats pile decision settlement result
"""
ABOUT_THE_READER = "hand drawn legal_actions may_amend locked joker_eye preferences"
FIELDS = {
    views.SeatView: ABOUT_ALL + ABOUT_THE_READER,
    views.SeatPublic: """
        seat name bot stand_in connected away wind position points concealed melds flowers hand_shown
    """,
    views.MeldView: "kind tiles claimed_from claimed",
    views.PileTile: "tile seat",
    views.DecisionView: "kind no who stage window tile from_seat your_answer",
    views.SettlementView: "pending amended confirmed",
}
"""All that a view may hold. Whoever adds a field says here whom it is about, and tests that it hides what it must."""


def event_types() -> set[str]:
    return {kind.__dataclass_fields__["type"].default for kind in get_args(ev.NumberedEvent)}


def test_every_numbered_event_is_known_to_be_open_or_to_hide_something():
    assert event_types() <= OPEN | set(HIDDEN)
    assert not OPEN & set(HIDDEN)


def test_a_view_holds_no_field_that_nobody_thought_of():
    found = {kind: {field.name for field in fields(kind)} for kind in FIELDS}
    assert all(found[kind] <= set(FIELDS[kind].split()) for kind in FIELDS)
    own = [kind for kind in vars(views).values() if is_dataclass(kind) and kind.__module__ == views.__name__]
    assert set(own) == set(FIELDS)


def values(given: object) -> Iterator[object]:
    yield given
    if is_dataclass(given):
        for field in fields(given):
            yield from values(getattr(given, field.name))
    elif isinstance(given, tuple):
        for value in given:
            yield from values(value)


@pytest.mark.parametrize("rules", ["emay", "tsumo"])
@pytest.mark.parametrize("reader", READERS)
def test_a_view_is_made_of_its_own_parts_public_events_and_actions(rules: str, reader: int | None):
    allowed = (*FIELDS, *get_args(ev.NumberedEvent), *get_args(Action), ev.WinReading, type(None), str, int, tuple)
    states = list(random_states(preset(rules), 8, 250))
    for state in states[::5]:
        found = {type(value) for value in values(views.view(state, reader))}
        assert {kind for kind in found if not issubclass(kind, allowed) and kind.__name__ != "Preferences"} == set()


@cache
def whole_game(rules: str) -> Table:
    """Secrets, claims, a win and an end, with every reader looking on."""
    hands = {0: "9999b", 2: WAITS_5C, 3: "88c 9d"}
    game = table(rules, hands, front="8c 1d 5c", quiet="58c", joker="1c")
    game.do(0, secret("9b"))
    game.throw_to("8c", {3: pung("8c")})
    game.throw_to("9d")
    game.throw_to("1d")
    game.throw_to("5c", {2: WIN})
    game.do(None, CloseSettlement())
    game.do(None, EndGame("now"))
    return game


@pytest.fixture(params=["emay", "tsumo"])
def game(request: pytest.FixtureRequest) -> Table:
    return whole_game(request.param)


@pytest.mark.parametrize("reader", READERS)
def test_a_redacted_event_hides_only_what_is_hidden_in_the_same_shape(reader: int | None):
    for event in numbered(whole_game("tsumo").events) + numbered(whole_game("emay").events):
        shown = redact(event, reader)
        assert type(shown) is type(event)
        for field in fields(event):
            given, seen = getattr(event, field.name), getattr(shown, field.name)
            if field.name in HIDDEN.get(event.type, set()):
                assert shape(seen) == shape(given)
            else:
                assert seen == given


def shape(value: object) -> object:
    return [shape(part) for part in value] if isinstance(value, tuple) else type(value)


def test_a_deal_shows_each_seat_its_own_hand(game: Table):
    dealt = next(event for event in numbered(game.events) if isinstance(event, ev.RoundDealt))
    for reader in READERS:
        shown = redact(dealt, reader)
        assert isinstance(shown, ev.RoundDealt)
        for seat in SEATS:
            assert shown.hands[seat] == (dealt.hands[seat] if seat == reader else (BACK,) * len(dealt.hands[seat]))


def test_a_drawn_tile_is_shown_to_its_seat_alone(game: Table):
    drawn = [event for event in numbered(game.events) if isinstance(event, ev.TileDrawn)]
    for reader in READERS:
        shown = [event.tile for event in (redact(event, reader) for event in drawn) if isinstance(event, ev.TileDrawn)]
        assert shown == [event.tile if event.seat == reader else BACK for event in drawn]


@both
@pytest.mark.parametrize("reader", [1, None])
def test_c49_no_concealed_tile_of_another_and_no_wall_reaches_a_reader(rules: str, reader: int | None):
    """All eight of two kinds lie in seat 2's hand, a Secret of seat 3 and the wall: none may be written anywhere."""
    game = table(
        rules, {2: "777b 12345c", 3: "8888b", 1: "1c 9d 9d"}, front="1d 9c 9c", back="7b", joker="1w"[:0] or "3d"
    )
    game.idle(3)
    game.draw_if_due()
    game.do(3, secret("8b"))
    written = json.dumps(
        [
            [dump_event(redact(event, reader)) for event in numbered(game.events)],
            asdict(game.view(reader)),
        ]
    )
    assert '"7b"' not in written
    assert '"8b"' not in written
    assert game.state.seed not in written
    melds = game.view(reader).seats[3].melds
    assert [meld.tiles for meld in melds] == [(BACK,) * 4]


@both
def test_c49_pending_answers_reach_nobody_else(rules: str):
    game = table(rules, {1: WAITS_5C}, front="5c", quiet="5c", joker="1c")
    game.throw("5c")
    before = {reader: game.view(reader) for reader in (0, 2, 3, None)}
    for answer in (WIN, chow("46c"), PASS):
        game.do(1, answer)
        assert {reader: game.view(reader) for reader in (0, 2, 3, None)} == before


@both
def test_a_seat_sees_its_own_secret(rules: str):
    game = table(rules, {0: "9999b"})
    game.do(0, secret("9b"))
    tiles = {reader: game.view(reader).seats[0].melds[0].tiles for reader in READERS}
    assert tiles == {0: ("9b",) * 4, 1: (BACK,) * 4, 2: (BACK,) * 4, 3: (BACK,) * 4, None: (BACK,) * 4}


def with_a_secret(rules: str, **options: object) -> Table:
    hands = {0: "9999b", 2: WAITS_5C}
    game = table(rules, hands, front="5c", quiet="5c", joker="1c", options=options)
    game.do(0, secret("9b"))
    return game


@both
def test_c50_after_a_win_all_secrets_and_the_winning_hand_are_shown_to_all(rules: str):
    game = with_a_secret(rules)
    game.throw_to("5c", {2: WIN})
    for reader in READERS:
        seats = game.view(reader).seats
        assert seats[0].melds[0].tiles == ("9b",) * 4
        assert sorted(seats[2].hand_shown) == sorted(game.view(2).hand)
    assert game.won().secrets[0] == ("9b",) * 4


@both
@pytest.mark.parametrize("reveal", [True, False])
def test_the_other_hands_are_shown_as_reveal_all_hands_says(rules: str, reveal: bool):
    game = with_a_secret(rules, reveal_all_hands=reveal)
    game.throw_to("5c", {2: WIN})
    for seat in (0, 1, 3):
        shown = game.view(None).seats[seat].hand_shown
        assert sorted(shown) == (sorted(game.view(seat).hand) if reveal else [])
    assert len(game.view(None).seats[2].hand_shown) == 17
    assert game.view(None).seats[0].melds[0].tiles == ("9b",) * 4


@both
def test_what_a_win_showed_is_gone_with_the_next_deal(rules: str):
    game = with_a_secret(rules)
    game.throw_to("5c", {2: WIN})
    game.next_round(dealer=1)
    assert [seat.hand_shown for seat in game.view(None).seats] == [()] * 4
    assert game.view(None).result is None


@both
def test_c56_after_an_exhaustive_draw_secrets_stay_four_backs(rules: str):
    game = with_a_secret(rules)
    seq = len(game.events)
    game.play_out()
    for reader in (1, 2, 3, None):
        assert game.view(reader).seats[0].melds[0].tiles == (BACK,) * 4
        assert [seat.hand_shown for seat in game.view(reader).seats] == [()] * 4
        summary = [redact(event, reader) for event in numbered(game.events[seq:])][-2:]
        assert types(summary) == ["round_drawn", "points_pending"]
        assert "9b" not in json.dumps([dump_event(event) for event in summary])


@both
def test_c56_secrets_are_shown_when_the_game_ends(rules: str):
    game = with_a_secret(rules)
    game.do(None, EndGame("after_round"))
    game.play_out()
    assert game.view(1).seats[0].melds[0].tiles == (BACK,) * 4
    game.do(None, CloseSettlement())
    assert game.view(1).seats[0].melds[0].tiles == ("9b",) * 4


@both
def test_a_spectator_has_nothing_of_its_own(rules: str):
    view = table(rules, {0: "9999b"}).view(None)
    assert (view.seat, view.hand, view.drawn, view.legal_actions, view.may_amend) == (None, (), None, (), False)
    assert (view.locked, view.joker_eye, view.decision.your_answer) == (False, False, None)


@both
def test_everybody_sees_the_pile_in_order_with_who_threw_what(rules: str):
    game = table(rules, front="5c 6c 7c")
    for tile in ("5c", "6c", "7c"):
        game.throw_to(tile)
    for reader in READERS:
        pile = game.view(reader).pile
        assert [(thrown.tile, thrown.seat) for thrown in pile] == [("5c", 0), ("6c", 1), ("7c", 2)]


@both
def test_everybody_sees_a_windows_tile_and_discarder(rules: str):
    game = table(rules, front="5c", quiet="5c")
    game.throw("5c")
    for reader in READERS:
        decision = game.view(reader).decision
        assert (decision.kind, decision.tile, decision.from_seat) == ("claim_window", "5c", 0)


@both
def test_another_secret_of_the_same_seat_looks_the_same_to_the_others(rules: str):
    """Two tables that differ in which four tiles seat 0 declared, played to the end of the round."""
    one, other = (
        table(rules, {0: quad, 1: "1d 1d 2d"}, front="5d", back="3d") for quad in ("9999b 888c", "8888c 999b")
    )
    for game, tile in ((one, "9b"), (other, "8c")):
        game.do(0, secret(tile))
    for reader in (1, 2, 3, None):
        assert [dump_event(redact(event, reader)) for event in numbered(one.events)][1:] == [
            dump_event(redact(event, reader)) for event in numbered(other.events)
        ][1:]
        assert one.view(reader).seats == other.view(reader).seats
