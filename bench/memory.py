"""A batch of ten departments at the share of a core that a function's memory buys.

See README.md beside this file. CPU is measured on a whole core; the time of a batch is computed of
it, for a site that answers at once: what is waited for comes on top, at any memory.
"""

import argparse
import os
from collections.abc import Sequence
from typing import Any, Final

from lines import Child
from rich.console import Console
from rich.table import Table
from side import check, show, worker_at

from uring.sources.site import MAX_BYTES

# Lambda gives a whole core at so many megabytes.
_WHOLE_CORE: Final = 1_769
_MEMORIES: Final = (192, 256, 384)
_BATCH: Final = 10
_BIG: Final = 450_000
_SIZES: Final[Sequence[tuple[str, int | None]]] = (
    ("34 to 61 KB", None),
    ("450 KB", _BIG),
    ("2 MB", MAX_BYTES),
)
# What the boards show, whether jobs have hints, and whether a check calls AWS at all.
_PHASES: Final = (
    ("first", {"posts": 0, "views": 0}, False, True),
    ("unchanged", {"posts": 0, "views": 0}, True, False),
    ("other bytes", {"posts": 0, "views": 1}, True, False),
    ("no hint", {"posts": 0, "views": 1}, False, True),
    ("changed", {"posts": 1, "views": 1}, True, True),
)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench/memory.py", description=__doc__)
    parser.add_argument("--batches", type=int, default=6, help="of ten boards (default: 6)")
    parser.add_argument("--rounds", type=int, default=3, help="least of these (default: 3)")
    options = parser.parse_args()
    table = Table("pages", "checks", "ms a check", *(f"s a batch, {it} MB" for it in _MEMORIES))
    peaks = {}
    with Child("serve", dict(os.environ)) as world:
        for name, size in _SIZES:
            spent: dict[str, list[float]] = {}
            for _ in range(options.rounds):
                peaks[name] = _measure(world, options.batches * _BATCH, size, spent)
            for phase, seconds in spent.items():
                table.add_row(name, phase, *_row(min(seconds)))
    console = Console()
    console.print(table)
    for name, peak in peaks.items():
        console.print(f"peak with pages of {name}: {peak / 1e6:.0f} MB")


def _row(check: float) -> list[str]:
    batches = (check * _BATCH * _WHOLE_CORE / memory for memory in _MEMORIES)
    return [f"{check * 1e3:.1f}", *(f"{seconds:.2f}" for seconds in batches)]


def _measure(world: Child, boards: int, size: int | None, spent: dict[str, list[float]]) -> int:
    """Have boards checked in each phase; return the peak of the process' memory in bytes."""
    world.ask(reset=True)
    shown: dict[str, Any] = {"every": 1, "size": size}
    places = show(world, boards + _BATCH, **shown)
    peak = 0
    with worker_at(places, "http", boards + _BATCH) as worker:
        # The first calls of a process build what the later ones share.
        check(worker, places, "http", range(boards, boards + _BATCH))
        for phase, state, hinted, calls in _PHASES:
            show(world, boards, **state, **shown)
            hints = world.ask(hints=boards) if hinted else None
            world.ask(calls=True)
            answer = check(worker, places, "http", range(boards), hints)
            if bool(world.ask(calls=True)) is not calls:
                raise SystemExit(f"{phase}: AWS was{' not' * calls} called")
            spent.setdefault(phase, []).append(answer["seconds"] / boards)
            peak = answer["peak_bytes"]
    return peak


if __name__ == "__main__":
    main()
