"""The locks hold what pyproject.toml asks for, by hash, from no named place; the wheel holds all that runs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
CLIENT = tomllib.loads((ROOT / "clients/python/pyproject.toml").read_text())
SERVICE: list[str] = PROJECT["project"]["dependencies"]
PLAYER: list[str] = CLIENT["project"]["dependencies"]
EMBEDDED: list[str] = PROJECT["project"]["optional-dependencies"]["embedded"]
GROUPS: dict[str, list[str]] = {
    name: [each for each in group if isinstance(each, str)] for name, group in PROJECT["dependency-groups"].items()
}
ASKED = {
    "bench": GROUPS["bench"],
    "compile": GROUPS["compile"],
    "dev": SERVICE + PLAYER + EMBEDDED + GROUPS["compile"] + GROUPS["dev"],
    "image": SERVICE,
    "run": SERVICE + PLAYER + EMBEDDED,
    "tools": GROUPS["tools"],
}


def pins(lock: Path) -> set[tuple[str, str]]:
    return set(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_pin_carries_a_hash_and_no_line_an_address(lock: Path) -> None:
    for entry in re.split(r"\n(?! )", lock.read_text().strip()):
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; [^\\]+)? \\\n( +--hash=sha256:[0-9a-f]{64}( \\\n)?)+", entry)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_a_lock_pins_everything_it_was_made_from(lock: Path) -> None:
    for requirement in map(Requirement, ASKED[lock.stem]):
        versions = [version for name, version in pins(lock) if name == canonicalize_name(requirement.name)]
        assert any(requirement.specifier.contains(version) for version in versions), requirement


@pytest.mark.parametrize("name", ["compile", "image", "run"])
def test_what_serves_has_the_versions_that_were_tested(name: str) -> None:
    assert pins(ROOT / f"requirements/{name}.lock") < pins(ROOT / "requirements/dev.lock")


@pytest.mark.parametrize(
    ("project", "packages"),
    [(ROOT, ("engine", "app", "migrations")), (ROOT / "clients/python", ("todas_client",))],
    ids=["service", "client"],
)
def test_the_wheel_holds_every_file_of_its_packages(project: Path, packages: tuple[str, ...], tmp_path: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "build", "--quiet", "--offline", "--wheel", "--out-dir", tmp_path, project], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    files = {
        str(path.relative_to(project))
        for package in packages
        for path in (project / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files <= set(zipfile.ZipFile(wheel).namelist())
