"""The service: HTTP over Postgres around the engine, which decides every move."""
