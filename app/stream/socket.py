"""A stream as a WebSocket: the way in, the one task that sends, and what is done about each frame that comes."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from typing import assert_never

from starlette.datastructures import Headers, QueryParams
from starlette.types import Message, Receive, Scope, Send

from app.api.table import seat_in
from app.auth import Caller
from app.errors import Problem, respond
from app.lobby import LOBBY
from app.service import Service
from app.stream import frames
from app.stream.admission import admit, check_origin, read_cursor, spend
from app.stream.ending import Ending, ending_of, problem_of
from app.stream.feed import Feed
from app.stream.frames import SUBPROTOCOL, ActionFrame, PingFrame, ResumeFrame
from app.stream.reading import action_id_of, parsed, read_frame
from app.stream.streams import Streams
from app.tables import Move


class Stream:
    """The ASGI application of the route whose path names a `game_id`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        await Socket(scope, receive, send).serve()


class LobbyStream:
    """The ASGI application of the route of the lobby."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        await LobbySocket(scope, receive, send).serve()


async def no_stream(scope: Scope, receive: Receive, send: Send) -> None:
    """The ASGI application of every other address: says that no stream is there."""
    await receive()
    text = "Streams are at /v1/games/{game_id}/stream and /v1/lobby/stream."
    refusal = respond(Problem("unknown_route", text), instance=scope["path"], request_id=secrets.token_hex(8))
    await refusal(scope, receive, send)


class Socket:
    """One connection."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        state = scope["app"].state
        self._service: Service = state.service
        self._streams: Streams = state.streams
        self._game_id: str = scope["path_params"].get("game_id", LOBBY)
        self._scope = scope
        self._receive = receive
        self._send = send
        self._request_id = secrets.token_hex(8)

    async def serve(self) -> None:
        """Serves it to its end."""
        await self._receive()  # that it wants to connect
        headers = Headers(scope=self._scope)
        try:
            check_origin(headers, self._service.settings.cors_origins)
        except Problem as problem:
            refusal = respond(problem, instance=self._scope["path"], request_id=self._request_id)
            await refusal(self._scope, self._receive, self._send)
            return
        # Everything else is said once it is open: a page is told nothing of a connection that was not accepted.
        subprotocol = SUBPROTOCOL if SUBPROTOCOL in self._scope["subprotocols"] else None
        with suppress(OSError):  # whoever has gone; `receive` says so too
            await self._send({"type": "websocket.accept", "subprotocol": subprotocol, "headers": []})
            try:
                feed = await self._open(headers)
            except Exception as error:
                await self._close(self._refusal(problem_of(error)))
            else:
                await self._follow(feed)

    async def _open(self, headers: Headers) -> Feed:
        offered = self._scope["subprotocols"]
        if offered and SUBPROTOCOL not in offered:
            raise Problem("invalid_request", f"This server speaks {SUBPROTOCOL}.")
        query = QueryParams(self._scope["query_string"])
        return await self._enter(await admit(self._service, self._game_id, headers, query), query)

    async def _enter(self, caller: Caller, query: QueryParams) -> Feed:
        feed = await self._streams.open(caller, self._game_id, read_cursor(query.get("after"), "query", "after"))
        feed.tells_presence = True
        return feed

    def _refusal(self, problem: Problem) -> Ending:
        return self._streams.draining() if problem.kind.code == "draining" else ending_of(problem)

    async def _follow(self, feed: Feed) -> None:
        sender = asyncio.create_task(self._send_all(feed))
        try:
            await self._read_all(feed)
        finally:
            self._streams.close(feed)
            sender.cancel()
            await asyncio.wait({sender})

    async def _send_all(self, feed: Feed) -> None:
        with suppress(OSError):
            await self._close(await feed.run(self._send_frame))

    async def _send_frame(self, frame: bytes, seq: int | None = None) -> None:
        await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _close(self, ending: Ending) -> None:
        reason = ""
        self._service.telemetry.stream_closed(ending.code)
        if ending.problem is not None:
            reason = ending.problem.kind.code
            await self._send_frame(self._refused(ending.problem, None))
        elif ending.last is not None:
            await self._send_frame(ending.last)
        await self._send({"type": "websocket.close", "code": ending.code, "reason": reason})

    async def _read_all(self, feed: Feed) -> None:
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                return
            if feed.ending is None:
                feed.busy = True
                await self._take(feed, message)
                feed.busy = False
                feed.wake()

    async def _take(self, feed: Feed, message: Message) -> None:
        action_id: str | None = None
        try:
            value = parsed(message)
            action_id = action_id_of(value)
            match read_frame(value):
                case ActionFrame() as action:
                    await self._act(feed, action)
                case PingFrame():
                    spend(self._service, "reads", feed.caller)
                    feed.reply(0, None)
                case ResumeFrame() as resume:
                    spend(self._service, "reconnects", feed.caller)
                    feed.resume(resume.after)
                case unknown:
                    assert_never(unknown)
        except Exception as error:
            problem = problem_of(error)
            if action_id is None:
                feed.lose(problem)
            else:
                # After the events that it was refused for, as far as this reader gets.
                feed.reply(feed.channel.game.seq_for(feed.seat), self._refused(problem, action_id))

    async def _act(self, feed: Feed, frame: ActionFrame) -> None:
        spend(self._service, "moves", feed.caller)
        if "play" not in feed.caller.scopes:
            raise Problem("scope_missing", "This needs a token with the scope play.")
        tables = self._service.tables
        seat = seat_in(await tables.known(self._game_id), feed.caller)
        if seat is None:
            raise Problem("not_seated")
        tables.presence.asked(self._game_id, feed.caller.player_id, moved=True)
        wanted = Move(seat, frame.action, frame.decision_no, frame.action_id)
        answer = await tables.submit(self._game_id, wanted)
        feed.reply(answer.seq, frames.ack(frame.action_id, answer.seq))

    def _refused(self, problem: Problem, action_id: str | None) -> bytes:
        return frames.refused(problem, action_id, instance=self._scope["path"], request_id=self._request_id)


class LobbySocket(Socket):
    """One connection to the lobby: it takes pings alone."""

    async def _enter(self, caller: Caller, query: QueryParams) -> Feed:
        return self._streams.open_lobby(caller)

    async def _take(self, feed: Feed, message: Message) -> None:
        try:
            value = parsed(message)
            if not isinstance(read_frame(value), PingFrame):
                raise Problem("invalid_request", "The lobby takes frames of the type ping.")
            spend(self._service, "reads", feed.caller)
            feed.reply(0, None)
        except Exception as error:
            feed.lose(problem_of(error))
