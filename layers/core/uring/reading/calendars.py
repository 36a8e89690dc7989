"""Other calendars and eras: converted where the year is certain, else refused with the reason."""

import re
from datetime import date
from typing import Final

FIRST_YEAR: Final = 1900
"""No board shows an older date; 1448 is a year of another calendar."""
LAST_YEAR: Final = 2199
"""No board shows a later date; 2569 is a year of another calendar."""


class DateRefused(ValueError):
    """A text that is surely a date, but not surely a day. Its message says why."""


# The year before the first one of each era, and its last one.
_ERAS: Final = {
    "令和": (2018, 99),
    "平成": (1988, 31),
    "昭和": (1925, 64),
    "大正": (1911, 15),
    "明治": (1867, 45),
    "中華民國": (1911, 199),
    "中华民国": (1911, 199),
    "民國": (1911, 199),
    "民国": (1911, 199),
    "roc": (1911, 199),
    "minguo": (1911, 199),
    "단기": (-2333, 4600),
    "檀紀": (-2333, 4600),
    "佛曆": (-543, 2800),
    "佛历": (-543, 2800),
    "仏暦": (-543, 2800),
    "พ.ศ.": (-543, 2800),
    "b.e.": (-543, 2800),
}
# The year of an era is followed by a mark, as in a date.
_ERA: Final = re.compile(
    rf"(?<![a-z])({'|'.join(re.escape(name) for name in _ERAS)})\s*(元|\d{{1,4}})(?!\d)"
    r"(?=\s*(?:年|년|[./-]))",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(
    rf"(?<![a-z])({'|'.join(re.escape(name) for name in _ERAS)}|هـ|\bAH\b|hijri)",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(
    r"(?<![a-z])[mtshr][. ]?(?:\d{1,2}|元)\s?(?:[./-]\s?\d{1,2}[./-]\s?\d{1,2}(?!\d)|年)",
    re.IGNORECASE,
)
_THREE: Final = re.compile(
    r"(?<![\d./-])\d{3}(?:[./-]\s?|년\s?|年\s?)\d{1,2}(?:[./-]\s?|월\s?|月\s?)\d{1,2}(?![\d./-]*\d)",
    re.ASCII,
)


def gregorian(text: str) -> str:
    """Return the text with the years of named eras converted: 令和8年 is 2026年.

    A text without an era is returned as it is.

    Raises:
        DateRefused: an era's year is impossible, or the text has another calendar's mark.
    """
    if found := _LETTER.search(text):
        raise DateRefused(
            f"{found[0]!r} begins with a letter, as years of an era do, and names no certain year"
        )
    if text.isascii() and not _NAMED.search(text):
        return text
    converted = _ERA.sub(_year, text)
    if found := _NAMED.search(converted):
        raise DateRefused(f"{found[0]!r} names another calendar, whose years are not converted")
    return converted


def _year(match: re.Match[str]) -> str:
    before, last = _ERAS[match[1].lower()]
    number = 1 if match[2] == "元" else int(match[2])
    year = before + number
    if not 1 <= number <= last or not FIRST_YEAR <= year <= LAST_YEAR:
        raise DateRefused(f"{match[0]!r} is not a year of that era")
    return str(year)


def three_digits(text: str) -> str:
    """Return a date with a year of three digits, as in 115-11-25; empty without one."""
    found = _THREE.search(text)
    return found[0] if found else ""


def believed(day: date) -> date:
    """Return the day itself; the first day of a program's clock, such as 0001-01-01, is kept.

    Raises:
        DateRefused: its year is another calendar's.
    """
    if not FIRST_YEAR <= day.year <= LAST_YEAR and day != date.min:
        raise DateRefused(f"{day.year:04d} is a year of another calendar")
    return day
