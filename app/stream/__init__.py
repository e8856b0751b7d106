"""The stream of a game: a cursor over its log, followed over a socket or as server-sent events (design 1.4)."""
