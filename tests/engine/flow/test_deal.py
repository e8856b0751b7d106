"""The deal: two rounds of eight, front and back of the wall, flowers, and what names the joker (rules 2, 3 and 6)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import events as ev
from engine.actions import ChangeSeat, CloseSettlement
from engine.decide import new_game
from engine.rules import override, preset
from engine.state import SEATS, Turn
from engine.tiles import CODES, KINDS, full_set
from tests.engine.scenario import (
    DRAW,
    FOUR_PEOPLE,
    ONE_PERSON,
    UNIFORM,
    WIN,
    Table,
    both,
    events_of,
    secret,
    table,
    types,
)

SEED = "5eed" * 16
SUITED = set(CODES[:27])


def new(rules: str, seed: str = SEED, players: tuple[ev.Player, ...] = FOUR_PEOPLE, **options: object) -> Table:
    return Table(*new_game(override(preset(rules), options), players, seed, timing=UNIFORM))


def wall_of(game: Table) -> list[str]:
    [built] = events_of(game.events, ev.WallBuilt)
    return [built.tiles[i : i + 2] for i in range(0, len(built.tiles), 2)]


def dealt(game: Table) -> ev.RoundDealt:
    return events_of(game.events, ev.RoundDealt)[0]


@both
@pytest.mark.parametrize("dealer", SEATS)
def test_the_deal_is_two_rounds_of_eight_from_the_dealer_on(rules: str, dealer: int):
    game = table(rules, dealer=dealer, opening=True)
    wall = wall_of(game)
    order = [(dealer + step) % 4 for step in SEATS]
    for place, seat in enumerate(order):
        first, second = wall[8 * place : 8 * place + 8], wall[32 + 8 * place : 40 + 8 * place]
        assert list(dealt(game).hands[seat])[:16] == first + second


def test_c38_emay_deals_sixteen_each_and_east_draws_first():
    game = new("emay")
    assert [len(hand) for hand in dealt(game).hands] == [16] * 4
    assert dealt(game).wall_count == game.state.round.wall_count == 44
    assert game.view(0).decision.kind == "opening_window"
    caused = game.answers()
    assert events_of(caused, ev.TileDrawn) == [ev.TileDrawn(0, wall_of(game)[64], "front", 43)]
    assert game.state.decision == Turn(2, 0, "act")


def test_tsumo_deals_the_dealer_a_seventeenth_tile_to_act_on():
    game = table("tsumo")
    assert [len(hand) for hand in dealt(game).hands] == [17, 16, 16, 16]
    assert dealt(game).hands[0][16] == wall_of(game)[64]
    assert dealt(game).wall_count == 79
    assert game.state.decision == Turn(1, 0, "act")


def test_c35_the_dealers_dealt_seventeen_may_be_a_win_before_any_discard():
    game = table("tsumo", {0: "123b 456b 123d 456d 88d 46c"}, front="5c")
    assert game.legal(0)[0] == WIN
    game.do(0, WIN)
    won = game.won()
    assert (won.source, won.tile, won.discarder) == ("draw", "5c", None)
    assert set(won.bonuses) == {"concealed", "no_flowers"}


def test_the_dealt_seventeenth_counts_as_drawn():
    game = table("tsumo", front="5c")
    assert game.view(0).drawn == "5c"
    assert game.refused(0, DRAW).code == "already_drawn"


@both
def test_ordinary_draws_come_from_the_front_and_replacements_from_the_back(rules: str):
    game = table(rules, front="9c 5c 6c", back="7d", options={"tile_set": "suited108"})
    game.throw_to("9c")
    game.throw_to("5c")
    fronts = [event.tile for event in events_of(game.events, ev.TileDrawn) if event.origin == "front"]
    assert fronts[-2:] == ["5c", "6c"]
    assert wall_of(game)[-1] == "7d"


@both
def test_every_tile_of_the_wall_can_be_drawn(rules: str):
    game = table(rules)
    game.play_out()
    drawn = len(events_of(game.events, ev.TileDrawn))
    assert sum(map(len, dealt(game).hands)) + drawn == len(wall_of(game))


@both
def test_a_full_set_is_dealt(rules: str):
    game = new(rules)
    assert Counter(KINDS[code] for code in wall_of(game)) == Counter(full_set(game.state.rules.tile_set))


@both
def test_the_first_dealer_is_seat_0(rules: str):
    assert {dealt(new(rules, f"{number:064x}")).dealer for number in range(8)} == {0}


@both
def test_a_random_first_dealer_follows_from_the_seed(rules: str):
    seeds = [f"{number:064x}" for number in range(40)]
    first = [dealt(new(rules, seed, first_dealer="random")).dealer for seed in seeds]
    assert first == [dealt(new(rules, seed, first_dealer="random")).dealer for seed in seeds]
    assert set(first) == set(SEATS)


@both
@pytest.mark.parametrize("dealer", SEATS)
def test_the_dealer_is_east_and_the_winds_follow_in_turn_order(rules: str, dealer: int):
    game = table(rules, dealer=dealer)
    winds = dealt(game).winds
    assert [winds[(dealer + step) % 4] for step in SEATS] == ["east", "south", "west", "north"]
    assert [seat.wind for seat in game.view(None).seats] == list(winds)


@both
def test_seats_are_shown_counter_clockwise(rules: str):
    game = table(rules)
    assert [seat.position for seat in game.view(2).seats] == ["across", "left", "self", "right"]
    assert [seat.position for seat in game.view(None).seats] == [None] * 4


@both
def test_the_first_prevailing_wind_is_east(rules: str):
    assert dealt(new(rules)).prevailing_wind == "east"


def with_people(number: int) -> tuple[ev.Player, ...]:
    return (*FOUR_PEOPLE[:number], *[ev.Player(f"Bot {seat}", "greedy") for seat in range(number, 4)])


@both
@pytest.mark.parametrize(
    ("people", "expected"), [(0, "fast"), (1, "fast"), (2, "uniform"), (3, "uniform"), (4, "uniform")]
)
def test_claim_timing_is_fast_with_one_person_and_uniform_with_two_or_more(rules: str, people: int, expected: str):
    game = Table(*new_game(preset(rules), with_people(people), SEED))
    assert dealt(game).claim_timing == game.view(0).claim_timing == expected


@pytest.mark.parametrize(("people", "given"), [(1, "uniform"), (2, "fast")])
def test_claim_timing_that_is_given_holds_whoever_plays(people: int, given: ev.ClaimTiming):
    game = Table(*new_game(preset("emay"), with_people(people), SEED, timing=ev.Timing(given)))
    assert dealt(game).claim_timing == game.view(0).claim_timing == given


@both
@pytest.mark.parametrize(
    ("people", "change", "then"), [(2, ev.Player("Jhat", "greedy"), "fast"), (1, ev.Player("Ben"), "uniform")]
)
def test_claim_timing_counts_the_people_anew_at_each_deal_and_not_before(
    rules: str, people: int, change: ev.Player, then: str
):
    game = table(rules, players=with_people(people), timing=ev.Timing(settlement_seconds=None))
    first = game.view(0).claim_timing
    game.do(None, ChangeSeat(1, change, 0))
    assert game.view(0).claim_timing == first != then
    game.play_out()
    game.do(None, CloseSettlement())
    assert game.view(0).claim_timing == then


@pytest.mark.parametrize("length", [ev.Length(), ev.Length(rounds=2, winds=1)])
def test_a_length_is_rounds_or_winds(length: ev.Length):
    with pytest.raises(ValueError, match="length"):
        new_game(preset("emay"), FOUR_PEOPLE, SEED, length=length)


def test_four_play():
    with pytest.raises(ValueError, match="four"):
        new_game(preset("emay"), FOUR_PEOPLE[:3], SEED)


# The joker


def test_the_joker_is_announced_right_after_the_deal():
    game = new("emay")
    [named] = events_of(game.events, ev.JokerNamed)
    assert types(game.events)[:3] == ["round_dealt", "joker_named", "window_opened"]
    assert {game.view(seat).joker for seat in (*SEATS, None)} == {named.kind}
    assert named.kind in SUITED


def test_all_four_jokers_stay_in_play():
    game = table("emay", {0: "9d", 1: "9d", 2: "9d", 3: "9d"}, joker="9d")
    assert [seat.jokers for seat in game.state.seats] == [1, 1, 1, 1]


def test_there_is_no_joker_in_tsumo():
    game = new("tsumo")
    assert events_of(game.events, ev.JokerNamed) == []
    assert game.view(0).joker is None


def test_wall_indicator_is_the_last_suited_tile_and_drawn_last():
    game = new("emay", joker_mode="wall_indicator")
    [built], [named] = events_of(game.events, ev.WallBuilt), events_of(game.events, ev.JokerNamed)
    assert built.last == named.kind
    assert len(wall_of(game)) == 107
    assert dealt(game).wall_count == 44
    game.answers()
    game.play_out()
    assert events_of(game.events, ev.TileDrawn)[-1].tile == named.kind


@pytest.mark.parametrize("tile_set", ["suited108", "standard144"])
@pytest.mark.parametrize("mode", ["wall_indicator", "indicator_removed"])
def test_the_indicator_is_a_suited_tile(mode: str, tile_set: str):
    for number in range(12):
        game = new("emay", f"{number:064x}", joker_mode=mode, tile_set=tile_set)
        [named] = events_of(game.events, ev.JokerNamed)
        assert named.kind in SUITED


def test_a_replacement_takes_the_indicator_when_nothing_else_is_left():
    options = {"joker_mode": "wall_indicator"}
    game = table("emay", {2: "8888b"}, options=options, joker="9d", last="9d")
    game.idle_until(wall=1, seat=2)
    jokers = game.state.seats[2].jokers
    game.do(2, secret("8b"))
    assert game.view(2).drawn == "9d"
    assert (game.state.seats[2].jokers, game.state.round.wall_count) == (jokers + 1, 0)


def test_indicator_removed_leaves_three_jokers_in_play():
    game = new("emay", joker_mode="indicator_removed")
    [named] = events_of(game.events, ev.JokerNamed)
    assert len(wall_of(game)) == 107
    assert wall_of(game).count(named.kind) == 3
    assert dealt(game).wall_count == 43


@both
def test_wall_joker_and_dealer_follow_from_seed_and_round_alone(rules: str):
    first, second = new(rules), new(rules, players=ONE_PERSON)
    assert wall_of(first) == wall_of(second)
    assert first.state.round.joker == second.state.round.joker
    assert wall_of(new(rules, "0dd5" * 16)) != wall_of(first)


# Flowers


def chain(game: Table) -> list[tuple[str, int, str]]:
    """The flowers and replacements of the deal: what, whose, which tile."""
    found = [event for event in game.events if isinstance(event, ev.FlowerExposed | ev.TileDrawn)]
    return [(event.type.split("_")[0], event.seat, event.tile) for event in found]


def test_c34_flowers_of_the_deal_are_replaced_seat_by_seat_from_the_dealer():
    game = table("tsumo", {0: "1f 2f", 1: "1s"}, back="3f 1b 2b 3b")
    assert chain(game) == [
        ("flower", 0, "1f"),
        ("flower", 0, "2f"),
        ("tile", 0, "3f"),
        ("flower", 0, "3f"),
        ("tile", 0, "1b"),
        ("tile", 0, "2b"),
        ("flower", 1, "1s"),
        ("tile", 1, "3b"),
    ]
    assert [seat.concealed for seat in game.view(None).seats] == [17, 16, 16, 16]
    assert {code for seat in SEATS for code in game.view(seat).hand} <= SUITED
    assert game.state.round.wall_count == 79 - 4


def test_c34_the_dealer_comes_first_wherever_it_sits():
    game = table("tsumo", {0: "1f", 2: "2f", 3: "3f"}, back="1b 2b 3b", dealer=2)
    assert [seat for what, seat, _ in chain(game) if what == "flower"] == [2, 3, 0]


def test_a_flower_as_the_dealers_seventeenth_is_replaced_too():
    game = table("tsumo", front="1w", back="5c")
    assert chain(game) == [("flower", 0, "1w"), ("tile", 0, "5c")]
    assert game.view(0).drawn == "5c"
    assert game.state.decision == Turn(1, 0, "act")


def test_every_honour_tile_is_a_flower():
    honours = CODES[27:]
    game = table("tsumo", {seat: " ".join(honours[4 * seat : 4 * seat + 4]) for seat in SEATS})
    exposed = [code for seat in game.view(None).seats for code in seat.flowers]
    assert set(honours) >= set(exposed) >= set(honours[:15])


def test_c33_a_flower_drawn_is_replaced_until_a_tile_comes_that_is_none():
    game = table("tsumo", front="9c 1f", back="2f 1s 3b")
    wall = game.state.round.wall_count
    game.throw("9c")
    game.answers()
    number = game.state.decision.no
    caused = game.do(1, DRAW)
    assert [(event.type, event.tile) for event in caused if isinstance(event, ev.FlowerExposed | ev.TileDrawn)] == [
        ("tile_drawn", "1f"),
        ("flower_exposed", "1f"),
        ("tile_drawn", "2f"),
        ("flower_exposed", "2f"),
        ("tile_drawn", "1s"),
        ("flower_exposed", "1s"),
        ("tile_drawn", "3b"),
    ]
    assert [event.origin for event in events_of(caused, ev.TileDrawn)] == ["front", "back", "back", "back"]
    assert game.state.round.wall_count == wall - 4
    assert game.state.decision == Turn(number + 1, 1, "act")
    assert game.view(1).drawn == "3b"


def test_flowers_are_public_and_never_held():
    game = table("tsumo", {1: "1f 2s 3x"}, back="1b 2b 3b")
    for seat in (*SEATS, None):
        assert game.view(seat).seats[1].flowers == ("1f", "2s", "3x")
    assert set(game.view(1).hand) <= SUITED


def test_a_replacement_that_is_a_flower_is_replaced_after_a_kong_too():
    game = table("tsumo", {0: "9999b"}, back="1f 5c")
    caused = game.do(0, game.legal(0)[0])
    assert types(caused) == ["meld_made", "tile_drawn", "flower_exposed", "tile_drawn"]
    assert game.view(0).drawn == "5c"


def test_flowers_may_be_played_with_a_deal_of_sixteen_and_jokers():
    game = table("emay", {0: "1f"}, options={"tile_set": "standard144"}, back="5c", opening=True)
    assert types(game.events)[:5] == ["round_dealt", "joker_named", "flower_exposed", "tile_drawn", "window_opened"]


def test_a_dealt_win_is_a_win_by_draw_whatever_flowers_the_others_had():
    game = table("tsumo", {0: "123b 456b 123d 456d 88d 46c", 3: "1f"}, front="5c", back="9b")
    game.do(0, WIN)
    assert game.won().source == "draw"


def test_a_dealt_win_on_a_replaced_flower_is_a_win_by_replacement():
    game = table("tsumo", {0: "123b 456b 123d 456d 88d 46c", 3: "2f"}, front="1f", back="5c 9b")
    game.do(0, WIN)
    assert (game.won().source, game.won().tile) == ("replacement", "5c")
