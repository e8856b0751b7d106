"""Compile the engine with mypyc: `python deploy/compile_engine.py FOLDER` makes FOLDER/engine from the same sources.

With FOLDER first on the path it does what the sources do, in half the time (decision 0007).
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
from pathlib import Path

from mypyc.build import mypycify
from setuptools import setup

SOURCES = Path(__file__).resolve().parent.parent / "engine"

# Their classes are read by their annotations, at the edge and by the codec; or they judge what no type has been checked
# of; or no move passes through them.
INTERPRETED = {
    "__init__.py",
    "actions.py",
    "analysis.py",
    "bots/hints.py",
    "causes.py",
    "codec.py",
    "events.py",
    "evolve_table.py",
    "hands/__init__.py",
    "hands/generate.py",
    "hands/tables.py",
    "laws.py",
    "ledger.py",
    "notes.py",
    "preferences.py",
    "records.py",
    "replay.py",
    "rules.py",
    "seats.py",
    "settlement.py",
    "simulate.py",
    "terms.py",
    "tiles.py",
    "vectors.py",
    "views.py",
}

# mypy has seen that nobody assigns to these; the check at run time is most of what making one costs.
FROZEN, UNCHECKED = "@dataclass(frozen=True, slots=True)", "@dataclass(slots=True, unsafe_hash=True)"


def main() -> None:
    """Copy the sources to the folder that is named, and compile them there."""
    target = Path(sys.argv[1]).resolve()
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(SOURCES, target / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    modules = sorted((target / "engine").rglob("*.py"))
    compiled = [path for path in modules if str(path.relative_to(target / "engine")) not in INTERPRETED]
    for path in modules:
        source = path.read_text().replace(FROZEN, UNCHECKED)
        path.write_text(source + hints(source) if path in compiled else source)
    os.chdir(target)
    arguments = ["--config-file=", "--explicit-package-bases", "--strict"]
    paths = [str(path.relative_to(target)) for path in compiled]
    extensions = mypycify([*arguments, *paths], group_name="engine", debug_level="0")
    setup(name="engine", packages=[], ext_modules=extensions, script_args=["--quiet", "build_ext", "--inplace"])
    shutil.rmtree("build")


def hints(source: str) -> str:
    """Code that gives the dataclasses of a module their annotations back, which a compiled class has not kept."""
    lines = [
        f"vars({node.name})['__annotations__'].update({annotations_of(node)!r})\n"
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list)
    ]
    return "\n" + "".join(lines) if lines else ""


def annotations_of(node: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: ast.unparse(field.annotation)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    }


if __name__ == "__main__":
    main()
