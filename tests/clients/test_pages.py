"""What the player draws, and what its keys mean, at every step of real rounds."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

from tests.clients.playing import but_for, default_action
from todas_client import Client, View
from todas_client.play.choices import LETTERS, chosen, others, throws
from todas_client.play.keys import keys
from todas_client.play.pages import page
from todas_client.play.table import Table
from todas_client.play.words import Teller


async def views_of_a_round(client: Client, **wanted: Any) -> list[View]:
    """The views at which the player was asked, in a round that is won or drawn, and the end of the game."""
    view = await client.create_game(timing={"settlement_seconds": None}, **wanted)
    game, seen = view["game"]["id"], [view]
    await client.end(game, "after_round")
    while view["game"]["status"] == "playing":
        if view["legal_actions"]:
            seen.append(view)
            claims = [action for action in view["legal_actions"] if action["type"] == "claim"]
            action = claims[0] if claims else default_action(view)
            with but_for("stale_decision"):
                await client.act(game, action, view["decision"]["no"])
        view = await client.view(game)
    seen.append(view)
    return seen


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)])
@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
async def test_every_page_fits_its_terminal(client: Client, ruleset: str, width: int, height: int):
    views = await views_of_a_round(client, ruleset=ruleset)
    characters = {tile["code"]: tile["character"] for tile in await client.tiles()}
    told = (await client.events(views[0]["game"]["id"]))["events"]
    table = Table(views[0], Teller(views[0], {}), characters)
    for event in told:
        table.take({"type": "event", **event})
    for view in views:
        table.view = view
        for table.unicode in (False, True):
            lines = page(table, width, height, 0)
            assert len(lines) <= height
            assert max(line.cell_len for line in lines) <= width


async def test_every_legal_action_has_a_key_of_its_own(client: Client):
    for view in await views_of_a_round(client, ruleset="tsumo"):
        choices = [choice for choice in throws(view) if choice] + others(view)
        assert len({choice.key for choice in choices}) == len(choices)
        sent = [choice.action for choice in choices]
        assert all(action in sent for action in view["legal_actions"])
        assert all(chosen(view, choice.key) == choice for choice in choices)


def view_with(hand: list[str], *legal: dict[str, Any]) -> Any:
    return {"hand": hand, "legal_actions": list(legal)}


def test_claims_are_numbered_in_the_order_of_the_contract():
    kong = {"type": "claim", "kind": "kong", "tiles": ["5c", "5c", "5c"]}
    pung = {"type": "claim", "kind": "pung", "tiles": ["5c", "5c"]}
    view = view_with(["5c"] * 3, {"type": "win"}, kong, pung, {"type": "pass"})
    assert [(choice.key, choice.label) for choice in others(view)] == [
        ("w", "Win"),
        ("1", "Kang"),
        ("2", "Pung"),
        ("p", "Pass"),
    ]


def test_k_is_the_only_kong():
    secret = {"type": "kong", "kind": "secret", "tile": "9d"}
    found = chosen(view_with(["9d"] * 4, secret), "k")
    assert found is not None
    assert found.action == secret


def test_k_is_nothing_where_two_kongs_may_be_made():
    kongs = [{"type": "kong", "kind": "secret", "tile": tile} for tile in ("8d", "9d")]
    assert chosen(view_with([], *kongs), "k") is None


def test_an_action_of_an_unknown_kind_can_be_chosen_too():
    assert [choice.key for choice in others(view_with([], {"type": "dance"}))] == ["1"]


def test_the_letters_under_tiles_mean_nothing_else():
    assert len(LETTERS) >= 17
    assert not set(LETTERS) & set("wpkchdq123456789")


@pytest.mark.parametrize(
    ("sent", "read"),
    [("ab", ["a", "b"]), ("\x1b[C\x1b[D\r", ["right", "left", "enter"]), ("\x1b", ["escape"]), ("\x1b[15~x", ["x"])],
)
def test_keys_are_read_from_what_a_terminal_sends(sent: str, read: list[str]):
    assert keys(sent) == read


def test_an_event_of_an_unknown_type_is_not_told():
    teller = Teller(view_with([]), {})
    assert teller.tell({"type": "confetti_thrown", "seat": 2}) is None


def test_events_are_told_as_the_reader_would_say_them():
    seats = [{"name": name} for name in ("Ana", "Jhat", "Angie", "Kling")]
    view: Any = {"seat": 0, "seats": seats}
    teller = Teller(view, {"flush": "Flush"})
    told = [
        teller.tell({"type": "tile_discarded", "seat": 0, "tile": "5c"}),
        teller.tell({"type": "tile_discarded", "seat": 1, "tile": "5c"}),
        teller.tell(
            {"type": "round_won", "seat": 2, "source": "discard", "bonuses": ["flush"], "tile": "5c", "discarder": 0}
        ),
    ]
    assert [line.plain for line in told if isinstance(line, Text)] == [
        "You throw 5c",
        "Jhat throws 5c",
        "Angie won: Todas + Flush, on the 5c of you",
    ]
