"""The tables: games in memory over the log in Postgres, moved by players, bots and deadlines."""

from app.tables.absence import Absence
from app.tables.live_game import LiveGame, Numbered
from app.tables.opening import Opening
from app.tables.orders import ClaimChoice, End, KongChoice, Move, Wish
from app.tables.tables import PAGE, Answer, Tables
from app.tables.terms import Terms, usual_terms

__all__ = [
    "PAGE",
    "Absence",
    "Answer",
    "ClaimChoice",
    "End",
    "KongChoice",
    "LiveGame",
    "Move",
    "Numbered",
    "Opening",
    "Tables",
    "Terms",
    "Wish",
    "usual_terms",
]
