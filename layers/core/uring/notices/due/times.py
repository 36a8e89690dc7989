"""The time of day behind a date: `17:00`, `오후 5시`, `낮 12시`, `5 pm`."""

import re
from datetime import time
from typing import Final, NamedTuple

_TIME: Final = re.compile(
    r"[\s,.]{0,3}(?:[(]\s?|at\s)?(?:(?P<name>정오|자정)(?!\s?\d)"
    r"|(?P<half>오전|오후|낮|정오|자정|밤|저녁|am|pm)?\s{0,2}(?P<hour>\d{1,2})"
    r"(?::(?P<minute>\d\d)(?![\d:])|시(?!간)(?:\s?(?P<minutes>\d{1,2})분)?|(?=\s?[ap]\.?m))"
    r"(?:\s?(?P<late>[ap])\.?m\b\.?)?)",
    re.IGNORECASE | re.ASCII,
)
_MORNING: Final = frozenset({"오전", "am", "a"})
_AFTERNOON: Final = frozenset({"오후", "저녁", "pm", "p"})
_NOON: Final = 12
_MIDNIGHT: Final = 24
_MINUTES: Final = 60
# 5시까지 is most likely an afternoon's, and 낮 1시 is one.
_EARLIEST: Final = 8


class TimeOfDay(NamedTuple):
    """A time of day.

    Attributes:
        end: the position behind it; where a text has none, the position that was looked at.
        at: None without one, for the end of the day, and where morning or afternoon is unknown.
        is_midnight: whether it is 0:00, the beginning of the day.
    """

    end: int
    at: time | None = None
    is_midnight: bool = False


def time_of(text: str, begin: int) -> TimeOfDay:
    """Return the time at a position of a folded title."""
    match = _TIME.match(text, begin)
    if match is None:
        return TimeOfDay(begin)
    if match["name"]:
        return TimeOfDay(match.end(), time(_NOON) if match["name"] == "정오" else None)
    hour, minute = int(match["hour"]), int(match["minute"] or match["minutes"] or 0)
    if hour > _MIDNIGHT or minute >= _MINUTES:
        return TimeOfDay(begin)
    of_day = _of_day(hour, match["late"] or match["half"] or "", is_exact=bool(match["minute"]))
    if of_day is None or of_day == _MIDNIGHT:
        return TimeOfDay(match.end())
    if of_day == minute == 0:
        return TimeOfDay(match.end(), is_midnight=True)
    return TimeOfDay(match.end(), time(of_day, minute))


def _of_day(hour: int, half: str, *, is_exact: bool) -> int | None:
    """Return the hour of the day, 0 to 24; None where its half is unknown."""
    if half in _MORNING and hour <= _NOON:
        return hour % _NOON
    if half in _AFTERNOON and hour <= _NOON:
        return hour % _NOON + _NOON
    if half == "낮":
        return hour + _NOON if hour < _EARLIEST else hour
    if half in {"밤", "자정"} or (not half and not is_exact and 0 < hour < _EARLIEST):
        return None
    return hour
