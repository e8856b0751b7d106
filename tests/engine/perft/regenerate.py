"""Count every position of counts.txt again: python -m tests.engine.perft.regenerate

A new position is a new block of one line: `rules timing bot seed moves depth:`.
"""

from __future__ import annotations

from tests.engine.perft.counting import COUNTS, block, blocks

if __name__ == "__main__":
    COUNTS.write_text("\n\n".join(block(position) for position in blocks()) + "\n")
