"""The views of a run: JSON lines for machines, plain lines for a pipe; `live` is for a terminal."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from textwrap import TextWrapper
from types import MappingProxyType
from typing import Any, Final, Self

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring_local.stack.event_log import record_of, source_of

BAD: Final = ("lost", "doubled", "wrong", "dead_lettered")
"""The figures of a summary that are 0 in a good run."""

_COLUMNS: Final = 79
# A name and its count stay on one line.
_JOINED: Final = "\N{NO-BREAK SPACE}"
_TOLD: Final = ("checked", "changed", "pushed", "expected", "expected_dead_letters")
_NONE: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Scene:
    """The fixed part of a view.

    Attributes:
        sources: family, id and name of each source; the first one's family comes first.
        client: the address of the client.
        status: the address of the operator's page.
        simulated: the families whose days are simulated.
    """

    sources: Sequence[tuple[str, str, str]]
    client: str
    status: str
    simulated: Collection[str] = ()


class View:
    """The base of the views of a run; it shows nothing."""

    def __init__(self, console: Console, scene: Scene) -> None:
        self._console = console
        self._scene = scene

    def __enter__(self) -> Self:
        """Begin to show."""
        return self

    def __exit__(self, *_: object) -> None:
        """End; leave the screen unchanged."""

    def note(self, text: str) -> None:
        """Show a line of progress."""

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:
        """Show an event of a function, or of the run itself.

        Args:
            event: its name and fields.
            line: the event in one line for people; empty for an unimportant one.
            figure: the figure that it counts for; empty for none.
        """

    def stage(self, text: str, until: float | None = None) -> None:
        """Show the current step of the run.

        Args:
            text: in a few words.
            until: its end, by `time.monotonic`; None if unknown.
        """

    def depths(
        self, family: str, depths: Mapping[str, int], expected: Mapping[str, int] = _NONE
    ) -> None:
        """Show the depths of a family's queues.

        Args:
            family: its name.
            depths: messages by queue.
            expected: dead letters that the site has caused on purpose, at most, by queue.
        """

    def verdicts(self, summaries: Sequence[Mapping[str, Any]]) -> None:
        """Show all families' verdicts side by side, at the end."""


class JsonView(View):
    """A view for machines: one JSON object a line, and only events."""

    def __enter__(self) -> Self:
        """Print the addresses as an event, and begin."""
        scene = self._scene
        self.event({"event": "serving", "client": scene.client, "status": scene.status}, "")
        return self

    def event(self, event: Mapping[str, Any], line: str, figure: str = "") -> None:  # noqa: ARG002
        """See `View.event`."""
        print(json.dumps(event, ensure_ascii=False), file=self._console.file, flush=True)


class PlainView(View):
    """A view for a pipe: lines with progress, changes, pushes, ticks and the verdicts."""

    def __enter__(self) -> Self:
        """Print the addresses, a line for each, and begin."""
        self.note(f"client: {self._scene.client}")
        self.note(f"operator's page: {self._scene.status}")
        if self._scene.simulated:
            self.note(f"simulated days: {', '.join(self._scene.simulated)}")
        return self

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


def describe(event: Mapping[str, Any]) -> str:
    """Return an event in one line; empty for an unimportant one."""
    where = f"{source_of(event)} {record_of(event)}".strip()
    line = ""
    match event:
        case {"event": "changed", "kind": kind, "revision": revision}:
            line = f"  changed  {where} {kind}, revision {revision}"
        case {"event": "pushed", "kind": kind}:
            line = f"  pushed   {source_of(event)} {kind}: {event.get('title') or record_of(event)}"
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


def timed(event: Mapping[str, Any], line: str) -> str:
    """Return an event's line with the local time of day in front; an empty line stays empty."""
    if not line:
        return line
    return f"  {datetime.fromisoformat(event['at']).astimezone():%H:%M:%S}{line[1:]}"


def trouble(event: Mapping[str, Any]) -> str:
    """Return the reason of a failed check, or the number of failed parts; empty for a good one."""
    failed = event.get("failed", 0)
    return str(event.get("reason", "")) or (f"{failed} failed" if failed else "")


def _summary(event: Mapping[str, Any]) -> str:
    """Return the figures that are not in the table of verdicts, a line for each."""
    rows = {
        _label(name): "  ".join(f"{key}{_JOINED}{count}" for key, count in value.items())
        if isinstance(value, Mapping)
        else str(value)
        for name, value in event.items()
        if name not in ("event", "family", *_TOLD, *BAD) and value != {}
    }
    width = max(map(len, rows))
    lines = TextWrapper(
        _COLUMNS,
        subsequent_indent=" " * (width + 4),
        break_long_words=False,
        break_on_hyphens=False,
    )
    told = (lines.fill(f"  {name:{width}}  {rows[name]}") for name in rows)
    return "\n".join(["", event["family"], *told]).replace(_JOINED, " ")


def _label(name: str) -> str:
    return name.replace("_", " ").replace("http", "HTTP").replace("aws", "AWS")


def _verdicts(summaries: Sequence[Mapping[str, Any]]) -> Table:
    # The table fits into the 80 columns of a pipe.
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    table.add_column("", no_wrap=True)
    *figures, letters = BAD
    for name in ("checked", "changed", "pushed", *figures, "dead letters", "verdict"):
        table.add_column(_label(name), justify="right")
    for summary in summaries:
        bad = any(summary[name] for name in BAD)
        table.add_row(
            summary["family"],
            str(summary["checked"]),
            str(summary["changed"]),
            f"{summary['pushed']} of {summary['expected']}",
            *(Text(str(summary[name]), "bold red" if summary[name] else "") for name in figures),
            _dead_letters(summary[letters], summary["expected_dead_letters"]),
            Text("see above" if bad else "all well", "bold red" if bad else "green"),
        )
    return table


def _dead_letters(unexpected: int, expected: int) -> Text:
    """Return the unexpected dead letters if there are any, else the ones that the site caused."""
    if unexpected:
        return Text(f"{unexpected} unexpected", "bold red")
    return Text(f"{expected} expected" if expected else "0", "dim" if expected else "")
