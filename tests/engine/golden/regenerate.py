"""Play every golden game again and write down what happens now: python -m tests.engine.golden.regenerate

A new one is a file of its first line and its `> seat command` lines.
"""

from __future__ import annotations

from tests.engine.golden.playthrough import FILES, played_again

if __name__ == "__main__":
    for path in FILES:
        path.write_text(played_again(path.read_text()))
