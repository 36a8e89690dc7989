"""How long notices wait for a check under each rhythm, in years of posts: `bench/rhythm.py`.

    python bench/rhythm.py                    years of its own, from a seed
    python bench/rhythm.py --times FILE       {board: [time, …]}, ISO 8601

Due times are those of the orchestrator, ticks included. A profile by hour of the week is learned
from the first 40 % of the time, and judged on the rest, beside the tables.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from rich import box
from rich.console import Console
from rich.table import Table

from uring.changes.jobs import Planned, Ticks
from uring.sources.rhythm import RHYTHMS, Weekly, hour_of_week

SEOUL = ZoneInfo("Asia/Seoul")
BEGIN = datetime(2026, 3, 2, tzinfo=SEOUL)
LEARNED = 0.4
BUSY = Ticks(10, frozenset({23, *range(11)}))
CALM = Ticks(10)
HOURS = 168
# Posts of a working day by hour from 7, as counted on public boards.
BY_HOUR = (3, 0, 68, 145, 165, 55, 98, 176, 144, 130, 83, 16, 3)
INTERVALS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30)
Posts = Mapping[str, Sequence[datetime]]
Week = Sequence[int]


@dataclass(frozen=True)
class Figures:
    """Requests a day and board, minutes to the next check, and the busiest tick's share."""

    requests: float
    mean: float
    late: float
    worst_board: float
    peak: float


def year(seed: int, *, rest: frozenset[int] = frozenset({5, 6}), shift: int = 0) -> Posts:
    """Return a year's posts of 44 boards: two terms, vacations at a third, twelve holidays.

    Args:
        seed: of the year.
        rest: days of the week without posts, 0 for Monday.
        shift: hours by which boards post later than Korean ones.
    """
    random = Random(seed)
    holidays = {BEGIN.date() + timedelta(days=random.randrange(365)) for _ in range(12)}
    posts: dict[str, list[datetime]] = {f"board{n}": [] for n in range(44)}
    for board, times in posts.items():
        weekly = random.lognormvariate(0, 0.8)
        for day in (BEGIN.date() + timedelta(days=n) for n in range(365)):
            if day.weekday() in rest or day in holidays:
                continue
            rate = weekly / (7 - len(rest)) * (1 if _is_term(day) else 1 / 3)
            while random.random() < rate / (1 + rate):
                (hour,) = random.choices(range(7, 20), BY_HOUR)
                at = datetime(day.year, day.month, day.day, hour, tzinfo=SEOUL)
                at += timedelta(minutes=random.randrange(60))
                times.append(at + timedelta(hours=shift))
        if board == "board0" and not shift:
            # One board of the fleet works at night.
            times[:] = [at + timedelta(hours=12) for at in times]
    return {board: sorted(times) for board, times in posts.items()}


def _is_term(day: date) -> bool:
    return day.month in (3, 4, 5, 6, 9, 10, 11, 12)


def read(path: Path) -> Posts:
    """Return the posts of a file; a day without a time gets one of the times that are known."""
    random = Random(7)
    raw = {
        board: [datetime.fromisoformat(text) for text in times]
        for board, times in json.loads(path.read_text()).items()
    }
    clock = [(at.hour, at.minute) for times in raw.values() for at in times if at.hour or at.minute]

    def timed(at: datetime) -> datetime:
        hour, minute = (at.hour, at.minute) if at.hour or at.minute else random.choice(clock)
        return at.replace(hour=hour, minute=minute)

    return {board: sorted(map(timed, times)) for board, times in raw.items() if times}


def learned(posts: Sequence[datetime], requests: float) -> Week:
    """Return a week with intervals as one over the root of the rate, for a number of requests."""
    rate = [0.02] * HOURS
    for at in posts:
        hour = hour_of_week(at, "Asia/Seoul")
        for near, weight in ((0, 0.85), (-1, 0.075), (1, 0.075)):
            rate[(hour + near) % HOURS] += weight

    def week(price: float) -> Week:
        return [min(INTERVALS, key=lambda m: each * m + price / m) for each in rate]

    low, high = 1e-6, 1e9
    for _ in range(80):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if _requests(week(middle)) > requests else (low, middle)
    return week(high)


def _requests(week: Week) -> float:
    return sum(60 / minutes for minutes in week) / 7


def judge(posts: Posts, week: Week | None, ticks: Ticks) -> Figures:
    """Return the figures of a rhythm; None for every ten minutes."""
    rhythm = None if week is None else Weekly(tuple(week), "Asia/Seoul")
    waits = {
        board: [_wait(Planned(board, 10, rhythm=rhythm), at, ticks) for at in times]
        for board, times in posts.items()
        if times
    }
    every = sorted(wait for each in waits.values() for wait in each)
    fleet = [Planned(f"department{n}", 10, rhythm=rhythm) for n in range(200)]
    due = Counter[datetime]()
    for minute in range(7 * 24 * 60):
        at = BEGIN.astimezone(UTC) + timedelta(minutes=minute)
        if gap := _tick(at, ticks):
            due[at] = sum(each.due(at, gap) is not None for each in fleet)
    return Figures(
        requests=sum(due.values()) / len(fleet) / 7,
        # Posts lie anywhere within their minute.
        mean=sum(every) / len(every) - 0.5,
        late=every[int(0.95 * len(every))],
        worst_board=max(sorted(each)[int(0.95 * len(each))] for each in waits.values()),
        peak=max(due.values()) / len(fleet),
    )


def _tick(at: datetime, ticks: Ticks) -> int:
    """Return the minutes since the tick before; 0 if there is no tick at this time."""
    is_tick = at.minute % 2 if at.hour in ticks.busy_hours else at.minute % 10 == 5  # noqa: PLR2004
    return ticks.since(at) if is_tick else 0


def _wait(planned: Planned, posted: datetime, ticks: Ticks) -> int:
    begin = posted.astimezone(UTC).replace(second=0, microsecond=0)
    for minutes in count(1):
        at = begin + timedelta(minutes=minutes)
        if (gap := _tick(at, ticks)) and planned.due(at, gap):
            return minutes
    raise AssertionError


def main() -> None:
    """Print a table a world."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=Path, help="posts to judge in place of years of its own")
    parser.add_argument("--seed", type=int, default=7)
    path, seed = (options := parser.parse_args()).times, options.seed
    worlds: dict[str, Posts] = (
        {path.name: read(path)}
        if path
        else {
            "a Korean year": year(seed),
            "a week from Sunday to Thursday": year(seed + 1, rest=frozenset({4, 5})),
            "five hours later": year(seed + 2, shift=5),
        }
    )
    home = [at for times in next(iter(worlds.values())).values() for at in times]
    split = min(home) + LEARNED * (max(home) - min(home))
    known = [at for at in home if at < split]
    for name, posts in worlds.items():
        judged = {board: [at for at in times if at >= split] for board, times in posts.items()}
        sooner, thrifty = RHYTHMS["sooner"].week, RHYTHMS["thrifty"].week
        weeks: dict[str, tuple[Week | None, Ticks]] = {
            "uniform": (None, CALM),
            "sooner": (sooner, BUSY),
            "learned, as many requests": (learned(known, _requests(sooner)), BUSY),
            "thrifty": (thrifty, BUSY),
            "learned, as few requests": (learned(known, _requests(thrifty)), BUSY),
        }
        number = sum(map(len, judged.values()))
        table = Table(
            title=f"{name}: {number:,} posts of {len(judged)} boards", box=box.SIMPLE_HEAD
        )
        for head in ("rhythm", "requests a day", "mean", "95 %", "95 % of the worst board", "peak"):
            table.add_column(head, justify="left" if head == "rhythm" else "right")
        for rhythm, (week, ticks) in weeks.items():
            found = judge(judged, week, ticks)
            table.add_row(
                rhythm,
                f"{found.requests:.0f}",
                f"{found.mean:.1f}",
                f"{found.late}",
                f"{found.worst_board}",
                f"{found.peak:.0%}",
            )
        Console(width=None if sys.stdout.isatty() else 100).print(table)


if __name__ == "__main__":
    main()
