"""The seconds that apply where neither a table nor the settings say otherwise (api, The stream): whoever changes one
changes what clients were promised.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta

import pytest

from app.settings import Settings
from app.stream.admission import TICKET_LIFETIME
from app.tables import usual_terms
from app.tables.absence import USUAL_ABSENCE, USUAL_AWAY_SECONDS

FIGURES = {
    "turn_seconds": 20,
    "bank_seconds": 60,
    "claim_seconds": 4,
    "settlement_seconds": 15,
    "away_seconds": 60,
    "bot_delay_ms": 800,
}


@pytest.mark.parametrize("ruleset", ["emay", "tsumo"])
def test_the_clocks_of_two_or_more_people(ruleset: str):
    assert asdict(usual_terms(ruleset, 2)) == {"claim_timing": None, **FIGURES}


def test_how_long_people_are_waited_for():
    assert asdict(USUAL_ABSENCE) == {
        "pause_seconds": 60,
        "end_seconds": 24 * 3600,
        "settle_seconds": 3,
        "apart_seconds": 10,
    }


def test_the_settings_wait_for_people_as_long_where_nothing_is_set():
    usual = {name: field.default for name, field in Settings.model_fields.items()}
    assert (usual["pause_seconds"], usual["abandon_hours"]) == (60, 24)


def test_a_request_counts_as_being_there_for_a_minute():
    assert USUAL_AWAY_SECONDS == 60


def test_a_ticket_opens_a_stream_for_half_a_minute():
    assert timedelta(seconds=30) == TICKET_LIFETIME
