"""Carrying out a win: what it is worth, what it shows, and the settlement it leads to (rules 5 to 9, 11)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import events as ev
from engine.claims import TRIPLE, before_claim
from engine.ledger import settle_win
from engine.play import Play
from engine.rounds import settle
from engine.scoring import WinContext, score
from engine.state import SEATS, ClaimWindow, GameState, Meld, SeatState
from engine.tiles import CODES, SUITED, Code, Kind


def by_draw(play: Play, seat: int) -> None:
    """The seat on turn wins with the tile it drew or was dealt."""
    state = play.state
    held, rnd = state.seats[seat], state.round
    assert held.drawn is not None
    wait = _plus(held, held.drawn, -1, rnd.joker)
    first = seat == rnd.dealer and not rnd.discards and not rnd.kong_before_discard and state.rules.bisaklat
    source: ev.WinSource = "replacement" if rnd.replaced else "draw"
    _win(play, seat, _context(state, held, wait, source, held.drawn, first_draw=first), held.drawn, None)


def by_triple_joker(play: Play, seat: int) -> None:
    """Three or more jokers before the dealer's first discard; there is no winning tile (rules 7)."""
    held = play.state.seats[seat]
    _win(play, seat, _context(play.state, held, held, "opening", None), None, None)


def by_discard(play: Play, seat: int, window: ClaimWindow) -> None:
    """The seat takes the discard, or robs the Sagasa, that the window is about."""
    state = play.state
    wait = state.seats[seat]
    wild = window.tile == state.round.joker and state.rules.discarded_joker == "wild"
    complete = _plus(wait, window.tile, 1, window.tile if wild else None)
    context = _context(state, complete, wait, "discard", window.tile, taken=window.kind == "claim")
    _win(play, seat, context, window.tile, window.discarder)


def by_own_claim(play: Play, seat: int) -> None:
    """Win on the discard that the seat's own chow or pung took (`as_discard_win`)."""
    state = play.state
    held, claimed = state.seats[seat], state.round.claimed
    context = _context(state, held, before_claim(held), "discard", claimed)
    _win(play, seat, context, claimed, held.melds[-1].claimed_from)


def _win(play: Play, seat: int, context: WinContext, tile: Kind | None, discarder: int | None) -> None:
    state = play.state
    worth = score(state.rules, context)
    play.happen(
        ev.RoundWon(
            seat,
            context.source,
            worth.category,
            worth.bonuses,
            worth.multiplier,
            None if tile is None else CODES[tile],
            worth.reading,
            discarder,
            _shown_hands(state, seat, context),
            _secrets(state),
        )
    )
    settle(play, settle_win(state.rules, worth, seat, discarder, state.pot))


def _context(
    state: GameState,
    complete: SeatState,
    wait: SeatState,
    source: ev.WinSource,
    tile: Kind | None,
    *,
    first_draw: bool = False,
    taken: bool = False,
) -> WinContext:
    """`taken`: the tile is still in the pile and does not count there (rules 7, Before the Fifth)."""
    rnd = state.round
    return WinContext(
        counts=tuple(complete.counts),
        jokers=complete.jokers,
        wait_counts=tuple(wait.counts),
        wait_jokers=wait.jokers,
        melds=tuple((meld.kind, meld.tiles[0]) for meld in complete.melds),
        source=source,
        tile=tile,
        pile_count=len(rnd.pile) - taken,
        first_draw=first_draw,
        triple_joker=complete.jokers >= TRIPLE and not rnd.discards and state.rules.opening_window,
        flowers=len(complete.flowers),
        wall_left=rnd.wall_count,
    )


def _plus(held: SeatState, kind: Kind, number: int, joker: Kind | None) -> SeatState:
    twin = held.copy()
    twin.add(kind, number, joker)
    return twin


def concealed_codes(counts: Sequence[int], jokers: int, joker: Kind | None) -> tuple[Code, ...]:
    """Concealed tiles as shown to people: jokers first, by their face, then sorted (rules 4)."""
    shown = [] if joker is None else [CODES[joker]] * jokers
    for kind in range(SUITED):
        shown += [CODES[kind]] * counts[kind]
    return tuple(shown)


def _shown_hands(state: GameState, winner: int, context: WinContext) -> tuple[ev.Tiles, ev.Tiles, ev.Tiles, ev.Tiles]:
    joker = state.round.joker
    window = state.decision
    hands: list[ev.Tiles] = [(), (), (), ()]
    for seat in SEATS:
        held = state.seats[seat]
        if seat == winner:
            hands[seat] = concealed_codes(context.counts, context.jokers, joker)
        elif state.rules.reveal_all_hands:
            if isinstance(window, ClaimWindow) and window.kind == "rob" and seat == window.discarder:
                held = _plus(held, window.tile, -1, joker)
            hands[seat] = concealed_codes(held.counts, held.jokers, joker)
    return hands[0], hands[1], hands[2], hands[3]


def _secrets(state: GameState) -> tuple[ev.Tiles, ev.Tiles, ev.Tiles, ev.Tiles]:
    a, b, c, d = (_secret_tiles(held.melds) for held in state.seats)
    return a, b, c, d


def _secret_tiles(melds: tuple[Meld, ...]) -> ev.Tiles:
    return tuple(CODES[kind] for meld in melds if meld.kind == "secret" for kind in meld.tiles)
