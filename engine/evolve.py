"""The only writer of state: what each event changes.

It never refuses and computes no rules; where it would need one, the event lacks a field (design 7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine import events as ev, evolve_table as table
from engine.evolve_table import replaced
from engine.hands import reader
from engine.rules import from_dict
from engine.state import (
    SEATS,
    ZERO,
    ClaimWindow,
    Dealing,
    GameState,
    Meld,
    OpeningWindow,
    Round,
    SeatState,
    Turn,
)
from engine.tiles import KINDS, SUITED, Kind


def evolve(state: GameState | None, event: ev.Event) -> GameState:
    """The state after one event; the given state is left alone. A game's first event, and only that, meets None."""
    if isinstance(event, ev.GameCreated):
        return _created(event)
    if state is None:
        raise ValueError("a game begins with game_created")
    draft = state.fork()
    apply(draft, event)
    return draft


def apply(draft: GameState, event: ev.Event) -> None:
    """Write one event into a draft that only the caller knows."""
    write, numbered = _WRITERS[type(event)]
    write(draft, event)
    draft.seq += numbered


def _created(event: ev.GameCreated) -> GameState:
    rules = from_dict(event.rules)
    return GameState(
        rules=rules,
        reader=reader(rules.shapes),
        players=event.players,
        owner=event.owner,
        starting_points=event.points,
        timing=event.timing,
        length=event.length,
        seed=event.seed,
        seats=[SeatState(points) for points in event.points],
        round=Round(0, 0, 0, "fast", (), 0, 0, None, ZERO),
        decision=Dealing(0),
    )


def _wall_built(state: GameState, event: ev.WallBuilt) -> None:
    text = event.tiles
    wall = tuple([KINDS[text[i : i + 2]] for i in range(0, len(text), 2)])
    last = None if event.last is None else KINDS[event.last]
    before = state.round
    state.decision = Dealing(state.decision.no)
    state.round = Round(event.round, before.dealer, before.wind, "fast", wall, 0, len(wall), last, ZERO)


def _round_dealt(state: GameState, event: ev.RoundDealt) -> None:
    rnd = state.round
    state.dealer_changes += event.round > 1 and event.dealer != rnd.dealer
    rnd.dealer = event.dealer
    rnd.wind = ev.WINDS.index(event.prevailing_wind)
    rnd.claim_timing = event.claim_timing
    rnd.antes = event.antes
    for seat in SEATS:
        tiles = event.hands[seat]
        rnd.front += len(tiles)
        state.seats[seat] = held = SeatState(state.seats[seat].points + event.antes[seat])
        state.shared[seat] = False
        for code in tiles:
            if KINDS[code] < SUITED:
                held.add(KINDS[code], 1, None)
        if seat == event.dealer and len(tiles) == 17 and KINDS[tiles[-1]] < SUITED:
            held.drawn = KINDS[tiles[-1]]
    state.pot = event.pot


def _joker_named(state: GameState, event: ev.JokerNamed) -> None:
    joker = KINDS[event.kind]
    state.round.joker = joker
    for seat in SEATS:
        held = state.own(seat)
        jokers = held.counts[joker]
        held.add(joker, -jokers, None)
        held.add(joker, jokers, joker)


def _tile_drawn(state: GameState, event: ev.TileDrawn) -> None:
    rnd = state.round
    if rnd.front == rnd.back:
        rnd.last = None
    elif event.origin == "front":
        rnd.front += 1
    else:
        rnd.back -= 1
    rnd.claimed = None
    kind = KINDS[event.tile]
    if kind < SUITED:
        held = state.own(event.seat)
        held.add(kind, 1, rnd.joker)
        if held.concealed == 17 - 3 * len(held.melds):
            held.drawn = kind
            rnd.replaced = event.origin == "back"


def _flower_exposed(state: GameState, event: ev.FlowerExposed) -> None:
    held = state.own(event.seat)
    held.flowers += (KINDS[event.tile],)


def _tile_discarded(state: GameState, event: ev.TileDiscarded) -> None:
    rnd = state.round
    kind = KINDS[event.tile]
    held = state.own(event.seat)
    held.add(kind, -1, rnd.joker)
    held.drawn = None
    rnd.pile += ((kind, event.seat),)
    rnd.discards += 1
    rnd.claimed = None


def _window_opened(state: GameState, event: ev.WindowOpened) -> None:
    if event.tile is None or event.discarder is None:
        state.decision = OpeningWindow(event.decision_no)
    else:
        state.decision = ClaimWindow(event.decision_no, event.kind, KINDS[event.tile], event.discarder)


def _turn_opened(state: GameState, event: ev.TurnOpened) -> None:
    state.decision = Turn(event.decision_no, event.seat, event.stage)


def _window_closed(state: GameState, event: ev.WindowClosed) -> None:
    """What follows says it all: a meld, a win, the next turn."""


def _answered(state: GameState, event: ev.Answered) -> None:
    window = state.decision
    if isinstance(window, OpeningWindow):
        state.decision = OpeningWindow(window.no, replaced(window.answers, event.seat, event.action))
    elif isinstance(window, ClaimWindow):
        answers = replaced(window.answers, event.seat, event.action)
        state.decision = ClaimWindow(window.no, window.kind, window.tile, window.discarder, answers)


def _lock_changed(state: GameState, event: ev.LockChanged) -> None:
    state.own(event.seat).locked = event.locked


def _meld_made(state: GameState, event: ev.MeldMade) -> None:
    rnd = state.round
    held = state.own(event.seat)
    tiles = tuple([KINDS[code] for code in event.tiles])
    if event.claimed_from is not None:
        _claim(state, held, event, tiles)
    elif event.kind == "sagasa":
        held.add(tiles[0], -1, rnd.joker)
        held.melds = tuple(
            Meld("sagasa", tiles, meld.claimed_from, meld.claimed)
            if meld.kind == "pung" and meld.tiles[0] == tiles[0]
            else meld
            for meld in held.melds
        )
    else:
        for kind in tiles:
            held.add(kind, -1, rnd.joker)
        held.melds += (Meld(event.kind, tiles, None, None),)
    held.drawn = None
    rnd.kong_before_discard = rnd.kong_before_discard or not rnd.discards
    _pay(state, event.payments)
    a, b, c, d = rnd.side
    e, f, g, h = event.payments
    rnd.side = (a + e, b + f, c + g, d + h)


def _claim(state: GameState, held: SeatState, event: ev.MeldMade, tiles: tuple[Kind, ...]) -> None:
    rnd = state.round
    claimed, discarder = rnd.pile[-1]
    rnd.pile = rnd.pile[:-1]
    rnd.claimed = claimed
    own = list(tiles)
    own.remove(claimed)
    for kind in own:
        held.add(kind, -1, None)
    held.melds += (Meld(event.kind, tiles, discarder, claimed),)


def _round_won(state: GameState, event: ev.RoundWon) -> None:
    rnd = state.round
    rnd.result = event
    held = state.own(event.seat)
    window = state.decision
    if isinstance(window, ClaimWindow):
        if window.kind == "rob":
            robbed = state.own(window.discarder)
            robbed.add(window.tile, -1, rnd.joker)
            robbed.drawn = None
        else:
            rnd.pile = rnd.pile[:-1]
        held.add(window.tile, 1, rnd.joker)
        held.drawn = window.tile


def _round_drawn(state: GameState, event: ev.RoundDrawn) -> None:
    state.round.result = event


def _pay(state: GameState, payments: ev.Four) -> None:
    if payments != ZERO:
        for seat in SEATS:
            state.own(seat).points += payments[seat]


_WRITERS: Final[dict[type, tuple[Callable[[GameState, Any], None], bool]]] = {
    ev.WallBuilt: (_wall_built, False),
    ev.TurnOpened: (_turn_opened, False),
    ev.Answered: (_answered, False),
    ev.LockChanged: (_lock_changed, False),
    ev.RoundDealt: (_round_dealt, True),
    ev.JokerNamed: (_joker_named, True),
    ev.FlowerExposed: (_flower_exposed, True),
    ev.TileDrawn: (_tile_drawn, True),
    ev.TileDiscarded: (_tile_discarded, True),
    ev.WindowOpened: (_window_opened, True),
    ev.WindowClosed: (_window_closed, True),
    ev.MeldMade: (_meld_made, True),
    ev.RoundWon: (_round_won, True),
    ev.RoundDrawn: (_round_drawn, True),
    ev.PointsPending: (table.points_pending, True),
    ev.PointsAmended: (table.points_amended, True),
    ev.PointsConfirmed: (table.points_confirmed, True),
    ev.PointsApplied: (table.points_applied, True),
    ev.DeadlineMoved: (table.deadline_moved, True),
    ev.GameEndAsked: (table.game_end_asked, True),
    ev.GameEnded: (table.game_ended, True),
    ev.SeatChanged: (table.seat_changed, True),
    ev.PauseAsked: (table.pause_asked, True),
    ev.GamePaused: (table.game_paused, True),
    ev.GameResumed: (table.game_resumed, True),
    ev.PreferenceSet: (table.preference_set, False),
}
