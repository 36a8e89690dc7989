"""The changes from the known records to the observed ones. Pure and total."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from uring.records.model import Known, Observation

ChangeKind = Literal["new", "edited", "marked", "unmarked", "returned", "deleted", "renamed"]


@dataclass(frozen=True, slots=True)
class ListHints:
    """A family's knowledge of a list beside its rows.

    Attributes:
        gone: ids missing from the list of the last commit; a listed one is ``returned``.
        deleted: ids proven to be deleted; unknown or already deleted ids are ignored.
        renamed: by new id, the old id of a record. A pair counts only if the old id is no longer
            listed and the new id is unknown, deleted or renamed away.
    """

    gone: Collection[str] = ()
    deleted: Collection[str] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """A record that is new or differs from the known one (N5, N6).

    Attributes:
        kind: of the change.
        id: of the record.
        revision: its next one, from 1.
        before: the known record, under its old id if it was renamed; None for a new record.
        observation: the observed record; None for a deleted one.
        old_id: of a renamed record, else None.
    """

    kind: ChangeKind
    id: str
    revision: int
    before: Known | None
    observation: Observation | None
    old_id: str | None = None


def diff(
    known: Mapping[str, Known], seen: Sequence[Observation], hints: ListHints | None = None
) -> tuple[Change, ...]:
    """Return the changes in page order, deletions last; empty when nothing changed.

    A record that left the list is not a change by itself: a list shows a part, and only the family
    knows when absence proves a deletion. A record that comes back is compared with the known one
    (N19). If nothing else changed, it has ``returned`` only if it was deleted or is among
    ``hints.gone``. A changed mark with the same hash is a revision of its own (N6).
    """
    hints = hints or ListHints()
    present = {observation.id for observation in seen}
    left = {key: record for key, record in known.items() if record.hash and key not in present}
    new_names: dict[str, str] = {}
    for new_id, old_id in hints.renamed.items():
        given_up = known.get(new_id)
        if old_id in left and new_id in present and not (given_up and given_up.hash):
            new_names.setdefault(old_id, new_id)
    old_names = {new_id: old_id for old_id, new_id in new_names.items()}
    changes = []
    for observation in seen:
        change = _change(known, observation, hints.gone, old_names.get(observation.id))
        if change is not None:
            changes.append(change)
    for record_id in dict.fromkeys(hints.deleted):
        if record_id in left and record_id not in new_names:
            before = left[record_id]
            changes.append(Change("deleted", record_id, before.revision + 1, before, None))
    return tuple(changes)


def _change(
    known: Mapping[str, Known], seen: Observation, gone: Collection[str], old_id: str | None
) -> Change | None:
    if old_id is not None:
        before = known[old_id]
        # An id that was used before counts on: its earlier revisions have their events.
        there = known.get(seen.id)
        revision = max(before.revision, there.revision if there else 0) + 1
        return Change("renamed", seen.id, revision, before, seen, old_id)
    if seen.id not in known:
        return Change("new", seen.id, 1, None, seen)
    before = known[seen.id]
    kind = _kind(before, seen, is_gone=seen.id in gone)
    return kind and Change(kind, seen.id, before.revision + 1, before, seen)


def _kind(before: Known, seen: Observation, *, is_gone: bool) -> ChangeKind | None:
    if not before.hash:
        return "returned"
    if before.hash != seen.hash:
        return "edited"
    if before.is_marked != seen.is_marked:
        return "marked" if seen.is_marked else "unmarked"
    return "returned" if is_gone else None
