"""Talk at the table, besides the game."""

from app.talk.talk import PAGE, Talk, may_hear, topic

__all__ = ["PAGE", "Talk", "may_hear", "topic"]
