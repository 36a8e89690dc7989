"""Compares a registry's published data with its journal; a sentence a fault."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final

from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.journal import DeadLetter, Expected, Known, Metadata, Push
from uring_local.sites.registry.judge_texts import faults_of_differences, faults_of_texts
from uring_local.sites.registry.model import Row
from uring_local.sites.stage.compare import compared, differing

Table = Mapping[str, Mapping[str, Any]]
"""Attributes by sort key."""

LAST_RUN: Final = "metadata:sync:lastRun"
OPENED: Final = datetime.fromisoformat("2026-03-02T16:00:00Z")


@dataclass(frozen=True)
class Shown:
    """The published data of a registry.

    Attributes:
        table: its partition.
        latest: the document; empty without one.
        archive: all lines, the oldest first.
        texts: Markdown and the fields of its head, by fileNo.
        differences: by old and new fileNo.
    """

    table: Table = field(default_factory=dict)
    latest: Mapping[str, Any] = field(default_factory=dict)
    archive: Sequence[Mapping[str, Any]] = ()
    texts: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    differences: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)


Links = Callable[[Row], tuple[str, str]]
"""Returns the addresses of a row's preview and file."""


def day_of(at: datetime) -> int:
    """Return the registries' day of a time, from 1."""
    return (at - OPENED) // timedelta(days=1) + 1


def date_of(day: int) -> date:
    """Return the date of a day in UTC."""
    return (OPENED + timedelta(days=day - 1)).date()


def push_of(delivery: Delivery) -> Push:
    """Return the push of a delivery."""
    data = delivery.data
    day = day_of(datetime.fromisoformat(data["detected_at"]))
    articles = int(data.get("articles_changed") or 0)
    return Push(delivery.topic, data["kind"], data.get("title", ""), day, articles)


def faults_of_run(day: int, due: Metadata, table: Table) -> Iterator[str]:
    """Yield the faults of a day's run record, and the entries left on the queue."""
    yield from (f"{key} still waits" for key in table if key.startswith("queue:"))
    run = table.get(LAST_RUN)
    if run is None:
        yield f"{LAST_RUN} is missing"
        return
    if not run["timestamp"].startswith(f"{date_of(day)}"):
        yield f"{LAST_RUN} is of {run['timestamp']}"
    right = {
        "status": due.status,
        "totalProcessed": due.processed,
        "added": due.added,
        "updated": due.updated,
        "deleted": due.deleted,
        "errorCount": due.errors,
    }
    yield from (f"{LAST_RUN}: {fault}" for fault in differing(right, run))


def faults(expected: Expected, shown: Shown, links: Links) -> Iterator[str]:
    """Yield all faults of the published data."""

    def of_policy(_: str, known: Known, entry: Mapping[str, Any]) -> Iterator[str]:
        yield from differing(_entry(known, links), entry)
        # A change of links alone may set the date, or leave it.
        days = {known.updated, known.relinked or known.updated}
        if entry["lastUpdated"][:10] not in {date_of(day).isoformat() for day in days}:
            yield f"lastUpdated is {entry['lastUpdated']}"

    def of_letter(title: str, due: DeadLetter, letter: Mapping[str, Any]) -> Iterator[str]:
        right = {"fileNo": expected.known[title].row.file_no, "retryCount": due.tries}
        yield from differing(right, letter)
        if due.reason not in str(letter["errorMessage"]):
            yield f"{letter['errorMessage']!r} does not name {due.reason}"

    def of_item(title: str, known: Known, item: Mapping[str, Any]) -> Iterator[str]:
        yield from differing({"id": title, **_entry(known, links)}, item)

    # The former title of a renamed regulation may be kept, but only as archived.
    former = expected.former - expected.known.keys()
    policies = {
        title: entry
        for title, entry in _named("policy:", shown.table)
        if title not in former or entry["status"] != "archived"
    }
    letters = dict(_named("dead-letter:", shown.table))
    items = {item["title"]: item for item in shown.latest.get("items", ())}
    yield from compared("policy:", expected.known, policies, of_policy)
    yield from compared("dead-letter:", expected.dead_letters, letters, of_letter)
    if len(items) != len(shown.latest.get("items", ())):
        yield "latest.json has a title twice"
    yield from compared("latest.json: ", expected.active, items, of_item)
    yield from _faults_of_archive(expected, shown.archive)
    yield from faults_of_texts(expected.texts, shown.texts)
    yield from faults_of_differences(expected.differences, shown.differences)


def _named(prefix: str, table: Table) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return ((key.removeprefix(prefix), table[key]) for key in table if key.startswith(prefix))


def _entry(known: Known, links: Links) -> dict[str, Any]:
    row = known.row
    entry = {
        "title": row.title,
        "fileNo": row.file_no,
        "status": "active" if known.is_active else "archived",
    }
    if known.is_active:
        entry["previewUrl"], entry["downloadUrl"] = links(row)
    return entry


def _faults_of_archive(expected: Expected, archive: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    due = Counter((push.kind, push.title) for push in expected.pushes.elements())
    there = Counter(
        (line["kind"], line.get("title", line["id"])) for line in archive if line["push"]
    )
    for (kind, title), count in (due - there).items():
        yield f"archive: {title}: {kind} is missing, {_times(count)}"
    for (kind, title), count in (there - due).items():
        yield f"archive: {title}: {kind} has no reason, {_times(count)}"
    times = Counter(line["event_id"] for line in archive)
    for event, count in times.items():
        if count > 1:
            yield f"archive: event {event} is stored {count} times"


def _times(count: int) -> str:
    """Return a number of times in words, for people."""
    return "once" if count == 1 else f"{count} times"
