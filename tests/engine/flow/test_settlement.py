"""Pending points: confirming, amending, the end of the time, and the pot (rules 8)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Action, Amend, CloseSettlement, Confirm, EndGame
from engine.state import Settlement, Turn
from tests.engine.flow.hands import WAITS_5C
from tests.engine.scenario import FOUR_PEOPLE, ONE_PERSON, WIN, Table, both, events_of, secret, table, types

ESKALERA_E04 = "123b 456b 789b 222d 777c 9d"
AT_ONCE = ev.Timing("uniform", settlement_seconds=0)
TWO_PEOPLE = (*FOUR_PEOPLE[:2], *ONE_PERSON[2:])
CLOSE = CloseSettlement()


def settling(rules: str = "emay", winner: int = 2, **wanted: object) -> Table:
    """Seat 0 has thrown a 5c and the winner has taken it; nobody has confirmed."""
    game = table(rules, {winner: WAITS_5C}, front="5c", quiet="5c", joker="1c", **wanted)  # type: ignore[arg-type]
    game.throw_to("5c", {winner: WIN})
    return game


def pending(game: Table) -> ev.PointsPending:
    return events_of(game.events, ev.PointsPending)[-1]


def points(game: Table) -> list[int]:
    return [seat.points for seat in game.view(None).seats]


def amended(game: Table, by: int = 5) -> Amend:
    """The computed figures with some points moved from seat 2 to seat 3."""
    a, b, c, d = pending(game).changes
    return Amend(pending(game).round, (a, b, c - by, d + by), "agreed at the table")


# Pending, confirmed, applied


@both
def test_the_rounds_end_computes_the_figures_and_applies_nothing(rules: str):
    game = settling(rules)
    before = points(game)
    assert isinstance(game.state.decision, Settlement)
    settlement = game.view(None).settlement
    assert settlement is not None
    assert (settlement.pending, settlement.amended, settlement.confirmed) == (pending(game), None, (False,) * 4)
    assert before == list(events_of(game.events, ev.RoundDealt)[0].antes)


@both
def test_they_are_applied_once_every_person_has_confirmed(rules: str):
    game = settling(rules)
    for seat in (3, 1, 0):
        assert types(game.do(seat, Confirm(1))) == ["points_confirmed"]
    before, changes = points(game), pending(game).changes
    caused = game.do(2, Confirm(1))
    assert types(caused)[:3] == ["points_confirmed", "points_applied", "round_dealt"]
    [applied] = events_of(caused, ev.PointsApplied)
    assert applied.points == tuple(map(sum, zip(before, changes, strict=True)))
    assert applied.changes == changes


@both
def test_the_next_deal_waits_until_they_are_applied(rules: str):
    game = settling(rules)
    for seat in (0, 1, 3):
        game.do(seat, Confirm(1))
        assert game.state.round.number == 1
    assert [game.legal(seat) for seat in range(4)] == [(), (), (Confirm(1),), ()]


@both
def test_c45_confirming_a_round_twice_is_a_no_op(rules: str):
    game = settling(rules)
    game.do(1, Confirm(1))
    assert game.do(1, Confirm(1)) == ()
    game.confirm_all()
    assert game.do(1, Confirm(1)) == ()
    assert len(events_of(game.events, ev.PointsApplied)) == 1
    assert game.state.round.number == 2


@both
@pytest.mark.parametrize("number", [0, -1, 2, 10**30])
def test_a_confirmation_names_the_round_that_is_pending(rules: str, number: int):
    assert settling(rules).refused(1, Confirm(number)).code == "wrong_round"


@both
def test_nothing_is_to_confirm_while_the_round_is_played(rules: str):
    assert table(rules).refused(1, Confirm(1)).code == "wrong_round"


@both
def test_seats_played_by_bots_confirm_at_once(rules: str):
    game = settling(rules, players=ONE_PERSON)
    assert [event.seat for event in events_of(game.events, ev.PointsConfirmed)] == [1, 2, 3]
    assert types(game.do(0, Confirm(1)))[:2] == ["points_confirmed", "points_applied"]


@both
def test_at_a_table_of_bots_they_are_applied_at_once(rules: str):
    players = (ev.Player("Ana", "greedy"), *ONE_PERSON[1:])
    game = settling(rules, players=players)
    assert game.state.round.number == 2


@both
def test_when_the_time_is_over_they_are_applied(rules: str):
    game = settling(rules)
    game.do(1, Confirm(1))
    assert types(game.do(None, CLOSE))[:2] == ["points_applied", "round_dealt"]


@both
def test_applying_twice_is_impossible(rules: str):
    game = settling(rules)
    game.do(None, CLOSE)
    assert game.refused(None, CLOSE).code == "stale_decision"
    assert game.do(0, Confirm(1)) == ()


@both
@pytest.mark.parametrize("players", [FOUR_PEOPLE, TWO_PEOPLE, ONE_PERSON])
def test_with_no_seconds_to_settle_the_events_are_the_same_at_once(rules: str, players: tuple[ev.Player, ...]):
    at_once, in_time = settling(rules, players=players, timing=AT_ONCE), settling(rules, players=players)
    in_time.do(None, CLOSE)
    assert at_once.events[1:] == in_time.events[1:]
    assert len(events_of(at_once.events, ev.PointsApplied)) == 1


@both
def test_a_confirmation_opens_no_decision(rules: str):
    game = settling(rules)
    number = game.state.decision.no
    game.do(1, Confirm(1))
    assert game.state.decision.no == number


# Amending


@both
def test_the_owner_amends_with_a_reason_that_everybody_sees(rules: str):
    game = settling(rules)
    game.do(1, Confirm(1))
    number = game.state.decision.no
    [event] = game.do(0, amended(game))
    assert event == ev.PointsAmended(0, number + 1, amended(game).changes, "agreed at the table")
    for seat in (*range(4), None):
        settlement = game.view(seat).settlement
        assert settlement is not None
        assert settlement.amended == event
        assert settlement.confirmed == (True, False, False, False)
    assert game.view(3).decision.no == number + 1


@both
def test_an_amendment_is_applied_when_every_other_person_confirms_it(rules: str):
    game = settling(rules)
    wanted = amended(game)
    game.do(0, wanted)
    for seat in (1, 2):
        assert types(game.do(seat, Confirm(1))) == ["points_confirmed"]
    caused = game.do(3, Confirm(1))
    assert events_of(caused, ev.PointsApplied)[0].changes == wanted.changes


@both
def test_when_its_time_is_over_the_computed_figures_are_applied(rules: str):
    game = settling(rules)
    computed = pending(game).changes
    game.do(0, amended(game))
    game.do(1, Confirm(1))
    caused = game.do(None, CLOSE)
    assert events_of(caused, ev.PointsApplied)[0].changes == computed


@both
def test_an_amendment_replaces_an_earlier_one(rules: str):
    game = settling(rules)
    game.do(0, amended(game))
    game.do(1, Confirm(1))
    number = game.state.decision.no
    second = amended(game, by=7)
    game.do(0, second)
    settlement = game.view(0).settlement
    assert settlement is not None
    assert settlement.confirmed == (True, False, False, False)
    assert game.state.decision.no == number + 1
    game.confirm_all()
    assert events_of(game.events, ev.PointsApplied)[0].changes == second.changes


@both
def test_pot_and_house_stay_as_computed(rules: str):
    game = settling(rules, options={"tip_per_win": 2})
    game.do(0, amended(game))
    game.confirm_all()
    [applied] = events_of(game.events, ev.PointsApplied)
    assert (applied.pot, applied.house) == (pending(game).pot_after, pending(game).house_change)


@both
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_only_the_owner_may_amend(rules: str, seat: int):
    game = settling(rules)
    assert game.refused(seat, amended(game)).code == "amend_not_allowed"
    assert [game.view(reader).may_amend for reader in (*range(4), None)] == [True, False, False, False, False]


@both
def test_a_refused_amendment_lists_what_is_legal_instead(rules: str):
    game = settling(rules)
    unbalanced = Amend(1, (1, 0, 0, 0), "no")
    for seat, wanted in ((1, amended(game)), (0, unbalanced), (0, Amend(2, pending(game).changes, "early"))):
        assert game.refused(seat, wanted).legal == (Confirm(1),)


def test_the_owner_may_sit_anywhere():
    game = settling(owner=2)
    assert game.refused(0, amended(game)).code == "amend_not_allowed"
    game.do(2, amended(game))


@both
@pytest.mark.parametrize(
    "changes",
    [
        lambda four: (four[0] + 1, *four[1:]),
        lambda four: four[:3],
        lambda four: (*four, 0),
        lambda four: (four[0] + 0.5, four[1] - 0.5, *four[2:]),
        lambda four: (four[0] + 10**13, four[1] - 10**13, *four[2:]),
        lambda four: (four[0] + four[1] - 1, True, *four[2:]),
    ],
    ids=["other sum", "three", "five", "fractions", "enormous", "truth value"],
)
def test_four_whole_numbers_of_the_same_sum_are_asked(rules: str, changes: object):
    game = settling(rules)
    wanted = Amend(1, changes(pending(game).changes), "no")  # type: ignore[operator]
    assert game.refused(0, wanted).code == "amend_not_balanced"


@both
def test_an_amendment_names_the_round_that_is_pending(rules: str):
    game = settling(rules)
    assert game.refused(0, Amend(2, pending(game).changes, "early")).code == "wrong_round"
    game.confirm_all()
    assert game.refused(0, amended(game)).code == "amend_not_allowed"


@both
def test_with_no_other_person_an_amendment_is_applied_at_once(rules: str):
    game = settling(rules, players=ONE_PERSON)
    wanted = amended(game)
    caused = game.do(0, wanted)
    assert types(caused)[:2] == ["points_amended", "points_applied"]
    assert events_of(caused, ev.PointsApplied)[0].changes == wanted.changes


@both
def test_a_bot_confirms_the_computed_figures_only(rules: str):
    game = settling(rules, players=TWO_PEOPLE)
    game.do(0, amended(game))
    assert game.legal(2) == ()
    assert game.do(2, Confirm(1)) == ()
    settlement = game.view(0).settlement
    assert settlement is not None
    assert settlement.confirmed == (True, False, False, False)


@both
def test_an_owner_may_amend_a_drawn_round_too(rules: str):
    game = table(rules)
    game.play_out()
    game.do(0, Amend(1, (4, -4, 0, 0), "a debt"))
    game.confirm_all()
    assert events_of(game.events, ev.PointsApplied)[0].changes == (4, -4, 0, 0)


@both
@pytest.mark.parametrize("command", [WIN, secret("9b")])
def test_nothing_else_is_legal_in_a_settlement(rules: str, command: Action):
    assert settling(rules).refused(0, command).code == "not_your_turn"


# The pot, tips and the house


def test_ante_and_growth_are_booked_at_the_deal():
    game = table("emay", points=(100, 100, 100, 100))
    [deal] = events_of(game.events, ev.RoundDealt)
    assert (deal.antes, deal.pot) == ((-5, -5, -5, -5), 20)
    assert (points(game), game.view(0).pot) == ([95] * 4, 20)


def test_c43_a_pot_is_carried_over_a_drawn_round_and_grows_until_it_is_won():
    game = table("emay")
    game.play_out()
    assert (pending(game).pot_before, pending(game).pot_after) == (20, 20)
    game.next_round({1: WAITS_5C}, dealer=0, front="5c", quiet="5c", joker="1c")
    assert (game.view(0).pot, events_of(game.events, ev.RoundDealt)[-1].antes) == (24, (-1, -1, -1, -1))
    game.answers()
    game.throw_to("5c", {1: WIN})
    assert (pending(game).pot_before, pending(game).pot_after) == (24, 0)
    assert sum(pending(game).changes) == 24
    game.next_round(dealer=1)
    assert (game.view(0).pot, events_of(game.events, ev.RoundDealt)[-1].antes) == (20, (-5, -5, -5, -5))


def test_c44_an_eskalera_on_a_discard_takes_the_pot():
    game = table("emay", {1: ESKALERA_E04}, front="9c 9b 9c 8c 9b 8b 9c 8b 9d", quiet="9d", joker="5d")
    game.idle(8)
    game.throw_to("9d", {1: WIN})
    assert game.won().category == "win_by_discard_eskalera"
    assert pending(game).changes == (-20, 60, -10, -10)
    assert pending(game).pot_after - pending(game).pot_before == -20


@pytest.mark.parametrize(
    ("pot_claim", "taken"), [("any_win", True), ("draw_win", False), ("special", True), ("off", False)]
)
def test_a_pot_that_is_not_taken_stays(pot_claim: str, taken: bool):
    game = settling(options={"pot_claim": pot_claim})
    before = 0 if pot_claim == "off" else 20
    assert (pending(game).pot_before, pending(game).pot_after) == (before, 0 if taken else before)


def test_with_the_pot_off_there_is_no_ante():
    game = table("emay", options={"pot_claim": "off"})
    assert events_of(game.events, ev.RoundDealt)[0].antes == (0, 0, 0, 0)


def test_a_tip_moves_from_the_winner_to_the_house():
    plain, tipped = settling(), settling(options={"tip_per_win": 3})
    assert pending(tipped).changes[2] == pending(plain).changes[2] - 3
    assert pending(tipped).game == pending(plain).game
    tipped.confirm_all()
    assert (tipped.view(0).house, tipped.view(0).tips) == (3, 3)


def test_house_and_tips_are_running_totals():
    game = settling(options={"tip_per_win": 3})
    game.next_round({2: WAITS_5C}, dealer=1, front="5c", quiet="5c", joker="1c")
    game.answers()
    game.throw_to("5c", {2: WIN})
    game.confirm_all()
    assert (game.view(0).house, game.view(0).tips) == (6, 6)


@both
def test_starting_points_are_the_tables(rules: str):
    game = table(rules, points=(10, 20, 30, 40), options={"pot_claim": "off"})
    assert points(game) == [10, 20, 30, 40]


@both
def test_points_may_go_negative(rules: str):
    game = settling(rules)
    game.confirm_all()
    assert events_of(game.events, ev.PointsApplied)[0].points[0] < 0


@both
@pytest.mark.parametrize("ending", ["win", "draw"])
def test_every_round_sums_to_zero(rules: str, ending: str):
    options = {"tip_per_win": 3, "secret_side_unit": 4}
    game = table(rules, {0: "9999b", 2: WAITS_5C}, front="5c", quiet="5c", joker="1c", options=options)
    game.do(0, secret("9b"))
    if ending == "win":
        game.throw_to("5c", {2: WIN})
    else:
        game.play_out()
    antes, figures = events_of(game.events, ev.RoundDealt)[0].antes, pending(game)
    into_pot = figures.pot_after - 0
    assert sum(antes) + sum(figures.side_payments) + sum(figures.changes) + into_pot + figures.house_change == 0


def test_a_void_round_leaves_nothing_to_confirm():
    game = table("emay")
    game.do(None, EndGame("now"))
    assert game.do(0, Confirm(1)) == ()
    assert not isinstance(game.state.decision, Turn)
