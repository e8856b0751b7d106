"""Any wanted position by real means: a wall in the wanted order is dealt, then real commands are played on it.

`table` sets the table; tiles nobody cares about are filled in so that they offer nothing on what a test throws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, TypeVar

import pytest

from engine import events as ev, rounds, windows
from engine.actions import Action, Claim, CloseSettlement, Command, Confirm, Discard, Draw, Kong, Pass, Refusal, Win
from engine.causes import cause
from engine.claims import asked
from engine.codec import dump_state
from engine.decide import step
from engine.evolve import evolve
from engine.legal import legal_actions
from engine.play import Play
from engine.records import Plain
from engine.replay import follow
from engine.rules import RuleSet, dump, override, preset
from engine.state import SEATS, ZERO, ClaimWindow, GameState, OpeningWindow, Turn
from engine.tiles import CODES, KINDS, SUITED, Kind, codes, format_hand, full_set, parse_hand
from engine.views import SeatView, view
from engine.wall import Wall, first_dealer

PASS = Pass()
WIN = Win()
DRAW = Draw()
FOUR_PEOPLE = tuple(ev.Player(name) for name in ("Ana", "Ben", "Cora", "Dan"))
ONE_PERSON = (ev.Player("Ana"), *(ev.Player(name, "greedy") for name in ("Jhat", "Angie", "Kling")))

E = TypeVar("E")
Hands = Mapping[int, str]

both = pytest.mark.parametrize("rules", ["emay", "tsumo"])
"""A row of rules 12 that holds in both presets."""

UNIFORM = ev.Timing("uniform", settlement_seconds=None)
FAST = ev.Timing("fast", settlement_seconds=None)
every_order = pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
either_timing = pytest.mark.parametrize("timing", [UNIFORM, FAST], ids=["uniform", "fast"])


def chow(held: str) -> Claim:
    """Chow with two held tiles, as in `46c`."""
    return Claim("chow", _codes(held))


def pung(tile: str) -> Claim:
    return Claim("pung", (tile,) * 2)


def kang(tile: str) -> Claim:
    return Claim("kong", (tile,) * 3)


def secret(tile: str) -> Kong:
    return Kong("secret", tile)


def sagasa(tile: str) -> Kong:
    return Kong("added", tile)


class Table:
    """A game being played: the state now, and every event so far."""

    def __init__(self, state: GameState, events: Sequence[ev.Event]) -> None:
        self.state = state
        self.events = list(events)

    # Acting

    def do(self, seat: int | None, command: Command) -> tuple[ev.Event, ...]:
        """One legal command; what it caused must fold to the state it left, and tell what was asked for."""
        before = folded = self.state
        self.state, caused = step(before, seat, command)
        for event in caused:
            folded = evolve(folded, event)
        assert folded == self.state
        assert decided_again(before, caused) == self.state
        self.events += caused
        return caused

    def refused(self, seat: int | None, command: Command) -> Refusal:
        """The refusal of one command; it must have changed nothing."""
        before = dump_state(self.state)
        with pytest.raises(Refusal) as caught:
            step(self.state, seat, command)
        assert dump_state(self.state) == before
        return caught.value

    def throw(self, tile: str) -> tuple[ev.Event, ...]:
        """The seat on turn draws where it has to, and discards this tile."""
        self.draw_if_due()
        return self.do(self.on_turn, Discard(tile))

    def draw_if_due(self) -> None:
        turn = self.state.decision
        if isinstance(turn, Turn) and turn.stage == "draw":
            self.do(turn.seat, DRAW)

    def answers(
        self, given: Mapping[int, Action] | None = None, order: Sequence[int] | None = None
    ) -> tuple[ev.Event, ...]:
        """These seats answer the open window in this order, the others pass; a fast window may close before."""
        wanted = {seat: given[seat] for seat in order or given} if given else {}
        window = self.state.decision
        assert isinstance(window, ClaimWindow | OpeningWindow)
        passes = {seat: PASS for seat in asked(window) if seat not in wanted}
        caused: tuple[ev.Event, ...] = ()
        for seat, action in {**wanted, **passes}.items():
            if self.state.decision.no == window.no:
                caused += self.do(seat, action)
        return caused

    def throw_to(self, tile: str, given: Mapping[int, Action] | None = None) -> tuple[ev.Event, ...]:
        """`throw` and `answers`; with auto_draw off, the next seat then draws."""
        number = self.state.decision.no
        caused = self.throw(tile)
        window = self.state.decision
        if isinstance(window, ClaimWindow) and window.no > number:
            caused += self.answers(given)
        self.draw_if_due()
        return caused

    def idle(self, turns: int = 1) -> None:
        """So many turns in which the drawn tile goes and nobody wants it; the round may end in one."""
        for _ in range(turns):
            self.draw_if_due()
            turn = self.state.decision
            if not isinstance(turn, Turn):
                return
            drawn = self.state.seats[turn.seat].drawn
            assert drawn is not None
            self.throw(CODES[drawn])
            if isinstance(self.state.decision, ClaimWindow):
                self.answers()

    def play_out(self) -> None:
        """Idle turns until the wall has run out."""
        while self.state.round.result is None:
            self.idle()
        assert isinstance(self.state.round.result, ev.RoundDrawn)

    def idle_until(self, *, wall: int, seat: int | None = None) -> None:
        """Idle turns until the wall has so many tiles, and it is this seat's to act."""
        while self.state.round.wall_count > wall:
            self.idle()
            if self.state.round.result is None:
                self.draw_if_due()
        assert self.state.round.wall_count == wall
        assert seat is None or self.on_turn == seat

    def confirm_all(self) -> tuple[ev.Event, ...]:
        caused: tuple[ev.Event, ...] = ()
        number = self.state.round.number
        for seat in self.state.persons():
            if self.state.round.number == number and Confirm(number) in legal_actions(self.state, seat):
                caused += self.do(seat, Confirm(number))
        return caused

    def next_round(self, hands: Hands | None = None, *, dealer: int, **wanted: str) -> None:
        """The settlement's time is over; the next round is dealt from the wanted wall."""
        _, caused = step(self.state, None, CloseSettlement())
        for event in caused:
            self.state = evolve(self.state, event)
            self.events.append(event)
            if isinstance(event, ev.PointsApplied):
                break
        _deal(self, _wall(self.state.rules, hands or {}, dealer=dealer, **wanted))
        assert self.state.round.dealer == dealer

    # Looking

    @property
    def on_turn(self) -> int:
        turn = self.state.decision
        assert isinstance(turn, Turn), turn
        return turn.seat

    def legal(self, seat: int) -> tuple[Action, ...]:
        return legal_actions(self.state, seat)

    def offers(self, seat: int) -> list[Action]:
        """What the open window offers the seat besides passing."""
        assert isinstance(self.state.decision, ClaimWindow | OpeningWindow)
        return [action for action in self.legal(seat) if action != PASS]

    def hand(self, seat: int) -> str:
        """The concealed tiles of a seat as a hand string, jokers by their face."""
        held, joker = self.state.seats[seat], self.state.round.joker
        kinds = [kind for kind in range(SUITED) for _ in range(held.counts[kind])]
        return format_hand(kinds + ([] if joker is None else [joker] * held.jokers))

    def holds(self, seat: int, tile: str) -> int:
        """How many of this tile the seat holds concealed."""
        return self.view(seat).hand.count(tile)

    def view(self, seat: int | None) -> SeatView:
        return view(self.state, seat)

    def won(self) -> ev.RoundWon:
        """How the round was won."""
        result = self.state.round.result
        assert isinstance(result, ev.RoundWon)
        return result

    def pile(self) -> str:
        return " ".join(CODES[kind] for kind, _ in self.state.round.pile)

    def dump(self) -> Plain:
        return dump_state(self.state)


def table(
    rules: str | RuleSet,
    hands: Hands | None = None,
    *,
    options: Mapping[str, object] | None = None,
    dealer: int = 0,
    opening: bool = False,
    players: tuple[ev.Player, ...] = FOUR_PEOPLE,
    timing: ev.Timing = UNIFORM,
    length: ev.Length | None = None,
    points: ev.Four = ZERO,
    owner: int = 0,
    **wanted: str,
) -> Table:
    """A first round, at the dealer's first 17 tiles; with `opening`, at the opening window where there is one.

    `hands` are up to 16 tiles a seat; `front` is drawn in this order, the dealer's 17th tile first; `back` are the
    replacements in order; `end` comes last of all when flowers alone are replaced; `joker` names the joker; `quiet`
    are tiles on which what is filled in offers nothing; `last` is the indicator that is drawn last. Unless told
    otherwise four people play, windows stay open until all have answered, and a settlement waits.
    """
    chosen = override(preset(rules) if isinstance(rules, str) else rules, options or {})
    if dealer:
        chosen = override(chosen, {"first_dealer": "random"})
    seed = next(seed for number in range(99) if first_dealer(chosen, seed := f"{number:064x}") == dealer)
    created = ev.GameCreated(dump(chosen), players, owner, points, timing, length, seed)
    game = Table(evolve(None, created), [created])
    _deal(game, _wall(chosen, hands or {}, dealer=dealer, **wanted))
    if not opening and isinstance(game.state.decision, OpeningWindow):
        game.answers()
    if not opening:
        game.draw_if_due()
    return game


def decided_again(state: GameState, events: Sequence[ev.Event]) -> GameState:
    """The state after these events, where each command is told from what came of it (decision 0009)."""
    place = 0
    while place < len(events):
        state, reached = follow(state, *cause(state, events, place), events, place)
        assert reached > place
        place = reached
    return state


def events_of(events: Sequence[ev.Event], kind: type[E]) -> list[E]:
    """Those of this kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def numbered(events: Sequence[ev.Event]) -> list[ev.NumberedEvent]:
    """The public events among these, in order."""
    found: list[Any] = [event for event in events if not isinstance(event, ev.NOTES)]
    return found


def types(events: Sequence[ev.Event]) -> list[str]:
    """The types of the numbered events, in order."""
    return [event.type for event in numbered(events)]


def _codes(text: str) -> tuple[str, ...]:
    return codes(_kinds(text))


def _kinds(text: str) -> list[Kind]:
    """The kinds of a hand string in which a joker is written as its face: a wall holds no J."""
    kinds, jokers = parse_hand(text)
    assert not jokers, text
    return kinds


def _deal(game: Table, wall: Wall) -> None:
    play = Play(game.state.draft())
    rounds.deal(play, wall)
    while windows.close_if_settled(play):
        pass
    game.state = play.state
    game.events += play.events


def _wall(
    rules: RuleSet,
    hands: Hands,
    *,
    dealer: int,
    joker: str = "9d",
    front: str = "",
    back: str = "",
    end: str = "",
    quiet: str = "",
    last: str = "",
) -> Wall:
    wild = KINDS[joker] if rules.has_jokers else None
    first, final, ending = (_kinds(text) for text in (front, back, end))
    given = [_kinds(hands.get(seat, "")) for seat in SEATS]
    left = Counter(full_set(rules.tile_set))
    left.subtract(first + final + ending)
    left.subtract([kind for hand in given for kind in hand])
    if rules.joker_mode == "indicator_removed":
        left.subtract([KINDS[joker]])
    if last:
        left.subtract([KINDS[last]])
    assert min(left.values()) >= 0, f"more tiles are wanted than there are: {format_hand(-left)}"
    near = {kind for tile in _kinds(quiet) for kind in _NEAR[tile]}
    for hand in given:
        _fill(hand, left, [kind for kind in range(SUITED) if kind not in near and kind != wild])
    tiles = [given[seat][8 * half + i] for half, seat in _deal_order(dealer) for i in range(8)]
    tiles += _rest(left, first, ending, final, wild)
    return Wall(tuple(tiles), KINDS[last] if last else None, wild)


def _deal_order(dealer: int) -> Iterator[tuple[int, int]]:
    return ((half, (dealer + step) % 4) for half in (0, 1) for step in SEATS)


_NEAR = [[other for other in range(kind - 2, kind + 3) if other // 9 == kind // 9] for kind in range(SUITED)]


def _fill(hand: list[Kind], left: Counter[Kind], dull: list[Kind]) -> None:
    """Fill a hand up with those of the dull tiles that go worst with it."""
    fits = [4 * hand.count(kind) + sum(map(hand.count, _NEAR[kind])) for kind in range(SUITED)]
    while len(hand) < 16:
        tile = min([kind for kind in dull if left[kind]], key=lambda kind: (fits[kind], -left[kind]))
        hand.append(tile)
        left[tile] -= 1
        fits[tile] += 4
        for kind in _NEAR[tile]:
            fits[kind] += 1


def _rest(
    left: Counter[Kind], first: list[Kind], ending: list[Kind], final: list[Kind], wild: Kind | None
) -> list[Kind]:
    """The undealt wall: flowers stand where each has its replacement behind it, and `ending` comes after them all."""
    flowers = [kind for kind in left.elements() if kind >= SUITED]
    suited = [kind for copy in range(4) for kind in range(SUITED) if left[kind] > copy and kind != wild]
    suited += [kind for kind in left.elements() if kind == wild]
    behind = max(0, len(flowers) - len(final))
    split = max(0, len(suited) - behind)
    return first + suited[:split] + flowers + ending + suited[split:] + final[::-1]
