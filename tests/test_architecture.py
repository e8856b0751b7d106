"""What may stand where (design 6 and 7). The layers of the service are import-linter's; see pyproject.toml."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMPURE = {"asyncio", "datetime", "logging", "os", "random", "secrets", "time", "uuid"}
SAYS_NOTHING = re.compile(r"(^|_)(base|common|data|handlers?|helpers?|info|managers?|misc|process|utils?)(_|$)")


def modules(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"no modules in {folders}"
    return found


def place(path: Path, node: ast.stmt | ast.expr) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def imports(*folders: str) -> Iterator[tuple[str, str]]:
    """Where something is imported, and its top package; a relative import counts as the package ''."""
    for path in modules(*folders):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from ((place(path, node), alias.name.partition(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield place(path, node), "" if node.level else str(node.module).partition(".")[0]


def test_the_engine_imports_only_the_pure_part_of_the_standard_library() -> None:
    pure = (sys.stdlib_module_names - IMPURE) | {"engine"}
    assert [found for found in imports("engine") if found[1] not in pure] == []


def test_the_engine_is_tested_without_the_service() -> None:
    assert [found for found in imports("tests/engine") if found[1] == "app"] == []


def test_only_the_clock_asks_an_event_loop_for_the_time() -> None:
    asked = [
        place(path, node)
        for path in modules("app")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "time"
    ]
    assert [found for found in asked if not found.startswith("app/clock.py:")] == []


def test_a_module_is_named_for_what_it_owns() -> None:
    paths = [path.relative_to(ROOT) for path in modules("engine", "app", "clients", "migrations", "bench", "tests")]
    assert [path for path in paths if any(map(SAYS_NOTHING.search, path.with_suffix("").parts))] == []
