"""``processing/refused/{family}/{source}.json``: the last refused answer of a source, for people.

Private, one object a source, of bounded size; a rule of the bucket removes it after a week. It is
written after the check's state, and nothing reads it but people: a lost one is written by the next
refused check.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from uring.clock import timestamp
from uring.media import JSON
from uring.objects import Bucket

MOST_CHARACTERS: Final = 200_000
"""Characters of an answer that are kept, from its beginning: known pages have some 100,000."""
MOST_ROWS: Final = 300
_MOST_IN_A_CELL: Final = 300


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row of a refused list.

    Attributes:
        index: its place, from 1.
        id: as it was read; empty for a row that was not.
        title: as it was read; else the row's text.
        date: ``YYYY-MM-DD``, or empty.
        why: what is wrong with this row; empty for nothing.
    """

    index: int
    id: str
    title: str
    date: str
    why: str


@dataclass(frozen=True, slots=True)
class RefusedAnswer:
    """An answer that was read and is not believed. All of its texts are the site's.

    Attributes:
        reason: see `uring.errors.SourceTrouble`.
        detail: see `uring.errors.SourceTrouble`.
        url: its final address.
        content_type: as the site says; empty without one.
        size: of the answer in bytes.
        text: the answer, decoded; a longer one is cut when it is stored.
        rows: of the list; empty where it has none, or none can be read.
    """

    reason: str
    detail: str
    url: str
    content_type: str
    size: int
    text: str
    rows: tuple[RefusedRow, ...]

    def document(self, family: str, source: str, now: datetime) -> dict[str, Any]:
        """Return the stored object."""
        return {
            "schema": 1,
            "family": family,
            "source": source,
            "at": timestamp(now),
            "reason": self.reason,
            "detail": _cut(self.detail, 2_000),
            "url": _cut(self.url, 2_000),
            "content_type": _cut(self.content_type),
            "size": self.size,
            "rows_total": len(self.rows),
            "rows": [_row(row) for row in self.rows[:MOST_ROWS]],
            "is_cut": len(self.text) > MOST_CHARACTERS,
            "text": self.text[:MOST_CHARACTERS],
        }


class KeepsRefused(Protocol):
    """A place for refused answers."""

    def keep(self, family: str, source: str, answer: RefusedAnswer, now: datetime, /) -> None:
        """Keep an answer in place of the last one.

        Raises:
            Retryable: it was perhaps not kept.
        """
        ...


class RefusedAnswers:
    """The refused answers in a bucket."""

    def __init__(self, objects: Bucket) -> None:
        self._objects = objects

    def keep(self, family: str, source: str, answer: RefusedAnswer, now: datetime, /) -> None:
        """See `KeepsRefused.keep`."""
        text = json.dumps(answer.document(family, source, now), ensure_ascii=False)
        # A site's JSON may name half of a pair of UTF-16, which no UTF-8 has.
        self._objects.write(refused_key(family, source), text.encode("utf-8", "replace"), JSON)


class _KeepsNone:
    """Keeps nothing: for families without a list that a person could look at."""

    def keep(self, family: str, source: str, answer: RefusedAnswer, now: datetime, /) -> None:
        """Do nothing."""


KEEPS_NONE: Final[KeepsRefused] = _KeepsNone()


def refused_key(family: str, source: str) -> str:
    """Return the key of a source's refused answer."""
    return f"processing/refused/{family}/{source}.json"


def _row(row: RefusedRow) -> Mapping[str, Any]:
    return {
        "index": row.index,
        "id": _cut(row.id),
        "title": _cut(row.title),
        "date": _cut(row.date),
        "why": _cut(row.why),
    }


def _cut(text: str, most: int = _MOST_IN_A_CELL) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
