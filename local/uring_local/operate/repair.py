"""From what was published, and what can still be read, to the state of a source. Pure.

archive, outbox ─ last of each id ─► known, hot        the archive is the truth: it is written first
latest.json ────► what damaged lines of the archive said, the least seq
memory, state ──► what is older than 400 days, when each was last seen
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError

from uring.clock import timestamp
from uring.errors import CorruptState
from uring.records.diff import FORGET_AFTER, HOT_ITEMS, KNOWN_BEYOND_PAGE
from uring.records.model import Event, Health, Known, Revision, SourceState, event_id
from uring_local.operate.published import (
    Archived,
    Hot,
    NotPublished,
    as_revision,
    known_from,
    last_of_each,
    parsed,
)

_EVENTS = TypeAdapter(tuple[Event, ...])


@dataclass(frozen=True, slots=True)
class Found:
    """What there is of a source; None stands for what is not there or cannot be read.

    Attributes:
        state: the state, as it is.
        seen: the records in the ``.seen`` object; empty where there is no object.
        pending: the outbox, where it could be read; of the state, of what is left of it, or of
            an earlier version.
        reading: which rules read what is known; empty where that is not known either.
    """

    source: str
    state: SourceState | None
    seen: Mapping[str, Known] | None
    hot: Hot | None
    archived: Archived
    pending: tuple[Event, ...] | None
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What is to be written: the memory first, then the state.

    ``state.seq`` is the highest that is known; the register writes a higher one.
    """

    state: SourceState
    seen: Mapping[str, Known]


def rebuild(found: Found, now: datetime) -> Rebuilt:
    """The state that agrees with what was published.

    When a record was last seen is not published. It counts as seen now: forgotten too late is
    harmless, forgotten too early is announced again.

    Raises:
        CorruptState: nothing was ever published.
    """
    state, pending = found.state, found.pending or ()
    held = {event.event_id for event in found.archived.events}
    events = [*found.archived.events, *(each for each in pending if each.event_id not in held)]
    records = _records(found, last_of_each(events), timestamp(now))
    if not records:
        raise CorruptState(
            f"{found.source}: there is no archive and no latest.json to rebuild it from; restore "
            "an earlier version of them, or delete the state: the next check takes a new baseline"
        )
    hot = _hot(found, events, records)
    kept = [*records][: KNOWN_BEYOND_PAGE + HOT_ITEMS]
    kept += [*(item.id for item in hot), *(state.known if state else ())]
    known = {key: records[key] for key in dict.fromkeys(kept) if key in records}
    seen = _union(found.seen or {}, {i: each for i, each in records.items() if i not in known})
    newest = max((event.detected_at for event in events), default=None)
    rebuilt = SourceState(
        source=found.source,
        seq=max(state.seq if state else 0, found.hot.seq if found.hot else 0),
        baseline_at=(state and state.baseline_at)
        or min(each.first_seen for each in records.values()),
        changed_at=newest or (state and state.changed_at),
        known=known,
        spilled=bool(seen) or bool(state and state.spilled),
        hot=hot,
        outbox=pending or _republished(found, hot),
        reading=state.reading if state else found.reading,
        reread_at=state.reread_at if state else None,
        permission=state.permission if state else None,
        health=state.health if state else Health(since=timestamp(now)),
    )
    return Rebuilt(rebuilt, seen)


def salvaged_reading(body: bytes) -> str:
    """What a broken state says of the rules that read it: else their next edit would be news."""
    try:
        reading = parsed(body)["reading"]
    except (NotPublished, KeyError, TypeError):
        return ""
    return reading if isinstance(reading, str) else ""


def salvaged(source: str, body: bytes) -> tuple[Event, ...] | None:
    """The outbox of a state that cannot be read as a whole; None if that is gone, too."""
    try:
        document: Any = parsed(body)
        events = _EVENTS.validate_python(document["outbox"])
    except (NotPublished, ValidationError, KeyError, TypeError):
        return None
    names = [event_id(source, each.id, each.revision, each.hash) for each in events]
    if document.get("source") != source or len(set(names)) < len(names):
        return None
    return events if names == [each.event_id for each in events] else None


def never_published(found: Found, key: str, archived: Known | None) -> bool:
    """Whether this record of the state is of the last commit, and that commit's outbox was lost.

    A commit is archived as a whole or not at all: then there is no line of its second.
    """
    state, newest = found.state, found.archived.newest
    if state is None or found.pending or not newest or (state.changed_at or "") <= newest:
        return False
    record = state.known[key]
    if archived is None:
        return record.revision == 1 and record.first_seen == state.changed_at
    return record.revision == archived.revision + 1 and record.last_seen >= (state.changed_at or "")


def _records(found: Found, last: Mapping[str, Event], stamp: str) -> dict[str, Known]:
    """Every record by id, the last changed first."""
    before = _union(found.seen or {}, found.state.known if found.state else {})
    oldest = timestamp(_moment(stamp) - FORGET_AFTER)
    records = {}
    for key, event in reversed([*last.items()]):
        old = before.get(key)
        # The state forgets what it has not seen for so long, and may.
        if old is None and found.state is not None and event.detected_at < oldest:
            continue
        same = old is not None and (old.hash, old.revision) == (event.hash, event.revision)
        records[key] = known_from(event, old.last_seen if same and old else stamp)
    if found.hot is not None:
        for item in found.hot.items:
            mine = records.get(item.id)
            ahead = found.archived.damaged and mine and item.revision > mine.revision
            if mine is None or ahead:
                records[item.id] = known_from(item, stamp)
    for key, old in found.state.known.items() if found.state else ():
        mine = records.get(key)
        ahead = mine is not None and old.revision > mine.revision
        if (mine is None or ahead) and not never_published(found, key, mine):
            records[key] = old
    return records


def _hot(
    found: Found, events: Iterable[Event], records: Mapping[str, Known]
) -> tuple[Revision, ...]:
    changed = [as_revision(event) for event in reversed(last_of_each(events).values())]
    last = [item for item in changed if _agrees(item, records)][:HOT_ITEMS]
    own = found.state.hot if found.state else ()
    if own and all(_agrees(item, records) for item in own):
        names = {item.id for item in own}
        if not last or last[0].id in names:
            return own
    # What damaged lines of the archive said stands in latest.json, if it changed last.
    published = found.hot.items if found.hot and found.archived.damaged else ()
    names = {item.id for item in last}
    more = [item for item in published if item.id not in names and _agrees(item, records)]
    return tuple([*last, *more][:HOT_ITEMS])


def _agrees(item: Revision, records: Mapping[str, Known]) -> bool:
    record = records.get(item.id)
    return record is not None and record[:3] == (item.hash, item.revision, item.is_pinned)


def _republished(found: Found, hot: tuple[Revision, ...]) -> tuple[Event, ...]:
    """Nothing, or a change that was published before: draining it writes latest.json anew.

    The archive holds its line already, and nobody hears of it again.
    """
    shown = found.hot.items if found.hot else None
    return found.archived.events[-1:] if shown != hot else ()


def _union(first: Mapping[str, Known], second: Mapping[str, Known]) -> dict[str, Known]:
    """Both; the higher revision wins, then the second."""
    newer = {
        key: each
        for key, each in second.items()
        if key not in first or first[key].revision <= each.revision
    }
    return {**first, **newer}


def _moment(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)
