"""What the service sends, as light types over plain dicts. Accept what is not here: new fields, events and frames come
without a new version, and an absent field means that it does not apply.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, TypedDict

Tile = str
"""A code, rank then family: `1b`-`9b` bamboo, `c` characters, `d` dots, `1w`-`4w` winds, `1x`-`3x` dragons, `1f`-`4f`
flowers, `1s`-`4s` seasons; `back` is a tile you may not see."""

Seat = int
"""0 to 3, in turn order."""


class Action(TypedDict, total=False):
    """Something a seat may do. Send a member of `legal_actions` back as it stands."""

    type: Required[str]
    tile: Tile
    kind: str
    tiles: list[Tile]
    round: int
    changes: list[int]
    reason: str


class Meld(TypedDict):
    """Tiles laid down: `kind` is chow, pung, kong, secret or sagasa."""

    kind: str
    tiles: list[Tile]
    claimed_from: NotRequired[Seat]
    claimed: NotRequired[Tile]


class SeatView(TypedDict):
    """A seat as you see it; `position` is relative to you, and absent for a spectator."""

    seat: Seat
    name: str
    kind: Literal["person", "bot"]
    connected: bool
    away: bool
    position: NotRequired[Literal["self", "right", "across", "left"]]
    wind: str
    points: int
    concealed: int
    melds: list[Meld]
    flowers: list[Tile]
    hand_shown: list[Tile]
    bot: NotRequired[str]
    stand_in: NotRequired[str]
    locked: NotRequired[bool]
    joker_eye: NotRequired[bool]


class Game(TypedDict):
    """The table. `seq` is the last numbered event that the view knows."""

    id: str
    ruleset: str
    status: str
    seq: int
    round: int
    dealer: Seat
    prevailing_wind: str
    wall_count: int
    joker: NotRequired[Tile]
    pot: int
    house: int
    owner: Seat
    visibility: str
    ending: bool
    paused: bool
    asked: list[Seat]
    hints: bool
    server_time: str


class Decision(TypedDict):
    """What the table waits for: `kind` is turn, claim_window, opening_window, settlement or game_over. Where there
    is no hurry, `ms_left` is absent."""

    kind: str
    no: int
    who: list[Seat]
    stage: NotRequired[str]
    window: NotRequired[str]
    tile: NotRequired[Tile]
    from_seat: NotRequired[Seat]
    your_answer: NotRequired[Action]
    deadline_at: NotRequired[str]
    ms_left: NotRequired[int]


class Settlement(TypedDict):
    """The points of a round while they are pending; four figures are by seat."""

    round: int
    category: NotRequired[str]
    bonuses: list[str]
    multiplier: int
    game: int
    house: int
    changes: list[int]
    side_payments: list[int]
    pot_before: int
    pot_after: int
    confirmed: list[bool]
    amended: NotRequired[dict[str, Any]]


class PileTile(TypedDict):
    """A discard that nobody claimed, and who threw it."""

    tile: Tile
    seat: Seat


class View(TypedDict):
    """The whole table as you may see it. The hand is in the order to show it: jokers first, the drawn tile last."""

    game: Game
    seats: list[SeatView]
    seat: NotRequired[Seat]
    hand: list[Tile]
    drawn: NotRequired[Tile]
    pile: list[PileTile]
    decision: Decision
    legal_actions: list[Action]
    may_amend: bool
    preferences: NotRequired[dict[str, Any]]
    settlement: NotRequired[Settlement]
    result: NotRequired[dict[str, Any]]


class WaitingSeat(TypedDict):
    """A seat at a table that waits: a person's, a bot's, or open."""

    seat: Seat
    kind: Literal["person", "bot", "open"]
    name: NotRequired[str]
    player_id: NotRequired[str]
    ready: NotRequired[bool]


class Waiting(TypedDict):
    """A table that waits for its players. The `code` is told to those who sit there."""

    game: dict[str, Any]
    seats: list[WaitingSeat]
    seat: NotRequired[Seat]
    may_start: bool
    code: NotRequired[dict[str, Any]]


class EventFrame(TypedDict):
    """A numbered event: `seq` is the same for every seat and spectator, and has no gaps. What the event holds besides
    its `type` depends on it, see the contract."""

    seq: int
    at: str
    event: dict[str, Any]


class EventPage(TypedDict):
    """Events after a cursor, the last number of the game, and what to ask `after` for the events that follow."""

    seq: int
    next: int
    events: list[EventFrame]


class MoveAnswer(TypedDict):
    """What a move led to."""

    seq: int
    events: list[EventFrame]
    view: View


class Player(TypedDict):
    """Somebody who has signed up."""

    id: str
    display_name: str
    created_at: str


class SignedUp(TypedDict):
    """A player with a token. Keep the token and the recovery code: neither is shown again. Coming back with a recovery
    code gives a token alone."""

    player: Player
    token: str
    token_id: str
    scopes: list[str]
    recovery_code: NotRequired[str]


Frame = dict[str, Any]
"""One frame of a stream; `type` says which. From the service: `hello`, `event`, `decision`, `presence`, `talk`, `ping`,
`draining`, and what later versions add. From the client itself: `lost`, with `reason` and `again_in_s`, while it
reconnects."""
