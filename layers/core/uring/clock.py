"""Time as the library reads it: aware UTC, whole seconds, ISO 8601 with ``Z``."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """The time now, aware UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """``2026-01-22T10:00:00Z``: seconds are enough for readers and keep bytes stable."""
    plain = moment.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    # Not by strftime: it writes a year below 1000 in fewer than four digits.
    return f"{plain.isoformat()}Z"


def parse_timestamp(text: str) -> datetime:
    """The inverse of `timestamp`.

    Raises:
        ValueError: the text is no ISO 8601 time with a zone.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no zone; write it with Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} lies outside of the years 1 to 9999 in UTC") from error
