"""Where the embedded Postgres keeps its things and what can be read there: the data, the private socket, the log, the
owner's lock, and which processes live in it. The same for the owner and for those who attach.
"""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from app.postgres_binaries import Account, PostgresRefused, find_account

DATABASE = "todas"
_LONGEST_SOCKET = 103  # bytes of a socket's path that every system takes
_SOCKET_NAME = ".s.PGSQL.5432"
SHELTER = Path("/var/lib/todas")
_PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class Folder:
    """The home of one server, and whom it runs as (None: as whoever we are)."""

    home: Path
    account: Account | None

    @classmethod
    def under(cls, state_dir: Path, named_account: str | None = None) -> Folder:
        """The home that belongs to a state folder: inside it, unless we are root and the account that the server
        drops to cannot get there; then one under /var/lib/todas, named after the state folder."""
        inside = state_dir.resolve() / "postgres"
        shelter = SHELTER / hashlib.sha256(os.fsencode(inside)).hexdigest()[:16]
        for home in (inside, shelter):
            if (home / "data").exists():
                return cls(home, find_account(named_account, home / "data"))
        account = find_account(named_account, inside / "data")
        return cls(inside if account is None or _can_enter(inside, account) else shelter, account)

    @property
    def cluster(self) -> Path:
        """What initdb made: the data of all databases. It is there whole, or not at all."""
        return self.home / "data"

    @property
    def log(self) -> Path:
        """What the server writes about itself."""
        return self.home / "postgres.log"

    @property
    def lock(self) -> Path:
        """The file that whoever runs the server holds locked as long as it lives."""
        return self.home / "owner.lock"

    @property
    def socket_dir(self) -> Path:
        """Short enough for a socket, whatever the home is called; the same for everybody who asks."""
        inside = self.home / "run"
        if len(os.fsencode(inside / _SOCKET_NAME)) <= _LONGEST_SOCKET:
            return inside
        return Path("/tmp") / f"todas-{hashlib.sha256(os.fsencode(self.home)).hexdigest()[:16]}"

    @property
    def url(self) -> str:
        """How to get to the database: through the socket, so without a password."""
        return f"postgresql://{DATABASE}@/{DATABASE}?host={quote(str(self.socket_dir), safe='')}"

    def make_home(self) -> None:
        """Makes the home and what leads there, open to be passed through, whatever our umask says."""
        for folder in (*reversed(self.home.parents), self.home):
            if not folder.exists():
                folder.mkdir(exist_ok=True)
                folder.chmod(0o755)

    def make(self, path: Path) -> None:
        """Makes a folder that only the server's account may enter, or checks that it is one."""
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise PostgresRefused(f"{path} is not a folder: remove it, or choose another TODAS_STATE_DIR")
        if found.st_uid not in {os.geteuid(), self.account.uid if self.account else os.geteuid()}:
            raise PostgresRefused(f"{path} belongs to somebody else: remove it, or choose another TODAS_STATE_DIR")
        if self.account is not None:
            os.chown(path, self.account.uid, self.account.gid)
        path.chmod(0o700)

    def made_by(self) -> int | None:
        """The major version that made the data; None when there is none yet."""
        mark = self.cluster / "PG_VERSION"
        return int(mark.read_text()) if mark.exists() else None

    def running(self) -> int | None:
        """The process id of a server here that takes connections; None when there is none."""
        lines = self._pid_file()
        if len(lines) < 8 or lines[7].strip() != "ready":
            return None
        pid = int(lines[0])
        return pid if self._lives_here(pid) else None

    def inhabitants(self) -> list[int]:
        """The processes of a server here, old or new. Where the system does not tell which processes work in the data
        folder, at most the one that the server's pid file names."""
        if _PROCESSES.exists():
            known = [int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdigit()]
        else:
            known = [int(number) for number in self._pid_file()[:1]]
        return [pid for pid in known if self._lives_here(pid)]

    def _pid_file(self) -> list[str]:
        try:
            return (self.cluster / "postmaster.pid").read_text().splitlines()
        except (FileNotFoundError, PermissionError):
            return []

    def _lives_here(self, pid: int) -> bool:
        """Whether a process is one of this server's, all of which work in its data folder."""
        if _PROCESSES.exists():
            try:
                return _PROCESSES.joinpath(str(pid), "cwd").readlink() == self.cluster.resolve()
            except OSError:
                return False
        told = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return "postgres" in told.stdout


def _can_enter(path: Path, account: Account) -> bool:
    """Whether the account may pass through every folder on the way to `path`; what is not there yet, we make open."""
    for folder in path.parents:
        if not folder.exists():
            continue
        found = folder.stat()
        if found.st_uid == account.uid:
            allowed = stat.S_IXUSR
        elif found.st_gid == account.gid:
            allowed = stat.S_IXGRP
        else:
            allowed = stat.S_IXOTH
        if not found.st_mode & allowed:
            return False
    return True
