"""What the keys mean now: every key that does something stands for a member of `legal_actions`, sent as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from todas_client.shapes import Action, Tile, View

LETTERS: Final = "abefgijlmnorstuvxyz"
"""Keys under the tiles of a hand of up to 17, without those that mean something else."""

KEYS: Final = {"win": "w", "pass": "p", "draw": "d", "confirm": "c"}
NAMES: Final = {
    "chow": "Chow",
    "pung": "Pung",
    "kong": "Kang",
    "secret": "Secret",
    "added": "Sagasa",
    "win": "Win",
    "pass": "Pass",
    "draw": "Draw",
    "confirm": "Confirm",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A key, the words beside it, the tiles it would use, and what it sends."""

    key: str
    label: str
    action: Action
    tiles: tuple[Tile, ...] = ()


def throws(view: View) -> list[Choice | None]:
    """For each tile of the hand, in its order, the key that throws it; None where it may not be thrown."""
    legal = {action["tile"]: action for action in view["legal_actions"] if action["type"] == "discard"}
    return [
        Choice(LETTERS[place], f"Throw {tile}", legal[tile], (tile,)) if tile in legal else None
        for place, tile in enumerate(view["hand"])
    ]


def others(view: View) -> list[Choice]:
    """Everything else that may be done: claims and kongs by number, in the order of the contract. An action of a kind
    that this client does not know has a number too."""
    found: list[Choice] = []
    numbers = iter("123456789")
    for action in view["legal_actions"]:
        kind = action["type"]
        if kind == "discard":
            continue
        if kind in KEYS:
            found.append(Choice(KEYS[kind], NAMES[kind], action))
        elif (key := next(numbers, None)) is not None:
            name = action.get("kind", kind)
            tiles = tuple(action.get("tiles", [action["tile"]] if "tile" in action else []))
            found.append(Choice(key, NAMES.get(name, name), action, tiles))
    return found


def chosen(view: View, key: str) -> Choice | None:
    """What a key stands for; `k` is the only kong, where there is one."""
    found = [choice for choice in throws(view) if choice is not None] + others(view)
    if key == "k":
        kongs = [choice for choice in found if choice.label in (NAMES["kong"], NAMES["secret"], NAMES["added"])]
        return kongs[0] if len(kongs) == 1 else None
    return next((choice for choice in found if choice.key == key), None)
