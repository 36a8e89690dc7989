"""The changes from the known records to those seen now. Pure and total."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from uring.records.model import Known, Observation

ChangeKind = Literal["new", "edited", "marked", "unmarked", "returned", "deleted", "renamed"]


@dataclass(frozen=True, slots=True)
class Hints:
    """A family's knowledge of a list beside its rows.

    Attributes:
        gone: ids that were not in the list of the last commit; one that is back is ``returned``.
        deleted: ids that are proven to be deleted; those unknown, or deleted before, do not count.
        renamed: by its new id, the old id of a record that goes on under another name. Only an id
            that is not known, or was given up, can be a new name, and only of a record that is no
            longer listed.
    """

    gone: Collection[str] = ()
    deleted: Collection[str] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """One record that is new or differs from what is known of it (N5, N6).

    Attributes:
        kind: what happened.
        id: of the record.
        revision: its next one.
        before: what was known of it, under its old id where it was renamed; None where it is new.
        observation: what was seen; None where it was deleted.
        old_id: of a renamed record.
    """

    kind: ChangeKind
    id: str
    revision: int
    before: Known | None
    observation: Observation | None
    old_id: str | None = None


def diff(
    known: Mapping[str, Known], seen: Sequence[Observation], hints: Hints | None = None
) -> tuple[Change, ...]:
    """Return the changes in page order, deletions last; none when all is known as it is.

    A record that left the list is no change by itself: a list shows a part, and only the family
    knows when absence proves a deletion. One that comes back is judged by what was known of it
    (N19): if nothing else changed, it has ``returned`` only where it was deleted or is among
    ``hints.gone``. A mark that flips with the same hash is a revision of its own (N6).
    """
    hints = hints or Hints()
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
        # A name that was had before counts on: its revisions of then have their events.
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
