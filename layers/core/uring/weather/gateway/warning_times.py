"""Times of warnings: ``202602081137`` in fields, ``081137`` in texts, both UTC."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

_FIELD: Final = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII)
_IN_TEXT: Final = re.compile(r"(?:\b(\d{6})\s+)?VALID\s+(\d{6})/(\d{6})\b", re.ASCII)
_DAY_END: Final = (24, 0)
_EARLIEST_YEAR: Final = 2000
_LATEST_YEAR: Final = 2200


class TextTimes(NamedTuple):
    """The times in a warning's text, each as day, hour and minute; `says` compares."""

    issued: str | None
    start: str
    end: str


def warning_time(text: str) -> datetime | None:
    """Parse ``YYYYMMDDHHmm`` as aware UTC; 2400 is 0000 of the next day.

    None for an unparsable or placeholder date: databases have dates that mean "none".
    """
    match = _FIELD.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute = map(int, match.groups())
    if not _EARLIEST_YEAR <= year <= _LATEST_YEAR:
        return None
    extra = timedelta(days=1) if (hour, minute) == _DAY_END else timedelta()
    try:
        return datetime(year, month, day, 0 if extra else hour, minute, tzinfo=UTC) + extra
    except (ValueError, OverflowError):
        return None


def times_in(text: str) -> TextTimes | None:
    """Parse the times in a warning's text; None without a period."""
    match = _IN_TEXT.search(text)
    return TextTimes(*match.groups()) if match else None


def says(text: str, moment: datetime) -> bool:
    """Return True if ``ddhhmm`` can mean this moment; 072400 and 080000 are equal."""
    last = moment - timedelta(days=1)
    return text == f"{moment:%d%H%M}" or (
        (moment.hour, moment.minute) == (0, 0) and text == f"{last:%d}2400"
    )
