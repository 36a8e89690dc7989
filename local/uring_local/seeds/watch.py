"""`uring seeds status`: one reading, or readings until all is over."""

import time
from collections.abc import Callable, Iterator
from typing import Final

from rich.console import Console
from rich.live import Live

from uring_local.seeds import view
from uring_local.seeds.status import CounterReading, Counters, SettlingRate, readings

# Between the two readings that give a pace.
_PACE_SECONDS: Final = 3.0

Told = tuple[CounterReading, SettlingRate]


def status(
    stack: str,
    wanted: str,
    *,
    watch: bool,
    every: float,
    as_json: bool,
    monotonic: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool:
    """Print the progress of collections.

    Returns False if there is no collection, a raw file failed, or nothing moves any more.

    Args:
        stack: the deployed stack's name.
        wanted: a partition's name, or a prefix of names; empty for all.
        watch: print readings until all is over.
        every: seconds between two readings.
        as_json: a JSON object for each reading.
        monotonic: returns the time, in seconds.
        sleep: waits a number of seconds.
    """
    counters = Counters(stack, wanted)
    looks = readings(
        counters.read,
        every=every if watch else _PACE_SECONDS,
        monotonic=monotonic,
        sleep=sleep,
    )
    told = looks if watch else _last(looks)
    if as_json:
        last = _each(told, view.print_json)
    elif watch:
        last = _watch(told)
    else:
        last = _each(told, _show)
    if not last[0].partitions and not as_json:
        print(f"no collection of {wanted or 'any partition'}; `uring seeds collect` starts one")
    return _is_well(*last)


def _last(looks: Iterator[Told]) -> Iterator[Told]:
    """Yield the second reading, which has a pace; the first if all is over."""
    first = next(looks)
    yield next(looks, first)


def _each(told: Iterator[Told], show: Callable[[CounterReading, SettlingRate], None]) -> Told:
    """Show each reading; return the last."""
    last = next(told)
    show(*last)
    for last in told:
        show(*last)
    return last


def _watch(told: Iterator[Told]) -> Told:
    console = Console(highlight=False)
    if not console.is_terminal:
        return _each(told, lambda *last: print(view.line(*last), flush=True))
    with Live(console=console, auto_refresh=False) as live:
        last = _each(told, lambda *each: live.update(view.screen(*each), refresh=True))
    view.show(console, *last)
    return last


def _show(reading: CounterReading, pace: SettlingRate) -> None:
    view.show(Console(highlight=False, soft_wrap=True), reading, pace)


def _is_well(reading: CounterReading, pace: SettlingRate) -> bool:
    failed = any(each.files.get("failed") for each in reading.partitions)
    return bool(reading.partitions) and not failed and not pace.is_stuck
