"""Your hand: the tiles, and under each the key that throws it, or the numbers of the claims that would use it."""

from __future__ import annotations

from rich.text import Text

from todas_client.play import faces
from todas_client.play.choices import others, throws
from todas_client.play.lines import centred
from todas_client.play.table import Table
from todas_client.shapes import View


def hand(table: Table, width: int) -> list[Text]:
    """Three lines: the tiles in two, and the keys."""
    view = table.view
    joker, last = view["game"].get("joker"), len(view["hand"]) - 1
    rows = [Text(), Text(), Text()]
    for place, (tile, key) in enumerate(zip(view["hand"], _under(table), strict=True)):
        gap = "   " if place == last and "drawn" in view else " "
        character = table.characters.get(tile) if table.unicode else None
        for row, cell in zip(rows, (*faces.face(tile, joker=joker, character=character), key), strict=True):
            row.append(gap).append_text(cell)
    return [centred(row, width) for row in rows]


def _under(table: Table) -> list[Text]:
    claims = _claims(table.view)
    found = []
    for place, throw in enumerate(throws(table.view)):
        if throw is not None and place == table.marked:
            found.append(Text("▲▲▲", "bold yellow"))
        elif throw is not None:
            found.append(Text(f" {throw.key} ", "bold"))
        else:
            found.append(Text(f"{claims.get(place, '')[:3]:^3}", "bold yellow"))
    return found


def _claims(view: View) -> dict[int, str]:
    """By place in the hand, the numbers of the claims that would use the tile there."""
    found: dict[int, str] = {}
    for choice in others(view):
        if choice.action["type"] != "claim":
            continue
        free = list(enumerate(view["hand"]))
        for tile in choice.tiles:
            place = next((place for place, held in free if held == tile), None)
            if place is not None:
                free = [pair for pair in free if pair[0] != place]
                found[place] = found.get(place, "") + choice.key
    return found
