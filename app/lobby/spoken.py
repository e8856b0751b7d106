"""Codes that are read out at the table: six open syllables in three pairs, such as `maka-tuli-basa`, of sounds that
nobody takes for one another (decision 0701).
"""

from __future__ import annotations

import re
import secrets
from typing import Final

CONSONANTS: Final = "bdghklmnpstwy"
VOWELS: Final = "aiu"
SYLLABLES: Final = tuple(consonant + vowel for consonant in CONSONANTS for vowel in VOWELS)
LENGTH: Final = 6

_HEARD: Final = str.maketrans({"e": "i", "o": "u", "f": "p", "v": "b", "c": "k", "q": "k", "z": "s"})
_UNSAID: Final = re.compile("titi|puki|kiki|susu|puta|gagu|bubu|ulul|pakyu")
_WRITTEN: Final = re.compile(rf"(?:[{CONSONANTS}][{VOWELS}]){{{LENGTH}}}")


def new_code() -> str:
    """A code in the form in which it is looked up, drawn anew where it would say something rude."""
    while True:
        code = "".join(secrets.choice(SYLLABLES) for _ in range(LENGTH))
        if not _UNSAID.search(code):
            return code


def spoken(code: str) -> str:
    """A code as it is shown."""
    return "-".join(code[start : start + 4] for start in range(0, len(code), 4))


def heard(text: str) -> str | None:
    """The code that somebody typed as they heard it: case, spaces and hyphens do not count, and a letter that sounds
    like one of ours is that one. None for what cannot be a code."""
    code = re.sub(r"[\s\-.,]+", "", text.lower()).translate(_HEARD)
    return code if _WRITTEN.fullmatch(code) else None
