"""What an append to the archive costs, by what its month has already.

    PYTHONPATH=tests .venv/bin/python bench/archive.py

See README.md beside this file.
"""

import os
from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Any, Final
from urllib.request import Request, urlopen

from archive_load import event
from lines import Child
from rich.console import Console
from rich.table import Table

from uring.notices.item import fields
from uring.records.archive import line
from uring.records.months import MONTH_BYTES, appended

SIZES: Final = {"1 KB": 1_000, "1 MB": 1_000_000, "60 MB": 60_000_000, "200 MB": 200_000_000}
# What a single object of that size was read and written as; a larger one is read no more.
_ONE_OBJECT: Final = ("1 KB", "1 MB", "60 MB")
_MONTH: Final = "202403"
_AT_ONCE: Final = 200
_FEW: Final = 20
# From one closing of a month's older half beyond the next.
_CYCLE: Final = 700


def main() -> None:
    """Measure and print."""
    rows = []
    for name, size in SIZES.items():
        times = _FEW if size < MONTH_BYTES else _CYCLE
        rows.append((name, "ours", _measure(size, "ours", times)))
    rows += [(name, "one object", _measure(SIZES[name], "one object", 3)) for name in _ONE_OBJECT]
    _print(rows)


def _measure(size: int, how: str, times: int) -> dict[str, Any]:
    """Return what a fresh process needs to append to a month of this size."""
    with Child("serve", dict(os.environ)) as world:
        aws = world.ask(boards=0, posts=0, every=1, views=0, size=None, validators=False)["aws"]
        for name, body in _month(size, as_one=how == "one object"):
            url = f"{aws}/bench/data/board/archive/{name}"
            with urlopen(Request(url, body, method="PUT")):  # noqa: S310 - our own stand-in
                pass
        with Child("archive_load", dict(os.environ), aws) as load:
            load.ask(source="warm", times=3, how=how)
            return load.ask(source="board", times=times, how=how)


def _month(size: int, *, as_one: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the objects of a month with so many bytes, each with its name."""
    count = size // len(line(event(0), fields))
    lines = (line(event(number), fields) for number in range(count))
    body = b""
    if as_one:
        body = b"".join(lines)
    else:
        while some := list(islice(lines, _AT_ONCE)):
            after = appended(_MONTH, body, some)
            if after.closed:
                yield after.file, after.closed
            body = after.body
    yield f"{_MONTH}.jsonl", body


def _print(rows: list[tuple[str, str, dict[str, Any]]]) -> None:
    least = median(rows[0][2]["seconds"])
    table = Table("month", "as", "CPU ms", "longest", "ratio", "peak MB", "more", "calls of one")
    for name, how, found in rows:
        seconds = found["seconds"]
        calls = (f"{n / len(seconds):.3g} {call}" for call, n in found["calls"].items())
        table.add_row(
            name,
            how,
            f"{median(seconds) * 1e3:.2f}",
            f"{max(seconds) * 1e3:.1f}",
            f"{median(seconds) / least:.2f}",
            f"{found['peak'] / 1e6:.0f}",
            f"{(found['peak'] - found['peak_before']) / 1e6:.0f}",
            ", ".join(calls),
        )
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
