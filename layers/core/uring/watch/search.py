"""Search indexes of archives that exist: made once a month, a bounded number of files a run.

    memory ─► book ─► list of an archive ─► other than in the book? ─► months of a year ─► index

The month of today is left to readers: it changes with each notice. A month is closed a day after
its end. What comes into an archive later is seen when the next month is closed.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from uring.changes.shard import WHOLE, Shard
from uring.objects import Bucket, Stored
from uring.records.archive import parsed_lines
from uring.records.months import earlier
from uring.records.search_index import Line, YearIndex
from uring.runtime.telemetry import Telemetry
from uring.watch.publish import Publisher

MOST_FILES: Final = 600
"""Files of archives that a run reads: some fifteen seconds."""

SEARCHED_VIEW: Final = "notices"
"""The view whose sources have indexes."""

# Of a month: 4,400 lines. Readers take a longer month from the archive.
_MOST_FILES_A_MONTH: Final = 4
_CLOSED_AFTER: Final = timedelta(days=1)
# It changes once a month, and a reader of an old copy reads the rest from the archive.
_A_DAY: Final = "public, max-age=86400"
_MONTH: Final = re.compile(r"([0-9]{4})(?:0[1-9]|1[0-2])\.jsonl")
# For the book and the memory, with their retries.
_RESERVE_SECONDS: Final = 20


class Indexed(BaseModel):
    """What is indexed of a source.

    Attributes:
        until: the last month of a whole index, ``YYYYMM``; empty before.
        years: by year, a digest of the archive's files that its index was made of.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    until: str = ""
    years: dict[str, str] = {}


class SearchBook(BaseModel):
    """``state/monitor/search/{family}.json``: what is indexed, by source."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sources: dict[str, Indexed] = {}

    def is_complete(self, sources: Collection[str], month: str) -> bool:
        """Return whether all of these sources are indexed up to a month."""
        return all(self.sources.get(source, Indexed()).until >= month for source in sources)


@dataclass(frozen=True, slots=True)
class Indexing:
    """The indexes of a family's shard in a run.

    Attributes:
        key: of the book.
        stored: the book as it was read; None without one.
        book: its content.
        sources: those with a state.
        month: the last closed month, ``YYYYMM``.
    """

    key: str
    stored: Stored | None
    book: SearchBook
    sources: Sequence[str]
    month: str

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do for this month."""
        return self.book.is_complete(self.sources, self.month)


def closed_month(now: datetime) -> str:
    """Return the last month that gets no more lines, ``YYYYMM``."""
    late = now - _CLOSED_AFTER
    return f"{late.replace(day=1) - timedelta(days=1):%Y%m}"


class SearchIndexer:
    """Makes search indexes.

    Args:
        objects: the bucket.
        publisher: writes the indexes and the book.
    """

    def __init__(self, objects: Bucket, publisher: Publisher, telemetry: Telemetry) -> None:
        self._objects = objects
        self._publisher = publisher
        self._telemetry = telemetry

    def look(
        self, family: str, sources: Sequence[str], month: str, shard: Shard = WHOLE
    ) -> Indexing:
        """Read the book. A damaged one is made again, of the archives."""
        key = shard.key(f"state/monitor/search/{family}.json")
        stored = self._objects.get(key)
        try:
            book = SearchBook.model_validate_json(stored.body) if stored else SearchBook()
        except ValidationError:
            remedy = "it is made again of the archives, in the next runs"
            self._telemetry.problem("memory_damaged", key=key, remedy=remedy)
            book = SearchBook()
        return Indexing(key, stored, book, sources, month)

    def work(self, indexing: Indexing, time_left: Callable[[], float]) -> bool:
        """Index what is left, `MOST_FILES` files at most; return whether all is done.

        The book is written last: after a death the same indexes are made again, of the same bytes.

        Raises:
            Unavailable: S3 gave no answer.
        """
        after = {
            source: indexing.book.sources.get(source, Indexed()) for source in indexing.sources
        }
        budget = _Budget(MOST_FILES, time_left)
        for source, known in after.items():
            if known.until < indexing.month and not budget.is_over:
                after[source] = self._index(source, known, indexing.month, budget)
        begun = {source: known for source, known in after.items() if known != Indexed()}
        book = SearchBook(sources=begun)
        if book != indexing.book:
            self._publisher.put(indexing.key, indexing.stored, book.model_dump_json().encode())
        return book.is_complete(indexing.sources, indexing.month)

    def _index(self, source: str, known: Indexed, month: str, budget: "_Budget") -> Indexed:
        """Index the years of a source whose files are others than before, the newest first."""
        files = self._files(source, month)
        years = {name: digest for name, digest in known.years.items() if name in files}
        since = min((name for of in files.values() for name in of), default="")
        for year, of in sorted(files.items(), reverse=True):
            digest = hashlib.sha256(json.dumps(sorted(of.items())).encode()).hexdigest()[:16]
            if years.get(year) == digest:
                continue
            if budget.is_over or not self._write(source, year, since, sorted(of), budget):
                return known.model_copy(update={"years": years})
            years[year] = digest
        return Indexed(until=month, years=years)

    def _files(self, source: str, until: str) -> Mapping[str, Mapping[str, str]]:
        """Return the ETags of an archive's closed months, by year and month."""
        folder = f"data/{source}/archive/"
        files: dict[str, dict[str, str]] = {}
        for listed in self._objects.list(folder):
            name = listed.key.removeprefix(folder)
            found = _MONTH.fullmatch(name)
            if found and name[:6] <= until:
                files.setdefault(found[1], {})[name[:6]] = listed.etag
        return files

    def _write(
        self, source: str, year: str, since: str, months: Sequence[str], budget: "_Budget"
    ) -> bool:
        """Write an index; return False if another run was quicker.

        It is read before the archive: so no newer index is replaced.
        """
        key = f"data/{source}/search/{year}.json"
        stored = self._objects.get(key)
        index = YearIndex(source, year, since)
        for month in reversed(months):
            index.add(month, self._lines(f"data/{source}/archive/", month, budget))
        return self._publisher.put(key, stored, index.body(), cache=_A_DAY)

    def _lines(self, folder: str, month: str, budget: "_Budget") -> Sequence[Line] | None:
        """Return the lines of a month; None for a month that is too long."""
        lines: list[Line] = []
        name = f"{month}.jsonl"
        for _ in range(_MOST_FILES_A_MONTH):
            stored = self._objects.get(folder + name)
            budget.files -= 1
            body = stored.body if stored else b""
            lines += parsed_lines(body)
            if (link := earlier(body)) is None:
                return lines
            name = link.file
        return None


@dataclass(slots=True)
class _Budget:
    """What a run may still do."""

    files: int
    time_left: Callable[[], float]

    @property
    def is_over(self) -> bool:
        return self.files <= 0 or self.time_left() <= _RESERVE_SECONDS
