"""What the address of a stream answers to a request that opens none: what to do instead, whatever there is to see."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.errors import Problem

_UPGRADE: Final = {"Upgrade": "websocket", "Connection": "Upgrade"}


def plain(path: str, instead: str) -> Route:
    """The route of a stream's path for requests without an upgrade. `instead` says what answers them, with the path's
    own parameters in braces."""

    async def refuse(request: Request) -> Response:
        # Before anybody is asked who they are: the answer is the same for every game, and for none.
        text = f"This address opens a WebSocket (Upgrade: websocket). Without one, {instead}."
        raise Problem("upgrade_required", text.format(**request.path_params), headers=_UPGRADE)

    return Route(path, refuse, methods=["GET"], include_in_schema=False)
