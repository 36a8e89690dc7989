"""Compares a registry's published data with its journal; a sentence a fault."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urljoin

from uring_local.fcm.journal import Delivery
from uring_local.sites.registry.journal import DeadLetter, Journal, Known, Push, Text
from uring_local.sites.registry.judge_texts import (
    faults_of_differences,
    faults_of_texts,
    linked_files,
)
from uring_local.sites.registry.model import OPENED, date_of
from uring_local.sites.registry.page import download_link, preview_link
from uring_local.sites.registry.supplements import InForce
from uring_local.sites.stage.compare import compared, differing
from uring_local.sites.stage.published import Published

Table = Mapping[str, Mapping[str, Any]]
"""Attributes by sort key."""

LAST_RUN: Final = "metadata:sync:lastRun"
LETTER: Final = "dead-letter:"


@dataclass(frozen=True)
class Shown:
    """The published data of a registry.

    Attributes:
        table: its partition.
        latest: the document; empty without one.
        archive: all lines, the oldest first.
        texts: Markdown and the fields of its head, by fileNo.
        differences: by old and new fileNo, and the title, as in ``870-911 학칙``.
    """

    table: Table = field(default_factory=dict)
    latest: Mapping[str, Any] = field(default_factory=dict)
    archive: Sequence[Mapping[str, Any]] = ()
    texts: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    differences: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def day_of(at: datetime) -> int:
    """Return the registries' day of a time, from 1."""
    return (at - OPENED) // timedelta(days=1) + 1


def push_of(delivery: Delivery, published: Published) -> Push:
    """Return the push of a delivery, with the files that its links lead to."""
    data = delivery.data
    return Push(
        delivery.topic,
        data["kind"],
        data.get("title", ""),
        day_of(datetime.fromisoformat(data["detected_at"])),
        articles=int(data.get("articles_changed") or 0),
        files=linked_files(published, delivery.topic, data),
        in_force=InForce(data.get("effective") or "", data.get("effective_text") or ""),
        cause=data.get("cause") or "",
    )


def faults_of_run(day: int, due: Mapping[str, Any], table: Table) -> Iterator[str]:
    """Yield the faults of a day's run record, and the entries left on the queue."""
    yield from (f"{key} still waits" for key in table if key.startswith("queue:"))
    run = table.get(LAST_RUN)
    if run is None:
        yield f"{LAST_RUN} is missing"
        return
    if not run["timestamp"].startswith(f"{date_of(day)}"):
        yield f"{LAST_RUN} is of {run['timestamp']}"
    yield from (f"{LAST_RUN}: {fault}" for fault in differing(due, run))


def faults(expected: Journal, shown: Shown, url: str) -> Iterator[str]:
    """Yield all faults of the published data.

    Args:
        expected: what is due.
        shown: what is published.
        url: of the list.
    """

    def of_policy(_: str, known: Known, entry: Mapping[str, Any]) -> Iterator[str]:
        yield from differing(_entry(known, url), entry)
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
        yield from differing({"id": title, **_entry(known, url)}, item)

    # The former title of a renamed regulation may be kept, but only as archived.
    former = expected.former - expected.known.keys()
    policies = {
        title: entry
        for title, entry in _named("policy:", shown.table)
        if title not in former or entry["status"] != "archived"
    }
    letters = dict(_named(LETTER, shown.table))
    items = {item["title"]: item for item in shown.latest.get("items", ())}
    yield from compared("policy:", expected.known, policies, of_policy)
    yield from compared(LETTER, expected.dead_letters, letters, of_letter)
    if len(items) != len(shown.latest.get("items", ())):
        yield "latest.json has a title twice"
    yield from compared("latest.json: ", expected.active, items, of_item)
    yield from _faults_of_archive(expected, shown.archive)
    yield from faults_of_texts(_texts(expected, shown), shown.texts)
    yield from faults_of_differences(expected.differences, shown.differences)


def _texts(expected: Journal, shown: Shown) -> Mapping[str, Text]:
    """Return the texts that are due: of two regulations that share a file, its head names one."""
    titles: dict[str, set[str]] = {}
    for title, known in expected.known.items():
        titles.setdefault(known.row.file_no, set()).add(title)
    due = dict(expected.texts)
    for number in due.keys() & shown.texts.keys() & titles.keys():
        named = str(shown.texts[number][1].get("title"))
        if named in titles[number]:
            due[number] = due[number]._replace(title=named)
    return due


def _named(prefix: str, table: Table) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return ((key.removeprefix(prefix), table[key]) for key in table if key.startswith(prefix))


def _entry(known: Known, url: str) -> dict[str, Any]:
    row = known.row
    entry = {
        "title": row.title,
        "fileNo": row.file_no,
        "status": "active" if known.is_active else "archived",
    }
    if known.is_active:
        entry["previewUrl"] = urljoin(url, preview_link(row))
        entry["downloadUrl"] = urljoin(url, download_link(row))
    return entry


def _faults_of_archive(expected: Journal, archive: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    pushes = expected.pushes.elements()
    due = Counter((push.kind, push.title, *push.in_force, push.cause) for push in pushes)
    names = ("effective", "effective_text", "cause")
    there = Counter(
        (line["kind"], line.get("title", line["id"]), *(line.get(name) or "" for name in names))
        for line in archive
        if line["push"]
    )
    for kind, title, *more in (due - there).elements():
        yield f"archive: {title}: {_with(kind, more)} is missing"
    for kind, title, *more in (there - due).elements():
        yield f"archive: {title}: {_with(kind, more)} has no reason"
    times = Counter(line["event_id"] for line in archive)
    for event, count in times.items():
        if count > 1:
            yield f"archive: event {event} is stored {count} times"


def _with(kind: str, more: Iterable[str]) -> str:
    return ", ".join(filter(None, (kind, *more)))
