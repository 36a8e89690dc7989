"""`uring diff`: which changes two saved pages of a source would cause."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from uring.changes.state import Health
from uring.clock import timestamp
from uring.errors import SourceTrouble
from uring.fetch import Request, Response
from uring.notices.family import apply_visit
from uring.notices.item import fields
from uring.notices.source import Source
from uring.notices.state import NoticeState
from uring.notices.visit import Visitor
from uring.records.model import Event, Revision
from uring_local.words import counted

_SHOWN: Final = ("title", "date", "category", "link")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The consequence of the second page.

    Attributes:
        before: the records after the first page, by id.
        events: in page order; ``push`` says which subscribers hear of.
        suspect: why the second page would not be believed, or None.
    """

    before: dict[str, Revision]
    events: tuple[Event, ...]
    suspect: SourceTrouble | None


def compare(source: Source, before: bytes, after: bytes) -> Comparison:
    """Run both pages through the engine, in memory.

    Raises:
        SourceTrouble: the first page would not be believed: there is nothing to compare with.
    """
    now = datetime.now(UTC)
    request = source.request.model_copy(update={"honour_robots": False})
    source = source.model_copy(update={"request": request, "paging": None})
    state = NoticeState(source=source.id, health=Health(since=timestamp(now)))
    known, _ = _step(source, state, before, now)
    records = {record.id: record for record in (*known.outbox, *known.hot)}
    known = known.replace(outbox=())
    try:
        _, events = _step(source, known, after, now + timedelta(minutes=source.interval_minutes))
    except SourceTrouble as trouble:
        return Comparison(records, (), trouble)
    return Comparison(records, events, None)


class _Saved:
    """A site that is one file."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def fetch(self, request: Request) -> Response:
        return Response(200, request.url, self._body, None, None, None, 1)


def _step(
    source: Source, state: NoticeState, body: bytes, now: datetime
) -> tuple[NoticeState, tuple[Event, ...]]:
    observed = Visitor(_Saved(body)).visit(source, state, lambda _: {}, now)
    if observed.trouble is not None:
        raise observed.trouble
    if observed.data is None:
        return state, ()
    applied = apply_visit(source, state, observed.data, now)
    if applied is None:
        return state, ()
    return applied.state, tuple(reversed(applied.state.outbox))


def document(source: Source, comparison: Comparison) -> dict[str, Any]:
    """Return a comparison for machines."""
    suspect = comparison.suspect
    return {
        "source": source.id,
        "suspect": suspect and {"reason": suspect.reason, "detail": suspect.detail},
        "events": [
            {
                "id": event.id,
                "kind": event.kind,
                "push": event.push,
                "digest_of": event.digest_of,
                "before": _content(comparison.before.get(event.id)),
                "after": _content(event),
            }
            for event in comparison.events
        ],
    }


def _content(record: Revision | None) -> dict[str, Any] | None:
    return fields(record) if record else None


def show(comparison: Comparison) -> None:
    """Print a comparison: a line per change, and their number."""
    console = Console(highlight=False)
    if comparison.suspect is not None:
        console.print(
            f"the second page is suspect: {comparison.suspect}", markup=False, style="red"
        )
        return
    table = Table(show_edge=False, pad_edge=False)
    for column in ("kind", "id", "push", "notice"):
        table.add_column(column, overflow="fold")
    for event in comparison.events:
        push = f"digest of {event.digest_of}" if event.digest_of else "push"
        # The id is the page's: brackets in it are no markup of ours.
        table.add_row(
            event.kind,
            Text(event.id),
            push if event.push else "",
            _notice(event, comparison.before.get(event.id)),
        )
    if comparison.events:
        console.print(table)
    pushes = sum(event.push for event in comparison.events)
    changes = counted(len(comparison.events), "change")
    console.print(f"{changes}, {counted(pushes, 'push')}")


def _notice(event: Event, before: Revision | None) -> Text:
    text = Text(event.content.get("title") or "")
    for name in _SHOWN if before is not None else ():
        was, now = before.content.get(name) if before else None, event.content.get(name)
        if was != now:
            text.append(f"\n{name}: {was} → {now}", style="dim")
    return text
