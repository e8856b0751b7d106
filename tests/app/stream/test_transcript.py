"""The transcript in openapi/README.md is what a client really gets: it is played again and compared line by line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from app.tables import Terms
from app.tables.seating import Vanish
from tests.app.stream.streaming import Person, Site, Socket

README = Path(__file__).parents[3] / "openapi" / "README.md"
SEED = "21"
"""Ben's first discard is a tile of which Ana holds two."""

PATIENT = Terms("uniform", turn_seconds=3600, claim_seconds=3600, settlement_seconds=None)

SHOWN: dict[str, Any] = {
    "view": {"...": "as GET /v1/games/{game_id} answers"},
    "retry_after_ms": 2900,
    "ms_left": 4000,
    "heartbeat_s": 20.0,
}
"""What is another each time, or long, as it is written."""

GAME_ID = "5d0c2f7a9be84161"
MOMENT = re.compile(r'"\d{4}-\d\d-\d\dT[^"]*"')
REQUEST_ID = re.compile(r'"request_id":"[0-9a-f]{16}"')
PASS = {"type": "pass"}


async def test_the_transcript_is_what_is_sent(site: Site):
    people = await site.people()
    game_id = await site.game(people, terms=PATIENT, seed=SEED)

    assert written() == await transcript(site, people, game_id)


async def transcript(site: Site, people: list[Person], game_id: str) -> list[str]:
    """What goes over Ana's wire: a window, a turn, a claim, a lost connection, a late move, a server that stops."""
    ana, ben, cora, dan = people
    log = Transcript(game_id)
    async with site.follow(game_id, ana, after=0) as socket:
        log.notes("Ana opens GET /v1/games/5d0c2f7a9be84161/stream?after=0")
        await log.hears(socket, "event", seq=3)
        await log.acts(socket, "ana-1", 1, PASS)
        log.notes("the three others pass too")
        for person in (ben, cora, dan):
            await site.post(game_id, "pass", person, decision_no=1)
        turn = await log.hears(socket, "decision")
        await log.acts(socket, "ana-2", 2, turn["legal_actions"][-1])
        log.notes("the three others pass; Ben throws a tile of which Ana holds two")
        for person in (ben, cora, dan):
            await site.post(game_id, "pass", person, decision_no=3)
        await log.hears(socket, "decision")
        await site.post(game_id, "discard", ben, tile=(await site.view(game_id, ben))["drawn"])
        window = await log.hears(socket, "decision")
        await log.acts(socket, "ana-3", 5, window["legal_actions"][0])
    log.notes("Ana's connection is lost; Cora and Dan pass, and the window closes")
    for person in (cora, dan):
        await site.post(game_id, "pass", person, decision_no=5)
    async with site.follow(game_id, ana, after=11) as socket:
        log.notes("Ana comes back with GET /v1/games/5d0c2f7a9be84161/stream?after=11")
        await log.hears(socket, "event", seq=13)
        await log.acts(socket, "ana-3", 5, window["legal_actions"][0])
        await log.acts(socket, "ana-4", 5, PASS)
        await log.says(socket, {"type": "ping"})
        await log.hears(socket, "ping")
        log.notes("Dan has been gone for a while")
        await site.app.service.tables.submit(game_id, Vanish(3))
        await log.hears(socket, "presence")
        log.notes("the server is asked to stop")
        site.app.service.draining.begin()
        await log.hears(socket, "draining")
        code, _ = await socket.closed()
    log.notes(f"the server closes the connection with {code}")
    return log.lines


class Transcript:
    """Lines: `>` of the client, `<` of the server, `-` of what happens besides."""

    def __init__(self, game_id: str) -> None:
        self.lines: list[str] = []
        self._game_id = game_id

    def notes(self, what: str) -> None:
        """What happens besides."""
        self.lines.append(f"- {what}")

    async def says(self, socket: Socket, frame: dict[str, Any]) -> None:
        """Sends a frame."""
        await socket.send(frame)
        self.lines.append(f"> {json.dumps(frame, separators=(',', ':'))}")

    async def acts(self, socket: Socket, action_id: str, decision_no: int, action: dict[str, Any]) -> None:
        """Moves, and reads to the answer."""
        frame = {"type": "action", "action_id": action_id, "decision_no": decision_no, "action": action}
        await self.says(socket, frame)
        await self.hears(socket, "ack", "problem")

    async def hears(self, socket: Socket, *kinds: str, seq: int = 0) -> dict[str, Any]:
        """Reads to the next frame of these kinds; with `seq`, to that number."""
        while True:
            frame = await socket.next()
            shown = {name: SHOWN.get(name, value) for name, value in frame.items()}
            self._write(json.dumps(shown, separators=(",", ":"), ensure_ascii=False))
            if frame["type"] in kinds and frame.get("seq", 0) >= seq:
                return frame

    def _write(self, text: str) -> None:
        text = MOMENT.sub('"2026-03-01T10:00:00Z"', text.replace(self._game_id, GAME_ID))
        self.lines.append("< " + REQUEST_ID.sub('"request_id":"0c9ae1f25d7b4c38"', text))


def written() -> list[str]:
    """The lines of the transcript in the README."""
    found = re.search(r"```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1].splitlines()
