"""What a newcomer reads about each preset before the first game: words only; the rules themselves are the engine's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Chapter:
    """One heading of a guide and its text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Guide:
    """A preset in one line, and its rules for people."""

    title: str
    summary: str
    chapters: tuple[Chapter, ...]


_GOAL: Final = Chapter(
    "The goal",
    "Complete a hand of 17 tiles before the three others do: five sets and a pair, or seven pairs and a set. A set is "
    "a chow (three in a row of one suit), a pung (three alike) or a kong (four alike, which brings one more tile).",
)
_TURN: Final = Chapter(
    "A turn",
    "Take a tile from the wall, then throw one away. Between turns you hold 16 tiles, less three for each meld in "
    "front of you. The turn passes to the player on your right.",
)
_CLAIMS: Final = Chapter(
    "Claims",
    "Another seat's discard may be taken. A chow only by the next seat; a pung or a kong (Kang) by anyone who holds "
    "the rest of it; a win by anyone whose hand it completes. Win goes before kong, kong before pung, pung before "
    "chow; between equals the seat that is reached first in turn order. Whoever claims a set shows it and discards.",
)
_KONGS: Final = Chapter(
    "Kongs",
    "Four alike in your hand may be declared as a Secret, face down, on your turn after drawing. Every kong is "
    "followed by a replacement from the back of the wall, so it needs a tile there.",
)

GUIDES: Final[dict[str, Guide]] = {
    "emay": Guide(
        "Emay",
        "108 suited tiles, one kind of joker in each round, 22 ways to win, and a pot.",
        (
            _GOAL,
            _TURN,
            _CLAIMS,
            _KONGS,
            Chapter(
                "Jokers",
                "Each round names one kind whose four tiles are jokers. In your hand a joker stands for any tile; it "
                "is never part of a claimed chow, pung or kong. A discarded joker can be taken only to win, as the "
                "tile it shows. Three jokers before the dealer's first discard win at once: Bisaklat Triple Joker.",
            ),
            Chapter(
                "Letting a win go",
                "If you are offered a win and do not take it, you cannot win on a discard until you have drawn again. "
                "You can still win on your own draw.",
            ),
            Chapter(
                "Joker Eye",
                "When one joker can be set aside as half of the pair and all the rest is complete, every tile would "
                "win. Such a hand wins by its own draw only, for one more.",
            ),
            Chapter(
                "Points",
                "A plain win is worth 1; Eskalera (123, 456 and 789 of one suit) and Seven Pairs 2; one more for Joker "
                "Eye, one more Before the Fifth, while the pile shows fewer than five tiles. Bisaklat, the dealer's "
                "win on its very first draw, is worth 10 or 11. By discard (Todas) the discarder pays double and the "
                "others single; by draw (Bunot) all pay double. The winner takes the pot.",
            ),
        ),
    ),
    "tsumo": Guide(
        "Tsumo",
        "144 tiles with 36 flowers, no jokers, a bonus for each beautiful trait of the hand.",
        (
            _GOAL,
            _TURN,
            Chapter(
                "Flowers",
                "Winds, dragons, flowers and seasons are all flowers here: they are shown as soon as they are held and "
                "replaced from the back of the wall. They are never discarded and never part of a set.",
            ),
            _CLAIMS,
            _KONGS,
            Chapter(
                "Sagasa",
                "The fourth tile, drawn by yourself, may be added to your exposed pung. A Secret is paid for at once "
                "by each opponent, a claimed kong and a Sagasa are not.",
            ),
            Chapter(
                "Points",
                "A win is worth 1 and its bonuses: Flush (Isa-isa), Puro Pong, Siete Pares (two), Concealed (Lihim), "
                "No Flowers (Walang Bulaklak), Last Tile (Huli sa Bunot) and Escalera. By discard (Todas) the "
                "discarder pays double and the others single; by draw (Bunot) all pay double.",
            ),
        ),
    ),
}
"""One guide for each preset of `engine.rules`."""
