"""What bots do: win when they may, come closer when they can, keep their jokers, and always play on."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.actions import Action, Discard, Draw
from engine.bots import BOTS, bot_action, next_move
from engine.codec import dump_state, load_state
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.rules import preset
from engine.simulate import play
from engine.state import SEATS, GameOver, GameState, Settlement
from tests.engine.scenario import FAST, ONE_PERSON, PASS, WIN, Table, chow, pung, sagasa, secret, table

every_bot = pytest.mark.parametrize("bot", BOTS)


def seated(bot: str) -> tuple[ev.Player, ...]:
    return tuple(ev.Player(f"seat {seat}", bot) for seat in SEATS)


def in_turn(hand: str, drawn: str) -> Action | None:
    """What the greedy dealer does with 16 tiles and the one it draws; the joker is 9d."""
    return bot_action(table("emay", {0: hand}, front=drawn, players=seated("greedy")).state, 0)


def asked(hand: str, thrown: str, seat: int = 1) -> Action | None:
    """What a greedy seat with these 16 tiles answers when seat 0 throws a tile."""
    game = table("emay", {seat: hand}, front=thrown, players=seated("greedy"))
    game.throw(thrown)
    return bot_action(game.state, seat)


# The greedy bot


def test_greedy_wins_on_its_draw():
    assert in_turn("123b 456b 789b 123c 55c 67d", "8d") == WIN


def test_greedy_wins_on_a_discard_rather_than_meld_it():
    assert asked("123b 456b 789b 123c 55c 67d", "8d") == WIN


def test_greedy_throws_what_leaves_the_lowest_shanten():
    assert in_turn("123b 456b 789b 123c 55c 67d", "1d") == Discard("1d")


def test_greedy_throws_what_leaves_the_most_tiles_to_wait_for():
    assert in_turn("123b 456b 789b 123c 55c 45d", "7d") == Discard("7d")


def test_greedy_waits_for_the_tile_of_which_fewer_have_been_seen():
    game = table("emay", {1: "123b 456b 789b 123c 456c 1d"}, front="88d", players=seated("greedy"))
    game.throw_to("8d")
    assert bot_action(game.state, 1) == Discard("8d")


def test_greedy_keeps_its_joker_while_it_holds_anything_else():
    assert in_turn("147b 258b 369b 147c 258c 9d", "3d") != Discard("9d")


def test_greedy_melds_a_discard_that_lowers_its_shanten():
    assert asked("123b 456b 79b 13c 55c 67d 18c", "8b") == chow("79b")


def test_greedy_melds_the_way_that_leaves_the_better_hand():
    assert asked("6779b 123c 456c 789c 99c 1d", "8b") == chow("79b")


def test_greedy_passes_a_discard_that_does_not_lower_its_shanten():
    assert asked("123b 456b 789b 123c 55c 67d", "4b") == PASS


def test_greedy_declares_a_secret_that_does_not_raise_its_shanten():
    assert in_turn("1111b 456b 789b 123c 55c 6d", "7d") == secret("1b")


def test_greedy_declares_no_secret_that_raises_its_shanten():
    assert in_turn("1111b 23b 456c 789c 55c 67d", "2d") == Discard("2d")


def test_greedy_adds_the_fourth_tile_to_its_pung():
    game = table("tsumo", {1: "55c 123b 456b 789b 123d 67d"}, front="5c 222c 5c", players=seated("greedy"))
    game.throw_to("5c", {1: pung("5c")})
    game.throw_to("7d")
    game.idle(3)
    game.draw_if_due()
    assert bot_action(game.state, 1) == sagasa("5c")


def test_greedy_draws_when_its_turn_opens():
    game = table("tsumo", front="9d 1d", players=seated("greedy"))
    game.throw("9d")
    game.answers()
    assert bot_action(game.state, 1) == Draw()


# The random bot


def choices(state: GameState, seeds: int) -> set[Action | None]:
    found = set()
    for seed in range(seeds):
        loaded = load_state(dump_state(state))
        loaded.seed = f"{seed}"
        found.add(bot_action(loaded, 0))
    return found


def test_random_does_anything_legal_and_nothing_else():
    game = table("emay", {0: "1111b 456b 789b 123c 55c 6d"}, front="7d", players=seated("random"))
    assert choices(game.state, 300) == set(legal_actions(game.state, 0))


@every_bot
def test_a_restart_changes_nothing_of_what_a_bot_does(bot: str):
    state = table("emay", players=seated(bot)).state
    assert bot_action(load_state(dump_state(state)), 0) == bot_action(state, 0)


# Every bot


@every_bot
def test_a_bot_declares_triple_joker_at_once_and_else_passes(bot: str):
    game = table("emay", {2: "999d"}, joker="9d", players=seated(bot), opening=True)
    assert [bot_action(game.state, seat) for seat in SEATS] == [PASS, PASS, WIN, PASS]


@every_bot
@pytest.mark.parametrize("rules", ["emay", "tsumo"])
def test_bots_play_every_round_to_its_end(rules: str, bot: str):
    report = play(preset(rules), [bot], 4, "a seed", check=True)
    assert (report.rounds, report.violations) == (4, [])


def test_a_bot_that_has_answered_does_nothing_more():
    game = table("emay", {1: "55c"}, front="5c", players=seated("greedy"))
    game.throw("5c")
    game.do(1, PASS)
    assert bot_action(game.state, 1) is None


def test_a_bot_does_nothing_in_the_turn_of_another():
    assert bot_action(table("emay", players=seated("greedy")).state, 1) is None


def test_no_bot_acts_for_a_person():
    assert bot_action(table("emay", players=ONE_PERSON).state, 0) is None


def test_a_bot_of_no_known_level_cannot_play():
    with pytest.raises(KeyError, match="wise"):
        bot_action(table("emay", players=seated("wise")).state, 0)


# Around the table


def window(timing: ev.Timing) -> Table:
    """Seat 0, a person, has thrown 5c, on which seat 2 may pung."""
    bots = (ev.Player("Ana"), *seated("greedy")[1:])
    game = table("emay", {2: "55c"}, front="5c", quiet="5c", players=bots, timing=timing)
    game.throw("5c")
    return game


def test_in_a_fast_window_only_a_bot_with_an_offer_is_asked():
    move = next_move(window(FAST).state)
    assert move is not None
    assert move[0] == 2


def test_in_a_uniform_window_all_bots_answer():
    game, answered = window(ev.Timing("uniform", settlement_seconds=None)), []
    number = game.state.decision.no
    while game.state.decision.no == number and (move := next_move(game.state)):
        answered.append(move[0])
        game.do(*move)
    assert answered == [1, 2, 3]


def test_bots_wait_while_a_person_is_asked():
    assert next_move(table("emay", players=ONE_PERSON).state) is None


def test_bots_have_nothing_to_do_in_a_settlement_that_waits_for_people():
    state, _ = new_game(preset("emay"), ONE_PERSON, "5" * 64, timing=ev.Timing(settlement_seconds=None))
    while not isinstance(state.decision, Settlement | GameOver):
        seat, action = next_move(state) or (0, legal_actions(state, 0)[-1])
        state, _ = step(state, seat, action)
    assert isinstance(state.decision, Settlement)
    assert next_move(state) is None
