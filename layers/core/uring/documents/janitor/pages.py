"""Sweeps one page: removes its dead texts and items, refreshes missed attachments.

    bodies ─► items ─► attachments      read in this order. A text is dead if it was listed before
                                        the items were read, no item names it, and it is a day old:
                                        only one lease writes its key, and that ended long ago.

A page without attachments is deleted, under its lock, a day after that was first seen: an upload of
another version may follow. Its items go first, then its catalogue of locks once that is idle, its
texts last: while a text exists, the page is found again.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from uring.changes.ports import Sends
from uring.clock import Clock
from uring.documents.intake import refresh
from uring.documents.names import (
    ANALYSIS,
    COST_PREFIX,
    GONE,
    POLICY_PREFIX,
    Attachment,
    attachments,
    bodies,
    source_of,
    source_problem,
)
from uring.documents.operations.clear import clear
from uring.documents.store.analysis import read_analysis
from uring.documents.store.policies import PolicyEntry
from uring.errors import CorruptState
from uring.locks import Locks
from uring.locks.catalogue import KEY as CATALOGUE
from uring.locks.catalogue import parse_catalogue
from uring.objects import Bucket, Listed
from uring.tables import NOTHING, Item, Table, Write

GRACE: Final = timedelta(days=1)
"""How long dead texts, and pages without attachments, are kept."""
# Longer than any lock is held, shorter than the time to the next sweep.
_IDLE: Final = timedelta(hours=1)
_MOST_REFRESHED: Final = 500


@dataclass(frozen=True, slots=True)
class Swept:
    """The counts of a sweep."""

    bodies: int = 0
    items: int = 0
    refreshed: int = 0
    deleted: int = 0

    def __add__(self, other: "Swept") -> "Swept":
        return Swept(
            self.bodies + other.bodies,
            self.items + other.items,
            self.refreshed + other.refreshed,
            self.deleted + other.deleted,
        )


class PageSweeper:
    """Sweeps pages, one at a time."""

    def __init__(
        self, table: Table, bucket: Bucket, locks: Locks, queue: Sends, *, clock: Clock
    ) -> None:
        self._table = table
        self._bucket = bucket
        self._locks = locks
        self._queue = queue
        self._clock = clock

    def sweep(self, page: str) -> Swept:
        """Sweep a page; return the counts. A second sweep right after it does nothing.

        Raises:
            Retryable: the page may be swept in part.
            CorruptState: the catalogue of locks is malformed.
        """
        now = self._clock()
        texts = [*self._bucket.list(bodies(page))]
        items = dict(self._table.query(page, ""))
        there = dict(self._attachments(page))
        swept = self._expired(page, items, now)
        if there:
            swept += self._renewed(page, items, there, now)
        elif any(map(_is_known, items)):
            # The texts stay for now: the page is found by them.
            return swept + self._deleted(page, items, now)
        elif not self._is_forgotten(page, items, now):
            return swept
        return swept + self._orphans(texts, items, now)

    def _attachments(self, page: str) -> Iterator[tuple[str, Listed]]:
        """Yield attachments by name; the folder marks of S3's console are left out."""
        for listed in self._bucket.list(attachments(page)):
            attachment = Attachment.at(listed.key)
            if attachment is not None:
                yield attachment.source, listed

    def _renewed(
        self, page: str, items: Mapping[str, Item], there: Mapping[str, Listed], now: datetime
    ) -> Swept:
        """Send a refresh for each changed or missing attachment, at most 500."""
        if GONE in items:
            self._table.transact(page, [Write(GONE, None)])
        missed = [*_missed(page, items, there)][:_MOST_REFRESHED]
        if missed:
            day = f"{now:%Y-%m-%d}"
            self._queue.send([refresh(Attachment(page, name), day, now) for name in missed])
        return Swept(refreshed=len(missed))

    def _deleted(self, page: str, items: Mapping[str, Item], now: datetime) -> Swept:
        since = items.get(GONE, {}).get("since")
        if not isinstance(since, int):
            gone: Item = {"since": int(now.timestamp())}
            self._table.transact(page, [Write(GONE, gone, items.get(GONE, NOTHING))])
            return Swept()
        if now.timestamp() - since < GRACE.total_seconds():
            return Swept()

        def is_still_gone() -> bool:
            return next(self._attachments(page), None) is None

        removed = clear(self._table, self._locks, page, is_still_gone)
        return Swept(items=removed, deleted=1)

    def _expired(self, page: str, items: Mapping[str, Item], now: datetime) -> Swept:
        """Remove expired items; DynamoDB itself removes the unused catalogue of locks."""
        removed = 0
        for key, item in items.items():
            if key != CATALOGUE and _is_over(item, now):
                removed += self._table.transact(page, [Write(key, None, item)])
        return Swept(items=removed)

    def _is_forgotten(self, page: str, items: Mapping[str, Item], now: datetime) -> bool:
        """Remove the last items of a deleted page; return whether they are removed.

        False while a lock is in use. The page's accounts expire by themselves.
        """
        if GONE in items:
            self._table.transact(page, [Write(GONE, None)])
        catalogue = items.get(CATALOGUE)
        if catalogue is None:
            return True
        version = {"version": catalogue.get("version")}
        return _is_idle(page, catalogue, now) and self._table.transact(
            page, [Write(CATALOGUE, None, version)]
        )

    def _orphans(self, texts: Sequence[Listed], items: Mapping[str, Item], now: datetime) -> Swept:
        named = {item.get("body") for item in items.values()}
        dead = [
            listed.key
            for listed in texts
            if listed.key not in named
            and listed.modified is not None
            and now - listed.modified > GRACE
        ]
        for key in dead:
            self._bucket.remove(key)
        return Swept(bodies=len(dead))


def _is_known(key: str) -> bool:
    """Return whether an item is content: not the locks, the mark ``gone`` or an account."""
    return key not in (CATALOGUE, GONE) and not key.startswith(COST_PREFIX)


def _missed(page: str, items: Mapping[str, Item], there: Mapping[str, Listed]) -> Iterator[str]:
    """Yield the attachments without a current entry, then the entries without an attachment.

    If only the analysis is late, yield one attachment.
    """
    originals: dict[str, PolicyEntry] = {}
    named: set[str] = set()
    for key, item in items.items():
        if key.startswith(POLICY_PREFIX):
            named.add(source_of(key))
            # A malformed entry is made again.
            with suppress(CorruptState):
                entry = PolicyEntry.read(f"{page}:{key}", item)
                if not entry.language:
                    originals[entry.source] = entry
    texts = {name: entry.sha256 for name, entry in originals.items() if entry.has_text}
    is_late = ANALYSIS in items and not _is_of(page, items[ANALYSIS], texts)
    for source, listed in there.items():
        found = originals.get(source)
        if found is None or not found.is_of(listed) or is_late:
            # The analysis covers all attachments: one refresh is enough to renew it.
            is_late = False
            yield source
    # An entry under a name that no attachment can have is nobody's: it stays, and harms nothing.
    yield from (name for name in named - there.keys() if not source_problem(name))


def _is_of(page: str, item: Item, texts: Mapping[str, str]) -> bool:
    analysis = read_analysis(page, item)
    return analysis.texts == texts and analysis.applied == analysis.inputs


def _is_over(item: Item, now: datetime) -> bool:
    """Return whether a day's account or a stored failure has expired."""
    expires_at, until_ms = item.get("expires_at"), item.get("until_ms")
    if isinstance(expires_at, int):
        return expires_at < now.timestamp()
    return isinstance(until_ms, int) and until_ms / 1000 < (now - _IDLE).timestamp()


def _is_idle(page: str, item: Item, now: datetime) -> bool:
    """Return whether no lock of the page was held or waited for in the last hour."""
    before_ms = int((now - _IDLE).timestamp() * 1000)
    return parse_catalogue(page, item, before_ms).is_unused(before_ms)
