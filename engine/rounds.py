"""From the deal to the next deal: dealing, drawing, settling, rotation, the end (rules 2, 3, 8).

Every round is settled once: its figures become pending, and the next deal waits until they are applied.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from engine import events as ev
from engine.evolve import evolve
from engine.ledger import Pending, deal_antes, settle_draw, split_pot, void_round
from engine.play import Play
from engine.rules import RuleSet, dump
from engine.state import SEATS, ZERO, GameState, Settlement
from engine.tiles import CODES, SUITED, Kind, codes
from engine.wall import Wall, build_wall, first_dealer


def created(
    rules: RuleSet,
    players: Iterable[ev.Player],
    seed: str,
    *,
    owner: int = 0,
    points: ev.Four = ZERO,
    timing: ev.Timing | None = None,
    length: ev.Length | None = None,
) -> Play:
    """A new game up to its first deal; `decide.new_game` says what is asked."""
    seated = tuple(players)
    if len(seated) != len(SEATS):
        raise ValueError("a game has four players")
    if length is not None and (length.rounds is None) == (length.winds is None):
        raise ValueError("a length is so many rounds or so many winds")
    event = ev.GameCreated(dump(rules), seated, owner, points, timing or ev.Timing(), length, seed)
    play = Play(evolve(None, event))
    play.events.append(event)
    deal(play, build_wall(rules, seed, 1))
    return play


# Dealing and drawing


def deal(play: Play, wall: Wall) -> None:
    """Deal the next round from its wall: hands, antes, joker, flowers, then the opening window or the dealer's turn."""
    state = play.state
    number = state.round.number + 1
    dealer, wind = _dealer_and_wind(state)
    last = None if wall.last is None else CODES[wall.last]
    play.happen(ev.WallBuilt(number, "".join(codes(wall.tiles)), last))
    hands = _hands(state.rules, wall, dealer)
    antes, pot = deal_antes(state.rules, state.pot)
    count = state.round.wall_count - sum(len(hand) for hand in hands)
    a, b, c, d = (ev.WINDS[(seat - dealer) % 4] for seat in SEATS)
    timing = state.timing.claim_timing or ("fast" if len(state.persons()) <= 1 else "uniform")
    dealt = (codes(hands[0]), codes(hands[1]), codes(hands[2]), codes(hands[3]))
    play.happen(ev.RoundDealt(number, dealer, ev.WINDS[wind], (a, b, c, d), dealt, antes, pot, count, timing))
    if wall.joker is not None:
        play.happen(ev.JokerNamed(CODES[wall.joker]))
    for step in SEATS:
        seat = (dealer + step) % 4
        if not _replace_flowers(play, seat, [kind for kind in hands[seat] if kind >= SUITED]):
            exhaust(play)
            return
    _open_first_decision(play)


def open_turn(play: Play, seat: int) -> None:
    """Open the seat's turn: it draws at once with `auto_draw`; on an empty wall the round is drawn (rules 2, 4)."""
    if play.state.rules.auto_draw:
        draw(play, seat, "front")
    elif play.state.round.wall_count == 0:
        exhaust(play)
    else:
        play.happen(ev.TurnOpened(seat, "draw", play.next_no()))


def draw(play: Play, seat: int, origin: Literal["front", "back"]) -> None:
    """Draw until the seat has a tile to keep, flowers being exposed and replaced; then it acts (rules 2)."""
    kind = _take_tile(play, seat, origin)
    if kind is not None and kind >= SUITED:
        kind = _replace_flower(play, seat, kind)
    if kind is None:
        exhaust(play)
        return
    if play.state.rules.pass_lock == "until_draw":
        play.lock(seat, False)
    play.happen(ev.TurnOpened(seat, "act", play.next_no()))


def exhaust(play: Play) -> None:
    """The wall has run out: the round is drawn."""
    play.happen(ev.RoundDrawn())
    settle(play, settle_draw(play.state.pot))


def _open_first_decision(play: Play) -> None:
    rules, dealer = play.state.rules, play.state.round.dealer
    if rules.opening_window:
        play.happen(ev.WindowOpened("opening", play.next_no(), None, None))
    elif rules.deal == "dealer17":
        play.happen(ev.TurnOpened(dealer, "act", play.next_no()))
    else:
        open_turn(play, dealer)


def _hands(rules: RuleSet, wall: Wall, dealer: int) -> tuple[tuple[Kind, ...], ...]:
    """Two rounds of eight from the front, dealer first, and the dealer's seventeenth where it is dealt."""
    hands: list[tuple[Kind, ...]] = [(), (), (), ()]
    for turn in range(8):
        seat = (dealer + turn) % 4
        hands[seat] += wall.tiles[8 * turn : 8 * turn + 8]
    if rules.deal == "dealer17":
        hands[dealer] += wall.tiles[64:65]
    return tuple(hands)


def _take_tile(play: Play, seat: int, origin: Literal["front", "back"]) -> Kind | None:
    rnd = play.state.round
    left = rnd.wall_count
    if left == 0:
        return None
    if rnd.front == rnd.back:
        kind = rnd.last
        assert kind is not None
    else:
        kind = rnd.wall[rnd.front if origin == "front" else rnd.back - 1]
    play.happen(ev.TileDrawn(seat, CODES[kind], origin, left - 1))
    return kind


def _replace_flower(play: Play, seat: int, flower: Kind) -> Kind | None:
    """Expose a flower just drawn and draw until a tile comes that is none; None when the wall ends first."""
    kind: Kind | None = flower
    while kind is not None and kind >= SUITED:
        play.happen(ev.FlowerExposed(seat, CODES[kind]))
        kind = _take_tile(play, seat, "back")
    return kind


def _replace_flowers(play: Play, seat: int, dealt: list[Kind]) -> bool:
    """Expose all a seat was dealt, then replace them one by one; False when the wall ends first."""
    for flower in dealt:
        play.happen(ev.FlowerExposed(seat, CODES[flower]))
    for _ in dealt:
        kind = _take_tile(play, seat, "back")
        if kind is not None and kind >= SUITED:
            kind = _replace_flower(play, seat, kind)
        if kind is None:
            return False
    return True


def _dealer_and_wind(state: GameState) -> tuple[int, int]:
    """Who deals next, and the prevailing wind: it moves on after four dealer changes (rules 3)."""
    rnd, rules = state.round, state.rules
    if rnd.number == 0:
        return first_dealer(rules, state.seed), 0
    if isinstance(rnd.result, ev.RoundWon):
        repeats = rnd.result.seat == rnd.dealer and rules.dealer_repeats_on_win
    else:
        repeats = rules.dealer_repeats_on_draw
    changes = state.dealer_changes + (not repeats)
    return rnd.dealer if repeats else (rnd.dealer + 1) % 4, changes // 4 % 4


# Settling


def settle(play: Play, pending: Pending) -> None:
    """Make the round's figures pending; bots agree at once, and with no time to wait they are applied (rules 8)."""
    state = play.state
    play.happen(
        ev.PointsPending(
            state.round.number,
            play.next_no(),
            pending.game,
            pending.multiplier,
            pending.changes,
            state.round.side,
            pending.pot_before,
            pending.pot_after,
            pending.house_change,
            pending.tips_change,
        )
    )
    for seat in SEATS:
        if state.players[seat].bot is not None:
            play.happen(ev.PointsConfirmed(seat))
    if not state.persons() or state.timing.settlement_seconds == 0:
        apply_points(play, pending.changes)


def apply_points(play: Play, changes: ev.Four) -> None:
    """Apply the settlement with these changes of the seats, once, and go on to the next deal or the end."""
    state = play.state
    settlement = state.decision
    assert isinstance(settlement, Settlement)
    pending = settlement.pending
    a, b, c, d = (state.seats[seat].points + changes[seat] for seat in SEATS)
    house, tips = state.house + pending.house_change, state.tips + pending.tips_change
    play.happen(ev.PointsApplied(pending.round, changes, (a, b, c, d), pending.pot_after, house, tips))
    if state.ending:
        end(play, state.ending, void=False)
    elif _is_last_round(state):
        end(play, "length", void=False)
    else:
        deal(play, build_wall(state.rules, state.seed, state.round.number + 1))


def end(play: Play, reason: ev.EndReason, *, void: bool) -> None:
    """End the game: a void round gives its antes and side payments back, then the pot is returned (rules 3)."""
    state = play.state
    back, pot = void_round(state.round.antes, state.round.side, state.pot) if void else (ZERO, state.pot)
    shares, to_house = split_pot(state.rules, pot)
    p, q, r, s = (back[seat] + shares[seat] for seat in SEATS)
    a, b, c, d = (state.seats[seat].points + change for seat, change in enumerate((p, q, r, s)))
    first = first_dealer(state.rules, state.seed)
    w, x, y, z = sorted(SEATS, key=lambda seat: (-(a, b, c, d)[seat], (seat - first) % 4))
    house = state.house + to_house
    play.happen(ev.GameEnded(reason, void, (p, q, r, s), (a, b, c, d), house, state.tips, (w, x, y, z)))


def _is_last_round(state: GameState) -> bool:
    length = state.length
    if length is None:
        return False
    if length.rounds is not None:
        return state.round.number >= length.rounds
    dealer, _ = _dealer_and_wind(state)
    changes = state.dealer_changes + (dealer != state.round.dealer)
    return changes >= 4 * (length.winds or 0)
