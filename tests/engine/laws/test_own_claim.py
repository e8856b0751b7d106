"""With `as_discard_win` a log tells who let a win on its own claim go, and by which discard or kong."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import events as ev
from engine.actions import Action, Claim, Discard, Win
from engine.bots import next_move
from engine.causes import cause
from engine.decide import new_game, step
from engine.legal import legal_actions
from engine.replay import verify
from engine.rules import override, preset
from engine.state import SEATS, GameOver, GameState, Turn
from tests.engine.flow.hands import WAITS_36C
from tests.engine.scenario import Table, chow, pung, sagasa, secret, table

LETS_GO = {"win_after_own_claim": "as_discard_win", "kong_after_meld_claim": True, "pass_lock": "until_draw"}
BOTS = [ev.Player(f"seat {seat}", "greedy") for seat in SEATS]


def with_own_chow(hand: str) -> Table:
    """Seat 1 has completed this hand with its own chow of 3c, and may win or let go."""
    game = table("emay", {1: hand}, front="3c 9b 9b 8b 6c", quiet="3c", options=LETS_GO, joker="1c")
    game.throw("3c")
    game.answers({1: chow("45c")})
    return game


@pytest.mark.parametrize(
    ("hand", "command"),
    [(WAITS_36C, Discard("8d")), ("123b 1111d 23d 456d 88d 45c", secret("1d"))],
    ids=["discard", "secret"],
)
def test_the_note_of_a_win_let_go_tells_the_command_that_let_it_go(hand: str, command: Action):
    game = with_own_chow(hand)
    before = game.state
    caused = game.do(1, command)
    assert caused[0] == ev.LockChanged(1, True)
    assert cause(before, caused, 0) == (1, command)


@pytest.mark.parametrize("robbed", [False, True])
def test_the_note_of_a_win_let_go_tells_the_sagasa_that_let_it_go(robbed: bool):
    hand, options = "123b 111d 23d 456d 88d 45c 9b", LETS_GO | {"added_kong": True, "rob_added_kong": robbed}
    game = table("emay", {1: hand}, front="1d 9b 8b 3c 6c", quiet="1d 9b 3c", options=options, joker="1c")
    game.throw_to("1d", {1: pung("1d")})
    game.throw_to("9b")
    game.idle(2)
    game.throw_to("3c", {1: chow("45c")})
    before = game.state
    caused = game.do(1, sagasa("1d"))
    assert caused[0] == ev.LockChanged(1, True)
    assert cause(before, caused, 0) == (1, sagasa("1d"))


@pytest.mark.parametrize("rules", ["emay", "tsumo"])
def test_the_log_of_wins_let_go_is_whole(rules: str):
    let_go = 0
    for seed in range(20):
        state, log = played(rules, f"{seed:064x}")
        assert verify(log) == state
        let_go += sum(
            isinstance(note, ev.LockChanged) and isinstance(after, ev.TileDiscarded) for note, after in pairwise(log)
        )
    assert let_go >= 5


def played(rules: str, seed: str) -> tuple[GameState, list[ev.Event]]:
    """Four rounds of those who claim whatever they might win on, and then let it go."""
    chosen = override(preset(rules), LETS_GO)
    state, events = new_game(chosen, BOTS, seed, length=ev.Length(rounds=4))
    log = list(events)
    while not isinstance(state.decision, GameOver):
        move = next_move(state)
        assert move is not None
        seat, command = move
        if isinstance(command, Win):
            command = instead_of_winning(state, seat)
        state, events = step(state, seat, command)
        log += events
    return state, log


def instead_of_winning(state: GameState, seat: int) -> Action:
    """A chow or pung with the tile that would win; on turn after one, a kong or else a discard."""
    legal = [action for action in legal_actions(state, seat) if not isinstance(action, Win)]
    if not isinstance(state.decision, Turn):
        return next((each for each in legal if isinstance(each, Claim) and each.kind != "kong"), Win())
    if state.round.claimed is None:
        return Win()
    return next((each for each in legal if not isinstance(each, Discard)), legal[0])
