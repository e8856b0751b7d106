"""Who asks: bearer tokens and recovery codes. Both are random, shown once, and kept only as hashes.

A worker trusts what it read about a token for a few seconds; what it revokes itself is gone at once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Literal

from app.clock import Clock
from app.database import Database
from app.errors import Problem
from app.store import tokens

Scope = Literal["play", "spectate", "admin"]

GUEST: Final[tuple[Scope, ...]] = ("play", "spectate")
"""What the first token of a player allows."""

TRUST_SECONDS: Final = 10.0
_REMEMBERED: Final = 20_000
_TOKEN_PREFIX: Final = "todas_"
_TICKET_PREFIX: Final = "ticket_"
_CODE_BYTES: Final = 20


@dataclass(frozen=True, slots=True)
class Caller:
    """The player a request comes from, and what its token allows."""

    player_id: str
    token_id: str
    scopes: frozenset[str]


def new_id() -> str:
    """An opaque id of 128 random bits."""
    return secrets.token_hex(16)


def new_token() -> str:
    """A bearer token of 256 random bits."""
    return _TOKEN_PREFIX + secrets.token_urlsafe(32)


def derived_token(bearer: str, purpose: str) -> str:
    """A bearer token that the same bearer gets again for the same purpose, so that a lost answer can be repeated
    although nobody keeps it. As secret as `bearer` is, from which it follows one way (decision 0302).
    """
    return _TOKEN_PREFIX + base64.urlsafe_b64encode(_derived(bearer, f"token:{purpose}")).rstrip(b"=").decode()


def derived_ticket(bearer: str, purpose: str) -> str:
    """A ticket of 256 bits, in the same way."""
    return _TICKET_PREFIX + base64.urlsafe_b64encode(_derived(bearer, f"ticket:{purpose}")).rstrip(b"=").decode()


def new_recovery_code() -> str:
    """A recovery code of 160 random bits, in groups that can be written down."""
    return _grouped(secrets.token_bytes(_CODE_BYTES))


def derived_recovery_code(bearer: str, purpose: str) -> str:
    """A recovery code that the same bearer gets again for the same purpose."""
    return _grouped(_derived(bearer, f"recovery:{purpose}")[:_CODE_BYTES])


def token_hash(token: str) -> bytes:
    """What is kept of a token. No salt or stretching: it is random, there is nothing to guess."""
    return hashlib.sha256(token.encode()).digest()


def recovery_hash(code: str) -> bytes:
    """What is kept of a recovery code, however it was typed: case, spaces and hyphens do not count."""
    return hashlib.sha256("".join(code.upper().replace("-", " ").split()).encode()).digest()


class Authenticator:
    """Finds the caller of a request by its token."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[Caller, float]] = OrderedDict()

    async def identify(self, authorization: str | None) -> Caller:
        """The caller named by an Authorization header. Raises Problem `unauthenticated`."""
        key = token_hash(bearer_of(authorization))
        known = self._known.get(key)
        if known is not None and known[1] > self._clock.monotonic():
            return known[0]
        token = await tokens.find(self._database.session, key)
        if token is None:
            self._known.pop(key, None)
            raise _refused("This token is not valid, or not any more.", error="invalid_token")
        caller = Caller(token.player_id, token.id, frozenset(token.scopes))
        self._known[key] = (caller, self._clock.monotonic() + TRUST_SECONDS)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return caller

    def forget(self, player_id: str) -> None:
        """From now on every token of this player is looked up again."""
        for key in [key for key, (caller, _) in self._known.items() if caller.player_id == player_id]:
            del self._known[key]


def bearer_of(authorization: str | None) -> str:
    """The token in an Authorization header. Raises Problem `unauthenticated`."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise _refused("Send the header: Authorization: Bearer <token>")
    return token


def _refused(detail: str, error: str | None = None) -> Problem:
    challenge = 'Bearer realm="todas"' + (f', error="{error}"' if error else "")
    return Problem("unauthenticated", detail, headers={"WWW-Authenticate": challenge})


def _derived(bearer: str, purpose: str) -> bytes:
    return hmac.digest(bearer.encode(), f"todas:{purpose}".encode(), "sha256")


def _grouped(secret: bytes) -> str:
    letters = base64.b32encode(secret).decode()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))
