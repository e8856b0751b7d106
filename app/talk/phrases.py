"""What people say at the table without typing: phrases and reactions by id, in English and Filipino. An id keeps its
meaning and is never taken away; texts may be bettered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence that is sent by its id."""

    id: str
    english: str
    filipino: str


@dataclass(frozen=True, slots=True)
class Reaction:
    """A gesture that is sent by its id; `sign` shows it where there is no picture."""

    id: str
    sign: str
    english: str
    filipino: str


PHRASES: Final = tuple(
    Phrase(*row)
    for row in (
        ("hello", "Hello, everyone!", "Kumusta kayo!"),
        ("good_luck", "Good luck!", "Swertehin sana tayo!"),
        ("ready", "I'm ready.", "Handa na ako."),
        ("your_turn", "Your turn!", "Ikaw na!"),
        ("wait", "Just a moment.", "Sandali lang."),
        ("thinking", "Let me think.", "Nag-iisip pa ako."),
        ("slowly", "Take your time.", "Dahan-dahan lang."),
        ("back_soon", "I'll be right back.", "Babalik ako agad."),
        ("im_back", "I'm back.", "Nandito na ulit ako."),
        ("nice", "Nice one!", "Ang galing!"),
        ("beautiful_hand", "What a beautiful hand!", "Ang ganda ng mga pitsa mo!"),
        ("so_close", "So close!", "Sayang!"),
        ("lucky", "How lucky!", "Ang swerte!"),
        ("unlucky", "What bad luck!", "Ang malas!"),
        ("one_more_tile", "Just one more tile!", "Isa na lang!"),
        ("oh_dear", "Oh dear!", "Naku po!"),
        ("really", "Really?", "Talaga?"),
        ("joking", "Just kidding!", "Biro lang!"),
        ("sorry", "Sorry!", "Pasensya na!"),
        ("thanks", "Thank you!", "Salamat!"),
        ("welcome", "You're welcome.", "Walang anuman."),
        ("lets_eat", "Let's eat!", "Kain tayo!"),
        ("last_round", "Last round!", "Huling laro na!"),
        ("again", "One more game?", "Isa pa?"),
        ("good_game", "That was fun.", "Ang saya!"),
        ("bye", "Goodbye!", "Paalam!"),
    )
)
REACTIONS: Final = tuple(
    Reaction(*row)
    for row in (
        ("laugh", "\N{FACE WITH TEARS OF JOY}", "Laughter", "Tawa"),
        ("clap", "\N{CLAPPING HANDS SIGN}", "Applause", "Palakpak"),
        ("thumbs_up", "\N{THUMBS UP SIGN}", "Well done", "Ayos"),
        ("heart", "\N{HEAVY BLACK HEART}", "Love", "Puso"),
        ("wow", "\N{FACE WITH OPEN MOUTH}", "Surprise", "Gulat"),
        ("cry", "\N{LOUDLY CRYING FACE}", "Tears", "Iyak"),
        ("angry", "\N{FACE WITH LOOK OF TRIUMPH}", "Annoyance", "Inis"),
        ("sweat", "\N{SMILING FACE WITH OPEN MOUTH AND COLD SWEAT}", "Nerves", "Kaba"),
        ("pray", "\N{PERSON WITH FOLDED HANDS}", "Prayer", "Dasal"),
        ("sleepy", "\N{SLEEPING FACE}", "Sleepy", "Antok"),
        ("coffee", "\N{HOT BEVERAGE}", "Coffee", "Kape"),
        ("party", "\N{PARTY POPPER}", "Party", "Saya"),
    )
)
IDS: Final = {"phrase": {each.id for each in PHRASES}, "reaction": {each.id for each in REACTIONS}}
