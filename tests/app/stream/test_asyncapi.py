"""openapi/asyncapi.json is what the frames make, and what it says of them is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from app.stream import asyncapi
from app.stream.reading import read_frame
from tests.app.stream.streaming import CONTRACT

COMMITTED = Path(__file__).parents[3] / "openapi" / "asyncapi.json"
SCHEMAS: dict[str, Any] = CONTRACT["components"]["schemas"]
EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name in ("ActionFrame", "PingFrame", "ResumeFrame")
    for number, example in enumerate(SCHEMAS[name]["examples"], 1)
]


def test_the_committed_contract_is_what_the_frames_make():
    assert COMMITTED.read_text(encoding="utf-8") == asyncapi.text()


def test_every_name_in_it_is_found_in_it():
    references = {part.split('"')[0] for part in COMMITTED.read_text(encoding="utf-8").split('"$ref": "#/')[1:]}

    assert [name for name in references if not found(name)] == []


def test_every_message_of_a_channel_is_sent_or_received():
    for name, channel in CONTRACT["channels"].items():
        used = {
            message["$ref"].rpartition("/")[2]
            for operation in CONTRACT["operations"].values()
            if operation["channel"]["$ref"] == f"#/channels/{name}"
            for message in operation["messages"]
        }
        assert used == set(channel["messages"])


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_the_example_of_a_frame_is_taken(name: str, example: dict[str, Any]):
    jsonschema_rs.validator_for({**SCHEMAS[name], "components": CONTRACT["components"]}).validate(example)

    assert type(read_frame(example)).__name__ == name


def found(name: str) -> bool:
    """Whether a reference leads somewhere."""
    place: Any = CONTRACT
    for step in name.split("/"):
        if step not in place:
            return False
        place = place[step]
    return True
