"""The view of a game on the wire: what the engine shows a reader, with what only the service knows of the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from app.tables.live_game import LiveGame
from app.tables.seating import is_left
from app.tables.settlement import SettlementFacts, settlement_facts
from app.tables.sparse import sparse
from app.tables.terms import Terms
from engine import events as ev
from engine.actions import Action
from engine.preferences import shown_actions
from engine.tiles import Code
from engine.views import DecisionView, MeldView, PileTile, Position, SeatView, view

AnyAction = Annotated[Action, Field(discriminator="type")]
Status = Literal["open", "playing", "ended"]


@sparse
@dataclass(frozen=True, slots=True)
class GameFacts:
    """The table. `seq` is the last numbered event in this view; `pot`, `house` and `tips` are points; `owner` the seat
    that may end the game; `ending` whether it ends with this round; `paused` whether moves are refused and no time
    runs; `asked` are the seats that wish to pause, or while it is paused, to go on; `timing_private` whether the time a
    window stays open tells nothing of what is held; `overrides` the options that differ from the preset's. Without
    `length` it goes on until the owner ends it. `rematch_of` is the game it follows, `rematch` the one that follows
    it."""

    id: str
    ruleset: str
    status: Status
    seq: int
    round: int
    dealer: int
    prevailing_wind: ev.Wind
    wall_count: int
    joker: Code | None
    pot: int
    house: int
    tips: int
    owner: int
    visibility: Literal["private", "public"]
    seeded: bool
    ending: bool
    paused: bool
    asked: tuple[int, ...]
    claim_timing: ev.ClaimTiming
    timing_private: bool
    timing: Terms
    overrides: dict[str, Any]
    length: ev.Length | None
    spectator_delay: int
    free_text: bool
    hints: bool
    rematch_of: str | None
    rematch: str | None
    server_time: datetime


@sparse
@dataclass(frozen=True, slots=True)
class SeatFacts:
    """A seat. `position` is relative to the reader; `concealed` counts its hidden tiles; `hand_shown` are those tiles
    once a win has shown them; `locked` and `joker_eye` are told to the seat itself alone; `bank_ms` is the time it has
    left besides that of its turns. A person is `connected` or not, and `away` when it has been missed for too long;
    `stand_in` is the bot that plays while it is away or has left."""

    seat: int
    name: str
    kind: Literal["person", "bot"]
    bot: str | None
    player_id: str | None
    connected: bool
    away: bool
    stand_in: str | None
    position: Position | None
    wind: ev.Wind
    points: int
    concealed: int
    melds: tuple[MeldView, ...]
    flowers: tuple[Code, ...]
    hand_shown: tuple[Code, ...]
    bank_ms: int | None
    locked: bool | None
    joker_eye: bool | None


@sparse
@dataclass(frozen=True, slots=True)
class DecisionFacts:
    """What the table waits for. `who` are the seats asked, whatever they hold; `stage` is a turn's; `tile` and
    `from_seat` are a window's. Without `deadline_at` there is no hurry."""

    kind: Literal["turn", "claim_window", "opening_window", "settlement", "dealing", "game_over"]
    no: int
    who: tuple[int, ...]
    stage: ev.TurnStage | None
    window: ev.WindowKind | None
    tile: Code | None
    from_seat: int | None
    your_answer: AnyAction | None
    deadline_at: datetime | None
    ms_left: int | None


@sparse
@dataclass(frozen=True, slots=True)
class GameView:
    """The whole table as its reader may see it. `seat` is the reader's own; without it the reader is a spectator. The
    `hand` shows jokers first, then sorted, the drawn tile last; each of `legal_actions` may be sent back as it is, and
    a seat that was left has none until its person joins again."""

    game: GameFacts
    seats: tuple[SeatFacts, SeatFacts, SeatFacts, SeatFacts]
    seat: int | None
    hand: tuple[Code, ...]
    drawn: Code | None
    pile: tuple[PileTile, ...]
    decision: DecisionFacts
    legal_actions: tuple[AnyAction, ...]
    may_amend: bool
    preferences: ev.Preferences | None
    settlement: SettlementFacts | None
    result: Annotated[ev.RoundWon | ev.RoundDrawn, Field(discriminator="type")] | None


_ADAPTER: Final = TypeAdapter(GameView)
_PREFERENCES: Final = TypeAdapter(ev.Preferences)


def encode_view(game: LiveGame, seat: int | None, now: datetime) -> bytes:
    """The view as JSON."""
    return _ADAPTER.dump_json(game_view(game, seat, now), exclude_none=True)


def game_view(game: LiveGame, seat: int | None, now: datetime) -> GameView:
    """The game's committed state as the seat may see it at `now`; None is a spectator."""
    seen = view(game.state, seat)
    is_picky = seen.preferences is not None and seen.preferences.auto_pass
    left = is_left(game.state, seat)
    a, b, c, d = (_seat(game, seen, number) for number in range(4))
    return GameView(
        game=_game(game, seen, now),
        seats=(a, b, c, d),
        seat=seat,
        hand=seen.hand,
        drawn=seen.drawn,
        pile=seen.pile,
        decision=decision_facts(game, seen.decision, now),
        legal_actions=own_actions(game, seat) if is_picky or left else seen.legal_actions,
        may_amend=seen.may_amend and not left,
        preferences=seen.preferences,
        settlement=settlement_facts(seen, None if game.clock is None else game.clock.deadline_at),
        result=seen.result,
    )


def own_actions(game: LiveGame, seat: int | None) -> tuple[Action, ...]:
    """What the seat may do, without the claims that it does not want to be asked about: those stay legal. Nothing, for
    whoever has left."""
    return () if seat is None or is_left(game.state, seat) else shown_actions(game.state, seat)


def encode_preferences(game: LiveGame, seat: int) -> bytes:
    """What the seat lets the service do for it, as JSON."""
    return _PREFERENCES.dump_json(game.state.preferences[seat])


def decision_facts(game: LiveGame, asked: DecisionView, now: datetime) -> DecisionFacts:
    """What the table waits for and until when, as seen at `now`."""
    deadline_at = None if game.clock is None else game.clock.deadline_at
    return DecisionFacts(
        kind=asked.kind,
        no=asked.no,
        who=asked.who,
        stage=asked.stage,
        window=asked.window,
        tile=asked.tile,
        from_seat=asked.from_seat,
        your_answer=asked.your_answer,
        deadline_at=deadline_at,
        ms_left=None if deadline_at is None else max(0, round((deadline_at - now).total_seconds() * 1000)),
    )


def _game(game: LiveGame, seen: SeatView, now: datetime) -> GameFacts:
    return GameFacts(
        id=game.id,
        ruleset=seen.ruleset,
        status="ended" if seen.over else "playing",
        seq=seen.seq,
        round=seen.round,
        dealer=seen.dealer,
        prevailing_wind=seen.prevailing_wind,
        wall_count=seen.wall_count,
        joker=seen.joker,
        pot=seen.pot,
        house=seen.house,
        tips=seen.tips,
        owner=game.state.owner,
        visibility=game.game.visibility,
        seeded=game.game.seeded,
        ending=seen.ending,
        paused=seen.paused,
        asked=tuple(seat for seat, wishes in enumerate(seen.asked) if wishes),
        claim_timing=seen.claim_timing,
        timing_private=seen.claim_timing == "uniform" or len(game.persons) < 2,
        timing=game.agreed.timing,
        overrides=game.agreed.overrides,
        length=game.agreed.length,
        spectator_delay=game.customs.spectator_delay,
        free_text=game.customs.free_text,
        hints=game.customs.hints_for(len(game.persons)),
        rematch_of=game.game.rematch_of,
        rematch=game.rematch,
        server_time=now,
    )


def _seat(game: LiveGame, seen: SeatView, seat: int) -> SeatFacts:
    known, own, clock = seen.seats[seat], seat == seen.seat, game.clock
    return SeatFacts(
        seat=seat,
        name=known.name,
        kind="person" if known.bot is None else "bot",
        bot=known.bot,
        player_id=game.persons.get(seat),
        connected=known.connected,
        away=known.away,
        stand_in=known.stand_in,
        position=known.position,
        wind=known.wind,
        points=known.points,
        concealed=known.concealed,
        melds=known.melds,
        flowers=known.flowers,
        hand_shown=known.hand_shown,
        bank_ms=clock.bank_ms[seat] if clock is not None and game.terms.bank_seconds else None,
        locked=seen.locked if own else None,
        joker_eye=seen.joker_eye if own else None,
    )
