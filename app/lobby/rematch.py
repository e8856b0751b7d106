"""The game after a game: the same terms and the same persons in their seats, under the seed of its own."""

from __future__ import annotations

from app.database import Session
from app.errors import Problem
from app.lobby import sitting
from app.lobby.asked import Asked, Person
from app.store import games, lobby, players
from app.tables import LiveGame
from app.tables.seating import has_left
from app.tables.terms import dump_terms, named_now


async def again(session: Session, game: LiveGame, person: Person, game_id: str, seed: str) -> str:
    """The id of the game that follows, for which that person is ready now. Raises Problem `not_over`, `not_seated` or
    `table_full`."""
    seat = game.seat_of.get(person.id)
    if seat is None:
        raise Problem("not_seated")
    if not game.is_over:
        raise Problem("not_over", f"A rematch follows on a game that is over: POST /v1/games/{game.id}/end ends one.")
    await games.lock(session, game.id)  # of two who ask at once, one makes it
    follower = await lobby.rematch(session, game.id)
    if follower is None:
        seats = await _persons(session, game, person)
        owner = seats.get(game.state.owner, person).id
        waiting = _asked(game).waiting(game_id, seats, owner, game.id)
        if await lobby.create(session, waiting, owner, seed) and game.game.visibility == "private":
            await sitting.renew_code(session, game_id)
        follower = game_id
    table = await lobby.lock(session, follower)
    if table is not None:
        at = sitting.seat_at(table, person.id)
        await sitting.sit_down(session, table, person, at, ready=True)
    return follower


def _asked(game: LiveGame) -> Asked:
    state, asked = game.state, game.game.config.get("asked", {})
    a, b, c, d = (player if player.bot else None for player in state.players)
    return Asked(
        rules=state.rules,
        bots=(a, b, c, d),
        points=state.starting_points,
        timing=named_now(asked.get("timing", dump_terms(game.terms))),
        length=state.length,
        visibility=game.game.visibility,
        customs=game.customs,
    )


async def _persons(session: Session, game: LiveGame, asking: Person) -> dict[int, Person]:
    """Who had a seat to the end, and whoever asks; the seats of the others are free."""
    found = {}
    for seat, player_id in game.persons.items():
        stayed = player_id == asking.id or not has_left(game.state.players[seat])
        player = await players.find(session, player_id) if stayed else None
        if player is not None:
            found[seat] = Person(player.id, player.display_name)
    return found
