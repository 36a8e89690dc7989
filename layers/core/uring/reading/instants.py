"""Dates with an optional UTC offset: ISO 8601, and RFC 822 as RSS uses it."""

import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Final

_MONTH_NAMES: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
MONTHS: Final = _MONTH_NAMES.split()
ISO8601: Final = re.compile(
    r"(?<!\d)(?P<Y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})"
    r"(?:(?:(?P<T>T)|\s+)(?P<H>\d{2}):(?P<M>\d{2})(?P<s>:(?P<S>\d{2})(?:[.,]\d+)?)?"
    r"(?:\s?(?P<offset>Z|[+-]\d{2}:?\d{2}(?![\d:])))?)?(?!\d)",
    re.ASCII | re.IGNORECASE,
)
"""Matches a date without a time, too."""
RFC822: Final = re.compile(
    rf"(?<!\d)(?P<d>\d{{1,2}})[ -](?P<b>{'|'.join(MONTHS)})[a-z]*[ -](?P<Y>\d{{4}}|\d{{2}})"
    r"(?:\s+(?P<H>\d{2}):(?P<M>\d{2})(?::(?P<S>\d{2}))?"
    r"(?:\s*(?P<offset>[+-]\d{4}|[A-Z]{1,4}))?)?(?![\d:])",
    re.ASCII | re.IGNORECASE,
)
# RFC 822, 5.1, and the names of Korean and Japanese servers. Unknown names are the board's zone.
_HOURS: Final = {
    name: hours
    for hours, names in {
        0: "Z UT UTC GMT",
        9: "KST JST",
        -4: "EDT",
        -5: "EST CDT",
        -6: "CST MDT",
        -7: "MST PDT",
        -8: "PST",
    }.items()
    for name in names.split()
}


def day_in(zone: tzinfo | None, written: date, parts: dict[str, str | None]) -> date:
    """Return the day of an instant in ``zone``; ``written`` without a zone or a valid offset.

    Args:
        zone: of the board.
        written: the date of the instant, as written.
        parts: all groups of the matched expression.
    """
    offset = _offset(parts)
    if zone is None or offset is None:
        return written
    hour, minute = int(parts["H"] or 0), int(parts["M"] or 0)
    try:
        instant = datetime(
            written.year, written.month, written.day, hour, minute, tzinfo=timezone(offset)
        )
        return instant.astimezone(zone).date()
    except (OverflowError, ValueError):
        return written


def _offset(parts: dict[str, str | None]) -> timedelta | None:
    text = (parts.get("offset") or "").upper()
    # 10:00-12:00 is a time span: an ISO 8601 offset follows a T or the seconds.
    if not text or ("s" in parts and not parts["T"] and not parts["s"]):
        return None
    if text[0] not in "+-":
        return None if text not in _HOURS else timedelta(hours=_HOURS[text])
    hours, minutes = int(text[1:3]), int(text[-2:])
    size = timedelta(hours=hours, minutes=minutes)
    return -size if text[0] == "-" else size
