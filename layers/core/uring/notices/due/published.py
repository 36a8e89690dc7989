"""The deadline of a stored notice, as readers get it."""

from collections.abc import Mapping
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from uring.clock import parse_timestamp
from uring.notices.due.deadline import deadline_of

# A program's placeholder date, and a year that nobody means.
_YEARS: Final = range(1970, 2200)


def published(
    content: Mapping[str, str | None], first_seen: str, zone: str
) -> dict[str, str] | None:
    """Return the deadline that a notice's title names; None without one.

    Args:
        content: of the notice: ``title``, and ``date``, from which days without a year are counted.
        first_seen: RFC 3339; its day in ``zone`` counts for a notice without a valid date.
        zone: IANA name, of the board; the deadline is in it.
    """
    try:
        posted = date.fromisoformat(content.get("date") or "")
    except ValueError:
        posted = parse_timestamp(first_seen).astimezone(ZoneInfo(zone)).date()
    if posted.year not in _YEARS:
        return None
    found = deadline_of(content.get("title") or "", posted)
    return found.published() if found else None
