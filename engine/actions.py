"""What a seat, or the table, may ask of the engine, and the one way to say no.

Every action is complete enough to be sent back as it stands; tiles are codes (api, Names).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.terms import Player, Preferences
from engine.tiles import Code

ClaimKind = Literal["chow", "pung", "kong"]
KongKind = Literal["secret", "added"]

_STRICT: Final = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the front of the wall; only without `auto_draw`."""

    type: Literal["draw"] = "draw"


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw one held tile."""

    tile: Code
    type: Literal["discard"] = "discard"


@dataclass(frozen=True, slots=True)
class Claim:
    """Take the discard with the held `tiles`, sorted, the claimed one not among them (rules 5)."""

    kind: ClaimKind
    tiles: tuple[Code, ...]
    type: Literal["claim"] = "claim"


@dataclass(frozen=True, slots=True)
class Pass:
    """Want nothing of this window."""

    type: Literal["pass"] = "pass"


@dataclass(frozen=True, slots=True)
class Kong:
    """Declare a Secret (four concealed) or a Sagasa (`added`: the fourth onto an own pung) on the own turn."""

    kind: KongKind
    tile: Code
    type: Literal["kong"] = "kong"


@dataclass(frozen=True, slots=True)
class Win:
    """Win Now: by draw on the own turn, by claim in a window, or Triple Joker (rules 5, 7)."""

    type: Literal["win"] = "win"


@dataclass(frozen=True, slots=True)
class Confirm:
    """Agree to the pending point changes of this round (rules 8)."""

    round: int
    type: Literal["confirm"] = "confirm"


@dataclass(frozen=True, slots=True)
class Amend:
    """The owner's own figures for the four seats, with a reason everybody sees (rules 8)."""

    round: int
    changes: tuple[int, int, int, int]
    reason: str
    type: Literal["amend"] = "amend"


Action = Draw | Discard | Claim | Pass | Kong | Win | Confirm | Amend


@dataclass(frozen=True, slots=True)
class AskPause:
    """Wish to pause; done at the next turn once every person has asked (api, `/pause`)."""

    type: Literal["ask_pause"] = "ask_pause"


@dataclass(frozen=True, slots=True)
class AskResume:
    """Wish to go on; done when the last person asks."""

    type: Literal["ask_resume"] = "ask_resume"


@dataclass(frozen=True, slots=True)
class SetPreferences:
    """Replace what the service may do for this seat; known to that seat alone."""

    preferences: Preferences
    type: Literal["set_preferences"] = "set_preferences"


SeatWish = AskPause | AskResume | SetPreferences
"""What a person may ask for at any time; none is listed in `legal_actions`."""


@dataclass(frozen=True, slots=True)
class CloseSettlement:
    """The settlement's time is over: apply the computed figures (rules 8)."""

    type: Literal["close_settlement"] = "close_settlement"


@dataclass(frozen=True, slots=True)
class EndGame:
    """End after the running settlement, or at once with the round in progress void (rules 3)."""

    when: Literal["after_round", "now"]
    reason: Literal["table", "abandoned"] = "table"
    type: Literal["end_game"] = "end_game"


@dataclass(frozen=True, slots=True)
class MoveDeadline:
    """A deadline that passed while nobody served it is moved once (design 3, Time)."""

    decision_no: int
    deadline_at: str
    type: Literal["move_deadline"] = "move_deadline"


@dataclass(frozen=True, slots=True)
class ChangeSeat:
    """Who plays a seat, or is present there, has changed; and who owns the table from now on."""

    seat: int
    player: Player
    owner: int
    type: Literal["change_seat"] = "change_seat"


@dataclass(frozen=True, slots=True)
class PauseGame:
    """Nobody is here: pause at once."""

    type: Literal["pause_game"] = "pause_game"


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """Somebody is here again: go on."""

    type: Literal["resume_game"] = "resume_game"


TableCommand = CloseSettlement | EndGame | MoveDeadline | ChangeSeat | PauseGame | ResumeGame
"""What the table itself asks for, on nobody's behalf: seat None."""

Command = Action | SeatWish | TableCommand

RefusalCode = Literal[
    "stale_decision",
    "not_your_turn",
    "no_tile",
    "incomplete",
    "joker_eye_is_draw_only",
    "locked_after_pass",
    "draw_first",
    "already_drawn",
    "tile_not_held",
    "claim_not_offered",
    "kong_not_allowed",
    "nothing_to_pass",
    "wrong_round",
    "amend_not_allowed",
    "amend_not_balanced",
    "game_over",
    "paused",
    "nothing_to_change",
]


class Refusal(Exception):
    """The action is not allowed now; nothing has changed.

    `code` is stable; `legal` lists what the seat may do instead, where that helps (C07).
    """

    def __init__(self, code: RefusalCode, detail: str, legal: Sequence[Action] = ()) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.legal = tuple(legal)


for _class in (Draw, Discard, Claim, Pass, Kong, Win, Confirm, Amend):
    # The edge reads these very classes; a field it does not know is refused there.
    setattr(_class, "__pydantic_config__", _STRICT)  # noqa: B010
