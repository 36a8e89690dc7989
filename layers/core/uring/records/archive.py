"""The archive: ``data/{source}/archive/YYYYMM.jsonl``, each revision exactly once (N8)."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from uring import media
from uring.changes.retry import Backoff, rewrite
from uring.clock import timestamp
from uring.objects import Objects
from uring.records.model import Event
from uring.records.months import appended, earlier, event_ids

CACHE_CONTROL: Final = "public, max-age=300"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_DECEMBER: Final = 12

Fields = Callable[[Event], Mapping[str, Any]]


def line(event: Event, fields: Fields) -> bytes:
    """Return one JSON object and a newline: the record, its kind of change, its time, its push."""
    record = {
        "event_id": event.event_id,
        "kind": event.kind,
        "detected_at": event.detected_at,
        "push": event.push,
        "id": event.id,
        **({"renamed_from": event.renamed_from} if event.renamed_from else {}),
        **fields(event),
        "revision": event.revision,
        "hash": event.hash,
        "first_seen": event.first_seen,
    }
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def parsed_lines(body: bytes) -> Iterator[dict[str, Any]]:
    """Yield the lines of a file; damaged ones are skipped."""
    for text in body.splitlines():
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
            if isinstance(found, dict):
                yield found


class Archive:
    """Appends by read, modify and conditional write: S3 has no append for a general bucket."""

    def __init__(self, objects: Objects, *, backoff: Backoff) -> None:
        self._objects = objects
        self._backoff = backoff

    def add(self, source: str, events: Sequence[Event], fields: Fields) -> None:
        """Append each event to its month; events that the month already has are skipped.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        for month, group in groupby(sorted(events, key=lambda event: event.month), _month):
            self._add(f"data/{source}/archive/", month, list(group), fields)

    def lines(self, source: str, since: datetime, until: datetime) -> Iterator[dict[str, Any]]:
        """Yield the lines detected between two times, and more of them, in the archive's order.

        Damaged lines and missing files are skipped.
        """
        folder = f"data/{source}/archive/"
        for month in _months(since, until):
            bodies, name = [], f"{month}.jsonl"
            while name and (stored := self._objects.get(folder + name)) is not None:
                bodies.append(stored.body)
                link = earlier(stored.body)
                name = link.file if link and link.until >= timestamp(since) else ""
            yield from parsed_lines(b"".join(reversed(bodies)))

    def _add(self, folder: str, month: str, events: Sequence[Event], fields: Fields) -> None:
        def revise(body: bytes | None) -> bytes | None:
            missing = self._missing(folder, body or b"", events)
            if not missing:
                return None
            after = appended(month, body or b"", [line(event, fields) for event in missing])
            if after.closed:
                self._close(folder + after.file, after.closed)
            return after.body

        rewrite(
            self._objects,
            f"{folder}{month}.jsonl",
            revise,
            backoff=self._backoff,
            content_type=media.TEXT,
            cache_control=CACHE_CONTROL,
            # A baseline nearly always opens its month.
            likely_absent=all(event.kind == "baseline" for event in events),
        )

    def _missing(self, folder: str, body: bytes, events: Sequence[Event]) -> list[Event]:
        """Return the events that the month does not have yet.

        An earlier file is read only if its times show that it may have one, from a late run.
        """
        missing = _without(events, body)
        before = earlier(body)
        while missing and before and min(event.detected_at for event in missing) <= before.until:
            stored = self._objects.get(folder + before.file)
            body = stored.body if stored else b""
            missing, before = _without(missing, body), earlier(body)
        return missing

    def _close(self, key: str, body: bytes) -> None:
        """Write a file named by the hash of its bytes; an existing one is the same file."""
        rewrite(
            self._objects,
            key,
            lambda there: body if there is None else None,
            backoff=self._backoff,
            content_type=media.TEXT,
            cache_control=_FOR_EVER,
            likely_absent=True,
        )


def _without(events: Sequence[Event], body: bytes) -> list[Event]:
    held = event_ids(body)
    return [event for event in events if event.event_id not in held]


def _months(since: datetime, until: datetime) -> Iterator[str]:
    """Yield ``YYYYMM`` from the month of a time to that of another, the oldest first."""
    year, month = since.year, since.month
    while (year, month) <= (until.year, until.month):
        yield f"{year:04}{month:02}"
        year, month = (year, month + 1) if month < _DECEMBER else (year + 1, 1)


def _month(event: Event) -> str:
    return event.month
