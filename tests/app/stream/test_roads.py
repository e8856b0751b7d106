"""The three ways to send a move: its short form, `actions` and the socket refuse the same fault with the same code."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from app.tables import Move, Terms
from engine.legal import default_action
from engine.state import ClaimWindow, GameState, Turn
from engine.tiles import CODES, SUITED
from tests.app.stream.streaming import Person, Site

Codes = dict[str, tuple[int, str]]
WORDS = {"held": 1, "foreign": 0}
Situation = Callable[[Site], Awaitable["Asker"]]

PUNG: dict[str, Any] = {"type": "claim", "kind": "pung", "tiles": ["1b", "1b"]}
AMEND: dict[str, Any] = {"type": "amend", "round": 1, "changes": [0, 0, 0, 0], "reason": "We agreed."}
MALFORMED: list[dict[str, Any]] = [
    {"type": "discard"},
    {"type": "discard", "tile": 5},
    {"type": "discard", "tile": None},
    {"type": "discard", "tile": "0b"},
    {"type": "discard", "tile": "5c", "seat": 1},
    {"type": "claim", "tiles": ["1b", "1b"]},
    {**PUNG, "kind": "win"},
    {**PUNG, "tiles": []},
    {**PUNG, "tiles": ["1b"]},
    {**PUNG, "tiles": ["1b"] * 4},
    {**PUNG, "tiles": ["1b", "10b"]},
    {**PUNG, "tiles": "1b1b"},
    {**PUNG, "tiles": ["1b", 1]},
    {"type": "kong", "kind": "kang", "tile": "1b"},
    {"type": "kong", "kind": "secret", "tile": "back"},
    {"type": "draw", "tile": "5c"},
    {"type": "pass", "kind": "pung"},
    {"type": "win", "tile": "5c"},
    {"type": "confirm"},
    {"type": "confirm", "round": "1"},
    {"type": "confirm", "round": True},
    {"type": "confirm", "round": 1.5},
    {"type": "confirm", "round": 0},
    {"type": "confirm", "round": -1},
    {"type": "confirm", "round": 2**31},
    {**AMEND, "round": 0},
    {**AMEND, "changes": [0, 0, 0]},
    {**AMEND, "changes": [0, 0, 0, 0, 0]},
    {**AMEND, "changes": [0, 0, 0, "0"]},
    {**AMEND, "changes": [0, 0, 0, True]},
    {**AMEND, "changes": [0, 0, 0, 0.5]},
    {**AMEND, "changes": 0},
    {**AMEND, "reason": ""},
    {**AMEND, "reason": "a" * 201},
    {**AMEND, "reason": "two\nlines"},
    {**AMEND, "reason": None},
]
"""What can be sent to every one of them, and fits none."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody at a game, and the state it is in."""

    site: Site
    person: Person
    game_id: str
    state: GameState
    seat: int

    async def short(self, action: dict[str, Any], no: int | None = None) -> tuple[int, str]:
        """Sends it to the route of its kind."""
        body = {name: value for name, value in action.items() if name != "type"}
        kind = action["type"]
        route = f"settlement/{kind}" if kind in ("confirm", "amend") else kind
        return _told(await self.site.post(self.game_id, route, self.person, **body, **_numbered(no)))

    async def whole(self, action: dict[str, Any], no: int | None = None) -> tuple[int, str]:
        """Sends it to `actions`."""
        no = self.state.decision.no if no is None else no
        return _told(await self.site.post(self.game_id, "actions", self.person, action=action, decision_no=no))

    async def framed(self, actions: list[dict[str, Any]], no: int | None = None) -> list[tuple[int, str]]:
        """Sends each of them over one socket."""
        no = self.state.decision.no if no is None else no
        async with self.site.follow(self.game_id, self.person) as socket:
            for action in actions:
                await socket.act(action, no)
            return [_told((await socket.next("problem"))["problem"]) for _ in actions]

    async def by_every_road(self, actions: list[dict[str, Any]], no: int | None = None) -> list[Codes]:
        """What each is told on each road."""
        framed = await self.framed(actions, no)
        return [
            {"short": await self.short(action, no), "whole": await self.whole(action, no), "framed": told}
            for action, told in zip(actions, framed, strict=True)
        ]

    def named(self, name: str) -> dict[str, Any]:
        """One of ACTIONS, with the tiles that this hand gives it."""
        return self.filled(ACTIONS[name])

    def filled(self, action: dict[str, Any]) -> dict[str, Any]:
        """The same with a tile that is held once for `held`, and one that is not for `foreign`."""
        counts, joker = self.state.seats[self.seat].counts, self.state.round.joker
        kinds = {word: next(k for k in range(SUITED) if counts[k] == n and k != joker) for word, n in WORDS.items()}
        return {name: _tiles(value, kinds) for name, value in action.items()}


def _tiles(value: Any, kinds: dict[str, int]) -> Any:
    if isinstance(value, list):
        return [_tiles(each, kinds) for each in value]
    return CODES[kinds[value]] if isinstance(value, str) and value in kinds else value


def _told(refused: dict[str, Any]) -> tuple[int, str]:
    return refused["status"], refused["code"]


def _numbered(no: int | None) -> dict[str, int]:
    return {} if no is None else {"decision_no": no}


async def _at(site: Site, game_id: str, person: Person, seat: int, until: Callable[[GameState], bool]) -> Asker:
    """Lets every person do the default until something holds; then that person, whose seat this is."""
    tables = site.app.service.tables
    while not until(state := (await tables.current(game_id)).state):
        seat_asked = next(each for each in range(4) if state.players[each].bot is None and _waits(state, each))
        action = default_action(state, seat_asked)
        assert action is not None
        await tables.submit(game_id, Move(seat_asked, action))
    return Asker(site, person, game_id, state, seat)


def _waits(state: GameState, seat: int) -> bool:
    answers = getattr(state.decision, "answers", None)
    return default_action(state, seat) is not None and (answers is None or answers[seat] is None)


def _turn(state: GameState) -> bool:
    return isinstance(state.decision, Turn)


async def own_turn(site: Site) -> Asker:
    people = await site.people()
    return await _at(site, await site.game(people), people[0], 0, _turn)


async def before_the_draw(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people, "tsumo")
    return await _at(site, game_id, people[1], 1, lambda state: getattr(state.decision, "stage", "") == "draw")


async def anothers_turn(site: Site) -> Asker:
    people = await site.people()
    return await _at(site, await site.game(people), people[2], 2, _turn)


async def asked_about_a_tile(site: Site) -> Asker:
    people = await site.people()
    return await _at(site, await site.game(people), people[3], 3, lambda state: isinstance(state.decision, ClaimWindow))


async def asked_about_jokers(site: Site) -> Asker:
    people = await site.people()
    return await _at(site, await site.game(people), people[0], 0, lambda state: True)


async def settling(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people)
    await site.play_to_the_settlement(game_id, people)
    return await _at(site, game_id, people[0], 0, lambda state: True)


async def over(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people)
    await site.play_to_the_end(game_id, people)
    return await _at(site, game_id, people[0], 0, lambda state: True)


async def paused(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people)
    for person in people:
        await site.post(game_id, "pause", person)
    return await _at(site, game_id, people[0], 0, lambda state: state.paused)


async def locked(site: Site) -> Asker:
    """In this game the person is offered a win, lets it go, and is offered no other at decision 25."""
    people = (await site.people())[:1]
    game_id = await site.game(people, terms=Terms("fast", settlement_seconds=None), seed="12d")
    return await _at(site, game_id, people[0], 0, lambda state: state.decision.no == 25)


async def left(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people)
    asker = await _at(site, game_id, people[0], 0, _turn)
    await site.http.post(f"/v1/games/{game_id}/leave", headers=people[0].headers)
    return asker


async def watching(site: Site) -> Asker:
    game_id = await site.game(await site.people(), visibility="public")
    return await _at(site, game_id, await site.sign_up(), 0, lambda state: True)


async def with_a_token_to_watch(site: Site) -> Asker:
    people = await site.people()
    game_id = await site.game(people, visibility="public")
    body = {"scopes": ["spectate"]}
    added = (await site.http.post("/v1/players/me/tokens", json=body, headers=people[0].headers)).json()
    return await _at(site, game_id, Person(people[0].id, added["token"], ""), 0, lambda state: True)


ACTIONS: dict[str, dict[str, Any]] = {
    "draw": {"type": "draw"},
    "pass": {"type": "pass"},
    "win": {"type": "win"},
    "discard a held tile": {"type": "discard", "tile": "held"},
    "discard another tile": {"type": "discard", "tile": "foreign"},
    "discard a flower": {"type": "discard", "tile": "1f"},
    "kong of one held tile": {"type": "kong", "kind": "secret", "tile": "held"},
    "added kong of one held tile": {"type": "kong", "kind": "added", "tile": "held"},
    "kong of another tile": {"type": "kong", "kind": "secret", "tile": "foreign"},
    "pung of what is not held": {"type": "claim", "kind": "pung", "tiles": ["foreign", "foreign"]},
    "confirm another round": {"type": "confirm", "round": 2},
    "amend another round": {**AMEND, "round": 2},
    "amend without balance": {**AMEND, "changes": [1, 0, 0, 0]},
}
NOWHERE = {
    "pung of what is not held": "claim_not_offered",
    "confirm another round": "wrong_round",
    "amend another round": "amend_not_allowed",
    "amend without balance": "amend_not_allowed",
}
KONGS = ("kong of one held tile", "added kong of one held tile", "kong of another tile")
DISCARDS = ("discard a held tile", "discard another tile", "discard a flower")
NOT_MINE = {**NOWHERE, "draw": "not_your_turn", **dict.fromkeys((*DISCARDS, *KONGS), "not_your_turn")}
SITUATIONS: list[tuple[Situation, dict[str, str]]] = [
    (
        own_turn,
        {
            **NOWHERE,
            "draw": "already_drawn",
            "pass": "nothing_to_pass",
            "win": "incomplete",
            "discard another tile": "tile_not_held",
            "discard a flower": "tile_not_held",
            "kong of one held tile": "kong_not_allowed",
            "added kong of one held tile": "kong_not_allowed",
            "kong of another tile": "tile_not_held",
        },
    ),
    (
        before_the_draw,
        {
            **NOWHERE,
            "pass": "nothing_to_pass",
            "win": "no_tile",
            **dict.fromkeys((*DISCARDS, *KONGS), "draw_first"),
        },
    ),
    (anothers_turn, {**NOT_MINE, "pass": "nothing_to_pass", "win": "not_your_turn"}),
    (asked_about_a_tile, {**NOT_MINE, "win": "incomplete"}),
    (asked_about_jokers, {**NOT_MINE, "win": "incomplete"}),
    (locked, {**NOT_MINE, "win": "locked_after_pass"}),
    (
        settling,
        {
            **NOT_MINE,
            "pass": "nothing_to_pass",
            "win": "not_your_turn",
            "amend another round": "wrong_round",
            "amend without balance": "amend_not_balanced",
        },
    ),
    (over, {**dict.fromkeys(ACTIONS, "game_over"), "confirm another round": "wrong_round"}),
    (paused, dict.fromkeys(ACTIONS, "paused")),
    (left, dict.fromkeys(ACTIONS, "seat_left")),
    (watching, dict.fromkeys(ACTIONS, "not_seated")),
    (with_a_token_to_watch, dict.fromkeys(ACTIONS, "scope_missing")),
]


@pytest.mark.parametrize(("situation", "codes"), SITUATIONS, ids=[each.__name__ for each, _ in SITUATIONS])
async def test_the_same_fault_has_the_same_code_on_every_road(site: Site, situation: Situation, codes: dict[str, str]):
    asker = await situation(site)
    told = await asker.by_every_road([asker.named(name) for name in codes])
    found = {name: {code for _, code in roads.values()} for name, roads in zip(codes, told, strict=True)}
    assert found == {name: {code} for name, code in codes.items()}
    assert {len(set(roads.values())) for roads in told} == {1}


@pytest.mark.parametrize(
    ("situation", "detail"),
    [
        (asked_about_a_tile, r"You are asked about the \d[bcd] that seat 0 threw: claim it, or pass\."),
        (asked_about_jokers, r"It is nobody's turn yet: .* Win with it, or pass\."),
        (settling, r"Round 1 is over: confirm its points\."),
    ],
)
async def test_whoever_is_asked_something_else_is_told_what_on_every_road(
    site: Site, situation: Situation, detail: str
):
    asker = await situation(site)
    discard = asker.named("discard a held tile")
    short = await site.post(asker.game_id, "discard", asker.person, tile=discard["tile"])
    no = asker.state.decision.no
    whole = await site.post(asker.game_id, "actions", asker.person, action=discard, decision_no=no)
    async with site.follow(asker.game_id, asker.person) as socket:
        await socket.act(discard, no)
        framed = (await socket.next("problem"))["problem"]
    assert re.fullmatch(detail, short["detail"])
    assert (short["title"], len(short["legal_actions"]) > 0) == ("It is not this seat's turn.", True)
    roads = [
        {name: road[name] for name in ("code", "status", "title", "detail", "retry", "legal_actions")}
        for road in (short, whole, framed)
    ]
    assert roads == [roads[0]] * 3


async def test_what_fits_no_description_is_told_the_same_on_every_road(site: Site):
    told = await (await own_turn(site)).by_every_road(MALFORMED)
    assert [roads for roads in told if len(set(roads.values())) > 1 or roads["short"][0] != 422] == []


async def test_what_is_meant_for_another_decision_is_told_so_on_every_road(site: Site):
    asker = await own_turn(site)
    actions = [asker.named(name) for name in ACTIONS if name != "win"]
    told = await asker.by_every_road(actions, no=99)
    assert [set(roads.values()) for roads in told] == [{(409, "stale_decision")}] * len(actions)


@pytest.mark.parametrize("left", [{}, {"kind": "secret"}, {"kind": "added"}, {"tile": "held"}])
@pytest.mark.parametrize(
    ("situation", "code"),
    [
        (own_turn, "kong_not_allowed"),
        (before_the_draw, "draw_first"),
        (anothers_turn, "not_your_turn"),
        (settling, "not_your_turn"),
        (paused, "paused"),
    ],
)
async def test_a_kong_that_leaves_something_open_is_told_what_a_whole_one_is(
    site: Site, situation: Situation, code: str, left: dict[str, str]
):
    asker = await situation(site)
    assert await asker.short({"type": "kong", **asker.filled(left)}) == (409, code)


@pytest.mark.parametrize(("situation", "code"), [(asked_about_a_tile, "claim_not_offered"), (paused, "paused")])
async def test_a_claim_that_leaves_its_tiles_open_is_told_what_a_whole_one_is(
    site: Site, situation: Situation, code: str
):
    asker = await situation(site)
    assert await asker.short({"type": "claim", "kind": "kong"}) == (409, code)
