"""Findings become issues, and issues become stale (D11).

`matching` says which issue a finding is, `renewal` what an analysis makes of an issue. Every write
is in a transaction with the lock of all issues: a second worker finds nothing left to do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import Final
from uuid import uuid4

from uring.clock import Clock, timestamp
from uring.documents.names import ANALYSIS, ISSUES_LOCK
from uring.documents.operations.analyses import Analyses
from uring.documents.operations.matching import matched
from uring.documents.operations.renewal import found_again, is_left_behind, not_found, provenance
from uring.documents.store.analysis import AnalysisEntry
from uring.documents.store.issues import IssueStore, StoredIssue
from uring.documents.work.findings import Finding
from uring.errors import WriteConflict
from uring.locks import Lease, Locks, write
from uring.tables import MOST_WRITES, NOTHING, Table, Write

WAIT_SECONDS: Final = 150

# The limit for a transaction. DynamoDB's is 4 MB, with the keys and its own overhead.
_MOST_BYTES: Final = 3_000_000


class IssueWriter:
    """Writes the findings of analyses as issues."""

    def __init__(self, table: Table, locks: Locks, analyses: Analyses, *, clock: Clock) -> None:
        self._table = table
        self._locks = locks
        self._analyses = analyses
        self._store = IssueStore(table)
        self._clock = clock

    def apply(self, entry: AnalysisEntry) -> int:
        """Write the findings of an analysis to the page's issues.

        Do nothing if a newer analysis exists, or if this one was applied already.

        Returns:
            the number of issues that the findings are; 0 if a newer analysis exists.

        Raises:
            Retryable: the findings may be written in part; another try writes the rest.
        """
        with self._held(entry.page, "apply") as lease:
            newest = self._analyses.stored(entry.page)
            if newest is None or newest.inputs != entry.inputs:
                return 0
            if newest.written is not None:
                return newest.written
            there, unreadable = self._stored(entry.page)
            found = matched(entry.page, self._analyses.found(newest), there.values(), unreadable)
            writes = [
                self._new(newest, id_, each, lease)
                for id_, each in found.items()
                if id_ not in there
            ]
            for id_, issue in there.items():
                writes += self._renewed(issue, found.get(id_), newest, lease)
            self._write_all(lease, writes)
            # The fence stays: it is of the lock of the analysis, not of this one.
            applied = newest.model_copy(update={"applied": entry.inputs, "issues": len(found)})
            self._write_all(lease, [Write(ANALYSIS, applied.item(), {"inputs": entry.inputs})])
            return len(found)

    def mark_stale(self, page: str, texts: Callable[[], Mapping[str, str]]) -> int:
        """Mark issues stale that quote policies changed since the newest analysis.

        Args:
            page: the page of the issues.
            texts: reads the hash of each policy's text, by source. It is called again under the
                lock: another worker may have analysed the change, and applied it, meanwhile.

        Returns:
            the number of issues that became stale.
        """
        if not self._changed(page, texts()):
            return 0
        with self._held(page, "mark stale") as lease:
            found = self._changed(page, texts())
            if found:
                self._unapply(page, lease)
            self._write_all(lease, [self._edit(each, _stale(each), lease) for each in found])
            return len(found)

    def remove_left_behind(self, page: str, exists: Callable[[str], bool]) -> int:
        """Remove the untouched issues of a page without any text that an attachment left behind.

        There is nothing to analyse: an analysis would remove the issues that it does not find.

        Args:
            page: the page of the issues.
            exists: says of an attachment whether it exists; called under the lock. An existing
                attachment without a text for now keeps its issues.

        Returns:
            the number of removed issues.
        """
        with self._held(page, "remove") as lease:
            is_there = cache(exists)
            gone = [
                each
                for each in self._stored(page)[0].values()
                if not each.is_touched and not all(map(is_there, each.found_with))
            ]
            if gone:
                self._unapply(page, lease)
            self._write_all(lease, [_removal(each) for each in gone])
            return len(gone)

    def _stored(self, page: str) -> tuple[dict[str, StoredIssue], set[str]]:
        """Return the issues of a page by id, and the ids of malformed ones.

        A malformed one stays as it is, and does not keep the others from an analysis.
        """
        unreadable: set[str] = set()
        there = {each.id: each for each in self._store.all(page, unreadable)}
        return there, unreadable

    def _renewed(
        self, issue: StoredIssue, finding: Finding | None, newest: AnalysisEntry, lease: Lease
    ) -> list[Write]:
        """Return the write of an issue after an analysis; none if nothing changed."""
        if finding is not None:
            changed = found_again(issue, finding, newest, timestamp(self._clock()))
        elif not issue.sources.isdisjoint(newest.failed):
            return []
        elif is_left_behind(issue, newest):
            return [_removal(issue)]
        else:
            changed = not_found(issue, newest)
        return [] if changed == issue else [self._edit(issue, changed, lease)]

    def _unapply(self, page: str, lease: Lease) -> None:
        """Mark the newest analysis as not applied.

        The same texts may come back: then it has to be applied again.
        """
        newest = self._analyses.stored(page)
        if newest is not None and newest.applied:
            item = newest.model_copy(update={"applied": ""}).item()
            self._write_all(lease, [Write(ANALYSIS, item, {"inputs": newest.inputs})])

    def _held(self, page: str, what: str) -> AbstractContextManager[Lease]:
        return self._locks.hold(page, ISSUES_LOCK, wait_seconds=WAIT_SECONDS, what=what)

    def _changed(self, page: str, texts: Mapping[str, str]) -> list[StoredIssue]:
        """Return the issues, not yet stale, that quote a text changed since the analysis."""
        analysis = self._analyses.stored(page)
        if analysis is None:
            return []
        sources = {name for name, sha in analysis.texts.items() if texts.get(name) != sha}
        return [
            issue
            for issue in self._stored(page)[0].values()
            if not issue.is_stale and not issue.sources.isdisjoint(sources)
        ]

    def _new(self, newest: AnalysisEntry, id_: str, found: Finding, lease: Lease) -> Write:
        now = timestamp(self._clock())
        issue = StoredIssue(
            id=id_,
            page=newest.page,
            title=found.title,
            description=found.description,
            severity=found.severity,
            **provenance(found, newest),
            created=now,
            updated=now,
            writer=uuid4().hex,
            # Higher than any version of a cleared issue with the same id: old ETags do not match.
            version=lease.fence,
            fence=lease.fence,
        )
        return Write(issue.key, issue.item(), NOTHING)

    def _edit(self, before: StoredIssue, after: StoredIssue, lease: Lease) -> Write:
        edited = before.next_version(
            after, fence=lease.fence, writer=uuid4().hex, now=self._clock()
        )
        return Write(edited.key, edited.item(), {"version": before.version})

    def _write_all(self, lease: Lease, writes: Sequence[Write]) -> None:
        for batch in _batches(writes):
            if not write(self._table, lease, batch):
                raise WriteConflict(f"{lease.root}: its issues are being edited; try again later")


def _batches(writes: Sequence[Write]) -> Iterator[list[Write]]:
    """Yield batches that fit into a transaction, by number and by bytes.

    A write above the limit of bytes is a batch of its own.
    """
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


def _removal(issue: StoredIssue) -> Write:
    return Write(issue.key, None, {"version": issue.version})


def _stale(issue: StoredIssue) -> StoredIssue:
    return issue.model_copy(update={"is_stale": True})
