"""The registry's table (R1, R4, R5): a projection of its state, and the queue of its files.

    state commits ─► fence ─► entry and queue entry, by regulation ─► metadata ─► state: projected
                       └ a newer state was projected: an older one is never written after it

A run repeats the projection until the table shows the state: it writes the differing items. Entry
and queue entry are one transaction, so neither is ever written without the other.
"""

from collections.abc import Iterator
from typing import Final, Literal, TypeVar

from pydantic import ValidationError

from uring.changes.register import Superseded
from uring.regulations.state import RegistryState
from uring.regulations.values import (
    QueueEntry,
    RecheckEntry,
    RegulationEntry,
    RegulationFile,
    SyncMetadata,
    Value,
)
from uring.tables import NOTHING, Fence, Item, Table, Write, batches

V = TypeVar("V", bound=Value)

Tried = Literal["queued", "dead", "superseded"]
"""The end of a failed try; ``superseded``: another entry had replaced the queue entry."""
MOST_TRIES: Final = 3
"""The tries of a file that cannot be read (R5)."""

_POLICY: Final = "policy:"
_QUEUE: Final = "queue:"
_DEAD: Final = "dead-letter:"
_RECHECK: Final = "recheck:"
_LAST_RUN: Final = "metadata:sync:lastRun"
_FENCE: Final = "metadata:sync:seq"


class RegistryTable:
    """The registries' items in one table, a partition each; safe to share between threads."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._fence = Fence(table, _FENCE)

    def project(self, state: RegistryState) -> None:
        """Make the table show this state.

        Raises:
            Superseded: a newer state was projected; this one is not written any further.
            WriteConflict: other runs' writes won each time.
            Unavailable: no answer; the next run repeats the projection.
        """
        fence = self._fence.check(state.seq)
        is_newest = self._fence.raise_to(state.source, state.seq)
        groups = [*batches(self._differing(state))] if is_newest else []
        if state.last_run is not None:
            groups.append([Write(_LAST_RUN, state.last_run.item())])
        if not is_newest or not all(
            self._table.transact(state.source, [fence, *group]) for group in groups
        ):
            raise Superseded(f"{state.source}: its table shows a newer state than {state.seq}")

    def queued(self, registry: str) -> list[QueueEntry]:
        """Return the valid queue entries in the order of their titles."""
        return [entry for _, entry in self._read(registry, _QUEUE, QueueEntry) if entry]

    def waiting(self, registry: str, title: str) -> QueueEntry | None:
        """Return the queue entry of a title; None for a missing or broken one."""
        item = self._table.get(registry, _QUEUE + title)
        return None if item is None else _valid(QueueEntry, item)

    def done(self, registry: str, file: RegulationFile) -> None:
        """Remove what asked for a file, unless it names another file by now.

        A recheck takes a dead letter along: the file can be read now.
        """
        queued = Write(_QUEUE + file.title, None, file.same_item())
        if not self._table.transact(registry, [queued]):
            recheck = Write(_RECHECK + file.title, None, file.same_item())
            self._table.transact(registry, [recheck, Write(_DEAD + file.title, None)])

    def rechecks(self, registry: str) -> list[RecheckEntry]:
        """Return the valid entries of files to be asked again, in the order of their titles."""
        return [entry for _, entry in self._read(registry, _RECHECK, RecheckEntry) if entry]

    def recheck(self, registry: str, title: str) -> RecheckEntry | None:
        """Return the entry of a file to be asked again; None for a missing or broken one."""
        item = self._table.get(registry, _RECHECK + title)
        return None if item is None else _valid(RecheckEntry, item)

    def rechecked(self, registry: str, before: RecheckEntry, after: RecheckEntry | None) -> None:
        """Replace the entry of a file to be asked again, None: remove it; unless it changed."""
        item = None if after is None else after.item()
        self._table.transact(registry, [Write(_RECHECK + before.title, item, _try_of(before))])

    def failed(
        self, registry: str, entry: QueueEntry, message: str, *, is_permanent: bool
    ) -> Tried:
        """Count a failed try.

        After the third, or a permanent failure, the queue entry becomes a dead letter.
        """
        count = entry.retry_count + 1
        tried = entry.model_copy(update={"retry_count": count, "error_message": message[:1_000]})
        key, before = _QUEUE + entry.title, _try_of(entry)
        if is_permanent or count >= MOST_TRIES:
            dead = Write(_DEAD + entry.title, tried.item())
            is_mine = self._table.transact(registry, [Write(key, None, before), dead])
            return "dead" if is_mine else "superseded"
        is_mine = self._table.transact(registry, [Write(key, tried.item(), before)])
        return "queued" if is_mine else "superseded"

    def dead_letters(self, registry: str) -> list[QueueEntry]:
        """Return the valid dead letters in the order of their titles."""
        return [entry for _, entry in self._read(registry, _DEAD, QueueEntry) if entry]

    def retry(self, registry: str, entry: QueueEntry) -> bool:
        """Queue a dead letter again.

        Return False, without a write, if it is gone or changed, or a queue entry already waits.
        """
        again = entry.model_copy(update={"retry_count": 0, "error_message": None})
        return self._table.transact(
            registry,
            [
                Write(_DEAD + entry.title, None, _try_of(entry)),
                Write(_QUEUE + entry.title, again.item(), NOTHING),
            ],
        )

    def entry(self, registry: str, title: str) -> RegulationEntry | None:
        """Return the entry of a title, a tombstone included; None for a missing or broken one."""
        item = self._table.get(registry, _POLICY + title)
        return None if item is None else _valid(RegulationEntry, item)

    def entries(self, registry: str) -> list[RegulationEntry]:
        """Return the valid entries in the order of their titles, tombstones included."""
        return [entry for _, entry in self._read(registry, _POLICY, RegulationEntry) if entry]

    def last_run(self, registry: str) -> SyncMetadata | None:
        """Return the metadata of the last run, or None before the first."""
        item = self._table.get(registry, _LAST_RUN)
        return None if item is None else SyncMetadata.model_validate(item)

    def _read(self, registry: str, prefix: str, model: type[V]) -> Iterator[tuple[str, V | None]]:
        """Yield titles and values in the order of the titles; None for a value broken by hand."""
        for key, item in self._table.query(registry, prefix):
            yield key.removeprefix(prefix), _valid(model, item)

    def _differing(self, state: RegistryState) -> Iterator[list[Write]]:
        """Yield the writes of each regulation whose items differ from the state."""
        stored = {entry.title: entry for entry in self.entries(state.source)}
        queued = dict(self._read(state.source, _QUEUE, QueueEntry))
        broken = {title for title, waiting in queued.items() if waiting is None}
        asked = {each.title: each for each in self.rechecks(state.source)}
        active, rechecks = state.active, frozenset(state.rechecks)
        moved = {title: now for title, now in state.renamed.items() if title in stored}
        for title, entry in active.items():
            before = [old for old, now in moved.items() if now == title]
            known = None if title in broken else stored.get(title)
            # The release before leaves a recheck beside the entry of a newer file.
            is_asked = title in asked and asked[title].is_same_file(entry)
            is_due = title in rechecks and title not in queued and not is_asked
            again = [Write(_RECHECK + title, _recheck(entry, state).item())] if is_due else []
            if known == entry and not before:
                if again:
                    yield again
                continue
            writes = [Write(_POLICY + title, entry.item())]
            for old in before:
                writes += _removed(old)
            is_known = known is not None and known.status == "active"
            if known is None or not is_known or not known.is_same_file(entry):
                operation: Literal["add", "update"] = "update" if is_known or before else "add"
                waiting = QueueEntry(
                    title=title,
                    file_no=entry.file_no,
                    file_revision=entry.file_revision,
                    operation=operation,
                    created_at=entry.last_updated,
                )
                writes.append(Write(_QUEUE + title, waiting.item()))
                again = [Write(_DEAD + title, None), Write(_RECHECK + title, None)]
            yield [*writes, *again]
        for title, entry in stored.items():
            if title in active or moved.get(title) in active:
                continue
            if title in moved:
                yield _removed(title)
            elif entry.status == "active":
                at = state.last_run.timestamp if state.last_run else entry.last_updated
                tombstone = entry.model_copy(update={"status": "archived", "last_updated": at})
                yield [Write(_POLICY + title, tombstone.item()), *_removed(title)[1:]]


def _valid(model: type[V], item: Item) -> V | None:
    """Return the value of an item; None for an invalid item, which the next run writes again."""
    try:
        return model.model_validate(item)
    except ValidationError:
        return None


def _try_of(entry: QueueEntry | RecheckEntry) -> Item:
    """Return the attributes that identify a try; an item may lack the others."""
    return {**entry.same_item(), "retryCount": entry.retry_count}


def _recheck(entry: RegulationEntry, state: RegistryState) -> RecheckEntry:
    at = state.last_run.timestamp if state.last_run else entry.last_updated
    file = entry.model_dump(include={*RegulationFile.model_fields})
    return RecheckEntry(**file, created_at=at)


def _removed(title: str) -> list[Write]:
    return [Write(prefix + title, None) for prefix in (_POLICY, _QUEUE, _DEAD, _RECHECK)]
