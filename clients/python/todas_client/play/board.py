"""The page with the table: four sides as they sit around you, what is asked of you, and your hand with its keys.

It is lines of text of one width, made from the `Table` alone; 80 columns and 24 rows are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from rich.text import Text

from todas_client.play import faces
from todas_client.play.centre import centre
from todas_client.play.choices import others, throws
from todas_client.play.hand import hand
from todas_client.play.lines import TITLE, beside, centred, fitted, padded, right, wrapped
from todas_client.play.table import Table
from todas_client.play.words import WINDS
from todas_client.shapes import SeatView, Tile, View

WIDTH, HEIGHT = 80, 24
SIDE: Final = 24
MIDDLE: Final = 7
PLACE_OF: Final = ("self", "right", "across", "left")
"""Where seats are shown to a spectator, who has none."""
PLACES: Final = {"across": "^", "left": "<", "right": ">", "self": "v"}


def board(table: Table, width: int, height: int, beat: int) -> list[Text]:
    """The whole page. `beat` counts up as time goes by, for what moves while waiting."""
    view = table.view
    seats = {seat.get("position", PLACE_OF[seat["seat"]]): seat for seat in view["seats"]}
    side = SIDE + (width - WIDTH) // 4
    lines = [_bar(table, width)]
    lines += _across(view, seats["across"], width)
    lines.append(_rule(width))
    lines += beside(
        ([Text(" ").append_text(line) for line in _side(view, seats["left"], side - 1)], side),
        (centre(table, width - 2 * side - 2, MIDDLE, beat), width - 2 * side - 2),
        ([right(line, side - 1) for line in _side(view, seats["right"], side - 1)], side),
    )
    lines.append(_rule(width))
    lines += _own(view, seats["self"], width)
    lines += hand(table, width)
    lines.append(_notice(table, width))
    rest = height - len(lines) - 1
    told = list(table.told)[-rest:] if rest > 0 else []
    lines += [fitted(Text(" ").append_text(line), width) for line in told] + [Text()] * (rest - len(told))
    lines.append(_keys(table, width))
    return lines


def headline(view: View, seat: SeatView) -> Text:
    """A seat in a line: where it sits, who plays it, its wind, points and how many tiles it holds."""
    place = PLACES[seat.get("position", PLACE_OF[seat["seat"]])]
    asked = seat["seat"] in view["decision"]["who"]
    line = Text.assemble((f"{place} ", "grey50"), (seat["name"][:14], "bold yellow" if asked else "bold"))
    if seat.get("stand_in"):
        line.append(" bot plays", "orange1")
    elif not seat["connected"]:
        line.append(" gone", "orange1")
    dealer = "*" if view["game"]["dealer"] == seat["seat"] else ""
    line.append(f" {WINDS.get(seat['wind'], '?')}{dealer}", "cyan")
    line.append(f" {seat['points']:+d}" if seat["points"] else " 0", "green" if seat["points"] >= 0 else "red")
    return line.append(f" [{seat['concealed']}]", "grey50")


def thrown(view: View, seat: int) -> Iterator[Text]:
    """The discards of a seat that nobody took, in order; the last of the whole pile stands out."""
    joker, last = view["game"].get("joker"), len(view["pile"]) - 1
    for place, tile in enumerate(view["pile"]):
        if tile["seat"] == seat:
            yield faces.small(tile["tile"], joker=joker, mark="reverse" if place == last else "")


def _bar(table: Table, width: int) -> Text:
    game = table.view["game"]
    facts = [game["ruleset"], f"round {game['round']}", f"{game['prevailing_wind']} wind", f"wall {game['wall_count']}"]
    if "joker" in game:
        facts.append(f"joker {game['joker']}")
    if game["pot"] or game["house"]:
        facts.append(f"pot {game['pot']}" + (f" house {game['house']}" if game["house"] else ""))
    line = Text.assemble(TITLE, "  " + " · ".join(facts))
    state = Text("○ reconnecting", "bold red") if table.lost else Text("● live", "green")
    return beside_ends(line, state, width)


def beside_ends(left: Text, right: Text, width: int) -> Text:
    """Two texts at the two ends of a line."""
    line = padded(left, width - right.cell_len - 2)
    return line.append(" ").append_text(right).append(" ")


def _across(view: View, seat: SeatView, width: int) -> list[Text]:
    discards = wrapped(thrown(view, seat["seat"]), width - 4)
    return [
        centred(headline(view, seat), width),
        centred(_open_tiles(seat), width),
        centred(discards[-1] if discards else Text(), width),
    ]


def _side(view: View, seat: SeatView, width: int) -> list[Text]:
    melds = wrapped((faces.meld(meld) for meld in seat["melds"]), width)[:2]
    flowers = [_flowers(seat["flowers"])] if seat["flowers"] else []
    lines = [headline(view, seat), *melds, *flowers]
    discards = wrapped(thrown(view, seat["seat"]), width)
    room = MIDDLE - len(lines)
    return lines + discards[-room:]


def _own(view: View, seat: SeatView, width: int) -> list[Text]:
    line = Text(" ").append_text(headline(view, seat))
    if seat.get("joker_eye"):
        line.append(" Joker Eye", "gold1")
    if seat.get("locked"):
        line.append(" no win on discards until your next draw", "orange1")
    tiles = _open_tiles(seat)
    if tiles.cell_len:
        line.append("  ").append_text(tiles)
    discards = wrapped(thrown(view, seat["seat"]), width - 4)
    return [fitted(line, width), fitted(Text("   ").append_text(discards[-1] if discards else Text()), width)]


def _open_tiles(seat: SeatView) -> Text:
    parts = [faces.meld(meld) for meld in seat["melds"]]
    if seat["flowers"]:
        parts.append(_flowers(seat["flowers"]))
    return Text(" ").join(parts)


def _flowers(tiles: Iterable[Tile]) -> Text:
    order = {family: place for place, family in enumerate("wxfs")}
    shown = sorted(tiles, key=lambda tile: (order.get(tile[-1], 9), tile))
    return Text("✿", "orchid").append_text(faces.run(shown))


def _notice(table: Table, width: int) -> Text:
    if table.sending is not None:
        return centred(Text(f"{table.sending.label} …", "cyan"), width)
    if table.lost:
        return centred(Text("The service is away: reconnecting. Nothing is lost.", "bold red"), width)
    said = table.saying()
    return Text() if said is None else centred(said, width)


def _keys(table: Table, width: int) -> Text:
    keys = [f"{choice.key} {choice.label}" for choice in others(table.view)]
    if any(throws(table.view)):
        keys.insert(0, "letter: throw")
    keys += ["h hint", "U faces", "? help", "q leave"]
    return fitted(Text(" " + "   ".join(keys), "grey70"), width)


def _rule(width: int) -> Text:
    return Text("─" * width, "grey30")
