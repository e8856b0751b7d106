"""What a seat may know, built field by field from what it may know, never stripped from the whole (rules 11).

The secrets of a game are in `GameState` alone; nothing else hands parts of it to a reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from engine import events as ev
from engine.actions import Action
from engine.claims import asked, in_joker_eye_wait
from engine.legal import legal_actions, may_amend
from engine.state import (
    SEATS,
    ClaimWindow,
    Dealing,
    GameOver,
    GameState,
    Meld,
    OpeningWindow,
    SeatState,
    Settlement,
    Turn,
)
from engine.tiles import BACK, CODES, SUITED, Code

Position = Literal["self", "right", "across", "left"]
POSITIONS: tuple[Position, ...] = ("self", "right", "across", "left")


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld as this reader sees it; a foreign Secret is four backs until a win shows it."""

    kind: ev.MeldKind
    tiles: ev.Tiles
    claimed_from: int | None
    claimed: Code | None


@dataclass(frozen=True, slots=True)
class SeatPublic:
    """What everybody may know of a seat; `position` is relative to the reader, absent for a spectator."""

    seat: int
    name: str
    bot: str | None
    stand_in: str | None
    connected: bool
    away: bool
    wind: ev.Wind
    position: Position | None
    points: int
    concealed: int
    melds: tuple[MeldView, ...]
    flowers: ev.Tiles
    hand_shown: ev.Tiles


@dataclass(frozen=True, slots=True)
class PileTile:
    """One unclaimed discard and who threw it, in order of throwing."""

    tile: Code
    seat: int


_PILE_TILES = tuple(tuple(PileTile(code, seat) for seat in SEATS) for code in CODES)


@dataclass(frozen=True, slots=True)
class DecisionView:
    """What the table waits for. `who` are the seats asked: a window's are always all it asks, whatever they hold."""

    kind: Literal["turn", "claim_window", "opening_window", "settlement", "dealing", "game_over"]
    no: int
    who: tuple[int, ...]
    stage: ev.TurnStage | None
    window: ev.WindowKind | None
    tile: Code | None
    from_seat: int | None
    your_answer: Action | None


@dataclass(frozen=True, slots=True)
class SettlementView:
    """The last round's figures while they are pending: as computed, as amended, and who has confirmed."""

    pending: ev.PointsPending
    amended: ev.PointsAmended | None
    confirmed: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """The whole table as one seat, or a spectator (seat None), may see it."""

    seat: int | None
    seq: int
    ruleset: str
    round: int
    dealer: int
    prevailing_wind: ev.Wind
    wall_count: int
    joker: Code | None
    pot: int
    house: int
    tips: int
    claim_timing: ev.ClaimTiming
    over: bool
    ending: bool
    paused: bool
    asked: tuple[bool, ...]
    """Who wishes to pause, or while paused, to go on."""
    seats: tuple[SeatPublic, ...]
    hand: ev.Tiles
    drawn: Code | None
    pile: tuple[PileTile, ...]
    decision: DecisionView
    legal_actions: tuple[Action, ...]
    may_amend: bool
    preferences: ev.Preferences | None
    locked: bool
    joker_eye: bool
    settlement: SettlementView | None
    result: ev.RoundWon | ev.RoundDrawn | None


def view(state: GameState, seat: int | None) -> SeatView:
    """The table as the seat sees it now; None is a spectator, who sees what all seats may see."""
    rnd, decision = state.round, state.decision
    held = None if seat is None else state.seats[seat]
    return SeatView(
        seat=seat,
        seq=state.seq,
        ruleset=state.rules.name,
        round=rnd.number,
        dealer=rnd.dealer,
        prevailing_wind=ev.WINDS[rnd.wind],
        wall_count=rnd.wall_count,
        joker=None if rnd.joker is None else CODES[rnd.joker],
        pot=state.pot,
        house=state.house,
        tips=state.tips,
        claim_timing=rnd.claim_timing,
        over=isinstance(decision, GameOver),
        ending=state.ending is not None and not isinstance(decision, GameOver),
        paused=state.paused,
        asked=state.asked,
        seats=tuple([_public(state, other, seat) for other in SEATS]),
        hand=() if held is None else hand_codes(state, held),
        drawn=None if held is None or held.drawn is None else CODES[held.drawn],
        pile=tuple([_PILE_TILES[kind][thrower] for kind, thrower in rnd.pile]),
        decision=decision_view(state, seat),
        legal_actions=() if seat is None else legal_actions(state, seat),
        may_amend=seat is not None and may_amend(state, seat),
        preferences=None if seat is None else state.preferences[seat],
        locked=held is not None and held.locked,
        joker_eye=held is not None and in_joker_eye_wait(state, held),
        settlement=_settlement(state),
        result=rnd.result,
    )


def decision_view(state: GameState, seat: int | None) -> DecisionView:
    """What the table waits for, with the own answer of the seat alone."""
    decision = state.decision
    match decision:
        case Turn(no, on_turn, stage):
            return DecisionView("turn", no, (on_turn,), stage, None, None, None, None)
        case ClaimWindow(no, kind, tile, discarder, answers):
            yours = None if seat is None else answers[seat]
            return DecisionView("claim_window", no, tuple(asked(decision)), None, kind, CODES[tile], discarder, yours)
        case OpeningWindow(no, answers):
            yours = None if seat is None else answers[seat]
            return DecisionView("opening_window", no, tuple(SEATS), None, "opening", None, None, yours)
        case Settlement(no):
            return DecisionView("settlement", no, tuple(state.persons()), None, None, None, None, None)
        case Dealing(no):
            return DecisionView("dealing", no, (), None, None, None, None, None)
        case GameOver(no):
            return DecisionView("game_over", no, (), None, None, None, None, None)
        case _:
            assert_never(decision)


def redact(event: ev.NumberedEvent, seat: int | None) -> ev.NumberedEvent:
    """The event as the seat may see it, in the same shape: tiles it may not know are BACK."""
    match event:
        case ev.RoundDealt():
            return _redacted_deal(event, seat)
        case ev.TileDrawn() if event.seat != seat:
            return ev.TileDrawn(event.seat, BACK, event.origin, event.wall_count)
        case ev.MeldMade() if event.kind == "secret" and event.seat != seat:
            return ev.MeldMade(event.seat, event.kind, (BACK,) * 4, event.claimed_from, event.payments)
        case ev.TileDrawn() | ev.TileDiscarded() | ev.FlowerExposed() | ev.JokerNamed() | ev.MeldMade():
            return event
        case ev.WindowOpened() | ev.WindowClosed() | ev.RoundWon() | ev.RoundDrawn() | ev.DeadlineMoved():
            return event
        case ev.PointsPending() | ev.PointsAmended() | ev.PointsConfirmed() | ev.PointsApplied():
            return event
        case ev.SeatChanged() | ev.PauseAsked() | ev.GamePaused() | ev.GameResumed():
            return event
        case ev.GameEndAsked() | ev.GameEnded():
            return event
        case _:
            assert_never(event)


def hand_codes(state: GameState, held: SeatState) -> ev.Tiles:
    """Concealed tiles as shown to their owner: jokers first, sorted, the drawn tile last (rules 4)."""
    joker, drawn = state.round.joker, held.drawn
    shown = [] if joker is None else [CODES[joker]] * held.jokers
    for kind in range(SUITED):
        shown += [CODES[kind]] * held.counts[kind]
    if drawn is not None:
        shown.remove(CODES[drawn])
        shown.append(CODES[drawn])
    return tuple(shown)


def _redacted_deal(event: ev.RoundDealt, seat: int | None) -> ev.RoundDealt:
    a, b, c, d = (hand if owner == seat else (BACK,) * len(hand) for owner, hand in enumerate(event.hands))
    return ev.RoundDealt(
        event.round,
        event.dealer,
        event.prevailing_wind,
        event.winds,
        (a, b, c, d),
        event.antes,
        event.pot,
        event.wall_count,
        event.claim_timing,
    )


def _public(state: GameState, seat: int, reader: int | None) -> SeatPublic:
    held, player, result = state.seats[seat], state.players[seat], state.round.result
    shown = isinstance(result, ev.RoundWon) or isinstance(state.decision, GameOver)
    return SeatPublic(
        seat=seat,
        name=player.name,
        bot=player.bot,
        stand_in=player.stand_in,
        connected=player.connected,
        away=player.away,
        wind=ev.WINDS[(seat - state.round.dealer) % 4],
        position=None if reader is None else POSITIONS[(seat - reader) % 4],
        points=held.points,
        concealed=held.concealed,
        melds=tuple([_meld(meld, open_to_reader=shown or seat == reader) for meld in held.melds]),
        flowers=tuple([CODES[kind] for kind in held.flowers]),
        hand_shown=result.hands[seat] if isinstance(result, ev.RoundWon) else (),
    )


def _meld(meld: Meld, *, open_to_reader: bool) -> MeldView:
    if meld.kind == "secret" and not open_to_reader:
        return MeldView(meld.kind, (BACK,) * 4, None, None)
    claimed = None if meld.claimed is None else CODES[meld.claimed]
    return MeldView(meld.kind, tuple([CODES[kind] for kind in meld.tiles]), meld.claimed_from, claimed)


def _settlement(state: GameState) -> SettlementView | None:
    decision = state.decision
    if not isinstance(decision, Settlement):
        return None
    return SettlementView(decision.pending, decision.amended, decision.confirmed)
