"""Reports, as the operator reads them: who said what is wrong with whom, at which table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.database import Session


@dataclass(frozen=True, slots=True)
class Report:
    """A report. Names are as they are now, and null once the player is deleted; `message` is a copy of what was
    reported, null where it was the player."""

    at: datetime
    game_id: str
    reporter_id: str
    reporter: str | None
    player_id: str
    player: str | None
    reason: str
    message_no: int | None
    message: str | None


async def every(session: Session) -> list[Report]:
    """All reports in the order in which they were made."""
    found = await session.fetch(
        """
        SELECT report.at, report.game_id, report.reporter, nullif(by.display_name, ''),
            report.player_id, nullif(about.display_name, ''), report.reason, report.message_no, report.message
        FROM reports AS report
        JOIN players AS by ON by.id = report.reporter
        JOIN players AS about ON about.id = report.player_id
        ORDER BY report.at, report.game_id, report.id
        """
    )
    return [Report(*row) for row in found]
