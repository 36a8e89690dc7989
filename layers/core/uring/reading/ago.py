"""Days of relative texts: ``3시간 전``, ``2 hours ago``, ``어제``, ``昨天 23:01``, ``3日前``.

Such a text says how long ago something was, up to its unit. So it fits several days: one of them
is the best, and a record that is known keeps the day that it has while that one fits.
"""

import re
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from uring.reading.calendars import DateRefused

_SECOND: Final = timedelta(seconds=1)
_DAY: Final = timedelta(days=1)
_UNITS: Final = {
    r"초|秒(?:钟|鐘|間)?|s(?:ec(?:ond)?s?)?": _SECOND,
    r"개월|달|(?:个|個|か|ヶ|ヵ|カ|ケ)?月|mo(?:n(?:th)?s?)?": 31 * _DAY,
    r"분|分(?:钟|鐘|間)?|m(?:in(?:ute)?s?)?": 60 * _SECOND,
    r"(?:个|個)?(?:小时|小時)|시간|時間|h(?:(?:ou)?rs?)?": 3600 * _SECOND,
    r"일|天|日|d(?:ays?)?": _DAY,
    r"주일?|(?:个|個)?(?:周|週)間?|星期|w(?:(?:ee)?ks?)?": 7 * _DAY,
    r"년|年|y(?:(?:ea)?rs?)?": 366 * _DAY,
}
_UNIT: Final = "|".join(f"(?:{text})" for text in _UNITS)
_PART: Final = rf"(\d{{1,4}}|\ban?|\bone)\s*({_UNIT})"
_AGO: Final = re.compile(
    rf"(?<![\d.,:-])((?:(?:\d{{1,4}}|\ban?|\bone)\s*(?:{_UNIT})[\s,.]*(?:and\s+)?){{1,4}})"
    r"\s*(?:전(?!체)|ago\b|以前|之前|前)",
    re.ASCII | re.IGNORECASE,
)
_PARTS: Final = re.compile(_PART, re.ASCII | re.IGNORECASE)
_FULL: Final = [(re.compile(text, re.IGNORECASE), size) for text, size in _UNITS.items()]
_NOW: Final = re.compile(
    r"방금|조금 전|지금 막|\bjust now\b|\bmoments? ago\b|\ba few seconds ago\b|刚刚|剛剛|刚才|剛才"
    r"|たった今",
    re.IGNORECASE,
)
# In this order: the day before yesterday names yesterday, too.
_WORDS: Final = (
    (2, re.compile(r"그제|그저께|\bday before yesterday\b|前天|一昨日|おととい", re.IGNORECASE)),
    (1, re.compile(r"어제|\byesterday\b|昨天|昨日|きのう", re.IGNORECASE)),
    (0, re.compile(r"오늘|\btoday\b|今天|今日|本日", re.IGNORECASE)),
)
RELATIVE: Final = "|".join(each.pattern for each in (_AGO, _NOW, *(word for _, word in _WORDS)))
"""The texts that `age_of` reads, as a pattern without regard to case."""
# The characters that are searched.
_LIMIT: Final = 200
# From a year on, too many days fit to look for the stored one.
_LONGEST: Final = 366 * _DAY


class RelativeDay(NamedTuple):
    """The day of a relative text.

    Attributes:
        best: the likeliest day; None where the text says no certain one.
        others: all days that fit, without ``best``.
        reason: for None.
        end: the position behind the text.
    """

    best: date | None
    others: tuple[date, ...]
    reason: str = ""
    end: int = 0


def relative_day(text: str, now: date) -> RelativeDay | None:
    """Return the day of a relative text; None for any other text.

    Args:
        text: on the board.
        now: of the check, in the board's zone: a datetime, or a date if the time is unknown.

    Raises:
        DateRefused: the text counts more than there are days.
    """
    text = text[:_LIMIT]
    if found := _NOW.search(text):
        return _around(_day(now), _day(now), found.end())
    if found := _AGO.search(text):
        return _counted(found, now)
    for days, word in _WORDS:
        if found := word.search(text):
            return _around(_day(now) - days * _DAY, _day(now), found.end())
    return None


def age_of(text: str) -> tuple[timedelta, timedelta]:
    """Return how long ago a text of `RELATIVE` says something was, and its smallest unit."""
    if found := _AGO.search(text):
        return _sum(found)
    days = next((days for days, word in _WORDS if word.search(text)), 0)
    return days * _DAY, 3600 * _SECOND if _NOW.search(text) else _DAY


def _sum(found: re.Match[str]) -> tuple[timedelta, timedelta]:
    total, unit = timedelta(), 366 * _DAY
    for number, name in _PARTS.findall(found[1]):
        size = next(size for known, size in _FULL if known.fullmatch(name))
        total += (int(number) if number.isdigit() else 1) * size
        unit = min(unit, size)
    return total, unit


def _day(now: date) -> date:
    return now.date() if isinstance(now, datetime) else now


def _around(day: date, today: date, end: int) -> RelativeDay:
    return RelativeDay(day, _fitting(day, day, today), "", end)


def _counted(found: re.Match[str], now: date) -> RelativeDay:
    total, unit = _sum(found)
    shown, today = found[0].strip(), _day(now)
    try:
        if unit > _DAY:
            early, late = today - total - unit, min(today, today - total + unit)
            others = (late, *_fitting(early, late, today)) if unit < _LONGEST else ()
            return RelativeDay(None, others, f"{shown!r} names no single day", found.end())
        early, late = _bounds(now, total, unit)
        others = _fitting(early, late, today)
    except OverflowError:
        raise DateRefused(f"{shown!r} is before all dates") from None
    if early != late:
        reason = f"{shown!r} may be two days, since the time of the check is unknown"
        return RelativeDay(None, (late, *others), reason, found.end())
    return RelativeDay(late, others, "", found.end())


def _fitting(early: date, late: date, today: date) -> tuple[date, ...]:
    """Return these days and one more at each side, without ``late`` and without the future."""
    days = (early + at * _DAY for at in range(-1, (late - early).days + 2))
    return tuple(day for day in days if day <= today and day != late)


def _bounds(now: date, total: timedelta, unit: timedelta) -> tuple[date, date]:
    """Return the earliest and the latest day so long ago; one day if the time is known."""
    if isinstance(now, datetime):
        day = (now - total).date()
        return day, day
    if unit == _DAY:
        return now - total, now - total
    midnight = datetime.combine(now, time())
    return (midnight - total).date(), (midnight + _DAY - _SECOND - total).date()
