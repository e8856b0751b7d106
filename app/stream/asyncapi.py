"""The contract of the stream, made from its frames: openapi/asyncapi.json is this, written out; a test compares them.
`python -m app.stream.asyncapi > openapi/asyncapi.json` writes it again.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Final, get_args, get_type_hints

from pydantic import TypeAdapter

from app.api.actions import ActionBody
from app.api.ops import VERSION
from app.stream import ending
from app.stream.frames import MAX_FRAME, SUBPROTOCOL, ClientFrame, PingFrame, ServerFrame
from app.stream.lobby import LobbyFrame

_SERVER: Final[tuple[Any, ...]] = get_args(ServerFrame)
_CLIENT: Final[tuple[Any, ...]] = get_args(get_args(ClientFrame)[0])
_LOBBY: Final[tuple[Any, ...]] = get_args(LobbyFrame)

_CLOSING: Final = {
    1000: "you closed it",
    ending.REFUSED: "a frame or a token that is not accepted: coming back with the same does not help",
    ending.RESTARTING: "this server stops: come back, to whichever serves then",
    ending.LATER: "you read too slowly, asked too often, or the service cannot now: come back after a while",
    ending.UNKNOWN_GAME: "there is no such game, or not for you",
}
_DESCRIPTION: Final = f"""\
The stream of a game: JSON text frames over a WebSocket, subprotocol `{SUBPROTOCOL}`. `openapi/README.md` tells it in \
prose, with a whole transcript. A frame of a client is at most {MAX_FRAME // 1024} KiB. Accept members, frames and \
events that you do not know.
"""


def document() -> dict[str, Any]:
    """The AsyncAPI 3 document."""
    schemas, payloads = _schemas()
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Todas",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"local": {"host": "127.0.0.1:8000", "protocol": "ws"}},
        "channels": {"stream": _channel((*_CLIENT, *_SERVER)), "lobby": _lobby_channel()},
        "operations": {
            "follow": _operation("stream", "send", "What the server sends.", _SERVER),
            "act": _operation("stream", "receive", "What a client may send.", _CLIENT),
            "watch": _operation("lobby", "send", "What the server sends of the lobby.", _LOBBY),
            "ask": _operation("lobby", "receive", "What a client may send to the lobby.", (PingFrame,)),
        },
        "components": {
            "messages": {_name(frame): _message(frame, payloads[frame]) for frame in payloads},
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "The token of a player."},
                "ticket": {
                    "type": "httpApiKey",
                    "in": "query",
                    "name": "ticket",
                    "description": "From `POST /v1/games/{game_id}/ticket`: for a browser, good for 30 s and one use.",
                },
            },
        },
    }


def text() -> str:
    """The document as it is committed."""
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def _schemas() -> tuple[dict[str, Any], dict[Any, Any]]:
    """All schemas by name, and the payload of each frame."""
    inputs = [(frame, "validation", TypeAdapter(frame)) for frame in _CLIENT]
    outputs = [(frame, "serialization", TypeAdapter(frame)) for frame in dict.fromkeys((*_SERVER, *_LOBBY))]
    found, shared = TypeAdapter.json_schemas(
        [*inputs, *outputs],  # type: ignore[list-item]
        ref_template="#/components/schemas/{model}",
    )
    schemas = _with_plain_discriminators(shared["$defs"])
    schemas["ActionFrame"]["examples"] = [
        {"type": "action", "action_id": f"move-{number}", **example}
        for number, example in enumerate(ActionBody.model_json_schema()["examples"], 1)
    ]
    return schemas, {frame: schema for (frame, _), schema in found.items()}


def _with_plain_discriminators(schema: Any) -> Any:
    """What OpenAPI and AsyncAPI do not write alike: here a discriminator is the name of a member."""
    match schema:
        case {"discriminator": {"propertyName": member}, **rest}:
            return {"discriminator": member, **_with_plain_discriminators(rest)}
        case dict():
            return {name: _with_plain_discriminators(part) for name, part in schema.items()}
        case list():
            return [_with_plain_discriminators(part) for part in schema]
        case _:
            return schema


def _channel(frames: tuple[Any, ...]) -> dict[str, Any]:
    query = {
        "type": "object",
        "properties": {
            "after": {
                "type": "integer",
                "minimum": 0,
                "description": "The last event you have; 0 for all. Left out: only what follows the `hello`.",
            },
            "ticket": {"type": "string", "description": "In place of the bearer header."},
        },
    }
    return {
        "address": "/v1/games/{game_id}/stream",
        "title": "The stream of a game",
        "description": f"Close codes: {_closing()}.",
        "parameters": {"game_id": {"description": "The game's id."}},
        "messages": _references(frames),
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }


def _lobby_channel() -> dict[str, Any]:
    ticket = {"type": "string", "description": "In place of the bearer header, from `POST /v1/lobby/ticket`."}
    query = {"type": "object", "properties": {"ticket": ticket}}
    return {
        "address": "/v1/lobby/stream",
        "title": "The tables that wait",
        "description": f"There is no cursor: whoever comes back begins with a `hello`. Close codes: {_closing()}.",
        "messages": _references((PingFrame, *_LOBBY)),
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }


def _closing() -> str:
    return "; ".join(f"{code} {meaning}" for code, meaning in _CLOSING.items())


def _references(frames: tuple[Any, ...]) -> dict[str, Any]:
    return {_name(frame): {"$ref": f"#/components/messages/{_name(frame)}"} for frame in frames}


def _operation(channel: str, action: str, summary: str, frames: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": summary,
        "messages": [{"$ref": f"#/channels/{channel}/messages/{_name(frame)}"} for frame in frames],
        "security": [{"$ref": f"#/components/securitySchemes/{scheme}"} for scheme in ("bearer", "ticket")],
    }


def _message(frame: Any, payload: dict[str, Any]) -> dict[str, Any]:
    summary, _, rest = " ".join(frame.__doc__.split()).partition(". ")
    about = {"description": rest} if rest else {}
    return {"name": _type(frame), "summary": summary.removesuffix(".") + ".", **about, "payload": payload}


def _name(frame: Any) -> str:
    """What a message is called here: its type, with who sends it or where, so that no two share a name."""
    if frame in _CLIENT:
        return f"client_{_type(frame)}"
    return _type(frame) if frame in _SERVER else f"lobby_{_type(frame)}"


def _type(frame: Any) -> str:
    return str(get_args(get_type_hints(frame)["type"])[0])


if __name__ == "__main__":
    sys.stdout.write(text())
