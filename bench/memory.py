"""A batch of ten departments at the share of a core that a function's memory buys.

See README.md beside this file. CPU is measured on a whole core; the time of a batch is computed of
it, for a site that answers at once: what is waited for comes on top, at any memory.
"""

import argparse
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from urllib.request import urlopen

from lines import Child
from pages import entry, source_id
from rich.console import Console
from rich.table import Table
from workers import events, start

from uring.changes.hint import hint_of
from uring.contracts import Job
from uring.notices.family import Notices
from uring.notices.state import NoticeState

# Lambda gives a whole core at so many megabytes.
_WHOLE_CORE: Final = 1_769
_MEMORIES: Final = (256, 384, 512)
_BATCH: Final = 10
_BIG: Final = 450_000
_SIZES: Final[Sequence[tuple[str, int | None]]] = (("34 to 61 KB", None), ("450 KB", _BIG))
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
    shown = {"every": 1, "size": size, "validators": False}
    places = world.ask(boards=boards + _BATCH, posts=0, views=0, **shown)
    peak = 0
    with start("NoticeWorker", places["aws"], AllowedPrivateHosts=places["site"]) as worker:
        # The first calls of a process build what the later ones share.
        worker.ask(events=events(_jobs(places, range(boards, boards + _BATCH), hinted=False)))
        for phase, state, hinted, calls in _PHASES:
            world.ask(boards=boards, **state, **shown)
            jobs = _jobs(places, range(boards), hinted=hinted)
            world.ask(calls=True)
            answer = worker.ask(events=events(jobs))
            if bool(world.ask(calls=True)) is not calls:
                raise SystemExit(f"{phase}: AWS was{' not' * calls} called")
            spent.setdefault(phase, []).append(answer["seconds"] / boards)
            peak = answer["peak_bytes"]
    return peak


def _jobs(places: dict[str, str], numbers: range, *, hinted: bool) -> list[Job]:
    now = datetime.now(UTC)
    return [
        Job(
            family="notices",
            source=source_id(number),
            scheduled_at=now,
            interval_minutes=10,
            entry=entry(number, places["site"]),
            hint=_hint(places["aws"], source_id(number)) if hinted else None,
        )
        for number in numbers
    ]


def _hint(aws: str, source: str) -> dict[str, Any]:
    """Return the hint that the monitor makes of a state."""
    with urlopen(f"{aws}/bench/state/notices/{source}.json") as stored:  # noqa: S310 - a stand-in
        state = NoticeState.model_validate_json(stored.read())
        return hint_of(state, stored.headers["ETag"], Notices.heartbeat).model_dump()


if __name__ == "__main__":
    main()
