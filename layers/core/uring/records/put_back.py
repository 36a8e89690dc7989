"""A state that was put back: the published changes that it lacks, taken from the archive. Pure.

    state ─ changed_at ─┐
                        ├─ differ? ─► lines of the archive since then ─► the state as it was
    latest.json ────────┘             and the items of latest.json

Nothing is announced again: the records get the revisions that readers know, so the next check finds
only what came since. The pushes of the last change go through the outbox once more, under their own
names: the run that committed it may have died before it sent them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from uring.changes.state import event_id
from uring.clock import Timestamp
from uring.objects import Stored
from uring.records.model import Event, Known, RecordState, Revision
from uring.records.retract import EXTENT, RETRACTS

_STAMP: Final = TypeAdapter(Timestamp)
_KNOWN: Final = TypeAdapter(Known)
_NOTE: Final = (RETRACTS, EXTENT)
# The keys of a line or an item that are not its record's content.
_ENGINES: Final = "event_id kind detected_at push id renamed_from revision hash first_seen earlier"
_NOT_CONTENT: Final = frozenset((*_ENGINES.split(), "is_pinned", *_NOTE))


@dataclass(frozen=True, slots=True)
class ShownRecords:
    """The records of ``latest.json``, and the change that it shows.

    Attributes:
        seq: of the state that it was made from.
        changed_at: the time of the last change of a record.
        items: its items.
    """

    seq: int
    changed_at: str
    items: Sequence[Revision]

    @classmethod
    def read(cls, stored: Stored | None) -> "ShownRecords | None":
        """Return the document; None if it is missing, damaged or without a change."""
        try:
            document = json.loads(stored.body if stored else b"")
            meta, items = document["meta"], document["items"]
            changed_at = _STAMP.validate_python(meta["last_updated"])
            return cls(int(meta["seq"]), changed_at, [_revision(item) for item in items])
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None


def _revision(item: Mapping[str, Any]) -> Revision:
    return Revision(
        id=item["id"],
        revision=item["revision"],
        hash=item["hash"],
        is_marked=item.get("is_pinned") is True,
        first_seen=item["first_seen"],
        content={
            key: value
            for key, value in item.items()
            if key not in _NOT_CONTENT and (value is None or isinstance(value, str))
        },
        retraction={key: item[key] for key in _NOTE if key in item},
    )


R = TypeVar("R", bound=RecordState)


def caught_up(state: R, shown: ShownRecords, lines: Sequence[Mapping[str, Any]]) -> R | None:
    """Return the state with the records of the published changes that it lacks.

    None if its outbox is not in the archive: it is drained first, by clocks that differ.

    Args:
        state: the committed state. A later change was committed only after its outbox was drained.
        shown: ``latest.json``, of another change.
        lines: of the archive, in its order, at least those since the state's last change.
    """
    known, stamp = dict(state.known), shown.changed_at
    names = {event.event_id for event in state.outbox}
    if not names <= {line.get("event_id") for line in lines}:
        return None
    # Of a record seen at the last check nothing shows that it has left the list since.
    last = max((record.last_seen for record in known.values()), default="")
    known = {
        key: record._replace(last_seen=max(stamp, last)) if record.last_seen == last else record
        for key, record in known.items()
    }
    for line in lines:
        before = known.get(str(line.get("id")))
        try:
            after = _known(line, before.revision if before else 0, max(stamp, last))
            is_own = line["detected_at"] <= (state.changed_at or "")
        except (ValidationError, KeyError, TypeError):
            continue
        # Clocks differ: what is older by its time may still be unknown.
        if is_own and before and int(line["revision"]) <= before.revision:
            continue
        known[str(line["id"])] = after
        old_id = line.get("renamed_from")
        if old_id in known:
            known[old_id] = known[old_id]._replace(hash="")
    caught = state.unread().replace(
        seq=max(state.seq, shown.seq),
        changed_at=stamp,
        known=known,
        hot=tuple(_hot(state, known, shown.items)),
        outbox=tuple(_events(state, [line for line in lines if line.get("detected_at") == stamp])),
        republish=False,
    )
    return caught.completed()


def rebuilt(first: R, shown: ShownRecords, lines: Sequence[Mapping[str, Any]]) -> R | None:
    """Return the state of a source that has neither a state nor a version of one.

    All listed records count as on the page of the last check. The marks that tell a board's noise
    from its news begin again.

    Args:
        first: the initial state of its family.
        shown: ``latest.json``.
        lines: of the whole archive, in its order.

    Returns:
        None without a line of a first check.
    """
    firsts = [line for line in lines if line.get("kind") == "baseline"]
    if not firsts:
        return None
    # A state that was lost before began again: its last beginning is in the names of its events.
    begun = next((stamp for stamp in reversed(_stamps(firsts)) if _named(first, lines, stamp)), "")
    at = begun or _stamps(firsts)[0]
    return caught_up(first.replace(baseline_at=at, history=begun), shown, lines)


def _stamps(lines: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted({line["detected_at"] for line in lines if _is_stamp(line.get("detected_at"))})


def _is_stamp(value: object) -> bool:
    try:
        _STAMP.validate_python(value)
    except ValidationError:
        return False
    return True


def _named(state: RecordState, lines: Iterable[Mapping[str, Any]], history: str) -> bool:
    """Return whether the archive has an event of the state that began at this time."""
    return any(
        line.get("event_id")
        == event_id(
            state.source, line.get("id", ""), line.get("revision", 0), line.get("hash", ""), history
        )
        for line in lines
    )


def _events(state: RecordState, lines: Iterable[Mapping[str, Any]]) -> Iterator[Event]:
    """Yield the pushes of the last published change: its run may have died before it sent them.

    They keep their names, so the ledger holds back repeated ones. Earlier changes were
    sent before a later one was committed.
    """
    for line in lines:
        try:
            revision = _revision(line)
            event = Event(
                **revision.model_dump(exclude={"content", "retraction"}),
                content={**revision.content, **revision.retraction},
                event_id=line["event_id"],
                kind=line["kind"],
                detected_at=line["detected_at"],
                push=line["push"],
                renamed_from=line.get("renamed_from", ""),
            )
        except (ValidationError, KeyError, TypeError):
            continue
        named = (state.source, event.id, event.revision, event.hash)
        if event.push and event.event_id in (event_id(*named, state.history), event_id(*named)):
            yield event


def _hot(
    state: RecordState, known: Mapping[str, Known], items: Iterable[Revision]
) -> Iterator[Revision]:
    """Yield the items; the state's own in place of an item that the archive does not have yet."""
    own = {item.id: item for item in state.hot}
    for item in items:
        mine = own.get(item.id)
        if mine and (mine.revision, mine.hash) == (item.revision, item.hash):
            yield mine.model_copy(update={"retraction": item.retraction})
        elif item.id in known and known[item.id].revision >= item.revision:
            yield item
        elif mine:
            yield mine


def _known(line: Mapping[str, Any], revision: int, seen: str) -> Known:
    return _KNOWN.validate_python(
        (
            line["hash"],
            max(line["revision"], revision),
            line.get("is_pinned") is True,
            line["first_seen"],
            seen,
        )
    )
