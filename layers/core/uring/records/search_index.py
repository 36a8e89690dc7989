"""The search index of a source and a year: ``data/{source}/search/YYYY.json``. Pure.

An index is made of the year's closed months of the archive alone, so it can be made again at any
time. It has one row for each record that changed in the year, as the year left it. A reader takes
of all years the row with the latest ``first_seen``, then the highest revision.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

VERSION: Final = 1

MOST_BYTES: Final = 2 * 1024 * 1024
"""The largest index, some 12,000 notices; the months that do not fit are left to the archive."""

_LONGEST_TITLE: Final = 500
_LONGEST_TEXT: Final = 4_096
# The other columns of a row.
_ROW_BYTES: Final = 80

Line = Mapping[str, Any]


class _Row(NamedTuple):
    """A record as a line shows it; the highest of its rows, as a tuple, is the present one."""

    first_seen: str
    revision: int
    detected_at: str
    title: str
    date: str | None
    category: str | None
    link: str | None
    is_gone: bool
    retracted: str

    @property
    def size(self) -> int:
        """Its share of the index in bytes, about."""
        texts = (self.title, self.category or "", self.link or "")
        return _ROW_BYTES + sum(len(text.encode()) for text in texts)


class YearIndex:
    """An index in the making, to which months are added, the newest first.

    It names its months, and the months that are in the archive alone.

    Args:
        source: its id.
        year: ``YYYY``.
        since: the first month of the source's archive, ``YYYYMM``.
    """

    def __init__(self, source: str, year: str, since: str) -> None:
        self._head = {"version": VERSION, "source": source, "year": year, "since": since}
        self._months: list[str] = []
        self._unindexed: list[str] = []
        self._rows: dict[str, _Row] = {}
        self._renamed: dict[str, str] = {}
        self._size = 0

    def add(self, month: str, lines: Sequence[Line] | None) -> None:
        """Add a month's lines; malformed ones are skipped.

        A month without room, or with too many lines to be read (None), is left to the archive.
        """
        if lines is None or not self._has(month, lines):
            self._unindexed.append(month)

    def _has(self, month: str, lines: Sequence[Line]) -> bool:
        read = [(record_id, row) for line in lines for record_id, row in _read(line)]
        size = sum(len(record_id) + row.size for record_id, row in read)
        if self._size + size > MOST_BYTES:
            return False
        self._size += size
        self._months.append(month)
        for record_id, row in read:
            known = self._rows.get(record_id)
            if known is None or known[:3] < row[:3]:
                self._rows[record_id] = row
        for line in lines:
            former, at = line.get("renamed_from"), line.get("detected_at")
            if isinstance(former, str) and isinstance(at, str) and _is_text(former + at):
                self._renamed[former] = max(at, self._renamed.get(former, ""))
        return True

    def body(self) -> bytes:
        """Return the JSON of the index; the same lines give the same bytes."""
        for former, at in self._renamed.items():
            # What came later under this id is another record.
            if former in self._rows and self._rows[former].detected_at < at:
                del self._rows[former]
        rows = sorted(
            ((key, row) for key, row in self._rows.items() if not row.is_gone),
            key=lambda item: (item[1].first_seen, item[1].date or "", item[0]),
            reverse=True,
        )
        around = _around(rows)
        document = {
            **self._head,
            "months": sorted(self._months),
            "unindexed": sorted(self._unindexed),
            "link": around,
            "ids": [key for key, _ in rows],
            "titles": [row.title for _, row in rows],
            "dates": [row.date for _, row in rows],
            "categories": [row.category for _, row in rows],
            "first_seen": [row.first_seen for _, row in rows],
            "revisions": [row.revision for _, row in rows],
            "links": {key: row.link for key, row in rows if row.link != key.join(around)},
            "retracted": {key: row.retracted for key, row in rows if row.retracted},
            "gone": sorted(
                [key, row.first_seen, row.revision]
                for key, row in self._rows.items()
                if row.is_gone
            ),
            "renamed": sorted([former, at] for former, at in self._renamed.items()),
        }
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def _around(rows: Sequence[tuple[str, _Row]]) -> list[str]:
    """Return what most links have before and after their id; the others are stored whole."""
    pairs = Counter(
        (before, after)
        for key, row in rows
        if row.link
        for before, found, after in [row.link.rpartition(key)]
        if found
    )
    return [*pairs.most_common(1)[0][0]] if pairs else ["", ""]


def _read(line: Line) -> list[tuple[str, _Row]]:
    """Return the id and row of a line; empty for a malformed one."""
    record_id, revision = line.get("id"), line.get("revision")
    times = (line.get("first_seen"), line.get("detected_at"))
    if not (isinstance(record_id, str) and record_id and _is_text(record_id)):
        return []
    if not isinstance(revision, int) or isinstance(revision, bool) or revision < 1:
        return []
    first_seen, detected_at = (_text(time, _LONGEST_TITLE) for time in times)
    row = _Row(
        first_seen=first_seen or "",
        revision=revision,
        detected_at=detected_at or "",
        title=_text(line.get("title"), _LONGEST_TITLE) or "",
        date=_text(line.get("date"), _LONGEST_TITLE),
        category=_text(line.get("category"), _LONGEST_TITLE),
        link=_text(line.get("link"), _LONGEST_TEXT),
        is_gone=line.get("hash") == "",
        retracted=_text(line.get("retracted"), _LONGEST_TITLE) or "",
    )
    return [(record_id, row)]


def _text(value: Any, longest: int) -> str | None:
    """Return a text that can be written, cut to this length; None for another value."""
    return value[:longest].encode(errors="replace").decode() if isinstance(value, str) else None


def _is_text(text: str) -> bool:
    """Return whether a text can be written: JSON may have half of a character."""
    return text.isprintable() or text.encode(errors="ignore").decode() == text
