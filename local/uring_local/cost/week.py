"""A week of checks as a chart: the minutes of each hour, the requests, and the delay to expect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from uring.sources.rhythm import DAYS, HOURS_A_DAY

# Of 1,087 posts with a time of day on 51 Korean university boards: all but 0.1 % are of Monday to
# Friday, by hour from 7 to 19.
_POSTS: Final = {
    7: 3, 9: 68, 10: 145, 11: 165, 12: 55, 13: 98, 14: 176, 15: 144, 16: 130, 17: 83, 18: 16, 19: 3
}  # fmt: skip
_WORKING_DAYS: Final = 5
_HOUR: Final = 60
_OFTEN, _SELDOM = 5, 20
_SHARE: Final = 0.95


@dataclass(frozen=True, slots=True)
class WeekOfChecks:
    """What a rhythm costs and brings.

    Attributes:
        name: of the source, or of the rhythm.
        minutes: between two checks, by hour of the week from Monday 0.
        requests: of a day, on average over the week.
        mean: minutes from a post to the next check, for posts of working days by day.
        late: minutes that 95 of 100 such posts do not exceed.
    """

    name: str
    minutes: Sequence[int]
    requests: float
    mean: float
    late: int


def week_of(name: str, minutes: Sequence[int]) -> WeekOfChecks:
    """Return a week by the hours at which Korean universities post.

    Args:
        name: of the source, or of the rhythm.
        minutes: between two checks, by hour of the week from Monday 0.
    """
    waits = [
        (minutes[day * HOURS_A_DAY + hour], posts)
        for day in range(_WORKING_DAYS)
        for hour, posts in _POSTS.items()
    ]
    total = sum(posts for _, posts in waits)
    # Within an interval all waits are alike.
    late = next(
        wait
        for wait in range(1, max(minutes) + 1)
        if sum(posts * min(1, wait / each) for each, posts in waits) >= _SHARE * total
    )
    return WeekOfChecks(
        name=name,
        minutes=minutes,
        requests=sum(_HOUR / each for each in minutes) / len(DAYS),
        mean=sum(each / 2 * posts for each, posts in waits) / total,
        late=late,
    )


def document(week: WeekOfChecks) -> dict[str, Any]:
    """Return the week as a JSON object."""
    days = {
        day: list(week.minutes[place * HOURS_A_DAY : (place + 1) * HOURS_A_DAY])
        for place, day in enumerate(DAYS)
    }
    return {
        "name": week.name,
        "minutes": days,
        "requests_a_day": round(week.requests, 1),
        "mean_delay_minutes": round(week.mean, 1),
        "delay_95_minutes": week.late,
    }


def show(week: WeekOfChecks, zone: str) -> None:
    """Print the chart; colours only on a terminal."""
    console = Console(highlight=False)
    console.print(f"{week.name}: minutes between two checks, by hour in {zone}", markup=False)
    heads = "".join(f"{hour:3}" for hour in range(HOURS_A_DAY))
    console.print(Text(f"    {heads}", "dim"))
    for place, day in enumerate(DAYS):
        line = Text(f"{day} ")
        for minutes in week.minutes[place * HOURS_A_DAY : (place + 1) * HOURS_A_DAY]:
            style = "bold green" if minutes <= _OFTEN else "dim" if minutes > _SELDOM else ""
            line.append(f"{minutes:3}", style)
        console.print(line)
    console.print(
        f"{week.requests:.0f} requests a day; a notice posted on a working day by day waits "
        f"{week.mean:.1f} minutes on average, 95 of 100 at most {week.late}",
        markup=False,
    )
