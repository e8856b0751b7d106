"""The 42 kinds of tile as people see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter, Response

from engine.tiles import CODES, TileKind, describe

router = APIRouter(tags=["rules"])


@dataclass(frozen=True, slots=True)
class TileKinds:
    """Every kind, in the order hands are sorted."""

    items: tuple[TileKind, ...]


_KINDS: Final = TileKinds(tuple(describe(kind) for kind in range(len(CODES))))


@router.get("/v1/tiles", operation_id="list_tiles", summary="The 42 kinds of tile")
async def list_tiles(response: Response) -> TileKinds:
    """Code, family, rank, names in English and Filipino, and the Unicode character of every kind of tile."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return _KINDS
