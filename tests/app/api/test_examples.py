"""Every example of a body is sent to where it makes sense: none is refused for its form, most are taken as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

import httpx
import pytest

from app.settings import Settings
from engine import events as ev
from engine.codec import dump_command, load_command
from engine.legal import legal_actions
from engine.state import GameState, Settlement
from tests.app.api.conftest import Guest, problem
from tests.app.api.leading import Holds, find, go
from tests.app.api.test_contract import body_examples, operations
from tests.app.lobby.conftest import PAIR, Room


class Example(NamedTuple):
    """One of the bodies that the contract shows for a route, which are counted from 1."""

    path: str
    number: int
    method: str
    body: Any

    @property
    def key(self) -> tuple[str, int]:
        return self.path, self.number

    @property
    def verb(self) -> str:
        """The end of the path, which says what is done."""
        return self.path.rpartition("/")[2]


Stage = Callable[[Room, Example], Awaitable[tuple[Guest, str]]]
"""Makes what a route needs; who sends the example, and the id of the game it is sent to."""

EXAMPLES: Final = [
    Example(path, number, method, body)
    for path, method, operation in operations()
    for number, body in enumerate(body_examples(operation), 1)
]
NAMES_NOBODY: Final = {
    ("/v1/players/recover", 1): "unknown_recovery_code",
    ("/v1/games/join", 1): "unknown_code",
    ("/v1/games/join", 2): "unknown_code",
    ("/v1/games/{game_id}/join", 3): "unknown_code",
    ("/v1/games/{game_id}/kick", 1): "not_at_table",
    ("/v1/games/{game_id}/report", 2): "not_at_table",
}
"""What no example can know: a code that was drawn, a player's id. With them it is refused, by this problem."""
NEAR: Final = {
    ("/v1/games/{game_id}/actions", 3): 43,
    ("/v1/games/{game_id}/actions", 4): 1229,
    ("/v1/games/{game_id}/actions", 6): 494,
    ("/v1/games/{game_id}/kong", 1): 40,
    ("/v1/games/{game_id}/kong", 2): 1229,
}
"""Where the search for a rare state begins: the number of a seed."""


@pytest.fixture
def settings() -> Settings:
    return Settings(allow_seeds=True)


@pytest.fixture
def room(client: httpx.AsyncClient) -> Room:
    return Room(client)


async def alone(room: Room, example: Example) -> tuple[Guest, str]:
    """Somebody who plays with bots."""
    (nena,) = await room.come_in("Nena")
    made = await room.post(nena, "/v1/games")
    return nena, made.json()["game"]["id"]


async def together(room: Room, example: Example) -> tuple[Guest, str]:
    """Two people at a table that lets them write; the other one has said three things."""
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = await room.playing(nena, ben, free_text=True)
    for text in ("Kumusta", "Ang bagal mo", "Hay naku"):
        said = await room.post(ben, f"/v1/games/{game_id}/talk", {"text": text})
        assert said.status_code == 201, said.text
    return nena, game_id


async def waiting(room: Room, example: Example) -> tuple[Guest, str]:
    """The owner of a table of two, who waits for nobody any more."""
    nena, ben = await room.come_in("Nena", "Ben")
    game_id = (await room.open(nena, seats=PAIR))["game"]["id"]
    for step in ("join", "ready"):
        assert (await room.post(ben, f"/v1/games/{game_id}/{step}")).status_code == 200
    return nena, game_id


async def outside(room: Room, example: Example) -> tuple[Guest, str]:
    """Somebody who finds a table with open seats."""
    nena, ben = await room.come_in("Nena", "Ben")
    return ben, (await room.open(nena))["game"]["id"]


def may_send(example: Example) -> Holds:
    """Whether the rules of the engine allow it now, and whatever its body leaves open can be one thing alone."""
    body = example.body

    def holds(state: GameState, seat: int) -> bool:
        if example.verb == "amend":
            return isinstance(state.decision, Settlement) and isinstance(state.round.result, ev.RoundWon)
        legal = legal_actions(state, seat)
        if example.verb == "actions":
            return body.get("decision_no") in (None, state.decision.no) and load_command(body["action"]) in legal
        wanted = {"type": example.verb, **body}
        return sum(wanted.items() <= dump_command(action).items() for action in legal) == 1

    return holds


async def playing(room: Room, example: Example) -> tuple[Guest, str]:
    """Somebody who may make this move."""
    (nena,) = await room.come_in("Nena")
    way = find(may_send(example), ruleset="tsumo" if example.verb == "draw" else "emay", first=NEAR.get(example.key, 0))
    return nena, await go(way, room.client, nena)


STAGES: Final[dict[str, Stage]] = {
    **dict.fromkeys(("join",), outside),
    **dict.fromkeys(("ready", "start", "kick"), waiting),
    **dict.fromkeys(("talk", "report"), together),
    **dict.fromkeys(("actions", "draw", "discard", "claim", "pass", "kong", "win", "confirm", "amend"), playing),
}


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{path} {number}" for path, number, *_ in EXAMPLES])
async def test_an_example_is_taken_where_it_makes_sense(room: Room, example: Example) -> None:
    stage = STAGES.get(example.verb, alone) if "{game_id}" in example.path else alone
    who, game_id = await stage(room, example)
    path = example.path.replace("{game_id}", game_id)
    answer = await room.client.request(example.method, path, json=example.body, headers=who.headers)
    if example.key in NAMES_NOBODY:
        assert problem(answer)["code"] == NAMES_NOBODY[example.key]
    else:
        assert answer.is_success, answer.text


def test_most_examples_can_be_sent_as_they_are() -> None:
    assert set(NAMES_NOBODY) <= {example.key for example in EXAMPLES}
    assert 4 * len(NAMES_NOBODY) <= len(EXAMPLES)
