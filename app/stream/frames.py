"""The frames of the protocol `todas.v1`: what the server sends and what a client may. AsyncAPI is made from these
classes, and everything that is sent is encoded here.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic_core import to_json

from app.api.actions import ActionBody
from app.errors import Problem, ProblemDetails
from app.stream.presence import Presence
from app.stream.talk import Talk
from app.tables import LiveGame, Numbered
from app.tables.frames import PublicEvent, frame
from app.tables.seating import is_left
from app.tables.sparse import sparse
from app.tables.view import AnyAction, GameView, decision_facts, game_view, own_actions
from app.wire import ActionId, Count
from engine import events as ev
from engine.state import Settlement
from engine.tiles import Code
from engine.views import decision_view

SUBPROTOCOL: Final = "todas.v1"

MAX_FRAME: Final = 16 * 1024
"""Bytes of the largest frame that is taken from a client."""

_EVENT: Final = b'{"type":"event",'


@sparse
@dataclass(frozen=True, slots=True, kw_only=True)
class Hello:
    """The first frame, and the answer to `resume`: the table as you see it now. `seat` is absent for a spectator.
    Events up to `seq` that follow are history and are in `view` already; fold only those after it. `heartbeat_s` is how
    often a `ping` comes: after two without one, or anything else, the connection is lost."""

    type: Literal["hello"] = "hello"
    game_id: str
    seat: int | None
    seq: int
    view: GameView
    server_time: datetime
    heartbeat_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A public fact, committed `at`. `seq` counts them from 1, the same for everybody and without gaps; what you may
    not know of it is `back`. Keep the last `seq`: `after` takes it when you come back."""

    type: Literal["event"] = "event"
    seq: int
    at: datetime
    event: PublicEvent


@sparse
@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the table waits for now, after the events that led to it, and what you may do about it: a member of
    `legal_actions` goes back in `action` as it stands. Everybody is told when a decision opens or its deadline moves;
    when you answer it, your own connections alone are told again, with `your_answer`; so they are when you leave your
    seat or take it back."""

    type: Literal["decision"] = "decision"
    decision_no: int
    kind: Literal["turn", "claim_window", "opening_window", "settlement", "dealing", "game_over"]
    who: tuple[int, ...]
    stage: ev.TurnStage | None
    window: ev.WindowKind | None
    tile: Code | None
    from_seat: int | None
    legal_actions: tuple[AnyAction, ...]
    your_answer: AnyAction | None
    deadline_at: datetime | None
    ms_left: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ack:
    """Your action is done and kept. `seq` is the last public fact once it was; all of them up to it have been sent."""

    type: Literal["ack"] = "ack"
    action_id: str
    seq: int


@sparse
@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Your action was not done, and may be sent again as `problem.retry` says; `retry_after_s` is how long to wait
    first. Without `action_id` it is about the connection, which is closed next."""

    type: Literal["problem"] = "problem"
    action_id: str | None
    problem: ProblemDetails
    retry_after_s: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:
    """The server is there, and `seq` is the last public fact: every one of them has been sent. Comes every
    `heartbeat_s` seconds, and as the answer to yours."""

    type: Literal["ping"] = "ping"
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Draining:
    """This server is about to stop: come back after so many milliseconds. What you have sent is still answered, then it
    closes with 1012."""

    type: Literal["draining"] = "draining"
    retry_after_ms: int


ServerFrame = Hello | Event | Decision | Ack | Refused | Presence | Talk | Ping | Draining


class ActionFrame(ActionBody):
    """A move. It is answered by exactly one `ack` or `problem` with its `action_id`, which is yours for the life of the
    game: a repeat is answered like the first."""

    type: Literal["action"]
    action_id: ActionId


class PingFrame(BaseModel):
    """Are you there? Answered by a `ping`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"type": "ping"}]})

    type: Literal["ping"]


class ResumeFrame(BaseModel):
    """Begin again: a `hello`, then every event after `after`, as when the stream is opened with it."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"type": "resume", "after": 0}]})

    type: Literal["resume"]
    after: Count


ClientFrame = Annotated[ActionFrame | PingFrame | ResumeFrame, Field(discriminator="type")]

_HELLO: Final = TypeAdapter(Hello)
_DECISION: Final = TypeAdapter(Decision)

Mark = tuple[Any, ...]
"""What a Decision frame shows a seat, in short: another mark, another frame."""


def hello(game: LiveGame, seat: int | None, now: datetime, heartbeat_s: float) -> bytes:
    """A Hello as JSON."""
    made = Hello(
        game_id=game.id,
        seat=seat,
        seq=game.seq,
        view=game_view(game, seat, now),
        server_time=now,
        heartbeat_s=heartbeat_s,
    )
    return _HELLO.dump_json(made, exclude_none=True)


def event(fact: Numbered, seat: int | None) -> bytes:
    """An Event as JSON."""
    return _EVENT + frame(fact, seat)[1:]


def decision_mark(game: LiveGame, seat: int | None) -> Mark:
    """What a Decision depends on: public facts and the seat's own doing, never another's answer (rules 11)."""
    state = game.state
    decision = state.decision
    deadline_at = None if game.clock is None else game.clock.deadline_at
    confirmed = seat is not None and isinstance(decision, Settlement) and decision.confirmed[seat]
    return decision.no, game.hidden(seat), confirmed, state.paused, is_left(state, seat), deadline_at


def decision(game: LiveGame, seat: int | None, now: datetime) -> bytes:
    """A Decision as JSON."""
    state = game.state
    facts = decision_facts(game, decision_view(state, seat), now)
    made = Decision(
        decision_no=facts.no,
        kind=facts.kind,
        who=facts.who,
        stage=facts.stage,
        window=facts.window,
        tile=facts.tile,
        from_seat=facts.from_seat,
        legal_actions=own_actions(game, seat),
        your_answer=facts.your_answer,
        deadline_at=facts.deadline_at,
        ms_left=facts.ms_left,
    )
    return _DECISION.dump_json(made, exclude_none=True)


def ack(action_id: str, seq: int) -> bytes:
    """An Ack as JSON."""
    return to_json(Ack(action_id=action_id, seq=seq))


def refused(problem: Problem, action_id: str | None, *, instance: str, request_id: str) -> bytes:
    """A Refused as JSON."""
    body: dict[str, Any] = {"type": "problem"}
    if action_id is not None:
        body["action_id"] = action_id
    body["problem"] = problem.body(instance=instance, request_id=request_id)
    if "Retry-After" in problem.headers:
        body["retry_after_s"] = int(problem.headers["Retry-After"])
    return to_json(body)


def ping(seq: int) -> bytes:
    """A Ping as JSON."""
    return b'{"type":"ping","seq":%d}' % seq


def draining(retry_after_ms: int) -> bytes:
    """A Draining as JSON."""
    return b'{"type":"draining","retry_after_ms":%d}' % retry_after_ms
