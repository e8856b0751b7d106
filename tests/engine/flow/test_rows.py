"""Every row C01-C65 of rules 12 has a test that bears its number.

The rows stand by topic in this package, with two exceptions: C55 is in tests/engine/scoring, where waits are valued,
and what a reader may see (C49, C50, C56) in tests/engine/secrecy. C45, C48, C51 and C62 have a second half in the
service (tests/app): the engine is told no decision number, and knows no connection and no ETag.
"""

from __future__ import annotations

import re
from pathlib import Path

ENGINE_TESTS = Path(__file__).parent.parent


def test_every_row_of_the_claims_and_flow_table_has_a_test():
    named = "".join(path.read_text() for path in ENGINE_TESTS.rglob("test_*.py"))
    found = {int(number) for number in re.findall(r"^def test_c(\d\d)_", named, re.MULTILINE)}
    assert found == set(range(1, 66))
