"""When a board is silent beyond its own rhythm (N25)."""

from datetime import date, timedelta

import pytest

from uring.watch.status import quiet_until

TODAY = date(2026, 3, 2)


def days(*gaps: int, newest: date = TODAY) -> list[str | None]:
    """Dates of notices with these gaps between them, the newest first."""
    found = [newest]
    for gap in gaps:
        found.append(found[-1] - timedelta(days=gap))
    return [day.isoformat() for day in found]


@pytest.mark.parametrize(
    ("gaps", "patience"),
    [
        ([1] * 9, 75),
        ([7] * 7, 75),
        ([1, 2, 26, 1, 2, 3, 1], 78),
        ([1, 2, 75, 1, 2, 3, 1], 225),
    ],
)
def test_the_longest_silence_so_far_says_how_long_one_may_be(
    gaps: list[int], patience: int
) -> None:
    assert quiet_until(days(*gaps), TODAY) == TODAY + timedelta(days=patience)


@pytest.mark.parametrize(
    "dates",
    [
        [],
        [None] * 30,
        days(*[30] * 6),
        days(*[0] * 29),
        ["2026-02-30", "soon", "2026", *days(*[30] * 6)],
    ],
)
def test_too_few_days_say_nothing(dates: list[str | None]) -> None:
    assert quiet_until(dates, TODAY) is None


def test_days_to_come_do_not_count() -> None:
    gaps = [2] * 9
    ahead = [(TODAY + timedelta(days=100)).isoformat()]
    assert quiet_until([*ahead, *days(*gaps)], TODAY) == quiet_until(days(*gaps), TODAY)


def test_notices_without_a_date_among_the_others_do_not_end_the_reading() -> None:
    dates = days(1, 2, 9, 1, 2, 3, 1)
    among: list[str | None] = [None, dates[0], "soon", *dates[1:], None]
    assert quiet_until(dates, TODAY) is not None
    assert quiet_until(among, TODAY) == quiet_until(dates, TODAY)


def test_the_order_does_not_matter() -> None:
    found = days(1, 2, 9, 1, 2, 3, 1)
    assert quiet_until(found[::-1], TODAY) == quiet_until(found, TODAY)
