"""What follows from how many people play where nobody says otherwise: one alone, or two and more (rules 5; api)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.lobby.asked import Asked, dump_asked, load_asked
from app.tables.absence import is_watched
from app.tables.customs import Customs
from app.tables.terms import Terms, dump_terms, load_terms, usual_terms
from engine.decide import new_game
from engine.events import Player
from engine.rules import preset

TOGETHER = Terms(None, 20, 60, 4, 15, 60, 800)


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
@pytest.mark.parametrize("people", [2, 3, 4])
def test_people_who_play_together_have_seconds_for_everything(ruleset: str, people: int):
    assert usual_terms(ruleset, people) == TOGETHER


@pytest.mark.parametrize(("ruleset", "settlement"), [("emay", None), ("tsumo", 0)])
@pytest.mark.parametrize("people", [0, 1])
def test_who_plays_alone_has_all_the_time(ruleset: str, settlement: int | None, people: int):
    assert usual_terms(ruleset, people) == Terms(settlement_seconds=settlement)


@pytest.mark.parametrize("milliseconds", [0, 1, 300, 30_000])
def test_the_delay_of_bots_is_stored_in_seconds_as_every_version_reads_it(milliseconds: int):
    terms = replace(TOGETHER, bot_delay_ms=milliseconds)
    stored = dump_terms(terms)
    assert (stored["bot_delay_seconds"], "bot_delay_ms" in stored) == (milliseconds / 1000, False)
    assert load_terms(stored) == terms


def test_a_table_that_waits_stores_the_delay_of_bots_in_seconds_too():
    asked = Asked(preset("emay"), (None,) * 4, (0,) * 4, {"bot_delay_ms": 300}, None, "private")
    assert dump_asked(asked)["timing"] == {"bot_delay_seconds": 0.3}
    assert load_asked(dump_asked(asked)) == asked


@pytest.mark.parametrize(("people", "may_ask"), [(1, True), (2, False), (3, False), (4, False)])
def test_advice_is_for_who_plays_alone_unless_the_table_says_otherwise(people: int, may_ask: bool):
    assert Customs().hints_for(people) is may_ask
    assert Customs(hints=True).hints_for(people)
    assert not Customs(hints=False).hints_for(people)


@pytest.mark.parametrize(("people", "watched"), [(0, False), (1, False), (2, True), (3, True), (4, True)])
def test_who_is_there_matters_where_two_or_more_play(people: int, watched: bool):
    players = [Player(f"Player {seat}", None if seat < people else "greedy") for seat in range(4)]
    state, _ = new_game(preset("emay"), players, "5eed" * 16)
    assert is_watched(state) is watched
