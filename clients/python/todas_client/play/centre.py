"""The middle of the table: the wall and the joker, who is waited for, and the window in which a tile may be claimed."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from todas_client.play import faces
from todas_client.play.choices import Choice, others
from todas_client.play.lines import centred, padded
from todas_client.play.table import Table

SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
HURRY: Final = 5.0
"""Seconds left from which a deadline is red."""


def centre(table: Table, width: int, height: int, beat: int) -> list[Text]:
    """Lines of that width, exactly so many."""
    view = table.view
    asked = view["decision"]
    own = view.get("seat") in asked["who"]
    window = asked["kind"] in ("claim_window", "opening_window")
    if window and own and "your_answer" not in asked and any(choice.key != "p" for choice in others(view)):
        return _window(table, width, height)
    if view["game"].get("paused"):
        lines = [Text("The game is paused", "bold yellow"), _option_of("P", "go on", "bold")]
    elif asked["kind"] == "turn" and own:
        lines = _turn(table, width)
    else:
        lines = _status(table, width, beat)
    above = (height - len(lines)) // 2
    shown = [Text()] * above + [centred(line, width) for line in lines]
    return shown + [Text()] * (height - len(shown))


def countdown(table: Table, width: int) -> Text:
    """A bar and the seconds that are left; empty where there is no hurry."""
    left = table.left()
    if left is None:
        return Text()
    style = "red" if left < HURRY else "green"
    full = round(width * min(1.0, left / table.span)) if table.span else 0
    return Text.assemble(("━" * full, style), ("━" * (width - full), "grey30"), (f" {left:.0f}s", f"bold {style}"))


def _status(table: Table, width: int, beat: int) -> list[Text]:
    view = table.view
    turning = SPINNER[beat % len(SPINNER)]
    lines: list[Text] = []
    if view["pile"]:
        last = view["pile"][-1]
        line = Text(f"{table.teller.name(last['seat'])} threw ")
        lines.append(line.append_text(faces.small(last["tile"], joker=view["game"].get("joker"), mark="reverse")))
        lines.append(Text())
    lines.append(Text(f"{turning} {_waiting(table)}", "cyan"))
    if table.due is not None:
        lines.append(countdown(table, width - 10))
    return lines


def _waiting(table: Table) -> str:
    view = table.view
    asked = view["decision"]
    names = [table.teller.name(seat) for seat in asked["who"]]
    if "your_answer" in asked:
        answer = asked["your_answer"]
        return f"You chose {answer.get('kind', answer['type'])}; the others decide"
    if asked["kind"] == "turn":
        return f"{names[0]}'s turn" if names[0] != "You" else "Your turn"
    if asked["kind"] == "settlement":
        return "The points are being agreed"
    return "Who wants it?" if asked["kind"] == "claim_window" else "Three jokers, anybody?"


def _turn(table: Table, width: int) -> list[Text]:
    extra = others(table.view)
    draw = any(choice.action["type"] == "draw" for choice in extra)
    lines = [Text("Draw a tile" if draw else "Your turn: throw a tile", "bold yellow")]
    lines += [_option(choice, table) for choice in extra]
    if table.due is not None:
        lines.append(countdown(table, width - 10))
    return lines


def _window(table: Table, width: int, height: int) -> list[Text]:
    asked = table.view["decision"]
    inner = width - 4
    if asked["kind"] == "opening_window":
        title = Text("You hold three jokers!", "bold")
    else:
        verb = "adds" if asked.get("window") == "rob" else "threw"
        title = Text(f"{table.teller.name(asked['from_seat'])} {verb} ", "bold")
        title.append_text(faces.small(asked["tile"], joker=table.view["game"].get("joker"), mark="reverse bold"))
    options = [_option(choice, table) for choice in others(table.view)]
    room = height - 3 - (table.due is not None)
    if len(options) <= room:
        lines = [title, *options]
    else:
        half = (inner - 1) // 2
        pairs = [options[start : start + 2] for start in range(0, len(options), 2)]
        lines = [title, *(Text(" ").join(padded(option, half) for option in pair) for pair in pairs)]
    if table.due is not None:
        lines.append(countdown(table, inner - 5))
    lines += [Text()] * (height - 2 - len(lines))
    edge = "bold yellow"
    framed = [Text.assemble(("┃ ", edge), padded(line, inner), (" ┃", edge)) for line in lines[: height - 2]]
    return [Text("┏" + "━" * (width - 2) + "┓", edge), *framed, Text("┗" + "━" * (width - 2) + "┛", edge)]


def _option_of(key: str, label: str, style: str) -> Text:
    return Text.assemble((f" {key} ", "black on yellow"), (f" {label} ", style))


def _option(choice: Choice, table: Table) -> Text:
    line = _option_of(choice.key, choice.label, "bold green" if choice.action["type"] == "win" else "bold")
    return line.append_text(faces.run(choice.tiles, joker=table.view["game"].get("joker")))
