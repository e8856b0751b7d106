"""What a bot may see: the facts of its `SeatView`, in the numbers the hand reader takes, read only when asked for.

Nothing here is hidden from the seat (rules 11): each fact follows from the seat's view and the game's rules.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.claims import asked, pairs_allowed
from engine.hands import Keys, Reader, packed
from engine.legal import legal_actions
from engine.state import WINDOWS, GameState, OpeningWindow
from engine.tiles import COPIES, SUITED

_ONE: Final = tuple(1 << 8 * kind for kind in range(SUITED))
_ALL: Final = sum(COPIES * one for one in _ONE)


class Hand(NamedTuple):
    """A seat's concealed tiles and melds as `engine.hands` takes them; `pairs`: Seven Pairs is still open to it."""

    suits: Keys
    jokers: int
    melds: int
    pairs: bool


class SeatReader:
    """The game as one seat sees it."""

    def __init__(self, state: GameState, seat: int) -> None:
        self._state = state
        self.seat = seat
        self.legal_actions = legal_actions(state, seat)

    @property
    def in_opening_window(self) -> bool:
        """Whether the table waits for Triple Jokers."""
        return isinstance(self._state.decision, OpeningWindow)

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for this seat; answered windows do not."""
        decision = self._state.decision
        if isinstance(decision, WINDOWS):
            return self.seat in asked(decision) and decision.answers[self.seat] is None
        return bool(self.legal_actions)

    @property
    def hand_reader(self) -> Reader:
        """Reads hands by the rules of this game."""
        return self._state.reader

    @property
    def hand(self) -> Hand:
        """The own concealed tiles, the drawn one included."""
        held = self._state.seats[self.seat]
        return Hand(held.suits, held.jokers, len(held.melds), pairs_allowed(self._state, held))

    @property
    def unseen(self) -> int:
        """By kind, how many copies this seat has not seen in the round in play: a byte a kind, as by `hands.packed`.

        0 for the joker's kind: it stands for every tile and tells none from another.
        """
        state = self._state
        left = _ALL - packed(state.seats[self.seat].counts) - sum([_ONE[kind] for kind, _ in state.round.pile])
        for seat, held in enumerate(state.seats):
            for meld in held.melds:
                if meld.kind != "secret" or seat == self.seat:
                    left -= sum([_ONE[kind] for kind in meld.tiles])
        joker = state.round.joker
        return left if joker is None else left & ~(255 * _ONE[joker])
