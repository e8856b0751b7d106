"""`python -m todas_client.play`."""

from __future__ import annotations

from todas_client.play import main

raise SystemExit(main(prog="python -m todas_client.play"))
