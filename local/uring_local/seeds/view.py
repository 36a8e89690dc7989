"""Readings of collections: on a terminal, in a pipe, as JSON."""

import json
from collections.abc import Iterator
from typing import Any, Final

from rich.console import Console, Group
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from uring.seeds.progress import STOPPED, Status
from uring_local.seeds.status import CounterReading, Depth, SettlingRate, is_over
from uring_local.words import counted, duration, printable

_FILES: Final = ("done", "partial", "reading", "held", "failed")
_RECORDS: Final = ("domains", "duplicates", "refused")
_SETTLED: Final = ("collected", "unreachable", "duplicates")
_ROBOTS: Final = "robots_"
# The sum of the domains' times.
_MILLISECONDS: Final = "milliseconds"
_BAR: Final = 24


def document(reading: CounterReading, pace: SettlingRate) -> dict[str, Any]:
    """Return the JSON object of a reading."""
    return {
        "partitions": [
            {
                "partition": each.partition,
                "epoch": each.started.epoch,
                "started_at": each.started.started_at,
                "files": {"listed": each.started.files, **each.files},
                "records": dict(each.records),
                "domains": {"sent": each.sent, "settled": each.settled, **each.counts},
                "held": each.started.held,
                "is_over": is_over(each),
            }
            for each in reading.partitions
        ],
        "older": reading.hidden,
        "queues": {
            each.queue: {"live": each.live, "dead_letters": each.dead} for each in reading.depths
        },
        "per_second": None if pace.per_second is None else round(pace.per_second, 2),
        "seconds_left": None if pace.seconds_left is None else round(pace.seconds_left),
        "is_stuck": pace.is_stuck,
    }


def print_json(reading: CounterReading, pace: SettlingRate) -> None:
    """Print a reading as one line of JSON."""
    print(json.dumps(document(reading, pace), ensure_ascii=False), flush=True)


def line(reading: CounterReading, pace: SettlingRate) -> str:
    """Return a reading in one line, for a pipe."""
    sent = sum(each.sent for each in reading.partitions)
    waiting = ", ".join(f"{each.queue} {each.live:,}" for each in reading.depths)
    return f"{reading.settled:,} of {counted(sent, 'domain')} settled; {waiting}; {words(pace)}"


def details(status: Status) -> Iterator[str]:
    """Yield the lines of a partition, each with its own heading."""
    files, listed = _listed(status.files, _FILES), counted(status.started.files, "raw file")
    yield f"files    {listed} listed: {files or 'none started'}"
    yield from _holds(status)
    if partial := status.files.get("partial", 0):
        yield (
            f"partial  {counted(partial, 'raw file')}: it ends early, without a mark; upload it "
            "whole, orchestrate again"
        )
    records = status.records.get("records", 0)
    yield f"records  {records:,}: {_listed(status.records, _RECORDS) or 'none yet'}"
    settled = _listed(status.counts, _SETTLED) or "none yet"
    yield f"domains  {status.settled:,} of {status.sent:,} settled: {settled}"
    robots = {
        name.removeprefix(_ROBOTS): count
        for name, count in status.counts.items()
        if name.startswith(_ROBOTS)
    }
    if robots:
        yield f"robots   {_listed(robots, sorted(robots))}"
    further = sorted(
        name
        for name in status.counts
        if name not in (*_SETTLED, _MILLISECONDS) and not name.startswith(_ROBOTS)
    )
    if further:
        yield f"found    {_listed(status.counts, further)}"
    asked = sum(status.counts.get(name, 0) for name in ("collected", "unreachable"))
    if asked and _MILLISECONDS in status.counts:
        yield f"time     {status.counts[_MILLISECONDS] / asked / 1000:,.1f} s a domain on average"


def _holds(status: Status) -> Iterator[str]:
    """Yield what holds a partition, or some of its files."""
    if held := status.ceilings.get("day", 0):
        yield (
            f"held     {counted(held, 'raw file')}: the ceiling of a day (SeedDailyDomains) is "
            "reached; orchestrate again after 00:00 UTC, without --force"
        )
    if held := status.ceilings.get("run", 0):
        yield (
            f"held     {counted(held, 'raw file')}: the run's budget is used; orchestrate again, "
            "without --force"
        )
    if status.started.held == STOPPED:
        yield (
            f"stopped  {counted(status.stopped, 'message')} ended unasked; an orchestration with "
            "its country, category and date goes on"
        )
    elif status.started.held:
        yield f"{status.started.held}   its messages wait; `uring seeds resume` lets them go on"


def state(status: Status) -> str:
    """Return the state of a partition in words: paused, stopped, over or under way."""
    return status.started.held or ("over" if is_over(status) else "under way")


def show(console: Console, reading: CounterReading, pace: SettlingRate) -> None:
    """Print a reading with all its figures."""
    for each in reading.partitions:
        console.print(
            f"[bold]{escape(each.partition)}[/]  {escape(printable(state(each)))}, started "
            f"{each.started.started_at}"
        )
        for text in details(each):
            console.print(f"  {text}", markup=False)
    if reading.hidden:
        console.print(f"and {counted(reading.hidden, 'older partition')}")
    console.print(_queues(reading.depths))
    if not reading.is_over:
        console.print(words(pace))


def screen(reading: CounterReading, pace: SettlingRate) -> Group:
    """Return a reading for a live view, with a bar for each partition."""
    table = Table(box=None, pad_edge=False)
    table.add_column("partition", no_wrap=True)
    for name in ("files", "settled", "of"):
        table.add_column(name, justify="right")
    table.add_column("", width=_BAR)
    for name in ("collected", "unreachable"):
        table.add_column(name, justify="right")
    for each in reading.partitions:
        read = each.files.get("done", 0) + each.files.get("partial", 0)
        failed = each.files.get("failed", 0)
        table.add_row(
            escape(each.partition),
            f"{read:,}/{each.started.files:,}{f' [red]{failed:,} failed[/]' if failed else ''}",
            f"{each.settled:,}",
            f"{each.sent:,}{f' [yellow]{escape(each.started.held)}[/]' * bool(each.started.held)}",
            ProgressBar(total=max(1, each.sent), completed=each.settled, width=_BAR),
            f"{each.counts.get('collected', 0):,}",
            f"{each.counts.get('unreachable', 0):,}",
        )
    below = [
        Text(_queues(reading.depths)),
        Text("all is settled" if reading.is_over else words(pace)),
    ]
    if reading.hidden:
        below.insert(0, Text(f"and {counted(reading.hidden, 'older partition')}"))
    return Group(table, *below)


def words(pace: SettlingRate) -> str:
    """Return a pace in words; the time left is a minimum, because files may still be read."""
    if pace.is_stuck:
        return "nothing waits and nothing was settled for a minute: see `uring queue list`"
    if pace.per_second is None:
        return "pace unknown yet"
    left = "" if pace.seconds_left is None else f", at least {duration(pace.seconds_left)} left"
    return f"{pace.per_second:,.1f} domains/s{left}"


def _queues(depths: tuple[Depth, ...]) -> str:
    return "; ".join(
        f"{each.queue} {each.live:,}" + (f", {counted(each.dead, 'dead letter')}" * bool(each.dead))
        for each in depths
    )


def _listed(figures: Any, names: Any) -> str:
    return ", ".join(
        f"{figures[name]:,} {name.replace('_', ' ')}" for name in names if figures.get(name)
    )
