"""Who deals next, the prevailing wind, how long a game is, and how the table ends it (rules 3 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import events as ev
from engine.actions import CloseSettlement, Discard, EndGame
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import DRAW, PASS, WIN, Table, both, events_of, secret, table, types


def finish(game: Table, winner: int | None) -> None:
    """The round just set by `round_for` is won by that seat, or drawn."""
    if winner is None:
        game.play_out()
    elif winner == game.on_turn:
        game.do(winner, WIN)
    else:
        game.throw_to("5c", {winner: WIN})


def game_of(rules: str, winners: Sequence[int | None], **wanted: object) -> Table:
    """Rounds that these seats win, or nobody; the last one is still to be settled."""
    hands = [{} if winner is None else {winner: WAITS_5C} for winner in winners]
    front = ["" if winner is None else "5c" for winner in winners]
    game = table(rules, hands[0], front=front[0], quiet="5c", joker="1c", **wanted)  # type: ignore[arg-type]
    finish(game, winners[0])
    options = game.state.rules
    for number, winner in enumerate(winners[1:], 1):
        dealer, last = game.state.round.dealer, winners[number - 1]
        stays = options.dealer_repeats_on_draw if last is None else last == dealer and options.dealer_repeats_on_win
        dealer = dealer if stays else (dealer + 1) % 4
        game.next_round(hands[number], dealer=dealer, front=front[number], quiet="5c", joker="1c")
        if game.view(0).decision.kind == "opening_window":
            game.answers()
        game.draw_if_due()
        finish(game, winner)
    return game


def dealers(game: Table) -> list[int]:
    return [event.dealer for event in events_of(game.events, ev.RoundDealt)]


def winds(game: Table) -> list[ev.Wind]:
    return [event.prevailing_wind for event in events_of(game.events, ev.RoundDealt)]


def settle(game: Table) -> tuple[ev.Event, ...]:
    return game.do(None, CloseSettlement())


@both
def test_c36_the_dealer_stays_after_winning_and_after_a_draw_and_passes_when_another_wins(rules: str):
    game = game_of(rules, [0, None, 2])
    settle(game)
    assert dealers(game) == [0, 0, 0, 1]


@both
def test_the_deal_passes_to_the_next_seat_whoever_won(rules: str):
    game = game_of(rules, [3, 3, 3, 3])
    settle(game)
    assert dealers(game) == [0, 1, 2, 3, 3]


@both
def test_c37_after_four_dealer_changes_the_prevailing_wind_is_south(rules: str):
    game = game_of(rules, [1, 2, 3, 0])
    settle(game)
    assert winds(game) == ["east", "east", "east", "east", "south"]
    assert game.view(0).prevailing_wind == "south"
    assert dealers(game)[-1] == 0


@both
def test_a_dealer_that_stays_does_not_advance_the_wind(rules: str):
    game = game_of(rules, [0, 0, 0, 0, 0])
    settle(game)
    assert set(winds(game)) == {"east"}


@both
def test_dealer_repeats_on_win_off(rules: str):
    game = game_of(rules, [0, 1], options={"dealer_repeats_on_win": False})
    settle(game)
    assert dealers(game) == [0, 1, 2]


@both
def test_dealer_repeats_on_draw_off(rules: str):
    game = game_of(rules, [None], options={"dealer_repeats_on_draw": False})
    settle(game)
    assert dealers(game) == [0, 1]


@both
def test_the_winds_of_the_seats_rotate_with_the_deal(rules: str):
    game = game_of(rules, [1])
    settle(game)
    assert [seat.wind for seat in game.view(None).seats] == ["north", "east", "south", "west"]


@both
def test_after_the_fourth_wind_comes_east_again(rules: str):
    winners = [1, 2, 3, 0] * 4
    game = game_of(rules, winners)
    settle(game)
    assert winds(game)[::4] == ["east", "south", "west", "north", "east"]


# Length


@both
def test_a_game_of_rounds_ends_after_the_settlement_of_the_last(rules: str):
    game = game_of(rules, [0, None], length=ev.Length(rounds=2))
    assert events_of(game.events, ev.GameEnded) == []
    caused = settle(game)
    assert types(caused) == ["points_applied", "game_ended"]
    assert events_of(caused, ev.GameEnded)[0].reason == "length"


@both
def test_a_game_of_winds_ends_with_the_dealer_change_that_would_open_the_next(rules: str):
    game = game_of(rules, [1, 2, 3, 3, 0], length=ev.Length(winds=1))
    assert types(settle(game)) == ["points_applied", "game_ended"]
    assert dealers(game) == [0, 1, 2, 3, 3]


@both
def test_a_game_of_two_winds_goes_on_after_the_first(rules: str):
    game = game_of(rules, [1, 2, 3, 0], length=ev.Length(winds=2))
    settle(game)
    assert game.state.round.number == 5
    assert not game.view(0).over


@both
def test_without_a_length_the_game_goes_on(rules: str):
    game = game_of(rules, [1, 2, 3, 0], length=None)
    settle(game)
    assert not game.view(0).over


# The end by the table


@both
def test_after_round_ends_once_the_running_round_is_settled(rules: str):
    game = table(rules, {1: WAITS_5C}, front="5c", quiet="5c", joker="1c", length=None)
    assert types(game.do(None, EndGame("after_round"))) == ["game_end_asked"]
    assert game.view(0).ending
    game.throw_to("5c", {1: WIN})
    assert types(settle(game)) == ["points_applied", "game_ended"]
    assert not game.view(0).ending


@both
def test_after_round_in_a_settlement_ends_once_it_is_settled(rules: str):
    game = game_of(rules, [1])
    assert types(game.do(None, EndGame("after_round"))) == ["game_end_asked"]
    assert types(game.confirm_all())[-2:] == ["points_applied", "game_ended"]


@both
def test_asking_twice_is_asking_once(rules: str):
    game = table(rules)
    game.do(None, EndGame("after_round"))
    assert game.do(None, EndGame("after_round")) == ()


@both
def test_now_ends_at_once_and_voids_the_round_in_progress(rules: str):
    options = {"secret_side_unit": 4}
    game = table(rules, {0: "9999b"}, options=options, points=(100, 100, 100, 100))
    game.do(0, secret("9b"))
    assert game.view(0).seats[0].points > 100
    caused = game.do(None, EndGame("now"))
    assert types(caused) == ["game_end_asked", "game_ended"]
    [ended] = events_of(caused, ev.GameEnded)
    assert (ended.reason, ended.void_round) == ("table", True)
    assert (ended.points, ended.house) == ((100, 100, 100, 100), 0)


@pytest.mark.parametrize("moment", ["opening", "window", "draw"])
def test_now_ends_at_any_moment_of_a_round(moment: str):
    game = table("emay", opening=moment == "opening", options={"auto_draw": moment != "draw"}, front="5c")
    if moment == "window":
        game.throw("5c")
    game.do(None, EndGame("now"))
    assert game.view(0).over
    assert [game.legal(seat) for seat in range(4)] == [()] * 4


@both
def test_now_in_a_settlement_applies_the_computed_figures(rules: str):
    game = game_of(rules, [1])
    [pending] = events_of(game.events, ev.PointsPending)
    caused = game.do(None, EndGame("now"))
    assert types(caused) == ["game_end_asked", "points_applied", "game_ended"]
    assert events_of(caused, ev.PointsApplied)[0].changes == pending.changes
    assert not events_of(caused, ev.GameEnded)[0].void_round


def test_a_pot_carried_into_a_void_round_is_still_returned():
    game = table("emay", points=(100, 100, 100, 100))
    game.play_out()
    settle(game)
    assert [seat.points for seat in game.view(0).seats] == [94] * 4
    game.do(None, EndGame("now"))
    [ended] = events_of(game.events, ev.GameEnded)
    assert (ended.points, ended.house, ended.returned) == ((100, 100, 100, 100), 0, (6, 6, 6, 6))


@pytest.mark.parametrize(("value", "returned", "house"), [("split", (5, 5, 5, 5), 0), ("house", (0, 0, 0, 0), 20)])
def test_a_pot_left_over_goes_where_pot_at_end_says(value: str, returned: ev.Four, house: int):
    game = table("emay", options={"pot_at_end": value}, length=ev.Length(rounds=1))
    game.play_out()
    settle(game)
    [ended] = events_of(game.events, ev.GameEnded)
    assert (ended.returned, ended.house) == (returned, house)
    assert game.view(0).pot == 0


@both
@pytest.mark.parametrize("winner", [None, 0, 3])
@pytest.mark.parametrize("tip", [0, 7])
def test_c59_after_a_game_seats_and_house_hold_the_starting_points(rules: str, winner: int | None, tip: int):
    points = (10, -20, 30, 1)
    game = game_of(rules, [winner], options={"tip_per_win": tip}, points=points, length=ev.Length(rounds=1))
    settle(game)
    [ended] = events_of(game.events, ev.GameEnded)
    assert sum(ended.points) + ended.house == sum(points)


@both
def test_points_decide_the_final_order(rules: str):
    game = game_of(rules, [2], length=ev.Length(rounds=1))
    settle(game)
    assert events_of(game.events, ev.GameEnded)[0].ranking == (2, 1, 3, 0)


@both
@pytest.mark.parametrize("dealer", range(4))
def test_ties_keep_the_seat_order_from_the_first_dealer(rules: str, dealer: int):
    game = table(rules, dealer=dealer)
    game.do(None, EndGame("now"))
    assert events_of(game.events, ev.GameEnded)[0].ranking == tuple((dealer + step) % 4 for step in range(4))


@both
def test_after_the_end_nothing_is_legal(rules: str):
    game = table(rules)
    game.do(None, EndGame("now"))
    assert game.refused(None, EndGame("now")).code == "game_over"
    assert game.refused(None, EndGame("after_round")).code == "game_over"
    assert game.refused(0, Discard(game.view(0).hand[0])).code == "not_your_turn"
    assert game.refused(0, DRAW).code == "not_your_turn"
    assert game.refused(0, PASS).code == "nothing_to_pass"
