"""A source from its latest items back through its archive, a file at a time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from reader_twin.archive import Folded
from reader_twin.lines import Line, is_record, parse_lines, parsed
from reader_twin.months import archive_path, is_source, month_of, months_back

_OK: Final = 200
_ABSENT: Final = (403, 404)
_EMPTY_MONTHS: Final = 3


class Loaded(NamedTuple):
    """The answer for a path: 200 and its text; 403 or 404 where there is none."""

    status: int
    text: str | None


Load = Callable[[str], Loaded]
"""What is at a path below ``data/``; another status, and an OSError, may pass."""


@dataclass(frozen=True, slots=True)
class Page:
    """Some items of a source.

    Attributes:
        items: those that no page had before, the newest first, without those that are gone.
        folded: all that was read so far: one object, which grows.
        month: None of ``latest.json``.
        meta: None of a month.
        broken: how many lines or items could not be read.
        missing: the path of what should be there and could not be read, or None.
        more: False on the last page.
    """

    items: list[Line]
    folded: Folded
    month: str | None = None
    meta: Line | None = None
    broken: int = 0
    missing: str | None = None
    more: bool = True


def pages(
    source: Any,
    load: Load,
    *,
    start: Any = None,
    month: Any = None,
    folded: Folded | None = None,
    empty_months: int = _EMPTY_MONTHS,
) -> Iterator[Page]:
    """Page through a source: ``latest.json``, then its months, the newest first, with ``earlier``.

    No clock is asked: the first month is that of ``meta.last_updated``. The walk ends after some
    months that are not there, one of them behind a month that may be the first; where an item was
    first seen before, it goes on in that month instead. A failure that may pass ends the walk with
    ``more`` still true: go on with the ``month`` and the ``folded`` of that page.

    Args:
        source: its id.
        load: see there.
        start: ``from`` in JavaScript: an instant, such as a push's ``detected_at``, where it is
            later than ``last_updated``.
        month: of the page to go on from.
        folded: of the page to go on from.
        empty_months: in a row that end the walk.
    """
    walk = _Walk(load, Folded(folded))
    walk.shown.update(walk.folded)
    if is_source(source) and month is None:
        read = _read_latest(f"{source}/latest.json", walk)
        updated = (read.page.meta or {}).get("last_updated")
        month = max(filter(None, (month_of(updated), month_of(start))), default=None)
        yield replace(read.page, more=read.may_pass or month is not None)
        if read.may_pass or month is None:
            return
    empty, is_first = 0, False
    while (path := archive_path(source, month)) is not None:
        empty += 1
        for read in _read_month(path, month, walk):
            yield read.page
            if read.may_pass:
                return
            if read.has_lines:
                empty, is_first = 0, read.is_first
        if empty < (1 if is_first else empty_months):
            month = next(iter(months_back(month, 2)[1:]), None)
        else:
            month = _first_seen_before(month, walk.folded)
    yield walk.page(more=False)


@dataclass(slots=True)
class _Walk:
    load: Load
    folded: Folded
    shown: set[str] = field(default_factory=set)

    def read(self, path: str) -> tuple[str | None, bool]:
        """Return a text or None, and whether that may pass."""
        try:
            status, text = self.load(path)
        except OSError:
            return None, True
        if status == _OK and isinstance(text, str):
            return text, False
        return None, status not in _ABSENT

    def page(self, records: Iterable[Line] = (), **own: Any) -> Page:
        items = []
        for record in records:
            entry = self.folded.get(record["id"])
            if entry is None or record["id"] in self.shown:
                continue
            self.shown.add(record["id"])
            if not entry.is_gone:
                items.append(entry.item)
        return Page(items, self.folded, **own)


class _Read(NamedTuple):
    page: Page
    may_pass: bool
    has_lines: bool = False
    is_first: bool = False


def _read_latest(path: str, walk: _Walk) -> _Read:
    text, may_pass = walk.read(path)
    document = value if isinstance(value := parsed(text), dict) else None
    listed = (document or {}).get("items")
    items = listed if isinstance(listed, list) else []
    meta = (document or {}).get("meta")
    records = [item for item in items if is_record(item)]
    walk.folded.add_items(records)
    page = walk.page(
        records,
        meta=meta if isinstance(meta, dict) else None,
        broken=len(items) - len(records),
        missing=path if document is None else None,
    )
    return _Read(page, may_pass)


def _read_month(address: str, month: str, walk: _Walk) -> Iterator[_Read]:
    """Yield the pages of a month: of its address, then of the files before it; none if absent."""
    visited: set[str] = set()
    path: str | None = address
    while path is not None and path not in visited:
        visited.add(path)
        text, may_pass = walk.read(path)
        if text is None and not may_pass and path == address:
            return
        read = parse_lines(text)
        walk.folded.add(read.lines)
        missing = path if text is None else None
        page = walk.page(reversed(read.lines), month=month, broken=read.broken, missing=missing)
        first = read.lines[0] if read.lines and read.earlier is None else {}
        is_first = first.get("kind") == "baseline" and first["revision"] == 1
        yield _Read(page, may_pass, bool(read.lines), is_first)
        path = read.earlier and f"{address.rpartition('/')[0]}/{read.earlier}"


def _first_seen_before(month: str, folded: Folded) -> str | None:
    """Return the latest month before this one in which an item was first seen, or None."""
    entries = (*folded.values(), *folded.texts.values())
    months = (month_of(entry.item.get("first_seen")) for entry in entries)
    return max((seen for seen in months if seen is not None and seen < month), default=None)
