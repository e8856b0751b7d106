"""Games, seats and snapshots as they are stored."""

from __future__ import annotations

import asyncpg
import pytest

from app.database import Database
from app.store import games, log, snapshots
from app.store.games import NewGame
from app.store.snapshots import Snapshot
from tests.app.games import new_game, new_player, row


async def open_game(db: Database, game_id: str, **seats: str) -> None:
    """A game that waits for players; `seats` as `s0="player"`, seat 0's first."""
    taken = {int(seat[1:]): player for seat, player in seats.items()}
    game = NewGame(game_id, "tsumo", seats["s0"], "public", False, 1, {"length": {"winds": 4}}, taken)
    async with db.transaction() as session:
        await games.create(session, game, None, None, "test")


async def test_a_game_dealt_at_once_is_created_with_its_head_row_and_snapshot(db: Database):
    game_id = await new_game(db)
    game = await games.find(db.session, game_id)
    assert game is not None
    assert (game.status, game.config, game.last_version) == ("playing", {"points": 0}, None)
    assert await games.seats(db.session, game_id) == {0: game.creator}
    assert [written.version for written in await log.rows_after(db.session, game_id, 0)] == [1]
    assert await snapshots.latest(db.session, game_id) == Snapshot(game_id, 1, 1, 3, 1, b"{}")


async def test_a_game_that_is_not_full_is_open_at_version_0(db: Database):
    await open_game(db, "g", s0=await new_player(db), s2=await new_player(db))
    game = await games.find(db.session, "g")
    assert game is not None
    assert game.status == "open"
    assert list(await games.seats(db.session, "g")) == [0, 2]
    assert await db.session.fetchval("SELECT version FROM game_heads WHERE id = 'g'") == 0


async def test_a_game_is_created_whole_or_not_at_all(db: Database):
    creator = await new_player(db)
    game = NewGame("g", "emay", creator, "private", False, 1, {}, {0: creator, 1: "nobody"})
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        async with db.transaction() as session:
            await games.create(session, game, row("g", 1), None, "test")
    assert await games.find(db.session, "g") is None


async def test_a_player_has_one_seat_in_a_game(db: Database):
    creator = await new_player(db)
    with pytest.raises(asyncpg.UniqueViolationError):
        await open_game(db, "g", s0=creator, s1=creator)


async def test_a_player_s_games_are_listed_page_by_page_the_last_first(db: Database):
    player = await new_player(db)
    for number in range(5):
        await open_game(db, f"g{number}", s0=player)
    await open_game(db, "another", s0=await new_player(db))
    first = await games.of_player(db.session, player, limit=3)
    last = first[-1]
    second = await games.of_player(db.session, player, before=(last.joined_at, last.game.id), limit=3)
    assert [place.game.id for place in first + second] == ["g4", "g3", "g2", "g1", "g0"]
    assert await games.of_player(db.session, player, status=("playing",)) == []


async def test_an_unknown_game_is_not_found(db: Database):
    assert await games.find(db.session, "nowhere") is None
    assert await games.seats(db.session, "nowhere") == {}


async def test_a_game_s_format_only_grows(db: Database):
    game_id = await new_game(db)
    for number in (3, 2):
        await games.set_format(db.session, game_id, number)
    game = await games.find(db.session, game_id)
    assert game is not None
    assert game.format == 3


async def test_a_past_view_starts_from_the_last_deal_before_it(db: Database):
    game_id = await new_game(db)
    second = Snapshot(game_id, 2, 9, 40, 1, b"{}")
    await snapshots.put(db.session, second)
    assert await snapshots.latest(db.session, game_id) == second
    assert await snapshots.before(db.session, game_id, 40) == second
    found = await snapshots.before(db.session, game_id, 39)
    assert found is not None
    assert found.round == 1
    assert await snapshots.before(db.session, game_id, 2) is None


async def test_the_first_snapshot_of_a_round_stays(db: Database):
    game_id = await new_game(db)
    await snapshots.put(db.session, Snapshot(game_id, 1, 1, 3, 1, b"[]"))
    assert await snapshots.latest(db.session, game_id) == Snapshot(game_id, 1, 1, 3, 1, b"{}")
