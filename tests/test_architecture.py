"""What may stand where (design 6 and 7). The layers of the service are import-linter's; see pyproject.toml."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMPURE = {"asyncio", "datetime", "logging", "os", "random", "secrets", "time", "uuid"}
SAYS_NOTHING = re.compile(r"(^|_)(base|common|data|handlers?|helpers?|info|managers?|misc|process|utils?)(_|$)")
BORROWED_NAMES = {
    "base_exceptions": "what a storage of limits is asked for",
    "get_route_handler": "what FastAPI asks a route for",
    "data_received": "what asyncio calls a Protocol with",
    "data_received(data)": "what asyncio calls a Protocol with",
}
OPEN_MATCHES = {
    "engine/bots/greedy.py choose": "one of the moves that are left is as good as another",
    "engine/simulate.py count": "it counts four of all events, at every step",
    "app/tables/orders.py _sent": "every action but two is sent as it is",
}
Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def modules(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, f"no modules in {folders}"
    return found


def place(path: Path, node: ast.stmt | ast.expr | ast.arg) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imports(*folders: str) -> Iterator[tuple[str, str]]:
    """Where something is imported, and its top package; a relative import counts as the package ''."""
    for path in modules(*folders):
        for node in ast.walk(_tree(path)):
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
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "time"
    ]
    assert [found for found in asked if not found.startswith("app/clock.py:")] == []


def test_a_module_is_named_for_what_it_owns() -> None:
    paths = [path.relative_to(ROOT) for path in modules("engine", "app", "clients", "migrations", "bench", "tests")]
    assert [path for path in paths if any(map(SAYS_NOTHING.search, path.with_suffix("").parts))] == []


def names(path: Path) -> Iterator[tuple[str, str]]:
    """Where something is named, and how: classes, functions, parameters as `function(parameter)`, what is assigned to.
    What a test is called is a sentence, not a name.
    """
    for node in ast.walk(_tree(path)):
        match node:
            case ast.ClassDef(name=name):
                yield place(path, node), re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
            case ast.FunctionDef(name=name, args=args) | ast.AsyncFunctionDef(name=name, args=args):
                if not name.startswith("test_"):
                    yield place(path, node), name
                every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
                yield from ((place(path, each), f"{name}({each.arg})") for each in every if each)
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield place(path, node), name.lower()
            case _:
                pass


def test_what_is_named_is_named_for_what_it_is() -> None:
    paths = modules("engine", "app", "clients", "migrations", "bench", "deploy", "tests")
    vague = [
        (where, name)
        for path in paths
        for where, name in names(path)
        if SAYS_NOTHING.search(re.sub(r".*[(](.*)[)]", r"\1", name))
    ]
    assert [each for each in vague if each[1] not in BORROWED_NAMES] == []
    assert {name for _, name in vague} == set(BORROWED_NAMES)


def public(body: list[ast.stmt]) -> Iterator[Named]:
    """Classes, functions, methods and properties for others to use; a setter is explained where its property is."""
    for node in body:
        if isinstance(node, Named) and not node.name.startswith("_"):
            if not any(ast.unparse(mark).endswith(".setter") for mark in node.decorator_list):
                yield node
            if isinstance(node, ast.ClassDef):
                yield from public(node.body)


def test_everything_public_says_what_it_is_for() -> None:
    found = [(path, node) for path in modules("engine", "app", "clients") for node in public(_tree(path).body)]
    assert [f"{place(path, node)} {node.name}" for path, node in found if not ast.get_docstring(node)] == []
    assert len(found) > 1000


def test_a_function_of_the_engine_or_the_service_is_at_most_forty_lines() -> None:
    long = [
        f"{place(path, node)} {node.name}"
        for path in modules("engine", "app")
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.end_lineno or 0) - node.lineno >= 40
    ]
    assert long == []


def matches(path: Path) -> Iterator[tuple[str, ast.Match]]:
    """Each match that tells classes of ours apart, and the function it stands in."""
    for function in ast.walk(_tree(path)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Match) and _classes(node) - {"str", "int", "list", "dict"}:
                    yield f"{path.relative_to(ROOT)} {function.name}", node


def _classes(match: ast.Match) -> set[str]:
    patterns = [each for case in match.cases for each in ast.walk(case.pattern) if isinstance(each, ast.MatchClass)]
    return {ast.unparse(each.cls) for each in patterns}


def test_a_match_over_classes_leaves_no_case_out_in_silence() -> None:
    found = [each for path in modules("engine", "app", "clients") for each in matches(path)]
    quiet = [where for where, match in found if "assert_never" not in ast.unparse(match.cases[-1])]
    assert sorted(quiet) == sorted(OPEN_MATCHES)
    assert len(found) > 10


def given(test: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The parameters that a test is run with several values of."""
    tables = [mark for mark in test.decorator_list if isinstance(mark, ast.Call) and mark.args]
    named = [ast.literal_eval(mark.args[0]) for mark in tables if ast.unparse(mark.func) == "pytest.mark.parametrize"]
    return {name for each in named for name in ([each] if isinstance(each, str) else each)}


def test_a_test_looks_at_every_value_that_it_is_given() -> None:
    tests = [
        (path, node)
        for path in modules("tests")
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and given(node)
    ]
    unread = [
        f"{place(path, test)} {name}"
        for path, test in tests
        for name in given(test)
        - {each.id for part in test.body for each in ast.walk(part) if isinstance(each, ast.Name)}
    ]
    assert unread == []
    assert len(tests) > 200
