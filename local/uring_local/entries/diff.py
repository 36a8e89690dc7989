"""`uring diff`: the changes that two saved pages of a source would cause."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.records.model import Event, Revision
from uring_local.entries.family import Comparison, FileFamily
from uring_local.words import counted, printable


def document(
    family: FileFamily[Any, Any], source_id: str, comparison: Comparison
) -> dict[str, Any]:
    """Return the JSON object of a comparison."""
    suspect = comparison.suspect
    return {
        "source": source_id,
        "suspect": suspect and {"reason": suspect.reason, "detail": suspect.detail},
        "events": [
            {
                "id": event.id,
                "kind": event.kind,
                "push": event.push,
                "digest_of": event.digest_of,
                "before": _content(family, comparison.before.get(event.id)),
                "after": _content(family, event),
            }
            for event in comparison.events
        ],
    }


def _content(family: FileFamily[Any, Any], record: Revision | None) -> dict[str, Any] | None:
    return family.content(record) if record else None


def show(family: FileFamily[Any, Any], comparison: Comparison) -> None:
    """Print a comparison: a line for each change and their number, or why the page is suspect."""
    console = Console(highlight=False)
    if comparison.suspect is not None:
        console.print(
            f"the second page is suspect: {comparison.suspect}", markup=False, style="red"
        )
        return
    table = Table(show_edge=False, pad_edge=False)
    for column in ("kind", "id", "push", family.noun):
        table.add_column(column, overflow="fold")
    for event in comparison.events:
        push = f"digest of {event.digest_of}" if event.digest_of else "push"
        # The id is the page's text: brackets in it must not be read as markup.
        table.add_row(
            event.kind,
            Text(printable(event.id)),
            push if event.push else "",
            _record(family, event, comparison.before.get(event.id)),
        )
    if comparison.events:
        console.print(table)
    pushes = sum(event.push for event in comparison.events)
    changes = counted(len(comparison.events), "change")
    console.print(f"{changes}, {counted(pushes, 'push')}")


def _record(family: FileFamily[Any, Any], event: Event, before: Revision | None) -> Text:
    text = Text(printable(event.content.get("title") or ""))
    if before is None:
        return text
    return text.append_text(differences(before.content, event.content, family.compared))


def differences(
    before: Mapping[str, str | None], after: Mapping[str, str | None], names: Iterable[str]
) -> Text:
    """Return a line, after a line end, for each field that differs; the page's text is escaped."""
    text = Text()
    for name in names:
        was, now = before.get(name), after.get(name)
        if was != now:
            text.append("\n" + printable(f"{name}: {was} → {now}"), style="dim")
    return text
