"""Findings become issues, and issues become stale (D11).

An issue is the same one as long as it quotes the same words of the same policies: people's notes,
its state and its severity stay. What a newer analysis does not find any more is stale, and nobody's
work is removed. Every write is done under the lock of all issues, each in a transaction with it:
whoever comes second finds nothing left to do.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Final
from uuid import uuid4

from uring.clock import Clock, timestamp
from uring.documents.names import ANALYSIS, ISSUES_LOCK, derived_id
from uring.documents.operations.analyses import Analyses
from uring.documents.store.analysis import AnalysisEntry
from uring.documents.store.issues import Issue, IssueStore
from uring.documents.work.findings import Finding
from uring.errors import WriteConflict
from uring.locks import Lease, Locks, write
from uring.tables import MOST_WRITES, NOTHING, Table, Write

WAIT_SECONDS: Final = 150

# Of a transaction: DynamoDB's limit is 4 MB, keys and what it adds of its own included.
_MOST_BYTES: Final = 3_000_000
_BLANK: Final = re.compile(r"\s+")


class IssueWriter:
    """Writes what analyses mean for issues."""

    def __init__(self, table: Table, locks: Locks, analyses: Analyses, *, clock: Clock) -> None:
        self._table = table
        self._locks = locks
        self._analyses = analyses
        self._store = IssueStore(table)
        self._clock = clock

    def apply(self, entry: AnalysisEntry) -> None:
        """Make a page's issues those of an analysis; of one that is no longer the newest nothing.

        Raises:
            Retryable: it may be done in part; another try does the rest.
        """
        with self._held(entry.page, "apply") as lease:
            newest = self._analyses.stored(entry.page)
            if newest is None or newest.inputs != entry.inputs or newest.applied == entry.inputs:
                return
            found = {_id(entry.page, each): each for each in self._analyses.found(newest)}
            there = {issue.id: issue for issue in self._store.all(entry.page)}
            writes = [
                self._new(entry.page, id_, each, lease)
                for id_, each in found.items()
                if id_ not in there
            ]
            for id_, issue in there.items():
                changed = _found_again(issue, found[id_]) if id_ in found else _stale(issue)
                if changed != issue:
                    writes.append(self._edit(issue, changed, lease))
            self._write_all(lease, writes)
            # Its fence stays: it is of another lock, that of the analysis's leader.
            applied = newest.model_copy(update={"applied": entry.inputs})
            self._write_all(lease, [Write(ANALYSIS, applied.item(), {"inputs": entry.inputs})])

    def mark_stale(self, page: str, texts: Callable[[], Mapping[str, str]]) -> int:
        """Mark the issues that quote policies which have changed since the analysis.

        Args:
            page: whose issues.
            texts: reads the hash of each policy's text by source. It is asked again under the lock:
                meanwhile another may have analysed, and applied, what has changed.

        Returns:
            how many there were.
        """
        if not self._changed(page, texts()):
            return 0
        with self._held(page, "mark stale") as lease:
            found = self._changed(page, texts())
            if found:
                self._unapply(page, lease)
            self._write_all(lease, [self._edit(each, _stale(each), lease) for each in found])
            return len(found)

    def _unapply(self, page: str, lease: Lease) -> None:
        """Note that the issues are no more those of the analysis.

        Its texts may come back, unchanged: then it has to be applied again.
        """
        newest = self._analyses.stored(page)
        if newest is not None and newest.applied:
            item = newest.model_copy(update={"applied": ""}).item()
            self._write_all(lease, [Write(ANALYSIS, item, {"inputs": newest.inputs})])

    def _held(self, page: str, what: str) -> AbstractContextManager[Lease]:
        return self._locks.hold(page, ISSUES_LOCK, wait_seconds=WAIT_SECONDS, what=what)

    def _changed(self, page: str, texts: Mapping[str, str]) -> list[Issue]:
        """Return the issues that hold by the newest analysis, of texts that are other ones now."""
        analysis = self._analyses.stored(page)
        if analysis is None:
            return []
        sources = {name for name, sha in analysis.texts.items() if texts.get(name) != sha}
        return [
            issue
            for issue in self._store.all(page)
            if not issue.is_stale and not issue.sources.isdisjoint(sources)
        ]

    def _new(self, page: str, id_: str, found: Finding, lease: Lease) -> Write:
        now = timestamp(self._clock())
        issue = Issue(
            id=id_,
            page=page,
            title=found.title,
            description=found.description,
            severity=found.severity,
            references=found.references,
            created=now,
            updated=now,
            writer=uuid4().hex,
            # Higher than any of an issue of the same id that was cleared: no old ETag is good.
            version=lease.fence,
            fence=lease.fence,
        )
        return Write(issue.key, issue.item(), NOTHING)

    def _edit(self, before: Issue, after: Issue, lease: Lease) -> Write:
        edited = before.next_version(
            after, fence=lease.fence, writer=uuid4().hex, now=self._clock()
        )
        return Write(edited.key, edited.item(), {"version": before.version})

    def _write_all(self, lease: Lease, writes: Sequence[Write]) -> None:
        for batch in _batches(writes):
            if not write(self._table, lease, batch):
                raise WriteConflict(f"{lease.root}: its issues are being edited; again in a while")


def _batches(writes: Sequence[Write]) -> Iterator[list[Write]]:
    """Yield as many at once as fit into a transaction: by their number, and by their bytes."""
    batch, room = list[Write](), _MOST_BYTES
    for each in writes:
        needed = _size(each)
        if batch and (len(batch) == MOST_WRITES - 1 or needed > room):
            yield batch
            batch, room = [], _MOST_BYTES
        batch.append(each)
        room -= needed
    if batch:
        yield batch


def _size(each: Write) -> int:
    values = (each.item or {}).items()
    return sum(len(f"{name}{value}".encode("utf-8", "surrogatepass")) for name, value in values)


def _id(page: str, found: Finding) -> str:
    quotes = sorted(f"{each.source}:{_BLANK.sub(' ', each.quote)}" for each in found.references)
    return derived_id(page, *quotes)


def _found_again(issue: Issue, found: Finding) -> Issue:
    """Return an issue where it stands in the text by now."""
    return issue.model_copy(update={"references": found.references, "is_stale": False})


def _stale(issue: Issue) -> Issue:
    return issue.model_copy(update={"is_stale": True})
