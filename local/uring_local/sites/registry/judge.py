"""Compares what is published of a registry with what its journal makes due; a sentence a fault."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final

from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.journal import Expected, Known, Metadata, Push
from uring_local.sites.registry.judge_texts import (
    differing,
    faults_of_differences,
    faults_of_texts,
)
from uring_local.sites.registry.model import Row

LAST_RUN: Final = "metadata:sync:lastRun"
OPENED: Final = datetime.fromisoformat("2026-03-02T16:00:00Z")


@dataclass(frozen=True)
class Shown:
    """A registry as readers see it.

    Attributes:
        table: attributes by sort key.
        latest: the document; empty without one.
        archive: all lines, oldest first.
        texts: Markdown and what its head says, by fileNo.
        differences: by old and new fileNo.
    """

    table: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
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


def faults_of_run(day: int, due: Metadata, table: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
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
    yield from differing(LAST_RUN, right, run)


def faults(expected: Expected, shown: Shown, links: Links) -> Iterator[str]:
    """Yield everything that is wrong with what is published."""
    yield from _faults_of_policies(expected, shown.table, links)
    yield from _faults_of_dead_letters(expected, shown.table)
    yield from _faults_of_latest(expected, shown.latest, links)
    yield from _faults_of_archive(expected, shown.archive)
    yield from faults_of_texts(expected.texts, shown.texts)
    yield from faults_of_differences(expected.differences, shown.differences)


def _faults_of_policies(
    expected: Expected, table: Mapping[str, Mapping[str, Any]], links: Links
) -> Iterator[str]:
    entries = {
        key.removeprefix("policy:"): entry
        for key, entry in table.items()
        if key.startswith("policy:")
    }
    for title, known in expected.known.items():
        entry = entries.pop(title, None)
        if entry is None:
            yield f"policy:{title} is missing"
            continue
        right = _entry(known, links)
        yield from differing(f"policy:{title}", right, entry)
        # Links that change in silence may set the date, or leave it.
        days = {known.updated, known.relinked or known.updated}
        if entry["lastUpdated"][:10] not in {date_of(day).isoformat() for day in days}:
            yield f"policy:{title}: lastUpdated is {entry['lastUpdated']}"
    for title, entry in entries.items():
        # What a renamed one was called before may be kept, as long as nobody takes it for a rule.
        if title not in expected.former or entry["status"] != "archived":
            yield f"policy:{title} is there, and should not be"


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


def _faults_of_dead_letters(
    expected: Expected, table: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    letters = {
        key.removeprefix("dead-letter:"): letter
        for key, letter in table.items()
        if key.startswith("dead-letter:")
    }
    for title, due in expected.dead_letters.items():
        letter = letters.pop(title, None)
        if letter is None:
            yield f"dead-letter:{title} is missing"
            continue
        right = {"fileNo": expected.known[title].row.file_no, "retryCount": due.tries}
        yield from differing(f"dead-letter:{title}", right, letter)
        if due.reason not in str(letter["errorMessage"]):
            yield f"dead-letter:{title}: {letter['errorMessage']!r} does not name {due.reason}"
    yield from (f"dead-letter:{title} is there, and should not be" for title in letters)


def _faults_of_latest(expected: Expected, latest: Mapping[str, Any], links: Links) -> Iterator[str]:
    items = {item["title"]: item for item in latest.get("items", ())}
    if len(items) != len(latest.get("items", ())):
        yield "latest.json has a title twice"
    for title, known in expected.active.items():
        if title not in items:
            yield f"latest.json: {title} is missing"
            continue
        right = {"id": title, **_entry(known, links)}
        yield from differing(f"latest.json: {title}", right, items[title])
    extra = items.keys() - expected.active.keys()
    yield from (f"latest.json: {title} is there, and should not be" for title in sorted(extra))


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
