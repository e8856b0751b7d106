"""Workers as the tests of tables start them, and people over HTTP as those of the lobby have them."""

from tests.app.lobby.conftest import app, client, room, settings
from tests.app.tables.conftest import start_worker, worker

__all__ = ["app", "client", "room", "settings", "start_worker", "worker"]
