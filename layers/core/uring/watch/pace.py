"""How often a source is checked, as `data/index.json` says it to readers."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from itertools import groupby
from typing import Any, Final
from zoneinfo import ZoneInfo

from uring.changes.registry import WatchedSource

_HOURS_A_DAY: Final = 24
# Both schedules of a source tick at this minute of an hour.
_TICK: Final = 35


def pace(source: WatchedSource, now: datetime) -> dict[str, Any]:
    """Return the keys of a source's entry in the index.

    Args:
        source: as in its configuration.
        now: aware; a zone with summer time has another table after its change.

    Returns:
        ``interval_minutes``, the longest time between two checks; and ``rhythm`` if it changes by
        the hour of the week: ``zone``, ``hours`` with ``days`` (1 is Monday), ``from``, ``until``
        (0 to 24) and ``minutes``, and ``otherwise``, the minutes of all other hours. No two
        elements of ``hours`` have an hour in common.
    """
    if source.rhythm is None:
        return {"interval_minutes": source.interval_minutes}
    zone = ZoneInfo(source.zone)
    local = now.astimezone(zone)
    monday = datetime.combine(local.date() - timedelta(days=local.weekday()), time(), zone)
    return _table(source.rhythm, source.zone, monday)


@lru_cache(maxsize=256)
def _table(rhythm: Callable[[datetime], int], zone: str, monday: datetime) -> dict[str, Any]:
    hours = [monday + timedelta(hours=hour) for hour in range(7 * _HOURS_A_DAY)]
    week = [rhythm(hour.astimezone(UTC).replace(minute=_TICK)) for hour in hours]
    interval = {"interval_minutes": max(week)}
    if len(set(week)) == 1:
        return interval
    otherwise = Counter(week).most_common(1)[0][0]
    return {
        **interval,
        "rhythm": {"zone": zone, "hours": _spans(week, otherwise), "otherwise": otherwise},
    }


def _spans(week: Sequence[int], otherwise: int) -> list[dict[str, Any]]:
    days: dict[tuple[int, int, int], list[int]] = {}
    for day in range(7):
        of_day = enumerate(week[day * _HOURS_A_DAY : (day + 1) * _HOURS_A_DAY])
        for minutes, group in groupby(of_day, key=lambda hour: hour[1]):
            hours = [hour for hour, _ in group]
            if minutes != otherwise:
                days.setdefault((hours[0], hours[-1] + 1, minutes), []).append(day + 1)
    return [
        {"days": those, "from": begin, "until": end, "minutes": minutes}
        for (begin, end, minutes), those in days.items()
    ]
