"""The schema's history, run by Alembic. Each step expands, and contracts only one release later."""
