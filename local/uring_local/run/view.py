"""What a run shows: JSON lines for machines, plain lines for a pipe, a live table on a terminal."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from rich import box
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from uring_local.stack.event_log import record_of, source_of

BAD: Final = ("lost", "doubled", "wrong", "dead_lettered")
"""The figures of a summary that are all 0 if all is well."""

_TOLD: Final = ("checked", "changed", "pushed", "expected")
_STYLES: Final = {
    "changed": "green",
    "baseline": "cyan",
    "unchanged": "dim",
    "failed": "red",
    "suspect": "yellow",
    "dropped": "red",
}
_MOST_NEWS: Final = 12
_LEAST_NEWS: Final = 4
# Title, head of the table and its rule, queues.
_FRAME: Final = 4
_NAMES_FROM: Final = 100


class View:
    """A run's audience; this one shows nothing."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        """Begin to show."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the screen as it is."""

    def note(self, text: str) -> None:
        """Show a line of progress."""

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:
        """Show an event of a function, or of the run itself.

        Args:
            event: its name and fields.
            line: the event for people; empty where it says little.
            figure: what it counts as; empty for nothing.
        """

    def depths(self, family: str, depths: Mapping[str, int]) -> None:
        """Show a family's queues as they stand."""

    def verdicts(self, summaries: Sequence[Mapping[str, Any]]) -> None:
        """Show all families' verdicts side by side, at the end."""


class JsonView(View):
    """One JSON object per line, events only: the rest is for people."""

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:  # noqa: ARG002
        """See `View.event`."""
        print(json.dumps(event, ensure_ascii=False), file=self._console.file, flush=True)


class PlainView(View):
    """Lines for a pipe: progress, changes, pushes, a line per tick and the verdicts."""

    def note(self, text: str) -> None:
        """See `View.note`."""
        print(text, file=self._console.file, flush=True)

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:  # noqa: ARG002
        """See `View.event`."""
        if line:
            self.note(line)

    def verdicts(self, summaries: Sequence[Mapping[str, Any]]) -> None:
        """See `View.verdicts`."""
        self._console.print("", _verdicts(summaries), sep="\n")


@dataclass
class _Row:
    """A source in the live table."""

    name: str
    outcome: str = ""
    changes: int = 0
    pushes: int = 0
    trouble: str = ""
    touched: int = 0


class LiveView(PlainView):
    """A table of the sources, the queues, and the latest news.

    What has no room is the sources that have been quiet the longest, and the oldest news.

    Args:
        sources: family, id and name of each.
    """

    def __init__(self, console: Console, sources: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(console)
        self._rows = {(family, key): _Row(name) for family, key, name in sources}
        self._depths: dict[str, Mapping[str, int]] = {}
        self._news: list[str] = []
        self._tick = 0
        self._began = time.monotonic()
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def note(self, text: str) -> None:
        """See `View.note`."""
        if self._live.is_started:
            self._news = [*self._news, text][-_MOST_NEWS:]
        else:
            self._console.print(text, markup=False)

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:
        """See `View.event`."""
        name = event["event"]
        row = self._rows.get((event["family"], source_of(event)))
        if row is not None:
            self._count(row, event, figure)
        if name == "tick":
            self._tick = event["tick"]
            return
        if name == "summary":
            # What follows stays on the screen, below the table.
            self._live.stop()
        if line:
            self.note(line)

    def depths(self, family: str, depths: Mapping[str, int]) -> None:
        """See `View.depths`."""
        self._depths[family] = depths

    def _count(self, row: _Row, event: Mapping[str, Any], figure: str) -> None:
        if figure == "checked":
            row.outcome, row.trouble = event["outcome"], _trouble(event)
        row.changes += figure == "changed"
        row.pushes += figure == "pushed"
        if row.trouble or figure in ("changed", "pushed"):
            row.touched = self._tick + 1

    def _draw(self) -> Group:
        height = self._console.height - _FRAME - 1
        shown = self._shown(max(1, height - _LEAST_NEWS))
        news = self._news[-max(1, height - len(shown)) :]
        seconds = int(time.monotonic() - self._began)
        title = f"tick {self._tick} done, {seconds // 60}:{seconds % 60:02}"
        if hidden := len(self._rows) - len(shown):
            title += f"; {hidden} quiet sources are not shown"
        return Group(
            Text(title, style="italic"),
            self._table(shown),
            self._queues(),
            *(Text(line, overflow="ellipsis", no_wrap=True) for line in news),
        )

    def _shown(self, room: int) -> list[tuple[str, str]]:
        """Return the rows that there is room for, in their order."""
        latest = sorted(self._rows, key=lambda key: self._rows[key].touched, reverse=True)[:room]
        return [key for key in self._rows if key in latest]

    def _table(self, shown: Sequence[tuple[str, str]]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        named = self._console.width >= _NAMES_FROM
        for column in ("id", *(["source"] if named else []), "last check", "changes", "pushes"):
            is_number = column in ("changes", "pushes")
            table.add_column(column, justify="right" if is_number else "left", no_wrap=True)
        table.add_column("health", no_wrap=True)
        for key in shown:
            row = self._rows[key]
            style = _STYLES.get(row.outcome, "")
            table.add_row(
                key[1],
                *([Text(row.name, style="dim")] if named else []),
                Text(row.outcome or "…", style=style),
                str(row.changes),
                str(row.pushes),
                Text(row.trouble or "ok", style=style if row.trouble else ""),
            )
        return table

    def _queues(self) -> Text:
        line = Text("waiting ", overflow="ellipsis", no_wrap=True)
        busy = {
            (f"{family} {name}" if name.startswith("Notify") else name): depth
            for family, depths in self._depths.items()
            for name, depth in depths.items()
            if depth
        }
        for name, total in busy.items():
            line.append(f" {name} {total} ", "bold red" if "DeadLetter" in name else "dim")
        return line if busy else line.append(" nothing", "dim")


def view_for(sources: Sequence[tuple[str, str, str]], *, as_json: bool) -> View:
    """Return the view that fits what is written to.

    Args:
        sources: family, id and name of each row of a live table.
        as_json: for machines.
    """
    console = Console(highlight=False)
    if as_json:
        return JsonView(console)
    return LiveView(console, sources) if console.is_terminal else PlainView(console)


def describe(event: Mapping[str, Any]) -> str:
    """Return an event in one line; empty for those that say little."""
    where = f"{source_of(event)} {record_of(event)}".strip()
    line = ""
    match event:
        case {"event": "changed", "kind": kind, "revision": revision}:
            line = f"  changed  {where} {kind}, revision {revision}"
        case {"event": "pushed", "kind": kind, "title": title}:
            line = f"  pushed   {source_of(event)} {title} ({kind})"
        case {"event": "push_deferred", "reason": reason}:
            line = f"  later    {where} {reason}"
        case {"event": "suspect" | "failed" | "dropped" as name, "detail": detail}:
            line = f"  {name:8} {where} {detail}"
        case {"event": "record_failed" | "check_failed" | "push_refused", "reason": reason}:
            line = f"  error    {event.get('group', where)} {reason}"
        case {"event": "wrong", "family": family, "reason": reason}:
            line = f"  WRONG    {family}: {reason}"
        case {"event": "tick", "family": family, "tick": tick}:
            names = ("checked", "changed", "pushed", "http_requests")
            counted = ", ".join(f"{event[name]} {_label(name)}" for name in names)
            line = f"tick {tick} of {family}: {counted}"
        case {"event": "summary"}:
            line = _summary(event)
    return line


def _trouble(event: Mapping[str, Any]) -> str:
    """Return the reason of a failed check, or how many parts of a good one failed."""
    failed = event.get("failed", 0)
    return str(event.get("reason", "")) or (f"{failed} failed" if failed else "")


def _summary(event: Mapping[str, Any]) -> str:
    """Return the figures that the table of verdicts has no room for."""
    rows = {
        _label(name): "  ".join(f"{key} {count}" for key, count in value.items())
        if isinstance(value, Mapping)
        else str(value)
        for name, value in event.items()
        if name not in ("event", "family", *_TOLD, *BAD) and value != {}
    }
    width = max(map(len, rows))
    return "\n".join(["", event["family"], *(f"  {name:{width}}  {rows[name]}" for name in rows)])


def _label(name: str) -> str:
    return name.replace("_", " ").replace("http", "HTTP").replace("aws", "AWS")


def _verdicts(summaries: Sequence[Mapping[str, Any]]) -> Table:
    table = Table("", box=None, pad_edge=False)
    for name in ("checked", "changed", "pushed", *BAD, "verdict"):
        table.add_column(_label(name), justify="right")
    for summary in summaries:
        bad = any(summary[name] for name in BAD)
        table.add_row(
            summary["family"],
            str(summary["checked"]),
            str(summary["changed"]),
            f"{summary['pushed']} of {summary['expected']}",
            *(Text(str(summary[name]), "bold red" if summary[name] else "") for name in BAD),
            Text("see above" if bad else "all well", "bold red" if bad else "green"),
        )
    return table
