"""How often a source is checked: tables by hour of the week, their errors, and what they leave."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from uring.changes.jobs import Planned, Ticks
from uring.runtime.settings import hours
from uring.sources.rhythm import (
    LONGEST,
    RHYTHMS,
    Rhythm,
    Weekly,
    days_of,
    hour_of_week,
    hours_of,
)

SEOUL = "Asia/Seoul"
# Monday, 2 March 2026, 9 in Seoul.
MONDAY = datetime(2026, 3, 2, 0, 0, tzinfo=UTC)
BUSY = Ticks(10, frozenset({23, *range(11)}))
WEEK = timedelta(days=7)


def table(*hours: dict[str, Any], **more: Any) -> Rhythm:
    return Rhythm.model_validate({"hours": list(hours), **more})


def refused(value: Any) -> str:
    with pytest.raises(ValidationError) as error:
        Rhythm.model_validate(value)
    (problem,) = error.value.errors()
    return f"{problem['msg']}; {problem.get('ctx', {}).get('remedy', '')}"


def checks(source: str, rhythm: Rhythm, zone: str, ticks: Ticks, begin: datetime) -> list[datetime]:
    """The times of a week's checks."""
    planned = Planned(source, 10, rhythm=Weekly(rhythm.week, zone))
    found, last = [], begin
    for minute in range(int(WEEK / timedelta(minutes=1))):
        at = begin + timedelta(minutes=minute)
        is_busy = at.hour in ticks.busy_hours and at.minute % 2 == 1
        if not is_busy and at.minute % 10 != 5:
            continue
        assert ticks.since(at) == (at - last) // timedelta(minutes=1) or last == begin
        last = at
        if planned.due(at, ticks.since(at)):
            found.append(at)
    return found


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon-Fri", {0, 1, 2, 3, 4}),
        ("Sat,Sun", {5, 6}),
        ("Sun-Thu", {6, 0, 1, 2, 3}),
        ("Mon, Wed-Thu", {0, 2, 3}),
        ("Sun", {6}),
        ("Mon-Mon", {0}),
    ],
)
def test_days(text: str, days: set[int]) -> None:
    assert days_of(text) == days


@pytest.mark.parametrize("text", ["", "Mon-", "mon", "Mon-Fri-Sat", "월-금", "-", "Mon;Tue"])
def test_other_days_are_none(text: str) -> None:
    assert days_of(text) is None


@pytest.mark.parametrize(
    "text", ["", "8", "20-8", "8-8", "8-25", "-1-4", "8:30-9", "\uff18-\uff19"]
)
def test_other_hours_are_none(text: str) -> None:
    assert hours_of(text) is None


def test_the_first_hours_that_fit_count_and_holes_are_otherwise() -> None:
    rhythm = table(
        {"days": "Mon-Fri", "hours": "9-12", "minutes": 4},
        {"days": "Mon", "hours": "8-20", "minutes": 7},
        otherwise=20,
    )
    at = [MONDAY + timedelta(hours=hour) for hour in (-1, 0, 2, 3, 10, 11, 24, 23)]
    assert [rhythm.week[hour_of_week(each, SEOUL)] for each in at] == [7, 4, 4, 7, 7, 20, 4, 20]


def test_hours_are_of_the_zone_of_the_source() -> None:
    rhythm = table({"days": "Mon", "hours": "9-10", "minutes": 2})
    assert rhythm.week[hour_of_week(MONDAY, SEOUL)] == 2
    assert rhythm.week[hour_of_week(MONDAY, "UTC")] == LONGEST
    # Berlin has its hour at another time of the day in summer.
    for day, hour in ((2, 8), (30, 7)):
        at = datetime(2026, 3, day, hour, 30, tzinfo=UTC)
        assert rhythm.week[hour_of_week(at, "Europe/Berlin")] == 2


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        (SEOUL, "23,0-10"),
        ("Europe/Berlin", "6-18"),
        ("America/New_York", "12-23,0"),
    ],
)
def test_the_busy_hours_of_the_pages_are_8_to_20_of_their_zone_all_year(
    zone: str, text: str
) -> None:
    year = (MONDAY + timedelta(hours=hour) for hour in range(365 * 24))
    busy = {at.hour for at in year if 8 <= at.astimezone(ZoneInfo(zone)).hour < 20}
    assert busy == hours(text)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"hours": [{"days": "Mon-Fr", "hours": "8-20", "minutes": 4}]}, "write for example"),
        ({"hours": [{"days": "Mon", "hours": "20-8", "minutes": 4}]}, "from eight until twenty"),
        ({"hours": [{"days": "Mon", "hours": "8-20", "minutes": 1}]}, "use 2 to 30 minutes"),
        ({"hours": [{"days": "Mon", "hours": "8-20", "minutes": 60}]}, "`interval_minutes`"),
        ({"hours": [{"days": "Mon", "hours": "8-20", "minutes": "10 seconds"}]}, "integer"),
        ({"hours": [{"days": "Mon", "hours": "8-20", "minutes": 4}], "otherwise": 31}, "2 to 30"),
        ({"hours": [{"days": "Mon", "hours": "8-20", "minutes": 4, "zone": "x"}]}, "Extra"),
    ],
)
def test_a_refused_table_says_what_to_write(value: Any, said: str) -> None:
    assert said in refused(value)


@pytest.mark.parametrize(("name", "least", "most"), [("sooner", 138, 145), ("thrifty", 75, 80)])
def test_requests_of_a_day_are_those_of_the_name(name: Any, least: int, most: int) -> None:
    rhythm = RHYTHMS[name]
    for number in range(40):
        found = checks(f"board{number}", rhythm, SEOUL, BUSY, MONDAY)
        assert least <= len(found) / 7 <= most


@pytest.mark.parametrize("zone", [SEOUL, "UTC", "America/New_York", "Europe/Berlin"])
@pytest.mark.parametrize("name", ["sooner", "thrifty"])
def test_no_check_is_more_than_half_an_hour_from_the_next(name: Any, zone: str) -> None:
    rhythm = RHYTHMS[name]
    # The clocks change within this week.
    begin = datetime(2026, 3, 27, tzinfo=UTC)
    for number in range(20):
        found = checks(f"board{number}", rhythm, zone, BUSY, begin)
        gaps = [after - before for before, after in pairwise(found)]
        assert max(gaps) <= timedelta(minutes=LONGEST + 10)
        assert min(gaps) >= timedelta(minutes=2)


def test_many_sources_are_not_due_at_once() -> None:
    """Of ten thousand with thirty minutes, no tick in the calm has more than half."""
    rhythm = RHYTHMS["sooner"]
    sources = [Planned(f"d{n}", 10, rhythm=Weekly(rhythm.week, SEOUL)) for n in range(10_000)]
    night = MONDAY + timedelta(hours=15, minutes=5)
    assert sum(each.due(night, 10) is not None for each in sources) < 3_600
    day = MONDAY + timedelta(hours=2, minutes=3)
    assert sum(each.due(day, 2) is not None for each in sources) < 5_300


def test_without_busy_ticks_a_short_interval_is_that_of_the_schedule() -> None:
    planned = Planned("cs", 10, rhythm=Weekly((4,) * 168, SEOUL))
    assert planned.due(MONDAY + timedelta(minutes=5), Ticks(10).since(MONDAY)) == 10
