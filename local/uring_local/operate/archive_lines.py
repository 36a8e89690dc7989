"""The last months of a department's archive, as an operator's command reads them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Self

from uring.clock import timestamp
from uring.objects import Objects
from uring.records.model import Event
from uring.records.months import earlier
from uring.records.retract import EXTENT, RETRACTS

DAYS: Final = 62
"""The age of the oldest month that is read."""

_MOST_FILES: Final = 200
# The keys of a line that are not its record's content.
_ENGINES: Final = "event_id kind detected_at push id renamed_from revision hash first_seen earlier"
_NOT_CONTENT: Final = frozenset((*_ENGINES.split(), "is_pinned", RETRACTS, EXTENT))


@dataclass(frozen=True, slots=True)
class Line:
    """A revision, of the archive or of the outbox."""

    event_id: str
    kind: str
    detected_at: str
    push: bool
    id: str
    revision: int
    retracts: frozenset[str]
    renamed_from: str
    content: Mapping[str, str | None]

    @classmethod
    def of(cls, event: Event) -> Self:
        """Return the line of an event that is not published yet."""
        return cls._read({**event.content, **event.model_dump(exclude={"content"})})

    @classmethod
    def parse(cls, text: bytes) -> Self | None:
        """Return the line; None for a damaged one."""
        try:
            return cls._read(json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    @classmethod
    def _read(cls, found: Mapping[str, Any]) -> Self:
        return cls(
            event_id=str(found["event_id"]),
            kind=str(found["kind"]),
            detected_at=str(found["detected_at"]),
            push=found["push"] is True,
            id=str(found["id"]),
            revision=int(found["revision"]),
            retracts=frozenset(str(found.get(RETRACTS) or "").split()),
            renamed_from=str(found.get("renamed_from") or ""),
            content={
                key: value
                for key, value in found.items()
                if key not in _NOT_CONTENT and (value is None or isinstance(value, str))
            },
        )


def first_moment(now: datetime) -> str:
    """Return the beginning of the oldest month that is read, as a timestamp."""
    return timestamp((now - timedelta(days=DAYS)).replace(day=1, hour=0, minute=0, second=0))


def lines_of(objects: Objects, source: str, now: datetime) -> list[Line]:
    """Return the lines of the months from `first_moment` on, in no order."""
    return [
        line
        for month in _months(now)
        for body in _files(objects, f"data/{source}/archive/", month)
        for text in body.splitlines()
        if (line := Line.parse(text)) is not None
    ]


def under_new_ids(lines: Iterable[Line]) -> list[Line]:
    """Return the lines, the oldest first, those of renamed records under their latest id."""
    ordered = sorted(lines, key=lambda line: (line.detected_at, line.revision))
    newer: dict[str, str] = {}
    found = []
    # From the newest on: a line takes the id that later lines gave its record.
    for line in reversed(ordered):
        found.append(replace(line, id=newer.get(line.id, line.id)))
        if line.renamed_from:
            newer[line.renamed_from] = newer.get(line.id, line.id)
            newer.pop(line.id, None)
    return found[::-1]


def _months(now: datetime) -> list[str]:
    """Return ``YYYYMM`` of each month that is read."""
    months, day = [], now
    while timestamp(day) >= first_moment(now):
        months.append(f"{day:%Y%m}")
        day = day.replace(day=1) - timedelta(days=1)
    return months


def _files(objects: Objects, folder: str, month: str) -> Iterator[bytes]:
    """Yield the object at a month's address and its earlier files; nothing for an absent month."""
    name = f"{month}.jsonl"
    for _ in range(_MOST_FILES):
        stored = objects.get(folder + name)
        if stored is None:
            return
        yield stored.body
        link = earlier(stored.body)
        if link is None:
            return
        name = link.file
