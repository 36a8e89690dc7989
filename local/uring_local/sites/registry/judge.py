"""Compares what is published of a registry with what its journal makes due; a sentence a fault."""

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
    """A registry as readers see it.

    Attributes:
        table: its partition.
        latest: the document; empty without one.
        archive: all lines, oldest first.
        texts: Markdown and what its head says, by fileNo.
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
    """Return the day of the registries, from 1."""
    return (at - OPENED) // timedelta(days=1) + 1


def date_of(day: int) -> date:
    """Return the date of a day in UTC."""
    return (OPENED + timedelta(days=day - 1)).date()


def push_of(delivery: Delivery) -> Push:
    """Return the push that a delivery is of."""
    data = delivery.data
    day = day_of(datetime.fromisoformat(data["detected_at"]))
    articles = int(data.get("articles_changed") or 0)
    return Push(delivery.topic, data["kind"], data.get("title", ""), day, articles)


def faults_of_run(day: int, due: Metadata, table: Table) -> Iterator[str]:
    """Yield what is wrong with the record of a day's run, and what is left on the queue."""
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
    """Yield everything that is wrong with what is published."""

    def of_policy(_: str, known: Known, entry: Mapping[str, Any]) -> Iterator[str]:
        yield from differing(_entry(known, links), entry)
        # Links that change in silence may set the date, or leave it.
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

    # What a renamed one was called before may be kept, as long as nobody takes it for a rule.
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
        yield f"archive: {title}: {kind} is there without reason, {_times(count)}"
    times = Counter(line["event_id"] for line in archive)
    for event, count in times.items():
        if count > 1:
            yield f"archive: event {event} is there {count} times"


def _times(count: int) -> str:
    """Return how often, for people."""
    return "once" if count == 1 else f"{count} times"
