"""Who this terminal is at each service: remembered in a file of the user's own, and recovered when a token is gone."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from todas_client.client import Client
from todas_client.problems import Problem


@dataclass(frozen=True, slots=True)
class Account:
    """A guest at one service."""

    name: str
    token: str
    recovery_code: str


class Accounts:
    """The accounts of this user, in a file that only the user may read."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file or _folder() / "accounts.json"

    def find(self, server: str) -> Account | None:
        """The account at a service; None where there is none yet."""
        kept = self._read().get(server)
        return None if kept is None else Account(**kept)

    def keep(self, server: str, account: Account) -> None:
        """Remembers the account at a service."""
        kept = self._read() | {server: asdict(account)}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as opened:
            json.dump(kept, opened, indent=2)
        fresh.replace(self.file)

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return kept if isinstance(kept, dict) else {}


async def sign_in(client: Client, accounts: Accounts, name: str) -> Account:
    """The account at this client's service: the remembered one, brought back by its recovery code where its token has
    been revoked, else a new guest of that name."""
    server, known = client.address, accounts.find(client.address)
    account = None if known is None else await _still(client, known, name)
    if account is None:
        made = await client.sign_up(name)
        account = Account(made["player"]["display_name"], made["token"], made["recovery_code"])
    accounts.keep(server, account)
    return account


async def _still(client: Client, known: Account, name: str) -> Account | None:
    client.token = known.token
    try:
        player = await client.me()
    except Problem as problem:
        if problem.code != "unauthenticated":
            raise
        try:
            back = await client.recover(known.recovery_code)
        except Problem as gone:
            if gone.code != "unknown_recovery_code":
                raise
            return None
        player, known = back["player"], Account(known.name, back["token"], known.recovery_code)
    if name and name != player["display_name"]:
        player = await client.rename(name)
    return Account(player["display_name"], known.token, known.recovery_code)


def _folder() -> Path:
    root = os.environ.get("XDG_CONFIG_HOME")
    return (Path(root) if root else Path.home() / ".config") / "todas"
