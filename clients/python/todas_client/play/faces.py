"""Tiles as they look in a terminal: a code always, a colour for the suit."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from rich.text import Text

from todas_client.shapes import Meld, Tile

BACK = "back"
INK = {"b": "green4", "c": "red3", "d": "blue3", "w": "grey11", "x": "purple4", "f": "dark_magenta", "s": "dark_cyan"}
"""Colours by family, on the ivory of a tile."""

BRIGHT = {
    "b": "green3",
    "c": "light_coral",
    "d": "deep_sky_blue1",
    "w": "grey85",
    "x": "medium_purple1",
    "f": "orchid",
    "s": "dark_turquoise",
}
"""The same on the dark of the table."""

IVORY, GOLD = "cornsilk1", "gold1"


def face(tile: Tile, *, joker: Tile | None = None, character: str | None = None) -> tuple[Text, Text]:
    """A tile of the hand: two lines, three cells wide, on ivory, or on gold where it is a joker. With its `character`
    (GET /v1/tiles) that stands above the code."""
    ground = GOLD if tile == joker else IVORY
    style = f"bold {INK.get(tile[-1], 'grey11')} on {ground}"
    if character is not None:
        return Text(f" {character} ", style), Text(f"{tile:>3}", style)
    return Text(f" {tile[0]} ", style), Text(f" {tile[1]}{'*' if tile == joker else ' '}", style)


def small(tile: Tile, *, joker: Tile | None = None, mark: str = "") -> Text:
    """A tile on the table: its code in the colour of its suit; `mark` is a further style."""
    if tile == BACK:
        return Text("##", f"grey50 {mark}".strip())
    colour = GOLD if tile == joker else BRIGHT.get(tile[-1], "white")
    return Text(tile, f"{colour} {mark}".strip())


def run(tiles: Iterable[Tile], *, joker: Tile | None = None) -> Text:
    """Several tiles as one hand string: ranks together, each family once (`456c 99d`); a joker stands by itself."""
    parts: list[Text] = []
    for family, group in groupby(tiles, key=lambda tile: "*" if tile == joker else tile[-1]):
        held = list(group)
        if held[0] == BACK:
            parts.append(Text("#" * len(held), "grey50"))
        elif family == "*":
            parts += [Text(f"{tile}*", GOLD) for tile in held]
        else:
            parts.append(Text("".join(tile[0] for tile in held) + family, BRIGHT.get(family, "white")))
    return Text(" ").join(parts)


def meld(made: Meld) -> Text:
    """A meld: what it shows, four backs for a Secret that is still one."""
    shown = Text.assemble(" ", run(made["tiles"]), " ")
    shown.stylize("bold on grey27")
    return shown
