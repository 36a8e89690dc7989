"""Dates and times in a title, each with its position.

The time is linear in the title's length: each part of an expression has a largest length.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from typing import Final

from uring.notices.due.times import time_of

LIMIT: Final = 400
"""The characters of a title that are read."""

_MONTHS: Final = (
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
)
_NAME: Final = (
    r"(?<![a-z])(?P<name>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?"
    r"|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])\.?"
)
_YEAR: Final = r"(?P<year>20\d\d|'?\d\d)"
_GAP: Final = r"\s{0,2}"
# A number with a unit is not a date: 3/4분기, 1.5배, 4.5점.
_UNIT: Final = (
    r"(?!학기|학년|분기|학점|만원|시간|개월|버전|단계|세대|과목|인치|%|[kg]?[bgm]\b"
    r"|[배점호층차회기명원급권세종](?![가-힣]))"
)
# Not inside a longer number or a version.
_BEGIN: Final = r"(?<!\d)(?<!\d[.,/:])(?<![a-z])"
_END: Final = rf"(?!\d)(?![.,/]\d){_UNIT}"
_MONTH_DAY: Final = (
    rf"(?:(?P<month>\d{{1,2}}){_GAP}(?:[./]|[월月]){_GAP}(?P<day>\d{{1,2}})(?:{_GAP}[일日号]|\.)?)"
)
# Jan 1 3000 is not of this year.
_NO_YEAR: Final = r"(?!:?\d)(?!,?\s\d{4})"
# The day of `11/27~28`.
_SAME_MONTH: Final = re.compile(
    rf"{_GAP}[~-]{_GAP}(?P<day>\d{{1,2}})(?:{_GAP}[일日]|\.)?(?=$|까지|[^\d:./가-힣a-z月%])(?!\s?\d)",
    re.ASCII,
)
_DATES: Final = tuple(
    re.compile(text, re.ASCII | re.IGNORECASE)
    for text in (
        rf"(?<!\d){_YEAR}{_GAP}(?:[./]|[년年]){_GAP}{_MONTH_DAY}(?!\d)(?![/-]\d)(?!{_GAP}(?:시|:\d))",
        r"(?<!\d)(?P<year>20\d\d)-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)(?!-)",
        rf"{_BEGIN}{_MONTH_DAY}{_END}",
        rf"{_NAME}{_GAP}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<year>20\d\d))?{_NO_YEAR}",
        rf"(?<![\d.:])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s{_NAME}(?:,?\s(?P<year>20\d\d))?{_NO_YEAR}",
    )
)
_WEEKDAYS: Final = "월화수목금토일"
_ENGLISH: Final = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_CHINESE: Final = "月火水木金土日"
_WEEKDAY: Final = re.compile(
    r"[\s.,/]{0,2}(?:[(\[]\s?)?(?P<name>[월화수목금토일](?:요일)?|[月火水木金土日](?:曜日?)?"
    r"|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?)"
    r"(?:\s?[)\]]|(?<=요일)|(?![가-힣a-z月火水木金土日]))",
    re.IGNORECASE,
)
_WEEKDAY_BEFORE: Final = re.compile(
    r"(?<![a-z])(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}[.,]{0,2}\s$"
)
_LONGEST_WEEKDAY: Final = 12
_COUNTDOWN: Final = re.compile(
    r"(?<![a-z0-9])d\s?-\s?(?P<days>\d{1,3}|day)(?![\d.,/-]|호|동|층)", re.IGNORECASE | re.ASCII
)
_LONGEST_COUNTDOWN: Final = 100
_NEAR_YEARS: Final = 2


@dataclass(frozen=True, slots=True)
class Mention:
    """A date in a title.

    Attributes:
        begin: its position.
        end: the position behind its weekday and time.
        year: None where the title has none.
        month: 1 to 12.
        day: 1 to 31.
        weekday: 0 is Monday; None where the title names none.
        at: the time of day; None without a time, and where morning or afternoon is unknown.
        is_midnight: whether the time is 0:00, which may be the day's begin or its end.
        last_day: of a period within the month, such as `11/27~28`; None for all others.
    """

    begin: int
    end: int
    year: int | None
    month: int
    day: int
    weekday: int | None = None
    at: time | None = None
    is_midnight: bool = False
    last_day: int | None = None


@dataclass(frozen=True, slots=True)
class Countdown:
    """Days that are left, ``D-3``, at the position ``begin`` to ``end``."""

    begin: int
    end: int
    days: int


def folded(title: str) -> str:
    """Return the title as it is read: NFKC, lower case, one kind of tilde and of hyphen, cut."""
    text = unicodedata.normalize("NFKC", title[:LIMIT])[:LIMIT].lower()
    return text.translate(_SIGNS)


_SIGNS: Final = str.maketrans(
    dict.fromkeys("\u223c\u301c\u02dc", "~")
    | dict.fromkeys("\u2010\u2011\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2018\u2019`", "'")
)


def mentions(text: str, posted: int) -> list[Mention]:
    """Return the dates of a folded title, in order; none of them overlap.

    Args:
        text: see `folded`.
        posted: the year of the notice. A year of two digits is near it: 11.20.10 is not of 2011.
    """
    found: list[Mention] = []
    for expression in _DATES:
        for match in expression.finditer(text):
            mention = _mention(text, match)
            if mention is None or any(_overlap(mention, each) for each in found):
                continue
            if _is_whole(match) or abs((mention.year or posted) - posted) <= _NEAR_YEARS:
                found.append(mention)
    return sorted(found, key=lambda each: each.begin)


def countdowns(text: str) -> Iterator[Countdown]:
    """Yield the countdowns of a folded title."""
    for match in _COUNTDOWN.finditer(text):
        days = 0 if match["days"] == "day" else int(match["days"])
        if days <= _LONGEST_COUNTDOWN:
            yield Countdown(match.start(), match.end(), days)


def _overlap(one: Mention, other: Mention) -> bool:
    return one.begin < other.end and other.begin < one.end


def _is_whole(match: re.Match[str]) -> bool:
    """Return whether a date has a year of four digits."""
    return len(match.groupdict().get("year") or "") == len("2026")


def _mention(text: str, match: re.Match[str]) -> Mention | None:
    parts = match.groupdict()
    named = parts.get("name")
    month = _MONTHS.index(named[:3]) + 1 if named else int(parts["month"])
    day, end = int(parts["day"]), match.end()
    if not (1 <= month <= 12 and 1 <= day <= 31):  # noqa: PLR2004 - a calendar's own figures
        return None
    begin = match.start()
    weekday, end = _weekday(text, end)
    if named and (before := _WEEKDAY_BEFORE.search(text, max(0, begin - _LONGEST_WEEKDAY), begin)):
        weekday, begin = _ENGLISH.index(before[0][:3]), before.start()
    last_day = None
    if same := _SAME_MONTH.match(text, end):
        last = int(same["day"])
        if day < last <= 31:  # noqa: PLR2004 - a calendar's own figure
            last_day = last
            weekday, end = _weekday(text, same.end())
    clock = time_of(text, end)
    return Mention(
        begin,
        clock.end,
        _year(parts.get("year")),
        month,
        day,
        weekday,
        clock.at,
        clock.is_midnight,
        last_day,
    )


def _year(digits: str | None) -> int | None:
    if digits is None:
        return None
    year = int(digits.lstrip("'"))
    return year if year >= 100 else 2000 + year  # noqa: PLR2004 - of two digits


def _weekday(text: str, begin: int) -> tuple[int | None, int]:
    """Return a weekday, 0 is Monday, and the position behind it."""
    match = _WEEKDAY.match(text, begin)
    if match is None:
        return None, begin
    name = match["name"]
    for names in (_WEEKDAYS, _CHINESE):
        if name[0] in names:
            return names.index(name[0]), match.end()
    return _ENGLISH.index(name[:3]), match.end()
