"""Cold: ``data/{source}/archive/YYYYMM.jsonl``, one line per revision, each exactly once (N8)."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from uring.changes.ports import ObjectStore
from uring.changes.retry import Backoff
from uring.changes.rewrite import rewrite
from uring.records.model import Event

CONTENT_TYPE: Final = "application/x-ndjson; charset=utf-8"
CACHE_CONTROL: Final = "public, max-age=300"
# Once over the body, however many events look for themselves in it.
_EVENT_ID: Final = re.compile(rb'^\{"event_id":"([^"]*)"', re.MULTILINE)


Fields = Callable[[Event], Mapping[str, Any]]


def line(event: Event, fields: Fields) -> bytes:
    """Return one JSON object and a newline: an item, what happened to it when, is it pushed."""
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


def append(body: bytes, events: Sequence[Event], fields: Fields) -> bytes:
    """Return the archive with the lines of those events that it does not hold yet.

    A line break inside a JSON string is escaped, so the search below cannot meet a title that
    spells an event id. A last line without its newline (a hand edit) is closed, never joined.
    """
    held = set(_EVENT_ID.findall(body))
    missing = [event for event in events if event.event_id.encode() not in held]
    if missing and body and not body.endswith(b"\n"):
        body += b"\n"
    return body + b"".join(line(event, fields) for event in missing)


class Archive:
    """Appends by read, modify, conditional write. S3 has no append for such a bucket."""

    def __init__(self, objects: ObjectStore, *, backoff: Backoff) -> None:
        self._objects = objects
        self._backoff = backoff

    def add(self, source: str, events: Sequence[Event], fields: Fields) -> None:
        """Append each event to its month, exactly once however often this is called.

        Raises:
            WriteConflict: no clear answer within the bounded attempts.
        """
        for month, group in groupby(sorted(events, key=lambda event: event.month), _month):
            self._add(f"data/{source}/archive/{month}.jsonl", list(group), fields)

    def _add(self, key: str, events: Sequence[Event], fields: Fields) -> None:
        def revise(body: bytes | None) -> bytes | None:
            after = append(body or b"", events, fields)
            return None if after == body else after

        rewrite(
            self._objects,
            key,
            revise,
            backoff=self._backoff,
            content_type=CONTENT_TYPE,
            cache_control=CACHE_CONTROL,
            # A baseline nearly always opens its month.
            likely_absent=all(event.kind == "baseline" for event in events),
        )


def _month(event: Event) -> str:
    return event.month
