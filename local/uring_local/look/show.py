"""Shows the sources of a stack: a table for people, one JSON list for machines."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.clock import parse_timestamp
from uring_local.look.index import IndexedSource, by_need
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
    for source in by_need(sources):
        table.add_row(
            Text(printable(source.id)),
            Text(health(source), style=style(source)),
            str(source.failures or ""),
            _ago(source.entry.get("last_success"), now),
            pace(source),
        )
    console = Console(highlight=False)
    if sources:
        console.print(table)
    console.print(needs(sources, known), markup=False)


def health(source: IndexedSource) -> str:
    """Return how a source is: its status and reason, its silence, its pause."""
    entry = source.entry
    words = " ".join(text_of(entry, name) for name in ("status", "reason")).strip()
    if stale := text_of(entry, "stale_since"):
        words += f", silent since {stale}"
    if until := text_of(entry, "paused_until"):
        words += f", paused until {until}"
    return words


def style(source: IndexedSource) -> str:
    """Return the style for the health of a source."""
    return (
        "bold red" if source.needs_look else _STYLES.get(text_of(source.entry, "status"), "yellow")
    )


def needs(sources: Sequence[IndexedSource], known: int) -> str:
    """Return how many sources need a look, of all that are known."""
    count = sum(source.needs_look for source in sources)
    verb = "needs" if count == 1 else "need"
    all_ = counted(known, "source")
    return f"{count} of {all_} {verb} a look" if count else f"{all_}, none needs a look"


def show_json(sources: Sequence[IndexedSource]) -> None:
    """Print the published entries with their lists, and whether each needs a look."""
    rows = [{"list": each.listed, "needs_look": each.needs_look, **each.entry} for each in sources]
    print(json.dumps(rows, ensure_ascii=False))


def text_of(entry: Mapping[str, Any], name: str) -> str:
    """Return a published text for a terminal, cut; empty if it is missing or malformed."""
    value = entry.get(name)
    return printable(value[:_MOST]) if isinstance(value, str) else ""


def seconds_since(instant: Any, now: datetime) -> float | None:
    """Return the age of a published time, 0 for a later one; None if it is missing or malformed."""
    try:
        return max(0.0, (now - parse_timestamp(instant)).total_seconds())
    except (TypeError, ValueError):
        return None


def pace(source: IndexedSource) -> str:
    """Return how often a source is checked; empty if unknown."""
    minutes = source.entry.get("interval_minutes")
    if not isinstance(minutes, int):
        return ""
    if "rhythm" in source.entry:
        return f"by its rhythm, at least every {minutes} min"
    return f"every {minutes} min"


def _ago(instant: Any, now: datetime) -> str:
    seconds = seconds_since(instant, now)
    return "never" if seconds is None else f"{duration(seconds)} ago"
