"""The embedded Postgres: made, started, stopped, recovered. One process owns a folder, holds its lock for life and
takes the server down with it, even by kill -9; every other process attaches through the private socket.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from app.clock import monotonic, sleep
from app.postgres_binaries import MAJOR, PostgresRefused, environment, find_binaries, run
from app.postgres_folder import DATABASE, Folder

_OLD_SERVER_SECONDS = 15.0
_START_SECONDS = 60.0
_STOP_SECONDS = 10.0
_POLL_SECONDS = 0.004
_LONGEST_LOG = 16 * 1024 * 1024
_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_INITDB = (
    f"--username={DATABASE}",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
)
_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "cluster_name": DATABASE,
    "timezone": "UTC",
    "log_timezone": "UTC",
    "jit": "off",
}
_owned: set[Path] = set()  # what this process has locked: of a second lock of its own, the system would say nothing


class PostgresOwned(PostgresRefused):
    """Another process owns this folder's server."""


class PostgresServer:
    """The server of one state folder, run by its owner. Use it as a context: up inside, gone after."""

    def __init__(
        self,
        state_dir: Path,
        *,
        bin_dir: Path | None = None,
        account: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        """`bin_dir` and `account` are the settings of those names; `options` go to Postgres on top of ours."""
        self.folder = Folder.under(state_dir, account)
        self._named_bin_dir = bin_dir
        self._options = {**_OPTIONS, **(options or {})}
        self._lock: int | None = None
        self._postmaster: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where to connect, for this process and for those that attach."""
        return self.folder.url

    @property
    def alive(self) -> bool:
        """Whether the server is there; what an owner that watches it asks before `restart`."""
        return self._postmaster is not None and self._postmaster.poll() is None

    def start(self) -> None:
        """Takes the folder and brings the server up, making it the first time. Returns when it takes connections.

        To be called from the main thread, before any loop or worker: the system ends the server when the thread that
        started it ends. Raises PostgresOwned when another process has the folder, PostgresRefused with the reason
        when it cannot be started.
        """
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("the embedded Postgres is started from the main thread")
        self.folder.make_home()
        self._lock = _take(self.folder.lock)
        try:
            self._await_old_server()
            bin_dir = find_binaries(self._named_bin_dir, self.folder.account, self.folder.home)
            self._refuse_other_version()
            if self.folder.made_by() is None:
                self._make(bin_dir)
            self._launch(bin_dir)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Shuts the server down and gives the folder up: politely, at once if that takes too long, then by force."""
        if self._postmaster is not None:
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                if self._postmaster.poll() is None:
                    self._postmaster.send_signal(number)
                    _wait(_STOP_SECONDS, lambda: not self.alive)
            self._postmaster = None
        if self._lock is not None:
            _owned.discard(self.folder.lock)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> PostgresServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _await_old_server(self) -> None:
        """The last owner is dead, since the lock is ours; what it left running is told to go, and waited for."""
        for pid in self.folder.inhabitants():
            _signal(pid, signal.SIGQUIT)
        if not _wait(_OLD_SERVER_SECONDS, lambda: not self.folder.inhabitants()):
            pids = ", ".join(map(str, self.folder.inhabitants()))
            raise PostgresRefused(f"an old Postgres still runs in {self.folder.cluster} (process {pids}): end it first")
        # Nobody lives here, so the file is stale, even when its number now belongs to some other process.
        (self.folder.cluster / "postmaster.pid").unlink(missing_ok=True)

    def _refuse_other_version(self) -> None:
        made_by = self.folder.made_by()
        if made_by not in (None, MAJOR):
            raise PostgresRefused(
                f"{self.folder.cluster} was made by Postgres {made_by}, and this is Postgres {MAJOR}."
                f" With a Todas that ran on {made_by}: `todas db dump FILE`."
                " Then move that folder away and, with this one: `todas db restore FILE`."
            )

    def _make(self, bin_dir: Path) -> None:
        """Makes the data under another name first, so that a folder called data is always a whole one."""
        draft = self.folder.home / "data.new"
        shutil.rmtree(draft, ignore_errors=True)
        self.folder.make(draft)
        loose = self._options.get("fsync") == "off"
        run(self.folder.account, bin_dir / "initdb", f"--pgdata={draft}", *_INITDB, *(["--no-sync"] if loose else []))
        alone = ("--single", "-D", str(draft), "-c", "exit_on_error=on", *(["-F"] if loose else []), "postgres")
        run(self.folder.account, bin_dir / "postgres", *alone, text=f"CREATE DATABASE {DATABASE}\n")
        draft.rename(self.folder.cluster)

    def _launch(self, bin_dir: Path) -> None:
        self.folder.make(self.folder.socket_dir)
        options = {**self._options, "unix_socket_directories": str(self.folder.socket_dir)}
        account = self.folder.account
        with _open_log(self.folder.log) as log:
            self._postmaster = subprocess.Popen(
                [
                    bin_dir / "postgres",
                    "-D",
                    self.folder.cluster,
                    *(f"--{name}={value}" for name, value in options.items()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment(),
                start_new_session=True,  # a Ctrl-C at the terminal is for the service, which stops the server last
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                preexec_fn=_die_with(os.getpid()),
            )
        pid = self._postmaster.pid
        _wait(_START_SECONDS, lambda: not self.alive or self.folder.running() == pid)
        if self.folder.running() != pid:
            raise PostgresRefused(f"Postgres did not start. The end of {self.folder.log}:\n{_tail(self.folder.log)}")


def _take(path: Path) -> int:
    """Locks the file for this process alone. A lock of records is not inherited: a copy of the open file in a child,
    even in one that has not come to run yet, keeps nothing of it once we are dead.
    """
    if path in _owned:
        raise PostgresOwned(f"this process, {os.getpid()}, already runs the Postgres in {path.parent}")
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as refusal:
        owner = os.read(lock, 32).decode().strip()
        os.close(lock)
        if refusal.errno not in (errno.EACCES, errno.EAGAIN):
            raise
        raise PostgresOwned(f"process {owner} already runs the Postgres in {path.parent}") from None
    os.ftruncate(lock, 0)
    os.write(lock, f"{os.getpid()}\n".encode())
    _owned.add(path)
    return lock


def _die_with(owner: int) -> Callable[[], None] | None:
    """What the server's process does before it becomes Postgres: asks to be shut down at once when its owner ends."""
    if sys.platform != "linux":
        return None
    system = ctypes.CDLL(None)

    def ask() -> None:
        system.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGQUIT)
        if os.getppid() != owner:  # it ended before we could ask
            os._exit(1)

    return ask


def _wait(seconds: float, done: Callable[[], bool]) -> bool:
    until = monotonic() + seconds
    while not done():
        if monotonic() > until:
            return False
        sleep(_POLL_SECONDS)
    return True


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _open_log(path: Path) -> IO[bytes]:
    if path.exists() and path.stat().st_size > _LONGEST_LOG:
        path.replace(path.with_suffix(".log.old"))
    return open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600))


def _tail(path: Path) -> str:
    return "\n".join(path.read_text(errors="replace").splitlines()[-15:])


os.register_at_fork(after_in_child=_owned.clear)
