"""Dates of notice boards, found anywhere in a text; see `uring.reading.date_formats`.

A text with a time and a zone is an instant: its date is the day in the board's zone.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, date, datetime, tzinfo
from typing import Final, NamedTuple

from uring.reading.calendars import DateRefused, believed, gregorian, three_digits
from uring.reading.date_formats import DEFAULT_FORMATS, DateFormat, compile_format
from uring.reading.instants import day_on_board

__all__ = [
    "AHEAD_DAYS",
    "DEFAULT_FORMATS",
    "DateReading",
    "compile_format",
    "parse_date",
    "read_date",
]

AHEAD_DAYS: Final = 92
"""A date without a year is at most this many days after the first sight of its notice."""

_MONTHS: Final = "janfebmaraprmayjunjulaugsepoctnovdec"
# POSIX: a two-digit year from 69 on belongs to the last century.
_LAST_CENTURY: Final = 69
# February 29 without a year may lie up to eight years back (1896 to 1904).
_LEAP_GAP: Final = 9
# (화) or (Tue) between the parts of a date.
_WEEKDAYS: Final = re.compile(
    r"[(\[]\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?|[월화수목금토일](?:요일)?"
    r"|[月火水木金土日](?:曜日?)?|(?:星期|周|週)[一二三四五六日天])\s*[)\]]",
    re.IGNORECASE,
)


class DateReading(NamedTuple):
    """The date in a text.

    Attributes:
        day: ``YYYY-MM-DD``; None without a certain date.
        others: further days that a relative text fits.
        reason: why a date in the text is refused; empty if nothing in it fits a format.
    """

    day: str | None
    others: tuple[str, ...] = ()
    reason: str = ""

    @property
    def says_something(self) -> bool:
        """Whether the text has a date, or a time that names one of several days."""
        return self.day is not None or bool(self.others)


def parse_date(
    text: str, formats: Iterable[DateFormat], day: date, zone: tzinfo | None = None
) -> str | None:
    """Return the date in ``text`` as ``YYYY-MM-DD``; None without one. See `read_date`."""
    return read_date(text, formats, day, zone).day


def read_date(
    text: str,
    formats: Iterable[DateFormat],
    day: date,
    zone: tzinfo | None = None,
    now: date | None = None,
) -> DateReading:
    """Return the first date in ``text`` that fits a format.

    Formats are tried in order, each over the whole text. Impossible dates (a 13th month) and times
    are skipped. A year of another calendar and an unknown zone behind a time refuse the whole
    text.

    Args:
        text: the text on the board.
        formats: compiled.
        day: of the first sight of the text, in the board's zone. A date without a year is the
            latest one not more than `AHEAD_DAYS` after this day; a bare time is this day.
        zone: of the board, for the day of an instant; None takes the day as written.
        now: of the check, for relative texts: a datetime in the board's zone, or a day if the time
            is unknown; None for ``day``.
    """
    now = day if now is None else now
    day = day.date() if isinstance(day, datetime) else day
    try:
        text = gregorian(_plain(text))
        for known in formats:
            if known.is_relative:
                found = _relative(text, now, zone)
            else:
                found = _absolute(text, known, day, zone)
            if found is not None:
                return found
    except DateRefused as refused:
        return DateReading(None, (), str(refused))
    other = three_digits(text)
    return DateReading(None, (), f"{other!r} has a year of another calendar" if other else "")


def _plain(text: str) -> str:
    """Return the text with digits and brackets of one width, without weekdays in brackets."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return _WEEKDAYS.sub(" ", text) if "(" in text or "[" in text else text


def _absolute(text: str, known: DateFormat, day: date, zone: tzinfo | None) -> DateReading | None:
    for match in known.expression.finditer(text):
        parts = match.groupdict()
        if parts.get("unix") or parts.get("ms"):
            seconds = int(parts.get("unix") or 0) or int(parts["ms"] or 0) // 1000
            written: date | None = datetime.fromtimestamp(seconds, zone or UTC).date()
        else:
            written = _date(parts, day)
            if written is not None:
                is_mail = known.name == "rfc822"
                written = day_on_board(zone, written, text, match, is_mail=is_mail)
        if written is None:
            continue
        if not known.directives & {"m", "b", "B"} and written != day:
            raise DateRefused("the time is another zone's, and its day is unknown")
        return DateReading((believed(written) if known.has_year else written).isoformat())
    return None


def _relative(text: str, now: date, zone: tzinfo | None) -> DateReading | None:
    # Few boards need its patterns.
    from uring.reading.ago import relative_day  # noqa: PLC0415

    found = relative_day(text, now)
    if found is None:
        return None
    others = tuple(day.isoformat() for day in found.others)
    if found.best is None:
        return DateReading(None, others, found.reason)
    empty = re.compile("").match(text, found.end)
    best = day_on_board(zone, found.best, text, empty, is_mail=False) if empty else found.best
    return DateReading((best or found.best).isoformat(), others)


def _date(parts: dict[str, str | None], day: date) -> date | None:
    hour, minute, second = (int(parts.get(letter) or 0) for letter in "HMS")
    if hour > 23 or minute > 59 or second > 60:  # noqa: PLR2004 - a clock
        return None
    named = parts.get("b")
    month = _MONTHS.index(named[:3].lower()) // 3 + 1 if named else int(parts.get("m") or 0)
    if "m" not in parts and not named:
        return day
    number, year = int(parts["d"] or 0), parts.get("Y") or parts.get("y")
    if year:
        century = 0 if len(year) > 2 else 1900 if int(year) >= _LAST_CENTURY else 2000  # noqa: PLR2004
        return _calendar(century + int(year), month, number)
    years = range(day.year + 1, day.year - _LEAP_GAP, -1)
    candidates = (_calendar(year, month, number) for year in years)
    return next((date for date in candidates if date and (date - day).days <= AHEAD_DAYS), None)


def _calendar(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
