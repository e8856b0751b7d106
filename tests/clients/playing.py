"""A client that plays as a seat does whose time runs out: it passes, and throws what it has drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from todas_client import Action, Client, Frame, Problem, View

ROUND = 6000
"""More frames than a round of any table here has."""
LONG = "6"
"""A seed with which the first round is long."""


def default_action(view: View) -> Action:
    """What a seat does by default (rules 4), of what is legal in the view."""
    legal = view["legal_actions"]
    for kind in ("pass", "draw", "confirm"):
        found = [action for action in legal if action["type"] == kind]
        if found:
            return found[0]
    return [action for action in legal if action.get("tile") == view["hand"][-1]][-1]


async def play_round(
    client: Client,
    game_id: str,
    after: int | None = 0,
    way: Any = "auto",
    meanwhile: Callable[[int], object] = lambda _: None,
) -> list[Frame]:
    """Plays by default actions until the points of a round are pending: all frames. `meanwhile` is called with the
    number of frames so far before each move."""
    frames: list[Frame] = []
    async with aclosing(client.stream(game_id, after, way=way)) as seen:
        async for frame in seen:
            frames.append(frame)
            assert len(frames) < ROUND
            if frame["type"] != "decision" or not frame["legal_actions"]:
                continue
            if frame["kind"] == "settlement":
                return frames
            meanwhile(len(frames))
            view = await client.view(game_id)
            if view["legal_actions"] and view["decision"]["no"] == frame["decision_no"]:
                with but_for("stale_decision"):
                    await client.act(game_id, default_action(view), frame["decision_no"])
    raise AssertionError("the stream ended before the round")


@contextmanager
def but_for(code: str) -> Iterator[None]:
    """Goes on after a problem of that code: bots may move the table on while a move is on its way."""
    try:
        yield
    except Problem as problem:
        if problem.code != code:
            raise


def events(frames: list[Frame]) -> list[dict[str, Any]]:
    """The numbered events among frames, as a poll would give them."""
    return [{name: frame[name] for name in ("seq", "at", "event")} for frame in frames if frame["type"] == "event"]


def types(frames: list[Frame]) -> list[str]:
    """The types of frames, in order."""
    return [frame["type"] for frame in frames]
