"""Times of the library: aware UTC, whole seconds, ISO 8601 with ``Z``."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import StringConstraints

Clock = Callable[[], datetime]

# Every valid date, as an expression: a call into Python for each of the several hundred times in a
# state would make an unchanged check cost half as much again.
_DAY: Final = (
    r"[12][0-9]{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)"
    r"|(?:0[13578]|1[02])-31)"
    r"|(?:[12][0-9](?:0[48]|[2468][048]|[13579][26])|(?:1[26]|2[048])00)-02-29"
)
Timestamp = Annotated[
    str,
    StringConstraints(pattern=rf"^(?:{_DAY})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"),
]


def system_clock() -> datetime:
    """Return the current time, aware UTC."""
    return datetime.now(UTC)


def milliseconds(clock: Clock) -> Callable[[], int]:
    """Return a clock that returns milliseconds since 1970, based on ``clock``."""
    return lambda: round(clock().timestamp() * 1000)


def timestamp(moment: datetime) -> str:
    """Return ``2026-01-22T10:00:00Z`` for an aware time; fractions of a second are cut.

    Seconds are enough for readers and keep bytes stable.
    """
    plain = moment.astimezone(UTC).replace(microsecond=0, tzinfo=None)
    # Not by strftime: it writes a year below 1000 in fewer than four digits.
    return f"{plain.isoformat()}Z"


def parse_timestamp(text: str) -> datetime:
    """Parse an ISO 8601 time with a zone; return it as aware UTC.

    Raises:
        ValueError: the text is not such a time, or is outside the years 1 to 9999 in UTC.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no zone; write it with Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"{text!r} lies outside of the years 1 to 9999 in UTC") from error
