"""The year of a date that a title gives without one, by the day of its notice and the weekday."""

from datetime import date, timedelta
from typing import Final, NamedTuple

from uring.notices.due.mentions import Mention

# December's 1.10. is January's. But March's 2.28. was last month: an old title, or an error.
_ROLL: Final = timedelta(days=200)
_FURTHEST: Final = timedelta(days=300)
_FAR: Final = timedelta(days=200)


class DatedDay(NamedTuple):
    """A day of the calendar; it is sure where nothing speaks against it."""

    day: date
    is_sure: bool


def day_of(mention: Mention, posted: date, *, day: int | None = None) -> DatedDay | None:
    """Return the day that a title means as an end; None for a day before its notice.

    Args:
        mention: as in the title.
        posted: the day of the notice.
        day: in place of the mention's, for the last day of a period.
    """
    number = day or mention.day
    # A weekday behind a period is that of its end.
    weekday = mention.weekday
    if mention.year is not None:
        placed = on(mention.year, mention.month, number)
        if placed is None or placed < posted or placed - posted > 3 * _FURTHEST:
            return None
        return DatedDay(placed, weekday in (None, placed.weekday()))
    this = on(posted.year, mention.month, number)
    following = on(posted.year + 1, mention.month, number)
    if this and this >= posted:
        if this - posted > _FURTHEST:
            return None
        is_right = weekday is None or this.weekday() == weekday
        return DatedDay(this, is_right and this - posted <= _FAR)
    if following and following - posted <= _ROLL:
        return DatedDay(following, weekday is None or following.weekday() == weekday)
    return None


def start_of(mention: Mention, end: date) -> date | None:
    """Return the first day of a period: the latest such day until its end."""
    if mention.year is not None:
        placed = on(mention.year, mention.month, mention.day)
        return placed if placed and placed <= end else None
    for year in (end.year, end.year - 1):
        placed = on(year, mention.month, mention.day)
        if placed and placed <= end:
            return placed
    return None


def on(year: int, month: int, day: int) -> date | None:
    """Return a day; None for a day that the calendar does not have."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
