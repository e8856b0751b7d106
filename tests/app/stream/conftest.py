"""A served application over a database of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.app.stream.streaming import Site, serving


@pytest.fixture
async def site(url: str) -> AsyncIterator[Site]:
    """The service, with limits that nobody reaches."""
    async with serving(url) as made:
        yield made
