"""What a run shows: JSON lines for machines, plain lines for a pipe, a live table on a terminal."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from uring_local.run.weather_lines import describe_weather
from uring_local.stack.application import Depth

_STYLES = {
    "changed": "green",
    "baseline": "cyan",
    "unchanged": "dim",
    "failed": "red",
    "suspect": "yellow",
    "dropped": "red",
}
_LATEST_NEWS = 12


class View(Protocol):
    """Where a run reports to."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(self, *_: object) -> None:
        """Leave the screen as it is."""
        ...

    def note(self, text: str) -> None:
        """One line of progress."""
        ...

    def event(self, event: Mapping[str, Any]) -> None:
        """An event of a function, or of the run itself."""
        ...

    def depths(self, depths: Mapping[str, Depth]) -> None:
        """The queues as they stand."""
        ...


class JsonView:
    """One JSON object per line, events only."""

    def __init__(self, console: Console) -> None:
        self._file = console.file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def note(self, text: str) -> None:
        """Progress is for people."""

    def event(self, event: Mapping[str, Any]) -> None:
        """See `View.event`."""
        print(json.dumps(event, ensure_ascii=False), file=self._file, flush=True)

    def depths(self, depths: Mapping[str, Depth]) -> None:
        """Depths are for people."""


class PlainView:
    """Lines for a pipe: progress, changes, pushes, and a line per tick."""

    def __init__(self, console: Console) -> None:
        self._file = console.file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def note(self, text: str) -> None:
        """See `View.note`."""
        print(text, file=self._file, flush=True)

    def event(self, event: Mapping[str, Any]) -> None:
        """See `View.event`."""
        if line := describe(event) or describe_weather(event):
            self.note(line)

    def depths(self, depths: Mapping[str, Depth]) -> None:
        """Only the live view has room for them."""


@dataclass
class _Row:
    """A department or product in the live table."""

    name: str
    outcome: str = ""
    changes: int = 0
    pushes: int = 0
    trouble: str = ""


class LiveView:
    """A table of the sources, the queues, and the latest news."""

    def __init__(self, console: Console, sources: Sequence[tuple[str, str]]) -> None:
        self._rows = {key: _Row(name) for key, name in sources}
        self._console = console
        self._depths: Mapping[str, Depth] = {}
        self._news: list[str] = []
        self._tick = 0
        self._live = Live(console=console, get_renderable=self._draw, refresh_per_second=8)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def note(self, text: str) -> None:
        """See `View.note`."""
        if self._live.is_started:
            self._news = [*self._news, text][-_LATEST_NEWS:]
        else:
            self._console.print(text, markup=False)

    def event(self, event: Mapping[str, Any]) -> None:
        """See `View.event`."""
        name = event["event"]
        row = self._rows.get(str(event.get("department_id") or event.get("product")))
        if name in ("tick", "weather_tick"):
            self._tick = event["tick"]
            return
        if row is not None and name == "checked":
            row.outcome, row.trouble = event["outcome"], _trouble(event)
        elif row is not None and name == "changed":
            row.changes += 1
        elif row is not None and name == "pushed":
            row.pushes += 1
        elif name in ("summary", "weather_summary"):
            self._live.stop()
        if line := describe(event) or describe_weather(event):
            self.note(line)

    def depths(self, depths: Mapping[str, Depth]) -> None:
        """See `View.depths`."""
        self._depths = depths

    def _draw(self) -> Group:
        table = Table(title=f"tick {self._tick} done", title_justify="left")
        for column in ("id", "source", "last check", "changes", "pushes", "health"):
            table.add_column(column, justify="right" if column in ("changes", "pushes") else "left")
        for key, row in self._rows.items():
            style = _STYLES.get(row.outcome, "")
            table.add_row(
                key,
                Text(row.name, style="dim"),
                Text(row.outcome or "…", style=style),
                str(row.changes),
                str(row.pushes),
                Text(row.trouble or "ok", style=style if row.trouble else ""),
            )
        queues = Text("waiting  ")
        for name, depth in self._depths.items():
            bad = "DeadLetter" in name and depth.total
            queues.append(f"{name} {depth.total}  ", "bold red" if bad else "dim")
        return Group(table, queues, *(Text(line, overflow="ellipsis") for line in self._news))


def view_for(sources: Sequence[tuple[str, str]], *, as_json: bool) -> View:
    """The view that fits what is written to.

    Args:
        sources: id and name of each row of a live table.
        as_json: for machines.
    """
    console = Console(highlight=False)
    if as_json:
        return JsonView(console)
    return LiveView(console, sources) if console.is_terminal else PlainView(console)


def describe(event: Mapping[str, Any]) -> str:
    """An event in one line, or nothing for those that say little."""
    where = f"{event.get('department_id', '')} {event.get('notice_id', '')}".strip()
    text = ""
    match event["event"]:
        case "changed" if "notice_id" in event:
            text = f"  changed  {where} {event['kind']}, revision {event['revision']}"
        case "pushed":
            text = f"  pushed   {where} revision {event['revision']}"
        case "push_deferred":
            text = f"  later    {where} {event['reason']}"
        case "suspect" | "failed":
            text = f"  {event['event']:8} {where} {event['detail']}"
        case "entry_refused":
            text = f"  refused  {event['path']}: {event['reason']}; {event['remedy']}"
        case "record_failed" | "push_refused":
            text = f"  error    {event.get('group', where)} {event['reason']}"
        case "wrong":
            text = f"  WRONG    {event['reason']}"
        case "tick":
            text = (
                f"tick {event['tick']}: {event['checked']} checked, {event['changed']} changed, "
                f"{event['pushed']} pushed, {event['http_requests']} HTTP requests"
            )
        case "summary":
            text = _summary(event)
    return text


def _trouble(event: Mapping[str, Any]) -> str:
    """Of a department the reason, of a product how many of its airports failed."""
    failed = event.get("failed", 0)
    return str(event.get("reason", "")) or (f"{failed} failed" if failed else "")


def _summary(event: Mapping[str, Any]) -> str:
    def listed(name: str) -> str:
        return "  ".join(f"{key} {count}" for key, count in event[name].items())

    names = ("lost", "doubled", "wrong", "dead_lettered")
    verdict = "  ".join(f"{name.replace('_', '-')} {event[name]}" for name in names)
    lines = [
        "",
        f"ticks          {event['ticks']}, {event['checked']} checks",
        f"outcomes       {listed('outcomes')}",
        f"pushed         {event['pushed']} of {event['expected']}",
        f"archive lines  {event['archive_lines']}",
        f"verdict        {verdict}",
    ]
    if event["repeated"]:
        lines.append(f"repeated       {listed('repeated')} (FCM has no idempotency key)")
    if event["fcm_faults"]:
        lines.append(f"FCM faults     {listed('fcm_faults')}")
    lines.append(f"HTTP requests  {event['http_requests']}")
    lines.append(f"AWS calls      {listed('aws_calls')}")
    return "\n".join(lines)
