"""Shows the sources of a stack: a table for people, one JSON list for machines."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.clock import parse_timestamp
from uring_local.look.index import IndexedSource
from uring_local.words import counted, duration, printable

_STYLES: Final = {"ok": "green", "pending": "dim"}
_MOST: Final = 60


def show(sources: Sequence[IndexedSource], known: int, now: datetime) -> None:
    """Print a row for each source, the ones that need a look first.

    Args:
        sources: to show.
        known: the number of all.
        now: aware.
    """
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("source", no_wrap=True, max_width=32)
    table.add_column("how", no_wrap=True)
    table.add_column("failures", justify="right", no_wrap=True)
    table.add_column("last success", no_wrap=True)
    table.add_column("checked", no_wrap=True)
    for source in sorted(sources, key=lambda each: (not each.needs_look, not each.failures)):
        entry = source.entry
        word = " ".join(_text(entry, name) for name in ("status", "reason")).strip()
        if stale := _text(entry, "stale_since"):
            word += f", silent since {stale}"
        if until := _text(entry, "paused_until"):
            word += f", paused until {until}"
        style = "bold red" if source.needs_look else _STYLES.get(_text(entry, "status"), "yellow")
        table.add_row(
            Text(printable(source.id)),
            Text(word, style=style),
            str(source.failures or ""),
            _age(entry.get("last_success"), now),
            _pace(entry),
        )
    console = Console(highlight=False)
    if sources:
        console.print(table)
    needs = sum(source.needs_look for source in sources)
    verb = "needs" if needs == 1 else "need"
    told = f"{needs} of {counted(known, 'source')} {verb} a look"
    console.print(told if needs else f"{counted(known, 'source')}, none needs a look", markup=False)


def show_json(sources: Sequence[IndexedSource]) -> None:
    """Print the published entries with their lists, and whether each needs a look."""
    rows = [{"list": each.listed, "needs_look": each.needs_look, **each.entry} for each in sources]
    print(json.dumps(rows, ensure_ascii=False))


def _text(entry: Any, name: str) -> str:
    value = entry.get(name)
    return printable(value[:_MOST]) if isinstance(value, str) else ""


def _age(instant: Any, now: datetime) -> str:
    try:
        at = parse_timestamp(instant)
    except (TypeError, ValueError):
        return "never"
    return f"{duration(max(0.0, (now - at).total_seconds()))} ago"


def _pace(entry: Any) -> str:
    minutes = entry.get("interval_minutes")
    if not isinstance(minutes, int):
        return ""
    if "rhythm" in entry:
        return f"by its rhythm, at least every {minutes} min"
    return f"every {minutes} min"
