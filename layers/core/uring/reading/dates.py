"""Dates of notice boards: formats as in ``strptime``, found anywhere in a text.

Two formats have names, ``iso8601`` and ``rfc822``: feeds and ``<time datetime>`` use them. Such a
text with a UTC offset is an instant; its date is the day in the board's zone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Final

from uring.reading.instants import ISO8601, MONTHS, RFC822, day_in

DEFAULT_FORMATS: Final = (
    "iso8601",
    "rfc822",
    "%Y-%m-%d",
    "%Y. %m. %d",
    "%Y/%m/%d",
    "%Y년 %m월 %d일",
    "%y-%m-%d",
    "%y. %m. %d",
)
"""A space in a format matches any white space, or none."""

_DIRECTIVES: Final = {
    "Y": (r"(?P<Y>\d{4})", r"(?P<Y>\d{4})"),
    "y": (r"(?P<y>\d{2})", r"(?P<y>\d{2})"),
    "m": (r"(?P<m>\d{1,2})", r"(?P<m>\d{2})"),
    "d": (r"(?P<d>\d{1,2})", r"(?P<d>\d{2})"),
    "H": (r"(?P<H>\d{1,2})", r"(?P<H>\d{2})"),
    "M": (r"(?P<M>\d{2})", r"(?P<M>\d{2})"),
    "S": (r"(?P<S>\d{2})", r"(?P<S>\d{2})"),
}
_TOKEN: Final = re.compile(r"%(.?)|(\s+)|([^%\s]+)", re.DOTALL)
# POSIX: a two-digit year from 69 on belongs to the last century.
_LAST_CENTURY: Final = 69
# February 29 without a year may lie up to eight years back (1896 to 1904).
_LEAP_GAP: Final = 9


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A compiled format. ``directives`` are its letters, such as ``Y``."""

    expression: re.Pattern[str]
    directives: frozenset[str]

    @property
    def has_year(self) -> bool:
        """True when the format has a year, so that its date needs no other day to count from."""
        return bool(self.directives & {"Y", "y"})


def compile_format(text: str) -> DateFormat:
    """Compile one format.

    Raises:
        ValueError: the format is invalid; the message has the reason and the remedy.
    """
    if text in _NAMED:
        return _NAMED[text]
    tokens = _TOKEN.findall(text)
    directives = _directives(tokens)
    body = "".join(_source(tokens, position) for position in range(len(tokens)))
    if not directives & {"m"}:
        # A bare time means today, so the text must have no other digits.
        return DateFormat(re.compile(rf"\A\D*{body}\D*\Z", re.ASCII), directives)
    edges = (r"(?<!\d)", r"(?!\d)")
    if not directives & {"Y", "y"}:
        # 02.16 is not a date inside 2024.02.16 or 02.16.2024.
        edges = (r"(?<!\d)(?<!\d[./-])(?<!\d[./-]\s)", r"(?!\s?[./-]?\s?\d{4})(?![./-]?\d)")
    return DateFormat(re.compile(edges[0] + body + edges[1], re.ASCII), directives)


_NAMED: Final = {
    "iso8601": DateFormat(ISO8601, frozenset("Ymd")),
    "rfc822": DateFormat(RFC822, frozenset("Ymd")),
}


def parse_date(
    text: str, formats: Iterable[DateFormat], day: date, zone: tzinfo | None = None
) -> str | None:
    """Return the first date in ``text`` that fits a format, as ``YYYY-MM-DD``; None without one.

    Formats are tried in order, each over the whole text. Impossible dates (a 13th month) and times
    are skipped.

    Args:
        text: the text on the board.
        formats: compiled.
        day: of the first sight of the text, in the board's zone. A date without a year is the
            latest one not after this day; a bare time is this day.
        zone: of the board, for the day of an instant; None takes the day as written.
    """
    for known in formats:
        for match in known.expression.finditer(text):
            parts = match.groupdict()
            written = _date(parts, day)
            if written is not None:
                return day_in(zone, written, parts).isoformat()
    return None


def _directives(tokens: list[tuple[str, str, str]]) -> frozenset[str]:
    letters = [token[0] for token in tokens if not token[1] and not token[2]]
    for letter in letters:
        if letter not in _DIRECTIVES:
            raise ValueError(
                f"%{letter} is not supported; use %Y %y %m %d %H %M %S and literal text"
            )
        if letters.count(letter) > 1:
            raise ValueError(f"%{letter} occurs twice; keep one")
    directives = frozenset(letters)
    if {"Y", "y"} <= directives:
        raise ValueError("%Y and %y occur together; keep %Y for four digits or %y for two")
    if directives & {"Y", "y", "m", "d"}:
        if not directives >= {"m", "d"}:
            raise ValueError("a date needs its month and its day; add %m or %d")
    elif not directives >= {"H", "M"}:
        raise ValueError("has no date; write for example %Y-%m-%d, or %H:%M for today")
    return directives


def _source(tokens: list[tuple[str, str, str]], position: int) -> str:
    letter, space, literal = tokens[position]
    if space:
        return r"\s*"
    if literal:
        return re.escape(literal)
    neighbours = (tokens[at] for at in (position - 1, position + 1) if 0 <= at < len(tokens))
    # Adjacent digits (%Y%m%d) can be separated only by their fixed widths.
    touching = any(not token[1] and not token[2] for token in neighbours)
    return _DIRECTIVES[letter][touching]


def _date(parts: dict[str, str | None], day: date) -> date | None:
    hour, minute, second = (int(parts.get(letter) or 0) for letter in "HMS")
    if hour > 23 or minute > 59 or second > 60:  # noqa: PLR2004 - a clock
        return None
    named = parts.get("b")
    month = MONTHS.index(named.lower()) + 1 if named else int(parts.get("m") or 0)
    if "m" not in parts and not named:
        return day
    number, year = int(parts["d"] or 0), parts.get("Y") or parts.get("y")
    if year:
        century = 0 if len(year) > 2 else 1900 if int(year) >= _LAST_CENTURY else 2000  # noqa: PLR2004
        return _calendar(century + int(year), month, number)
    candidates = (_calendar(day.year - back, month, number) for back in range(_LEAP_GAP))
    return next((date for date in candidates if date is not None and date <= day), None)


def _calendar(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
