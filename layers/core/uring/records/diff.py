"""What happened between what is known and what is seen now. Pure and total."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from uring.records.model import Known, Observation

ChangeKind = Literal["new", "edited", "marked", "unmarked", "returned", "deleted", "renamed"]


@dataclass(frozen=True, slots=True)
class Hints:
    """What a family knows of a list beside its rows.

    Attributes:
        gone: ids that were not in the list of the last commit; one that is back is ``returned``.
        deleted: ids that are proven to be deleted; those unknown, or deleted before, do not count.
        renamed: by its new id, the old id of a record that goes on under another name.
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
    changes = [change for each in seen if (change := _change(known, each, hints)) is not None]
    present = {observation.id for observation in seen}
    for record_id in hints.deleted:
        before = known.get(record_id)
        if before is not None and before.hash and record_id not in present:
            changes.append(Change("deleted", record_id, before.revision + 1, before, None))
    return tuple(changes)


def _change(known: Mapping[str, Known], seen: Observation, hints: Hints) -> Change | None:
    before = known.get(seen.id)
    old_id = hints.renamed.get(seen.id)
    if before is None and old_id is not None and old_id in known:
        before = known[old_id]
        return Change("renamed", seen.id, before.revision + 1, before, seen, old_id)
    if before is None:
        return Change("new", seen.id, 1, None, seen)
    kind = _kind(before, seen, is_gone=seen.id in hints.gone)
    return kind and Change(kind, seen.id, before.revision + 1, before, seen)


def _kind(before: Known, seen: Observation, *, is_gone: bool) -> ChangeKind | None:
    if not before.hash:
        return "returned"
    if before.hash != seen.hash:
        return "edited"
    if before.is_marked != seen.is_marked:
        return "marked" if seen.is_marked else "unmarked"
    return "returned" if is_gone else None
