"""Times with a zone: the day of such an instant on the board.

A zone is an offset (``+0900``, ``GMT+7``, ``UTC+09:00``), a name of the tz database
(``America/Los_Angeles``) or an abbreviation (``KST``).
"""

import re
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from uring.reading.calendars import DateRefused

_HALF: Final = r"[ap]\.?m\b\.?|오전|오후|上午|下午|午前|午後"
_CLOCK: Final = (
    rf"(?P<half>{_HALF})?\s*(?P<H>\d{{1,2}}):(?P<M>\d{{2}})"
    rf"(?P<s>:\d{{2}}(?:[.,]\d+)?)?(?![\d:])(?:\s*(?P<late>{_HALF}))?"
)
_FLAGS: Final = re.ASCII | re.IGNORECASE
_TIME: Final = re.compile(rf"(?:(?P<T>T)|:|[^\d:+]{{0,20}}?){_CLOCK}", _FLAGS)
_COMPACT: Final = re.compile(r"(?P<T>T)(?P<H>\d{2})(?P<M>\d{2})(?P<s>\d{2})?(?!\d)", _FLAGS)
_AREAS: Final = "Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc"
_ZONE: Final = re.compile(
    r"(?P<space>\s*)[(\[]?\s*(?:"
    r"(?P<base>GMT|UTC|UT|Z)?\s?(?P<sign>[+\-\u2212])(?P<hours>\d{1,2})(?P<colon>:?)(?P<minutes>\d{2})?"
    r"(?![\d:.])"
    rf"|(?P<city>(?:{_AREAS})/[a-z_+-]{{1,30}}(?:/[a-z_]{{1,30}})?)"
    r"|(?P<name>[a-z]{1,5})(?![a-z]))",
    _FLAGS,
)
_BEFORE: Final = re.compile(rf"{_CLOCK}{_ZONE.pattern}[^\d:]{{0,20}}\Z", _FLAGS)
_WINDOW: Final = 80

# RFC 822, 5.1, and names that mean one offset everywhere.
_HOURS: Final[dict[str, float]] = {
    name: hours
    for hours, names in {
        0: "Z UT UTC GMT WET",
        1: "CET WEST",
        2: "CEST EET",
        3: "EEST MSK",
        7: "ICT WIB",
        8: "HKT SGT MYT PHT AWST WITA",
        9: "KST JST",
        9.5: "ACST",
        10: "AEST",
        10.5: "ACDT",
        11: "AEDT",
        12: "NZST",
        13: "NZDT",
        -4: "EDT",
        -5: "EST CDT",
        -6: "CST MDT",
        -7: "MST PDT",
        -8: "PST AKDT",
        -9: "AKST",
        -10: "HST",
    }.items()
    for name in names.split()
}
# China and Cuba use it too: only the standard of mail and feeds says that it is Chicago's.
_SHARED: Final = frozenset({"CST"})
_ZONE_LIKE: Final = re.compile(r"[A-Z]{2,4}T\Z")
# Words of lists that look like a zone.
_WORDS: Final = frozenset({"HIT", "HOT", "BEST", "EDIT", "LIST", "NEXT", "POST", "TEXT", "VISIT"})
_MOST: Final = timedelta(hours=14)


def day_on_board(
    zone: tzinfo | None, written: date, text: str, match: re.Match[str], *, is_mail: bool
) -> date | None:
    """Return the day in ``zone`` of a date with a time and a zone; else ``written``.

    None for an impossible time behind a ``T``.

    Args:
        zone: of the board; None takes the day as written.
        written: the date, as written.
        text: the whole text.
        match: of the date in the text.
        is_mail: whether the format is that of RFC 822: any capitals behind its time are a zone.

    Raises:
        DateRefused: the zone is unknown, so the day is uncertain.
    """
    parts = match.groupdict()
    if parts.get("H"):
        named = parts.get("zone")
        # The format of a bare time matches the whole text.
        end = match.end() if parts.get("d") else match.end("S" if parts.get("S") else "M")
        found = _ZONE.match(named) if named else _ZONE.match(text, end)
        clock = {"half": None, "late": None, "T": None, "s": parts.get("S"), **parts}
    elif ":" not in text and "T" not in text[match.end() :].upper():
        return written
    else:
        time = _TIME.match(text, match.end()) or _COMPACT.match(text, match.end())
        if time is None:
            window = text[max(0, match.start() - _WINDOW) : match.start()]
            found = _BEFORE.search(window)
            clock = {"T": None, **found.groupdict()} if found else {}
        else:
            found = _ZONE.match(text, time.end())
            clock = {"half": None, "late": None, **time.groupdict()}
    if not clock:
        return written
    hour, minute = int(clock["H"] or 0), int(clock["M"] or 0)
    if hour > 23 or minute > 59:  # noqa: PLR2004 - a clock
        is_midnight = (hour, minute) == (24, 0)
        if clock["T"]:
            return None
        if not is_midnight:
            return written
    source = _tzinfo(found, clock, zone, written, is_mail=is_mail) if found and zone else None
    if source is None or zone is None:
        return written
    return _shifted(written, _hour24(hour, clock), minute, source, zone)


def _hour24(hour: int, clock: dict[str, str | None]) -> int:
    half = (clock["half"] or clock["late"] or "").lower()
    if not half or hour > 12:  # noqa: PLR2004 - a clock
        return hour
    is_late = half[0] == "p" or half in ("오후", "下午", "午後")
    return hour % 12 + (12 if is_late else 0)


def _shifted(written: date, hour: int, minute: int, source: tzinfo, zone: tzinfo) -> date:
    try:
        midnight = datetime(written.year, written.month, written.day, tzinfo=source)
        instant = (midnight.replace(tzinfo=None) + timedelta(hours=hour, minutes=minute)).replace(
            tzinfo=source
        )
        return instant.astimezone(zone).date()
    except (OverflowError, ValueError):
        return written


def _tzinfo(
    found: re.Match[str], clock: dict[str, str | None], zone: tzinfo, day: date, *, is_mail: bool
) -> tzinfo | None:
    """Return the zone behind a time; None without one.

    Raises:
        DateRefused: an unknown zone.
    """
    if found["sign"]:
        return _offset(found, clock)
    if found["city"]:
        try:
            return ZoneInfo(found["city"])
        except (KeyError, ValueError, OSError):
            raise DateRefused(f"{found['city']!r} is not a time zone") from None
    name = found["name"].upper()
    if name in _own_names(zone, day):
        return None
    if name in _HOURS and (is_mail or name not in _SHARED):
        return timezone(timedelta(hours=_HOURS[name]))
    is_upper = found["name"].isupper() and len(name) > 1
    if is_upper and name not in _WORDS and (is_mail or _ZONE_LIKE.match(name)):
        raise DateRefused(f"{found['name']!r} may be a time zone, and means no certain one")
    return None


def _own_names(zone: tzinfo, day: date) -> set[str | None]:
    """Return the names of the board's own zone, in winter and in summer."""
    return {datetime(day.year, month, 1, tzinfo=zone).tzname() for month in (1, 7)}


def _offset(found: re.Match[str], clock: dict[str, str | None]) -> tzinfo | None:
    """Return a numeric offset as a zone; None for a span of time such as 10:00-12:00."""
    hours, minutes = int(found["hours"]), int(found["minutes"] or 0)
    size = timedelta(hours=hours, minutes=minutes)
    is_minus = found["sign"] != "+"
    if not found["base"]:
        if len(found["hours"]) != 2 or size > _MOST or minutes > 59:  # noqa: PLR2004 - a clock
            return None
        if is_minus and not clock["T"] and not clock["s"] and not _is_no_span(found, clock):
            return None
    elif size > _MOST:
        raise DateRefused(f"{found[0].strip()!r} is not a time zone")
    return timezone(-size if is_minus else size)


def _is_no_span(found: re.Match[str], clock: dict[str, str | None]) -> bool:
    """Return whether -0500 or -05:00 behind hours and minutes is an offset, not an end."""
    if not found["space"] or not found["minutes"]:
        return False
    end = (int(found["hours"]), int(found["minutes"]))
    return not found["colon"] or end < (int(clock["H"] or 0), int(clock["M"] or 0))
