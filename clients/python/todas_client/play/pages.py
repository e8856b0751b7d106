"""The pages besides the table: a round's result, the end of the game, help, and leaving."""

from __future__ import annotations

from typing import Any, Final

from rich.text import Text

from todas_client.play import faces
from todas_client.play.board import HEIGHT, WIDTH, board
from todas_client.play.centre import countdown
from todas_client.play.lines import TITLE, centred, fitted, padded
from todas_client.play.table import Table
from todas_client.shapes import SeatView, View

HELP: Final = """\
HOW TO PLAY
  Complete 17 tiles: five sets and a pair, or seven pairs and a set. A set is
  a chow (three in a row of one suit), a pung (three alike) or a kong (four).
  On your turn throw a tile by the letter under it. When a tile that somebody
  threw is of use to you, a box pops up: a win goes before a kong, a kong
  before a pung, a pung before a chow.

KEYS
  a letter   throw the tile above it    ← → enter   the same with a mark
  1 2 3      what the box offers        k           kong: Kang, Secret, Sagasa
  w  win     p  pass     d  draw        c           confirm a round's points
  h  hint, where the table allows       U           Unicode tile faces
  A  pass on everything, or not         D           draw by itself, or not
  P  ask for a pause, or to go on       q           leave or close

ON THE TABLE
  5b bamboo, 5c characters, 5d dots, 1w-4w winds, 1x-3x dragons, 1f-4f
  flowers, 1s-4s seasons. Gold tiles are jokers; ✿ are flowers shown.
  E S W N is a seat's wind, * the dealer, then points and [tiles held].
  456c is a chow of characters, #### a Secret; the last throw stands out."""

LEAVE: Final = """\
Leave the table?

  q   close this screen; the seat stays yours, come back with the same command
  l   give up the seat: a bot plays on
  e   end the game after this round, when the table is yours
  any other key: stay"""

WAYS: Final = {
    "draw": "from the wall",
    "replacement": "from the back of the wall",
    "discard": "from",
    "opening": "before the first draw",
}


def page(table: Table, width: int, height: int, beat: int) -> list[Text]:
    """The page to be shown now, as lines of that width."""
    if width < WIDTH or height < HEIGHT:
        return [Text(f"This needs {WIDTH} columns and {HEIGHT} rows; here are {width} and {height}.", "yellow")]
    if table.page == "help":
        return _text(HELP, width)
    if table.page == "leave":
        return _text(LEAVE, width)
    if table.view["game"]["status"] == "ended":
        return [*result(table, width), *_over(table, width)]
    if table.view.get("settlement") is not None:
        return [*result(table, width), *_agreeing(table, width)]
    return board(table, width, height, beat)


def result(table: Table, width: int) -> list[Text]:
    """How the last round ended, with what is shown of the hands."""
    view = table.view
    won = view.get("result")
    head = Text.assemble(TITLE, f"  Round {view['game']['round']}  ")
    lines = [head, Text()]
    if won is None:
        return lines
    if won["type"] == "round_drawn":
        return [*lines, Text("  The wall has run out: nobody wins.", "bold yellow"), Text()]
    lines.append(_headline(table, won))
    lines += [*_reading(view, won), Text()]
    for seat in view["seats"]:
        lines += [fitted(line, width) for line in _held(table, seat, won)]
    return [*lines, Text()]


def _headline(table: Table, won: dict[str, Any]) -> Text:
    line = Text.assemble(
        "  ", (table.teller.name(won["seat"]), "bold yellow"), " won ", (table.teller.title(won), "bold")
    )
    line.append(f"  x{won['multiplier']}", "gold1")
    if (tile := won.get("tile")) is not None:
        line.append("  with ").append_text(faces.run([tile], joker=table.view["game"].get("joker")))
    line.append(f" {WAYS.get(won['source'], '')}")
    if (thrower := won.get("discarder")) is not None:
        line.append(f" {table.teller.whom(thrower)}")
    return line


def _reading(view: View, won: dict[str, Any]) -> list[Text]:
    reading = won.get("reading")
    if reading is None:
        return []
    line = Text("  ")
    line.append_text(Text("  ").join(faces.run(group) for group in [*reading["sets"], *reading["pairs"]]))
    if reading["jokers_as"]:
        line.append("   jokers as ").append_text(faces.run(reading["jokers_as"]))
    return [line]


def _held(table: Table, seat: SeatView, won: dict[str, Any]) -> list[Text]:
    joker = table.view["game"].get("joker")
    winner = seat["seat"] == won["seat"]
    line = padded(Text.assemble("  ", (table.teller.name(seat["seat"]), "bold yellow" if winner else "")), 14)
    parts = [faces.meld(meld) for meld in seat["melds"]]
    if seat["hand_shown"]:
        parts.append(faces.run(seat["hand_shown"], joker=joker))
    if seat["flowers"]:
        parts.append(Text(f"✿{len(seat['flowers'])}", "orchid"))
    return [line.append_text(Text(" ").join(parts))]


def _agreeing(table: Table, width: int) -> list[Text]:
    view = table.view
    pending = view["settlement"]
    amended = pending.get("amended")
    changes = pending["changes"] if amended is None else amended["changes"]
    lines = [Text(f"  {'':12}{'change':>8}{'points':>8}", "grey50")]
    for seat, change in zip(view["seats"], changes, strict=True):
        after = seat["points"] + change
        line = Text(f"  {table.teller.name(seat['seat'])[:12]:12}")
        line.append(f"{change:+8d}", "green" if change > 0 else "red" if change < 0 else "")
        line.append(f"{after:8d}", "bold")
        lines.append(line.append("  agreed" if pending["confirmed"][seat["seat"]] else "  …", "grey50"))
    if any(pending["side_payments"]):
        lines.append(Text(f"  Already paid for kongs: {table.teller.points(pending['side_payments'])}"))
    if pending["pot_before"] or pending["pot_after"]:
        lines.append(Text(f"  The pot: {pending['pot_before']} -> {pending['pot_after']}"))
    if amended is not None:
        lines.append(
            Text(f"  {table.teller.name(amended['seat'])} proposes other figures: {amended['reason']}", "yellow")
        )
    lines += [Text(), _bottom(table, "c confirm   ? help   q leave")]
    if table.due is not None:
        lines.append(centred(countdown(table, 40), width))
    return lines


def _over(table: Table, width: int) -> list[Text]:
    lines = [Text("  The game is over", "bold yellow"), Text()]
    ranked = sorted(table.view["seats"], key=lambda seat: -seat["points"])
    for place, seat in enumerate(ranked, 1):
        lines.append(Text(f"  {place}.  {table.teller.name(seat['seat'])[:14]:14}{seat['points']:+6d}", "bold"))
    return [*lines, Text(), _bottom(table, "n new table   q leave")]


def _bottom(table: Table, keys: str) -> Text:
    if table.sending is not None:
        return Text(f"  {table.sending.label} …", "cyan")
    if table.lost:
        return Text("  The service is away: reconnecting. Nothing is lost.", "bold red")
    if table.view.get("settlement") and not table.view["legal_actions"]:
        return Text("  Waiting for the others   q leave", "cyan")
    return Text("  ").append_text(table.saying() or Text(keys, "bold"))


def _text(text: str, width: int) -> list[Text]:
    return [Text()] + [fitted(Text(f"  {line}", "bold" if line.isupper() else ""), width) for line in text.splitlines()]
