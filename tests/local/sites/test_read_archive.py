"""The judges read an archive as its readers do: each line once, the oldest first."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fakes import MemoryBucket, VirtualClock

from uring.changes.retry import Backoff
from uring.changes.state import event_id
from uring.notices.item import fields
from uring.records import months
from uring.records.archive import Archive
from uring.records.model import Event
from uring_local.sites.stage.published import Published


class InMemory(Published):
    """Objects of a fake."""

    def __init__(self, objects: MemoryBucket) -> None:
        super().__init__(None, "none")
        self._objects = objects

    def written(self, prefix: str) -> dict[str, datetime]:
        keys = sorted(key for key in self._objects.versions if key.startswith(prefix))
        return dict.fromkeys(keys, datetime(2026, 3, 2, tzinfo=UTC))

    def body(self, key: str) -> bytes:
        return self._objects.body(key)


def lines(objects: MemoryBucket) -> list[dict[str, Any]]:
    return InMemory(objects).archive("cs")


def event(number: int, month: int) -> Event:
    at = f"2026-{month:02}-02T01:{number % 60:02}:00Z"
    return Event(
        event_id=event_id("cs", str(number), 1, "h"),
        kind="new",
        detected_at=at,
        push=True,
        id=str(number),
        revision=1,
        hash="h",
        first_seen=at,
        content={"title": "공지"},
    )


def test_every_line_of_every_file_is_read_once_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(months, "MONTH_BYTES", 1_000)
    objects = MemoryBucket()
    for month in (3, 4):
        for number in range(20):
            event_ = event(100 * month + number, month)
            Archive(objects, backoff=Backoff(VirtualClock().sleep)).add("cs", [event_], fields)
    assert len(objects.versions) > 10
    objects.plant("data/cs/latest.json", b"{}")
    objects.plant("data/cs/archive/202603.0.jsonl", b'{"id": "of a run that died"}\n')
    found = lines(objects)
    assert [line["id"] for line in found] == [
        *(str(number) for number in range(300, 320)),
        *(str(number) for number in range(400, 420)),
    ]
    assert not any("earlier" in line for line in found)


def test_a_source_without_an_archive_has_no_lines() -> None:
    assert lines(MemoryBucket()) == []
