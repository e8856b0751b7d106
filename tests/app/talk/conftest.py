"""Tables of several people, as for the lobby."""

from tests.app.lobby.conftest import app, client, room, second, settings

__all__ = ["app", "client", "room", "second", "settings"]
