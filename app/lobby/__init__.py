"""The lobby: tables that wait for their players, until they are dealt."""

from app.lobby.asked import Asked, Bots, Person
from app.lobby.board import Board
from app.lobby.lobby import LOBBY, Lobby, NotWaiting

__all__ = ["LOBBY", "Asked", "Board", "Bots", "Lobby", "NotWaiting", "Person"]
