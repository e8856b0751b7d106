"""What happened and what is waited for, in words for the people at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rich.text import Text

from todas_client.play import faces
from todas_client.shapes import Seat, View

WINDS: Final = {"east": "E", "south": "S", "west": "W", "north": "N"}
MELDS: Final = {"chow": "Chow", "pung": "Pung", "kong": "Kang", "secret": "Secret", "sagasa": "Sagasa"}
ENDS: Final = {
    "length": "its length was reached",
    "table": "the table wished it",
    "abandoned": "nobody was there any more",
}

Event = Mapping[str, Any]


class Teller:
    """Tells events; `titles` are those of the ways to win and of the bonuses, by id."""

    def __init__(self, view: View, titles: Mapping[str, str]) -> None:
        self._view = view
        self._titles = titles

    def see(self, view: View) -> None:
        """Names and seats are those of this view from now on."""
        self._view = view

    def name(self, seat: Seat) -> str:
        """Who sits there, as the reader would say it."""
        return "You" if seat == self._view.get("seat") else self._view["seats"][seat]["name"]

    def whom(self, seat: Seat) -> str:
        """The same after a preposition."""
        return "you" if seat == self._view.get("seat") else self.name(seat)

    def title(self, won: Event) -> str:
        """How a round was won: the category, or the source and the bonuses."""
        if won.get("category") is not None:
            return self._titles.get(won["category"], str(won["category"]))
        way = "Todas" if won["source"] == "discard" else "Bunot"
        return " + ".join([way, *(self._titles.get(bonus, bonus) for bonus in won["bonuses"])])

    def points(self, changes: list[int]) -> str:
        """Changes of the four seats, those who have one."""
        told = [f"{self.name(seat)} {change:+d}" for seat, change in enumerate(changes) if change]
        return ", ".join(told) or "nobody pays"

    def tell(self, event: Event) -> Text | None:
        """A line about the event; None for one that needs no telling, or that this client does not know."""
        tell = _TOLD.get(event["type"])
        return None if tell is None else tell(self, event)

    def _says(self, seat: Seat, verb: str) -> Text:
        """`You throw`, `Jhat throws`."""
        own = seat == self._view.get("seat")
        return Text.assemble((self.name(seat), "bold"), f" {verb if own else _third(verb)} ")

    def _dealt(self, event: Event) -> Text:
        pot = f", {event['pot']} in the pot" if event["pot"] else ""
        return Text(f"Round {event['round']}: {self.name(event['dealer'])} dealt{pot}", "bold")

    def _joker(self, event: Event) -> Text:
        return Text.assemble("Every ", faces.small(event["kind"], joker=event["kind"]), " is a joker in this round")

    def _flower(self, event: Event) -> Text:
        return self._says(event["seat"], "show").append_text(faces.small(event["tile"]))

    def _drawn(self, event: Event) -> Text | None:
        if event["tile"] == faces.BACK:
            return None
        line = self._says(event["seat"], "draw").append_text(faces.small(event["tile"]))
        return line.append(" from the back of the wall" if event["from"] == "back" else "")

    def _discarded(self, event: Event) -> Text:
        return self._says(event["seat"], "throw").append_text(faces.small(event["tile"]))

    def _melded(self, event: Event) -> Text:
        line = self._says(event["seat"], "make").append(f"a {MELDS.get(event['kind'], event['kind'])} ")
        line.append_text(faces.run(event["tiles"]))
        if (thrower := event.get("claimed_from")) is not None:
            line.append(f" with a tile from {self.whom(thrower)}")
        return line.append(f" ({self.points(event['payments'])})" if any(event["payments"]) else "")

    def _won(self, event: Event) -> Text:
        line = Text.assemble((self.name(event["seat"]), "bold"), f" won: {self.title(event)}")
        if (thrower := event.get("discarder")) is not None:
            line.append(", on the ").append_text(faces.small(event["tile"])).append(f" of {self.whom(thrower)}")
        line.stylize("yellow")
        return line

    def _round_drawn(self, event: Event) -> Text:
        return Text("The wall has run out: nobody wins this round", "yellow")

    def _amended(self, event: Event) -> Text:
        return self._says(event["seat"], "propose").append(f"{self.points(event['changes'])}: {event['reason']}")

    def _applied(self, event: Event) -> Text:
        return Text(f"Round {event['round']} is settled: {self.points(event['changes'])}")

    def _changed(self, event: Event) -> Text:
        player = event["player"]
        if player.get("stand_in"):
            return Text(f"{player['name']} is away, and a bot plays on")
        if player.get("bot"):
            return Text(f"{player['name']} has taken a seat, a bot")
        return Text(
            f"{player['name']} is here" if player.get("connected", True) else f"{player['name']} is not connected"
        )

    def _asked(self, event: Event) -> Text:
        return self._says(event["seat"], "wish").append("to pause" if event["wish"] == "pause" else "to go on")

    def _paused(self, event: Event) -> Text:
        return Text("The game is paused", "yellow")

    def _resumed(self, event: Event) -> Text:
        return Text("The game goes on", "yellow")

    def _ended(self, event: Event) -> Text:
        return Text(f"The game is over: {ENDS.get(event['reason'], event['reason'])}", "yellow")


_TOLD: Final[dict[str, Callable[[Teller, Event], Text | None]]] = {
    "round_dealt": Teller._dealt,
    "joker_named": Teller._joker,
    "flower_exposed": Teller._flower,
    "tile_drawn": Teller._drawn,
    "tile_discarded": Teller._discarded,
    "meld_made": Teller._melded,
    "round_won": Teller._won,
    "round_drawn": Teller._round_drawn,
    "points_amended": Teller._amended,
    "points_applied": Teller._applied,
    "seat_changed": Teller._changed,
    "pause_asked": Teller._asked,
    "game_paused": Teller._paused,
    "game_resumed": Teller._resumed,
    "game_ended": Teller._ended,
}


def advice(hint: Event) -> str:
    """A hint in a line."""
    suggestion = hint.get("suggestion")
    if suggestion is None:
        shanten, kinds = hint.get("shanten"), hint.get("accepted", [])
        return "Nothing to advise." if shanten is None else f"{_away(shanten)}; {', '.join(kinds)} would help"
    words = " ".join([suggestion["type"], suggestion.get("kind", ""), suggestion.get("tile", "")]).split()
    found = next((each for each in hint.get("discards", []) if each["tile"] == suggestion.get("tile")), None)
    if found is None:
        return f"Hint: {' '.join(words)}"
    return f"Hint: {' '.join(words)} leaves {_away(found['shanten'])}; {found['acceptance']} tiles would help"


def _away(shanten: int) -> str:
    if shanten < 0:
        return "a complete hand"
    return "a hand that waits" if shanten == 0 else f"a hand {shanten} from waiting"


def _third(verb: str) -> str:
    return f"{verb}es" if verb.endswith("sh") else f"{verb}s"
